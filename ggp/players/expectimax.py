"""Looks ahead through everything that chance may do, with exact probabilities, as far as there is time."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ggp.players.luck import Lucky
from ggp.players.protocol import Table, View
from ggp.players.world import UTILITY, Outcome, Turn

NAME = "expectimax"
KNOWS = "rules"
PLAYS = frozenset(("chance", "chance-in-turns"))
DEEPEST = 1_000  # turns


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class OutOfTime(Exception):
    """As many turns were looked at as the table allows."""


class Expectimax:
    """The action with the best expected utility, one turn further each time, while there is time.

    Where the search ends before the game does that counts as nothing won and nothing lost.
    """

    def __init__(self, table: Table) -> None:
        self.table, self.world = table, table.world
        self.left = 0
        self.known: dict[tuple[Any, int], Fraction] = {}
        self.cut = False

    def choose(self, view: View) -> int:
        self.left, best = self.table.playouts, list(view.legal)
        most = DEEPEST if view.turns_left is None else view.turns_left
        for depth in range(1, most + 1):
            self.known, self.cut = {}, False
            try:
                values = {action: self.after(view.position, action, depth) for action in view.legal}
            except OutOfTime:
                break
            best = [action for action, value in values.items() if value == max(values.values())]
            if not self.cut:
                break  # all of the game was seen
        return self.table.rng.choice(best)

    def after(self, position: Any, action: int, depth: int) -> Fraction:
        """The expected utility of an action."""
        total = Fraction(0)
        for share, turn in self.ways(position, action):
            self.left -= 1
            if self.left < 0:
                raise OutOfTime
            if turn.outcome == "open":
                total += share * self.best(turn.position, depth - 1)
            else:
                total += share * Fraction(UTILITY[turn.outcome])
        return total

    def ways(self, position: Any, action: int) -> Iterable[tuple[Fraction, Turn]]:
        """What may come of an action; without chance one thing."""
        if isinstance(self.world, Lucky):
            return self.world.ways(position, action)
        turn = self.world.turn(position, action)
        return [(Fraction(1), turn)] if turn is not None else []

    def best(self, position: Any, depth: int) -> Fraction:
        """The expected utility of the best action at a position."""
        key = position, depth
        if key not in self.known:
            legal = self.world.legal(position).nonzero()[0].tolist()
            if not legal:
                value = Fraction(UTILITY["lost"])
            elif depth == 0:
                self.cut, value = True, Fraction(0)
            else:
                value = max(self.after(position, action, depth) for action in legal)
            self.known[key] = value
        return self.known[key]

    def ended(self, outcome: Outcome) -> None:
        pass


def player(table: Table) -> Expectimax:
    """A player for this table."""
    return Expectimax(table)
