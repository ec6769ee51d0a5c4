"""Boards that are played one at a time, each on a sheet of its own, as machine code.

A sheet has a margin of what is outside before and after its board, so that no rule looks at another board.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.transition.native.compiling import compiled, inlined, tight

Bits = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class Grid(NamedTuple):
    """Cells of a row and a board with their margins, and of what is before them; the `outside` as bits."""

    width: int
    size: int
    pad: int
    outside: Bits


class Boards(NamedTuple):
    """Boards in a flat array, the number of the input of each, and its rows and columns."""

    cells: Bits
    heard: Numbers
    shapes: Numbers


class Wanted(NamedTuple):
    """How turns should end, the planes that any of them changes, and how far at most things are astray."""

    cells: Bits
    changing: Bits
    far: int


class Sheet(NamedTuple):
    """A board that is played, what goes and comes on it, and two sheets for the way to what is lacking.

    `inside`: the cells that are on the board; `touched`: those that something comes to or goes from. Of both
    so `many` are there.
    """

    board: Bits
    gone: Bits
    come: Bits
    near: Bits
    wider: Bits
    inside: Numbers
    touched: Numbers
    many: Numbers


INSIDE, TOUCHED = 0, 1  # places in `many`


@compiled
def sheet(grid: Grid) -> Sheet:
    """An empty one."""
    words = grid.outside.shape[1]
    board = np.empty((grid.size + 2 * grid.pad, words), np.uint64)
    for word in range(words):
        board[:, word] = grid.outside[0, word]
    gone, come = np.zeros((grid.size, words), np.uint64), np.zeros((grid.size, words), np.uint64)
    near = np.zeros(grid.size + 2 * grid.width, np.uint64)
    cells = np.zeros(grid.size, np.int64)
    return Sheet(board, gone, come, near, near.copy(), cells, cells.copy(), np.zeros(2, np.int64))


@inlined
def put(boards: Boards, row: int, start: int, grid: Grid, on: Sheet) -> None:
    """Put a board on a sheet, in the place of the one that is there."""
    for number in range(on.many[INSIDE]):
        for word in range(grid.outside.shape[1]):
            on.board[grid.pad + on.inside[number], word] = grid.outside[0, word]
    number = 0
    for line in range(boards.shapes[row, 0]):
        for cell in range(line * grid.width, line * grid.width + boards.shapes[row, 1]):
            on.inside[number] = cell
            number += 1
            for word in range(grid.outside.shape[1]):
                on.board[grid.pad + cell, word] = boards.cells[start + cell, word]
    on.many[INSIDE] = number


@tight
def keep(on: Sheet, grid: Grid, cells: Bits, start: int) -> None:
    """Put the board of a sheet into an array where it was."""
    for number in range(on.many[INSIDE]):
        cell = on.inside[number]
        for word in range(cells.shape[1]):
            cells[start + cell, word] = on.board[grid.pad + cell, word]


@inlined
def is_as(on: Sheet, grid: Grid, cells: Bits, start: int) -> bool:
    """Is the board of a sheet the same as one in an array?"""
    for number in range(on.many[INSIDE]):
        cell = on.inside[number]
        for word in range(cells.shape[1]):
            if cells[start + cell, word] != on.board[grid.pad + cell, word]:
                return False
    return True


@inlined
def any_of(cells: Bits, at: int, bits: Bits, line: int) -> bool:
    """Is any of some planes at a place?"""
    if cells[at, 0] & bits[line, 0]:
        return True
    for word in range(1, cells.shape[1]):  # noqa: SIM110 - compiled sooner
        if cells[at, word] & bits[line, word]:
            return True
    return False


@inlined
def any_in(cells: Bits, at: int) -> bool:
    """Is anything at a place?"""
    for word in range(cells.shape[1]):  # noqa: SIM110 - compiled sooner
        if cells[at, word]:
            return True
    return False


@tight
def ones(bits: np.uint64) -> int:
    """How many bits of a word are set."""
    number = 0
    while bits:
        bits &= bits - np.uint64(1)
        number += 1
    return number


@tight
def wrongness(on: Sheet, end: int, grid: Grid, wanted: Wanted) -> int:
    """In how many places a board is otherwise than a turn should end."""
    number = 0
    for place in range(on.many[INSIDE]):
        cell = on.inside[place]
        for word in range(len(wanted.changing)):
            bits = on.board[grid.pad + cell, word] ^ wanted.cells[end + cell, word]
            if bits & wanted.changing[word]:
                number += ones(bits & wanted.changing[word])
    return number


@tight
def steps(on: Sheet, end: int, grid: Grid, wanted: Wanted) -> int:
    """How many steps what is too much is away from where it is lacking, in sum, up to `far` each.

    Steps lead over the board, not through its margin, and what is lacking nowhere is not astray.
    """
    steps, width = 0, grid.width
    for word in range(len(wanted.changing)):
        lacking = extra = np.uint64(0)
        for number in range(on.many[INSIDE]):
            cell = on.inside[number]
            have, want = on.board[grid.pad + cell, word], wanted.cells[end + cell, word]
            on.near[width + cell] = want & ~have & wanted.changing[word]
            lacking |= on.near[width + cell]
            extra |= have & ~want
        for _ in range(wanted.far if lacking & extra else 0):
            for number in range(on.many[INSIDE]):
                cell = on.inside[number]
                at = width + cell
                extra = on.board[grid.pad + cell, word] & ~wanted.cells[end + cell, word] & lacking
                if extra:
                    steps += ones(extra & ~on.near[at])
                beside, beyond = on.near[at - 1] | on.near[at + 1], on.near[at - width] | on.near[at + width]
                on.wider[at] = on.near[at] | beside | beyond
            for number in range(on.many[INSIDE]):
                at = width + on.inside[number]
                on.near[at] = on.wider[at]
        for number in range(on.many[INSIDE]):
            on.near[width + on.inside[number]] = np.uint64(0)
    return steps
