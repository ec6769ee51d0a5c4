"""Knows what every position of a small game of two is worth (retrograde analysis; mixed where both move)."""

from __future__ import annotations

from typing import Any

from ggp.players.protocol import Player, Table, View
from ggp.players.values import Values
from ggp.players.world import Outcome
from ggp.players.worlds import contest_of

NAME = "exact"
KNOWS = "rules"
PLAYS = frozenset(("simultaneous",))


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class Knowing:
    """Takes what is worth most: a win as soon as can be, a loss as late; among equals any."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.values = Values(contest_of(table.instance, NAME))

    def choose(self, view: View) -> int:
        mover = self.table.world.mover(view.position)
        left = None if view.turns_left is None else view.turns_left - 1
        worth: dict[int, tuple[float, int]] = {}
        for action, turn in self.table.world.turns(view.position).items():
            worth[action] = self.worth(turn.position, turn.gets, mover, left)
        best = max(worth.values())
        return self.table.rng.choice([action for action, found in worth.items() if found == best])

    def worth(
        self, position: Any, gets: tuple[float, ...], mover: int, left: int | None
    ) -> tuple[float, int]:
        """What a player gets after a turn, and how soon (how late, where it is a loss)."""
        if gets:
            return gets[mover], 0
        sign = 1 if self.table.world.mover(position) == mover else -1
        value = sign * self.values.value(position, left)
        return float(value), -value * self.values.soonest(position, left)

    def ended(self, outcome: Outcome) -> None:
        pass


def player(table: Table) -> Player:
    """A player for this table."""
    if table.instance.game.simultaneous:
        from ggp.players.joint_values import Mixing

        return Mixing(table)
    return Knowing(table)
