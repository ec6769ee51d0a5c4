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

    `least`: there are none where fewer hang together. A second one is asked for beside each source; what is
    more is counted on the whole board, from all sources.
    """

    source: str
    along: str
    least: int = 1

    @property
    def name(self) -> Token:
        """What its token is called."""
        more = {1: "", 2: " and others"}.get(self.least, f" and {self.least - 1} others")
        return f"{SIGN}{self.along} together with {self.source}{more}"

    def where(self, board: Board, facing: Facing) -> Iterator[tuple[Cell, Token]]:
        """The cells of a board that have the token."""
        sources, leading = (with_members(frozenset({name}), facing) for name in (self.source, self.along))
        begins = (index for index, stack in enumerate(board.cells) if not sources.isdisjoint(stack))
        groups = [together(board, divmod(index, board.width), leading) for index in begins]
        cells = set[Cell]().union(*(group for group in groups if len(group) >= min(self.least, 2)))
        if len(cells) >= self.least:
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
