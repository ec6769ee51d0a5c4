"""Rays: tokens in every cell that something looks along its row or column to, until something is in the way.

The token faces the way in which the ray goes. It also stands in the first cell with what is in the way: that
is what is seen. A ray along a row of lamps ends where there is none. What has a facing looks where it faces;
everything else looks all four ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.learn.boards import Board, Stack, Token
from ggp.learn.seen.senses import Facing
from ggp.learn.seen.signs import SIGN
from ggp.model import DIRECTIONS, OFFSETS, Cell


class Ray(NamedTuple):
    """Where `source` looks to; what has one of the names `barred` is in the way.

    With `along` it begins in cells with one of these names alone, and goes on from such. With `through` it
    begins anywhere and goes on from such: from a wall through crates, to the first cell that has none.
    """

    source: str
    barred: frozenset[str] = frozenset()
    along: frozenset[str] = frozenset()
    through: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """What its tokens are called, whichever way they go."""
        past = f" before {' or '.join(sorted(self.barred))}" if self.barred else ""
        by = f" along {' or '.join(sorted(self.along))}" if self.along else ""
        through = f" through {' or '.join(sorted(self.through))}" if self.through else ""
        return f"{SIGN}{self.source} in line{by}{through}{past}"

    def token(self, direction: str) -> Token:
        """The token of a ray that goes this way."""
        return f"{self.name}:{direction}"

    def lit(self, board: Board, facing: Facing) -> Iterator[tuple[Cell, str]]:
        """The cells that it comes to on a board, each with the direction in which it goes there."""
        barring = with_members(self.barred, facing)
        leading, going = with_members(self.along, facing), with_members(self.along | self.through, facing)
        for index, stack in enumerate(board.cells):
            begins = not leading or not leading.isdisjoint(stack)
            for direction in ways_of(stack, self.source, facing) if begins else ():
                down, right = OFFSETS[direction]
                row, column = divmod(index, board.width)
                row, column = row + down, column + right
                while board.inside((row, column)):
                    yield (row, column), direction
                    here = board.cells[row * board.width + column]
                    if not barring.isdisjoint(here) or (going and going.isdisjoint(here)):
                        break
                    row, column = row + down, column + right

    def where(self, board: Board, facing: Facing) -> Iterator[tuple[Cell, Token]]:
        """The cells of a board that have a token of it, with that."""
        return ((cell, self.token(direction)) for cell, direction in self.lit(board, facing))


def with_members(names: frozenset[str], facing: Facing) -> frozenset[Token]:
    """Some names, and the tokens of those that have facings."""
    return names | {token for token, (name, _) in facing.items() if name in names}


def ways_of(stack: Stack, source: str, facing: Facing) -> list[str]:
    """Where what stands in a cell looks to, of those with this name."""
    found: dict[str, None] = {}
    for token in stack:
        name, way = facing.get(token, (token, ""))
        if name == source:
            found.update(dict.fromkeys([way] if way in DIRECTIONS else DIRECTIONS))
    return list(found)
