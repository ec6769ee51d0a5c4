"""Picks the cell that is most surely safe: by exact counting of all that may lie where, as in Minesweeper."""

from __future__ import annotations

from math import prod

from ggp.players.endgame import FEW, Endgame
from ggp.players.protocol import Table, View
from ggp.players.uncovering import Uncovering
from ggp.players.world import Outcome

NAME = "safest"
KNOWS = "rules"
PLAYS = frozenset(("chance", "hidden"))


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class Safest:
    """Among cells that are equally safe it takes one round which there may well be nothing.

    On small boards it takes the one after which the next pick is the most surely safe, reckoned exactly.
    """

    def __init__(self, table: Table) -> None:
        self.game = Uncovering(table.world)
        layouts = self.game.layouts(self.game.start)
        few = layouts.number <= FEW and not self.game.first_is_safe
        self.whole = Endgame(self.game, self.game.start, list(layouts), []) if few else None
        self.sure: list[int] = []  # cells that were found safe and are not picked yet
        self.known: dict[bytes, list[int]] = {}

    def choose(self, view: View) -> int:
        legal = set(view.legal)
        self.sure = [cell for cell in self.sure if cell in legal]
        if not self.sure:
            self.sure = self.best(view)
        return self.sure.pop()

    def best(self, view: View) -> list[int]:
        """All cells that are sure to be safe, or else the safest one."""
        found = self.known.get(view.observed)
        if found is None:
            found = self.found(view.observed, list(view.legal))
            if len(self.known) < MOST_KEPT:
                self.known[view.observed] = found
        return list(found)

    def found(self, observed: bytes, legal: list[int]) -> list[int]:
        """The same, reckoned."""
        layouts = self.game.layouts(observed)
        holding = layouts.holding()
        first = self.game.first_is_safe and observed == self.game.start
        sure = [cell for cell in legal if not holding.get(cell, 0)]
        if sure and not first:
            return sure
        least = 0 if first else min(map(holding.__getitem__, legal))
        equal = [cell for cell in legal if first or holding[cell] == least]
        whole = self.whole
        if whole is not None and len(equal) > 1:
            opened, agreeing = whole.agreeing(observed)
            return [max(equal, key=lambda cell: whole.safe_next(opened, agreeing, cell))]
        number = layouts.number

        def nothing_near(cell: int) -> float:
            """How likely there is nothing round a cell, as if its neighbours were independent."""
            return prod(1 - holding.get(one, 0) / number for one in self.game.around(cell))

        return [max(equal, key=nothing_near)]

    def ended(self, outcome: Outcome) -> None:
        self.sure = []


MOST_KEPT = 200_000  # boards whose answers are remembered


def player(table: Table) -> Safest:
    """A player for this table."""
    return Safest(table)
