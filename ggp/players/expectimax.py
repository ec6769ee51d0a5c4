"""Looks ahead through everything that chance may do, with exact probabilities, as far as there is time."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from operator import itemgetter
from typing import Any

from ggp.players.luck import Lucky
from ggp.players.protocol import Table, View
from ggp.players.world import UTILITY, Outcome, Turn

NAME = "expectimax"
KNOWS = "rules"
PLAYS = frozenset(("chance", "chance-in-turns"))
DEEPEST = 1_000  # turns
Worth = tuple[Fraction, ...]  # for each player


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class OutOfTime(Exception):
    """As many turns were looked at as the table allows."""


class Expectimax:
    """The action with the best expected utility, one turn further each time, while there is time.

    Of several players each is thought to do what is best for it (expectiminimax, where there are two: Michie,
    1966). Where the search ends before the game does that counts as nothing won and nothing lost.
    """

    def __init__(self, table: Table) -> None:
        self.table, self.world = table, table.world
        self.left = 0
        self.known: dict[tuple[Any, int], Worth] = {}
        self.cut = False

    def choose(self, view: View) -> int:
        self.left, best = self.table.playouts, list(view.legal)
        mover = self.world.mover(view.position)
        most = DEEPEST if view.turns_left is None else view.turns_left
        for depth in range(1, most + 1):
            self.known, self.cut = {}, False
            try:
                values = {one: self.after(view.position, one, depth)[mover] for one in view.legal}
            except OutOfTime:
                break
            best = [action for action, value in values.items() if value == max(values.values())]
            if not self.cut:
                break  # all of the game was seen
        return self.table.rng.choice(best)

    def after(self, position: Any, action: int, depth: int) -> Worth:
        """The expected utility of an action, for each player."""
        total = [Fraction(0)] * len(self.world.players)
        for share, turn in self.ways(position, action):
            self.left -= 1
            if self.left < 0:
                raise OutOfTime
            gets = self.ended_with(turn) or self.best(turn.position, depth - 1)
            total = [one + share * got for one, got in zip(total, gets, strict=True)]
        return tuple(total)

    def ended_with(self, turn: Turn) -> Worth:
        """What each player gets by a turn that ends the game; nothing by one that does not."""
        if turn.gets:
            return tuple(map(Fraction, turn.gets))
        return () if turn.outcome == "open" else (Fraction(UTILITY[turn.outcome]),)

    def ways(self, position: Any, action: int) -> Iterable[tuple[Fraction, Turn]]:
        """What may come of an action; without chance one thing."""
        if isinstance(self.world, Lucky):
            return self.world.ways(position, action)
        turn = self.world.turn(position, action)
        return [(Fraction(1), turn)] if turn is not None else []

    def best(self, position: Any, depth: int) -> Worth:
        """The expected utility for each player if whoever moves at a position does what is best for it."""
        key = position, depth
        if key not in self.known:
            legal = self.world.legal(position).nonzero()[0].tolist()
            if not legal:
                value: Worth = (Fraction(UTILITY["lost"]),)
            elif depth == 0:
                self.cut, value = True, (Fraction(0),) * len(self.world.players)
            else:
                mover = self.world.mover(position)
                after = (self.after(position, action, depth) for action in legal)
                value = max(after, key=itemgetter(mover))
            self.known[key] = value
        return self.known[key]

    def ended(self, outcome: Outcome) -> None:
        pass


def player(table: Table) -> Expectimax:
    """A player for this table."""
    return Expectimax(table)
