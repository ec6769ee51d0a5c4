"""Many boards at once: of each cell which tokens are there, as bits.

Boards stand one after another in a flat array, each as large as the largest of them, with a margin of what is
outside after each row and each board. What stands so far from each cell is in the same array, so much further
on: what is looked at never lies on another board within the margin's width. A cell takes as many words as its
tokens need bits for. Boards are sorted by inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ggp.learn.seen.frames import Offset
from ggp.model import Cell

MARGIN = 3  # cells around each board, as far as rules look and reach
WORD = 64  # bits

Truth = NDArray[np.bool_]
Numbers = NDArray[np.intp]
Bits = NDArray[np.uint64]


@dataclass(frozen=True)
class Grid:
    """How boards stand in a flat array: a row and a board with its margin take so many cells.

    `outside`: the plane of what is on no board, after those of all tokens.
    """

    width: int
    size: int
    outside: int

    @property
    def pad(self) -> int:
        """Cells before the first board, and after the last."""
        return MARGIN * self.width

    @property
    def words(self) -> int:
        """Words for the planes of a cell."""
        return self.outside // WORD + 1

    @property
    def rounds(self) -> int:
        """How often a pass goes on at most."""
        return self.size // self.width

    def along(self, offset: Offset) -> int:
        """How much further on the cell stands that is so many rows and columns away."""
        return offset[0] * self.width + offset[1]

    def cell(self, number: int) -> Cell:
        """The row and the column of a cell of a board."""
        return divmod(number, self.width)

    def bits(self, planes: Iterable[int]) -> Bits:
        """Some planes as the bits of a cell."""
        found = [0] * self.words
        for plane in planes:
            found[plane // WORD] |= 1 << plane % WORD
        return np.array(found, np.uint64)

    def nothing(self, boards: int) -> Bits:
        """So many boards without any cells."""
        return np.tile(self.bits([self.outside]), (boards * self.size + 2 * self.pad, 1))


@dataclass(frozen=True)
class Field:
    """Some boards. `cells`: for each cell its words, with what is outside before and after all boards.

    `heard`: the number of each input; `shapes`: the rows and columns of each; `twice`: on which of them one
    thing came twice to a cell in the pass that made them.
    """

    grid: Grid
    cells: Bits
    heard: Numbers
    shapes: Numbers
    twice: Truth
    known: dict[int, Numbers] = field(default_factory=dict, repr=False, compare=False)

    @staticmethod
    def of(grid: Grid, cells: Bits, heard: Numbers, shapes: Numbers) -> Field:
        """Boards that no pass made."""
        return Field(grid, cells, heard, shapes, np.zeros(len(heard), np.bool_))

    def __len__(self) -> int:
        return len(self.heard)

    @property
    def size(self) -> int:
        """The cells of all boards, with their margins."""
        return len(self.heard) * self.grid.size

    @property
    def boards(self) -> Bits:
        """Of each board the words of its cells."""
        pad = self.grid.pad
        return self.cells[pad:-pad].reshape(len(self.heard), self.grid.size, self.grid.words)

    def plane(self, number: int) -> Truth:
        """Where something is on each board."""
        word, bit = divmod(number, WORD)
        return (self.boards[:, :, word] & np.uint64(1 << bit)).astype(np.bool_)

    def places(self, number: int | None) -> Numbers:
        """Where something is in the flat array; None: all cells that are on a board."""
        key = self.grid.outside if number is None else number
        if key not in self.known:
            there = self.plane(key).ravel()
            self.known[key] = np.flatnonzero(~there if number is None else there) + self.grid.pad
        return self.known[key]

    def take(self, boards: Numbers) -> Field:
        """Some of the boards, in their order; one may be there several times."""
        return Field.of(self.grid, self.padded(self.boards[boards]), self.heard[boards], self.shapes[boards])

    def padded(self, boards: Bits) -> Bits:
        """The words of boards as a flat array."""
        cells = self.grid.nothing(len(boards))
        cells[self.grid.pad : -self.grid.pad] = boards.reshape(-1, self.grid.words)
        return cells

    @staticmethod
    def joined(fields: Sequence[Field]) -> Field:
        """The boards of several of these, one after another."""
        cells = fields[0].padded(np.concatenate([one.boards for one in fields]))
        heard = np.concatenate([one.heard for one in fields])
        return Field.of(fields[0].grid, cells, heard, np.concatenate([one.shapes for one in fields]))
