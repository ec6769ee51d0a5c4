"""The first of several alike things, as an engine comes to them that goes over a board cell by cell.

Where a rule asks for a key here and a door anywhere, and takes both, it takes the first door that is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.learn.boards import Board, Token
from ggp.learn.seen.rays import with_members
from ggp.learn.seen.senses import Facing
from ggp.learn.seen.signs import SIGN
from ggp.model import Cell


class Foremost(NamedTuple):
    """The first cell with `source`: column by column from the left, each from its top, or row by row."""

    source: str
    by_rows: bool = False

    @property
    def name(self) -> Token:
        """What its token is called."""
        return f"{SIGN}{self.source} first by {'rows' if self.by_rows else 'columns'}"

    def order(self, cell: Cell) -> Cell:
        """A key by which cells come one after another."""
        return cell if self.by_rows else (cell[1], cell[0])

    def where(self, board: Board, facing: Facing) -> Iterator[tuple[Cell, Token]]:
        """The only cell of a board that has the token, if there is one."""
        sources = with_members(frozenset({self.source}), facing)
        there = (
            divmod(n, board.width) for n, stack in enumerate(board.cells) if not sources.isdisjoint(stack)
        )
        first = min(there, key=self.order, default=None)
        if first is not None:
            yield first, self.name
