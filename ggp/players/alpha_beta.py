"""Looks ahead turn by turn, and leaves out what cannot matter (alpha-beta), in games of two players.

Deeper and deeper, as far as the limit of positions goes; what is known of a position is kept in a table
(Knuth and Moore, 1975; Slate and Atkin, 1977). What is too far ahead to be seen counts as a draw.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ggp.players.protocol import Table, View
from ggp.players.world import Outcome, Turn
from ggp.players.worlds import contest_of

NAME = "alpha-beta"
KNOWS = "rules"
DEEPEST = 400
EXACTLY, AT_LEAST, AT_MOST = range(3)  # what the value of a table says


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class Known(NamedTuple):
    """What was found out of a position when looking so many turns ahead, and the best action there.

    `whole`: nothing was cut off, so looking further changes nothing.
    """

    depth: int
    bound: int
    value: float
    action: int
    whole: bool


class Spent(Exception):
    """The limit of positions is reached."""


class Looking:
    """Searches anew for each action, with what it knows of positions from before."""

    def __init__(self, table: Table) -> None:
        self.table = table
        contest_of(table.instance, NAME)
        self.known: dict[tuple[Any, int | None], Known] = {}
        self.timed = table.instance.level.horizon is not None
        self.looked = 0

    def choose(self, view: View) -> int:
        self.looked, depth = 0, 1
        best = self.table.rng.choice(view.legal)
        most = DEEPEST if view.turns_left is None else min(view.turns_left, DEEPEST)
        while depth <= most:
            try:
                value, whole = self.search(view.position, depth, -1.0, 1.0, view.turns_left)
            except Spent:
                break
            best = self.known[self.key(view.position, view.turns_left)].action
            if whole or abs(value) == 1.0:
                break
            depth += 1
        return best

    def key(self, position: Any, left: int | None) -> tuple[Any, int | None]:
        """Where a position stands in the table: the turns that are left matter where they are counted."""
        return position, left if self.timed else None

    def search(
        self, position: Any, depth: int, low: float, high: float, left: int | None
    ) -> tuple[float, bool]:
        """What a position is worth to whoever moves there, where it matters between `low` and `high`.

        Also whether that is so however far one looks.
        """
        if left == 0:
            return 0.0, True
        if depth == 0:
            return 0.0, False
        known = self.known.get(self.key(position, left))
        if known is not None and (known.depth >= depth or known.whole):
            settled = known.bound == EXACTLY
            settled |= known.bound == AT_LEAST and known.value >= high
            settled |= known.bound == AT_MOST and known.value <= low
            if settled:
                return known.value, known.whole
        if self.looked >= self.table.playouts:
            raise Spent
        self.looked += 1
        value, action, whole = self.best(position, depth, (low, high), left, known)
        bound = AT_LEAST if value >= high else AT_MOST if value <= low else EXACTLY
        self.known[self.key(position, left)] = Known(depth, bound, value, action, whole)
        return value, whole

    def best(
        self, position: Any, depth: int, window: tuple[float, float], left: int | None, known: Known | None
    ) -> tuple[float, int, bool]:
        """The value of the best action, the action, and whether all that led to it is sure."""
        low, high = window
        turns, mover = self.table.world.turns(position), self.table.world.mover(position)
        first = known.action if known is not None else -1
        order = sorted(turns, key=lambda action: (action != first, turns[action].outcome != "won"))
        best, chosen, whole = -2.0, order[0], True
        for action in order:
            value, sure = self.after(turns[action], mover, depth, (low, high), left)
            whole &= sure
            if value > best:
                best, chosen = value, action
            low = max(low, best)
            if low >= high:
                return best, chosen, sure
        return best, chosen, whole

    def after(
        self, turn: Turn, mover: int, depth: int, window: tuple[float, float], left: int | None
    ) -> tuple[float, bool]:
        """What a turn is worth to the one who makes it."""
        if turn.gets:
            return turn.gets[mover], True
        low, high = window
        left = None if left is None else left - 1
        if self.table.world.mover(turn.position) == mover:
            return self.search(turn.position, depth - 1, low, high, left)
        value, sure = self.search(turn.position, depth - 1, -high, -low, left)
        return -value, sure

    def ended(self, outcome: Outcome) -> None:
        pass


def player(table: Table) -> Looking:
    """A player for this table."""
    return Looking(table)
