"""Neighbours: tokens in the cells around something, so that each cell can say itself that it is one of them.

Of a window that shows the neighbours a rule has to say each alike: above, or to the right, or below. The
token is in all four cells beside it, or in all four at its corners.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from ggp.learn.boards import Board, Token
from ggp.learn.seen.rays import Facing
from ggp.learn.seen.signs import SIGN
from ggp.model import OFFSETS, Cell

BESIDE = tuple(OFFSETS.items())
CORNERS = tuple(
    (f"{up}.{left}", (OFFSETS[up][0], OFFSETS[left][1]))
    for up, left in product(("up", "down"), ("left", "right"))
)


class Near(NamedTuple):
    """The cells beside `source`, or at its `corners`, where it stands on `ground`, if that is said."""

    source: str
    ground: str = ""
    corners: bool = False

    @property
    def name(self) -> Token:
        """What its token is called."""
        where = "at a corner of" if self.corners else "beside"
        return f"{SIGN}{where} {self.source}" + (f" on {self.ground}" if self.ground else "")

    @property
    def around(self) -> tuple[tuple[str, Cell], ...]:
        """The paths to the cells, each with its rows down and columns to the right."""
        return CORNERS if self.corners else BESIDE

    def where(self, board: Board, facing: Facing) -> Iterator[tuple[Cell, Token]]:
        """The cells of a board that have the token."""
        wanted = {self.source, self.ground} - {""}
        for index, stack in enumerate(board.cells):
            if stack and wanted <= {facing[token][0] if token in facing else token for token in stack}:
                row, column = divmod(index, board.width)
                cells = ((row + down, column + right) for _, (down, right) in self.around)
                yield from ((cell, self.name) for cell in cells if board.inside(cell))
