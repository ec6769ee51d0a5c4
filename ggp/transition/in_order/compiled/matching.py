"""Where rows of cells are found on a board of machine words, in the referee's order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ggp.transition.in_order.compiled.tables import MOST_MATCHES, Room, Tables
from ggp.transition.native.compiling import inlined, tight

Array = Any
ZERO, ONE, WORD = np.uint64(0), np.uint64(1), np.uint64(64)


@inlined
def holds_bit(board: Array, plane: int, cell: int) -> bool:
    """Does a plane hold a cell?"""
    found: bool = board[plane, cell >> 6] >> np.uint64(cell & 63) & ONE != ZERO
    return found


@inlined
def word_at(there: Array, word: int, distance: int) -> Any:
    """A word of cells that are moved down by so many places, or up where that is negative."""
    words = there.shape[0]
    if distance == 0:
        return there[word]
    whole, part = abs(distance) >> 6, np.uint64(abs(distance) & 63)
    near = word + whole if distance > 0 else word - whole
    beyond = near + 1 if distance > 0 else near - 1
    found = ZERO
    if 0 <= near < words:
        found = there[near] >> part if distance > 0 else there[near] << part
    if part != ZERO and 0 <= beyond < words:
        found |= there[beyond] << (WORD - part) if distance > 0 else there[beyond] >> (WORD - part)
    return found


@tight
def where(tables: Tables, board: Array, piece: int, room: Room, out: Array) -> bool:
    """The cells in which a piece of a row begins; are there any?"""
    words = out.shape[0]
    start = tables.pieces[piece, 4]
    for word in range(words):
        out[word] = tables.rooms[start, word]
    there = room.there
    for test in range(tables.pieces[piece, 2], tables.pieces[piece, 3]):
        wanted, distance = tables.tests[test, 0] != 0, tables.tests[test, 3]
        first, after = tables.tests[test, 1], tables.tests[test, 2]
        some = ZERO
        for word in range(words):
            here = ZERO
            for entry in range(first, after):
                here |= board[tables.planes[entry], word]
            there[word] = here
            some |= here
        if some == ZERO:
            if wanted:
                return False
            continue
        left = ZERO
        for word in range(words):
            here = word_at(there, word, distance)
            out[word] &= here if wanted else ~here
            left |= out[word]
        if left == ZERO:
            return False
    left = ZERO
    for word in range(words):
        left |= out[word]
    return bool(left != ZERO)


@inlined
def several(cells: Array) -> bool:
    """Is there more than one cell?"""
    seen = False
    for word in range(cells.shape[0]):
        if cells[word] == ZERO:
            continue
        if seen or cells[word] & (cells[word] - ONE) != ZERO:
            return True
        seen = True
    return False


@tight
def apart(tables: Tables, row: int, cells: Array) -> bool:
    """Do no two of the matches that begin in these cells touch one another?"""
    if not several(cells):
        return True
    for entry in range(tables.rows[row, 6], tables.rows[row, 7]):
        distance = tables.planes[entry]
        for word in range(cells.shape[0]):
            if cells[word] & word_at(cells, word, distance) != ZERO:
                return False
    return True


@inlined
def free_steps(tables: Tables, cell: int, way: int) -> int:
    """How many steps lead from a cell to the edge."""
    column, line = cell // tables.height, cell % tables.height
    if way == 0:
        return line
    if way == 1:
        return tables.height - 1 - line
    if way == 2:
        return column
    return tables.width - 1 - column


@tight
def stretched(tables: Tables, row: int, slot: int, start: int, room: Room) -> bool:
    """Keep the matches that begin in a cell, with gaps at the ellipses; False where they are too many."""
    first, pieces, step = tables.rows[row, 0], tables.rows[row, 1], tables.rows[row, 2]
    if pieces == 1:
        return kept(room, slot, start, 0, 0)
    slack = free_steps(tables, start, tables.rows[row, 4]) - (tables.rows[row, 5] - 1)
    second = start + step * tables.pieces[first, 1]
    for gap in range(slack + 1):
        at = second + step * gap
        if not bit_of(room.found[1], at):
            continue
        if pieces == 2:
            if not kept(room, slot, start, at, 0):
                return False
            continue
        third = at + step * tables.pieces[first + 1, 1]
        for further in range(slack - gap + 1):
            last = third + step * further
            if bit_of(room.found[2], last) and not kept(room, slot, start, at, last):
                return False
    return True


@inlined
def bit_of(cells: Array, cell: int) -> bool:
    """Is a cell among these?"""
    found: bool = cells[cell >> 6] >> np.uint64(cell & 63) & ONE != ZERO
    return found


@inlined
def kept(room: Room, slot: int, first: int, second: int, third: int) -> bool:
    """Keep a match; False where there is no room."""
    count = room.counts[slot]
    if count >= MOST_MATCHES:
        return False
    room.matches[slot, count, 0] = first
    room.matches[slot, count, 1] = second
    room.matches[slot, count, 2] = third
    room.counts[slot] = count + 1
    return True


@tight
def matches(tables: Tables, board: Array, row: int, slot: int, room: Room) -> bool:
    """Keep where a row is found, in the order in which it is; False where that is too often."""
    room.counts[slot] = 0
    first, pieces = tables.rows[row, 0], tables.rows[row, 1]
    for piece in range(pieces):
        if not where(tables, board, first + piece, room, room.found[piece]):
            return True
    starts = room.found[0]
    if tables.rows[row, 3] != 0 and several(starts):
        for line in range(tables.height):
            for column in range(tables.width):
                cell = column * tables.height + line
                if bit_of(starts, cell) and not stretched(tables, row, slot, cell, room):
                    return False
        return True
    for word in range(starts.shape[0]):
        left = starts[word]
        at = 64 * word
        while left != ZERO:
            if left & ONE != ZERO and not stretched(tables, row, slot, at, room):
                return False
            left >>= ONE
            at += 1
    return True


@tight
def cell_holds(tables: Tables, board: Array, number: int, cell: int) -> bool:
    """Does a cell of the board hold what a cell of a rule asks for?"""
    for test in range(tables.cells[number, 0], tables.cells[number, 1]):
        some = False
        for entry in range(tables.tests[test, 1], tables.tests[test, 2]):
            if holds_bit(board, tables.planes[entry], cell):
                some = True
                break
        if some != (tables.tests[test, 0] != 0):
            return False
    return True


@tight
def row_holds(tables: Tables, board: Array, row: int, match: Array) -> bool:
    """Does a match still hold?"""
    for number in range(tables.rows[row, 1]):
        piece = tables.rows[row, 0] + number
        for index in range(tables.pieces[piece, 1]):
            cell = match[number] + index * tables.rows[row, 2]
            if not cell_holds(tables, board, tables.pieces[piece, 0] + index, cell):
                return False
    return True
