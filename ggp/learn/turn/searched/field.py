"""Many boards at once: of each token where it stands on each of them, as arrays of truth values.

A plane is one flat array: the boards one after another, each as large as the largest of them, with a margin
of what is outside after each row and each board. What stands so far from each cell is the same array, so much
further on: no cell is copied, and no shift crosses from one board to another within the margin's width.
Boards are sorted by inputs, so that what is done under one of them is done to boards in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ggp.learn.seen.frames import Offset
from ggp.model import Cell

MARGIN = 3  # cells around each board, as far as rules look and reach
OUTSIDE = -1  # the plane of what is on no board

Truth = NDArray[np.bool_]
Numbers = NDArray[np.intp]


@dataclass(frozen=True)
class Grid:
    """How boards stand in a flat array: a row and a board with its margin take so many cells."""

    width: int
    size: int

    @property
    def pad(self) -> int:
        """Cells before the first board, and after the last."""
        return MARGIN * self.width

    def along(self, offset: Offset) -> int:
        """How much further on the cell stands that is so many rows and columns away."""
        return offset[0] * self.width + offset[1]

    def cell(self, number: int) -> Cell:
        """The row and the column of a cell of a board."""
        return divmod(number, self.width)

    def padded(self, rows: Truth, *, outside: bool = False) -> Truth:
        """A plane of boards, from an array with a row for each board."""
        plane = np.full(rows.size + 2 * self.pad, outside, np.bool_)
        plane[self.pad : -self.pad] = rows.ravel()
        return plane

    def rows(self, plane: Truth) -> Truth:
        """A plane as an array with a row for each board."""
        return plane[self.pad : -self.pad].reshape(-1, self.size)

    def some(self, plane: Truth, boards: slice, along: int = 0) -> Truth:
        """What stands so far from each cell of some boards."""
        start = self.pad + along
        return plane[start + boards.start * self.size : start + boards.stop * self.size]


@dataclass
class Planes:
    """So many planes, made when they are first asked for."""

    number: int
    make: Callable[[int], Truth]
    known: dict[int, Truth] = field(default_factory=dict)

    def __getitem__(self, number: int) -> Truth:
        if number not in self.known:
            self.known[number] = self.make(number)
        return self.known[number]


@dataclass(frozen=True)
class Field:
    """Some boards. `planes`: as they were, but for those `changed`; `heard`: the number of each input.

    `twice`: on so many of them one thing came twice to a cell in the pass that made them.
    """

    grid: Grid
    planes: Planes
    changed: Mapping[int, Truth]
    heard: Numbers
    twice: int = 0

    def __len__(self) -> int:
        return len(self.heard)

    @property
    def cells(self) -> int:
        """The cells of all boards, with their margins."""
        return len(self.heard) * self.grid.size

    def plane(self, number: int) -> Truth:
        """One plane of all boards."""
        found = self.changed.get(number)
        return found if found is not None else self.planes[number]

    def rows(self, number: int) -> Truth:
        """One plane, as an array with a row for each board."""
        return self.grid.rows(self.plane(number))

    def rows_of(self, word: int) -> slice:
        """The boards with an input."""
        first, last = np.searchsorted(self.heard, [word, word + 1])
        return slice(int(first), int(last))

    def take(self, boards: Numbers) -> Field:
        """Some of the boards, in their order; one may be there several times."""

        def taken(number: int) -> Truth:
            return self.grid.padded(self.rows(number)[boards], outside=number == OUTSIDE)

        return Field(self.grid, Planes(self.planes.number, taken), {}, self.heard[boards])

    @staticmethod
    def joined(fields: Sequence[Field]) -> Field:
        """The boards of several of these, one after another."""
        grid = fields[0].grid

        def joint(number: int) -> Truth:
            rows = np.concatenate([one.rows(number) for one in fields])
            return grid.padded(rows, outside=number == OUTSIDE)

        heard = np.concatenate([one.heard for one in fields])
        return Field(grid, Planes(fields[0].planes.number, joint), {}, heard)

    def with_planes(self, planes: Mapping[int, Truth], twice: int = 0) -> Field:
        """The boards with other planes in the place of some."""
        return replace(self, changed={**self.changed, **planes}, twice=twice)

    @cached_property
    def stacked(self) -> Truth:
        """All planes that boards have, and what is outside, a line for each cell."""
        return np.stack([self.plane(one) for one in (*range(self.planes.number), OUTSIDE)], axis=1)
