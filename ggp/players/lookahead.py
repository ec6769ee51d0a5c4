"""Plays on to the end in its mind, exactly, where few layouts are left; before that the safest cell."""

from __future__ import annotations

from ggp.players.endgame import FEW, Endgame
from ggp.players.protocol import Table, View
from ggp.players.safest import KNOWS, PLAYS, Safest, available
from ggp.players.world import Outcome

__all__ = ["KNOWS", "NAME", "PLAYS", "available", "player"]

NAME = "lookahead"


class Looking(Safest):
    """The safest cell, until few layouts are left."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.acted: list[int] = []
        self.end = self.whole

    def choose(self, view: View) -> int:
        action = super().choose(view)
        self.acted.append(action)
        return action

    def found(self, observed: bytes, legal: list[int]) -> list[int]:
        layouts = self.game.layouts(observed)
        if self.end is None and layouts.number <= FEW:
            self.end = Endgame(self.game, observed, list(layouts), self.acted)
        if self.end is None or not all(map(layouts.holding().get, legal)):
            return super().found(observed, legal)
        opened, agreeing = self.end.agreeing(observed)
        return [self.end.best(opened, agreeing).action]

    def ended(self, outcome: Outcome) -> None:
        super().ended(outcome)
        self.acted, self.end = [], self.whole


def player(table: Table) -> Looking:
    """A player for this table."""
    return Looking(table)
