"""Neighbours: tokens in the cells around something, so that each cell can say itself that it is one of them.

Of a window that shows the neighbours a rule has to say each alike: above, or to the right, or below. The
token is in all cells that are so far away: in all four beside it, or all four at its corners.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.learn.boards import Board, Token
from ggp.learn.seen.senses import Facing
from ggp.learn.seen.signs import SIGN
from ggp.model import DIRECTIONS, OFFSETS, Cell

Away = tuple[int, int]
"""Rows and columns between two cells, in either order: the larger number first."""

BESIDE: Away = (1, 0)
AROUND: dict[Away, str] = {
    BESIDE: "beside",
    (1, 1): "at a corner of",
    (2, 0): "two cells from",
    (2, 1): "a knight's move from",
    (2, 2): "two cells over a corner of",
}


class Near(NamedTuple):
    """The cells so far `away` from `source`, where it stands on `ground`, if that is said."""

    source: str
    ground: str = ""
    away: Away = BESIDE

    @property
    def name(self) -> Token:
        """What its token is called."""
        return f"{SIGN}{AROUND[self.away]} {self.source}" + (f" on {self.ground}" if self.ground else "")

    @property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        """The ways from one cell to another that is so far away; turned to all sides they are all."""
        far, aside = self.away
        straight = ("ahead",) * far
        sides = ("rightward", "leftward") if 0 < aside < far else ("rightward",)
        return tuple((*straight, *(side,) * aside) for side in sides)

    @property
    def around(self) -> tuple[tuple[tuple[str, ...], Cell], ...]:
        """The paths to the cells, each with its rows down and columns to the right."""
        return tuple(
            (turned, (sum(OFFSETS[step][0] for step in turned), sum(OFFSETS[step][1] for step in turned)))
            for way in range(len(DIRECTIONS))
            for path in self.paths
            for turned in (tuple(step_of(step, way) for step in path),)
        )

    def where(self, board: Board, facing: Facing) -> Iterator[tuple[Cell, Token]]:
        """The cells of a board that have the token."""
        wanted = {self.source, self.ground} - {""}
        for index, stack in enumerate(board.cells):
            if stack and wanted <= {facing[token][0] if token in facing else token for token in stack}:
                row, column = divmod(index, board.width)
                cells = ((row + down, column + right) for _, (down, right) in self.around)
                yield from ((cell, self.name) for cell in cells if board.inside(cell))


def step_of(step: str, way: int) -> str:
    """A step ahead or aside of who looks this way, a direction's number."""
    return DIRECTIONS[(way + {"ahead": 0, "rightward": 1, "leftward": 3}[step]) % len(DIRECTIONS)]


def away(one: Cell, other: Cell) -> Away:
    """How far two cells are from each other."""
    down, right = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(down, right), min(down, right)
