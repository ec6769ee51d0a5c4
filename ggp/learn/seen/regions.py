"""Regions: tokens in the cells that hang together with what is picked, however far: a group of one colour.

A window shows a few cells of it, and each shape that it has there would be a rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.learn.boards import Board, Token
from ggp.learn.seen.rays import with_members
from ggp.learn.seen.senses import Facing
from ggp.learn.seen.signs import SIGN
from ggp.model import OFFSETS, Cell


class Region(NamedTuple):
    """The cells with `along` that one gets to, side by side, from one of them with `source`.

    `several`: there are none where that is the only one.
    """

    source: str
    along: str
    several: bool = False

    @property
    def name(self) -> Token:
        """What its token is called."""
        return f"{SIGN}{self.along} together with {self.source}" + " and others" * self.several

    def where(self, board: Board, facing: Facing) -> Iterator[tuple[Cell, Token]]:
        """The cells of a board that have the token."""
        sources, leading = (with_members(frozenset({name}), facing) for name in (self.source, self.along))
        for index, stack in enumerate(board.cells):
            if not sources.isdisjoint(stack):
                cells = together(board, divmod(index, board.width), leading)
                if len(cells) > self.several:
                    yield from ((cell, self.name) for cell in cells)


def together(board: Board, start: Cell, leading: frozenset[Token]) -> set[Cell]:
    """The cells with one of some tokens that one gets to from one of them."""
    found: set[Cell] = set()
    left = [start]
    while left:
        cell = left.pop()
        if cell not in found and not leading.isdisjoint(board.at(cell) or ()):
            found.add(cell)
            left += ((cell[0] + down, cell[1] + right) for down, right in OFFSETS.values())
    return found
