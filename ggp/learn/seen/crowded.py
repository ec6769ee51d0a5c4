"""Crowds: tokens in the cells around which so many of something stand, for what lives on among two or three.

A window shows the eight cells, but that three of them hold something is a rule for each choice of three.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ggp.learn.boards import Board, Token
from ggp.learn.seen.senses import Facing
from ggp.learn.seen.signs import SIGN
from ggp.model import NEAR, OFFSETS, Cell

AREAS = ("beside", "around")
"""The words for the cells that are counted: the four that share a side, or the eight with the corners."""


def reached(path: tuple[str, ...]) -> Cell:
    """The rows down and the columns to the right of a path."""
    return sum(OFFSETS[step][0] for step in path), sum(OFFSETS[step][1] for step in path)


CELLS: dict[str, tuple[Cell, ...]] = {area: tuple(map(reached, NEAR[area])) for area in AREAS}


class Crowd(NamedTuple):
    """The cells of which at least so many others, `beside` them or `around` them, hold `source`."""

    source: str
    area: str
    least: int

    @property
    def name(self) -> Token:
        """What its token is called."""
        return f"{SIGN}{self.source}, {self.least} or more {self.area}"

    def where(self, board: Board, facing: Facing) -> Iterator[tuple[Cell, Token]]:
        """The cells of a board that have the token."""
        for cell, number in numbers(board, self.source, self.area, facing).items():
            if number >= self.least:
                yield cell, self.name


def numbers(board: Board, source: str, area: str, facing: Facing) -> dict[Cell, int]:
    """How many of the cells counted hold something, for the cells of which any does."""
    found: Counter[Cell] = Counter()
    for index, stack in enumerate(board.cells):
        if stack and any(token == source or facing.get(token, ("",))[0] == source for token in stack):
            row, column = divmod(index, board.width)
            cells = ((row + down, column + right) for down, right in CELLS[area])
            found.update(filter(board.inside, cells))
    return dict(found)
