"""Rules applied to a board of machine words, group by group, in the referee's order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ggp.transition.in_order.compiled.matching import apart, matches, row_holds, where, word_at
from ggp.transition.in_order.compiled.rigid import remember
from ggp.transition.in_order.compiled.tables import CANCEL, RESTART, Room, Tables
from ggp.transition.native.compiling import inlined, tight

Array = Any
ZERO, ONE = np.uint64(0), np.uint64(1)
MOST_CHOICES = 100_000  # of a match for each row of a rule
GIVEN, ASK, WORK = 0, 1, 2  # of the flags


@inlined
def give(room: Room, commands: int) -> None:
    """Take commands of a rule: `cancel` goes before `restart`, and both before all others."""
    given = room.flags[GIVEN]
    if given & CANCEL or (given & RESTART and not commands & CANCEL):
        return
    room.flags[GIVEN] = commands if commands & (CANCEL | RESTART) else given | commands


@inlined
def fill(room: Room, plane: int) -> None:
    """Something is on a plane."""
    room.filled[plane >> 6] |= ONE << np.uint64(plane & 63)


@inlined
def stopped(room: Room) -> bool:
    """Is the turn not wanted any more? Then it ends, as one that is not told."""
    if room.stopped[0] == 0:
        return False
    room.flags[ASK] = 1
    return True


@inlined
def may_match(tables: Tables, rule: int, room: Room) -> bool:
    """Is there something on each plane that a rule needs? It is asked for most rules of most turns."""
    missing = ZERO
    for mask in range(room.filled.shape[0]):
        missing |= tables.needs[rule, mask] & ~room.filled[mask]
    return bool(missing == ZERO)


@tight
def change_all(tables: Tables, board: Array, row: int, cells: Array, room: Room) -> bool:
    """Change the cells of all matches at once, for a row without ellipses; was anything different?"""
    changed = False
    piece, step = tables.rows[row, 0], tables.rows[row, 2]
    for index in range(tables.pieces[piece, 1]):
        number = tables.pieces[piece, 0] + index
        if tables.cells[number, 6] == 0:
            continue
        for word in range(cells.shape[0]):
            here = word_at(cells, word, -index * step)
            if here == ZERO:
                continue
            for entry in range(tables.cells[number, 4], tables.cells[number, 5]):
                plane = tables.planes[entry]
                if board[plane, word] & here != ZERO:
                    board[plane, word] &= ~here
                    changed = True
            for entry in range(tables.cells[number, 2], tables.cells[number, 3]):
                plane = tables.planes[entry]
                if here & ~board[plane, word] != ZERO:
                    board[plane, word] |= here
                    fill(room, plane)
                    changed = True
    return changed


@tight
def change_cell(tables: Tables, board: Array, number: int, cell: int, rigid: int, room: Room) -> bool:
    """Change a cell; did anything become different?"""
    changed = rigid > 0 and remember(tables, room, number, cell, rigid)
    word, bit = cell >> 6, ONE << np.uint64(cell & 63)
    for entry in range(tables.cells[number, 4], tables.cells[number, 5]):
        plane = tables.planes[entry]
        if board[plane, word] & bit != ZERO:
            board[plane, word] ^= bit
            changed = True
    for entry in range(tables.cells[number, 2], tables.cells[number, 3]):
        plane = tables.planes[entry]
        if board[plane, word] & bit == ZERO:
            board[plane, word] |= bit
            fill(room, plane)
            changed = True
    return changed


@tight
def change_match(tables: Tables, board: Array, row: int, match: Array, rigid: int, room: Room) -> bool:
    """Change the cells of a match."""
    changed = False
    for number in range(tables.rows[row, 1]):
        piece = tables.rows[row, 0] + number
        for index in range(tables.pieces[piece, 1]):
            part = tables.pieces[piece, 0] + index
            if tables.cells[part, 6] != 0:
                cell = match[number] + index * tables.rows[row, 2]
                if change_cell(tables, board, part, cell, rigid, room):
                    changed = True
    return changed


@tight
def found_all(tables: Tables, board: Array, rule: int, room: Room) -> bool:
    """Keep the matches of each row of a rule; False where one has none (or they are too many: `ASK`)."""
    first, rows = tables.rules[rule, 0], tables.rules[rule, 1]
    if rows > 1:
        for row in range(first, first + rows):
            if not where(tables, board, tables.rows[row, 0], room, room.found[0]):
                return False
    ways = 1
    for slot in range(rows):
        if not matches(tables, board, first + slot, slot, room):
            room.flags[ASK] = 1
            return False
        if room.counts[slot] == 0:
            return False
        ways *= room.counts[slot]
        if ways > MOST_CHOICES:
            room.flags[ASK] = 1
            return False
    return True


@tight
def still_holds(tables: Tables, board: Array, rule: int, room: Room) -> bool:
    """Does a choice of a match for each row still hold?"""
    for slot in range(tables.rules[rule, 1]):
        match = room.matches[slot, room.chosen[slot]]
        if not row_holds(tables, board, tables.rules[rule, 0] + slot, match):
            return False
    return True


@tight
def change_chosen(tables: Tables, board: Array, rule: int, room: Room) -> bool:
    """Change the cells of a choice, one row after another."""
    changed = False
    for slot in range(tables.rules[rule, 1]):
        match = room.matches[slot, room.chosen[slot]]
        row, rigid = tables.rules[rule, 0] + slot, tables.rules[rule, 5]
        if change_match(tables, board, row, match, rigid, room):
            changed = True
    return changed


@tight
def one_by_one(tables: Tables, board: Array, rule: int, room: Room) -> bool:
    """Apply a rule to one choice of matches after another; the first row's change first."""
    rows = tables.rules[rule, 1]
    for slot in range(rows):
        room.chosen[slot] = 0
    changed, begun = False, False
    while not stopped(room):
        room.flags[WORK] += 1
        if not begun or still_holds(tables, board, rule, room):
            begun = True
            if change_chosen(tables, board, rule, room):
                changed = True
        slot = 0
        while slot < rows:
            room.chosen[slot] += 1
            if room.chosen[slot] < room.counts[slot]:
                break
            room.chosen[slot] = 0
            slot += 1
        if slot == rows:
            break
    return changed


@tight
def conditions_hold(tables: Tables, board: Array, rule: int, only: int, room: Room) -> bool:
    """Are the rows found that change nothing?"""
    first = tables.rules[rule, 0]
    for row in range(first, first + tables.rules[rule, 1]):
        if row == only:
            continue
        if tables.rows[row, 1] == 1:
            if not where(tables, board, tables.rows[row, 0], room, room.found[0]):
                return False
            continue
        if not matches(tables, board, row, 0, room):
            room.flags[ASK] = 1
            return False
        if room.counts[0] == 0:
            return False
    return True


@tight
def run_rule(tables: Tables, board: Array, rule: int, room: Room) -> bool:
    """Apply a rule wherever it matches; did anything become different?"""
    only, commands = tables.rules[rule, 2], tables.rules[rule, 4]
    if only >= 0:
        piece = tables.rows[only, 0]
        if not where(tables, board, piece, room, room.found[0]):
            return False
        if tables.rules[rule, 1] > 1:
            if not conditions_hold(tables, board, rule, only, room):
                return False
            where(tables, board, piece, room, room.found[0])
        if apart(tables, only, room.found[0]):
            give(room, commands)
            return change_all(tables, board, only, room.found[0], room)
    if not found_all(tables, board, rule, room):
        return False
    changed = tables.rules[rule, 3] != 0 and one_by_one(tables, board, rule, room)
    give(room, commands)
    return changed


@tight
def run_group(tables: Tables, board: Array, group: int, room: Room) -> bool:
    """Go through the rules of a group until nothing changes; did anything?"""
    changed = False
    for _ in range(tables.most_rounds):
        again = False
        for rule in range(tables.groups[group, 0], tables.groups[group, 1]):
            if may_match(tables, rule, room) and not stopped(room):
                room.flags[WORK] += 1
                if run_rule(tables, board, rule, room):
                    again = True
            if room.flags[ASK] != 0:
                return changed
        if not again:
            break
        changed = True
    return changed


@tight
def run_stage(tables: Tables, board: Array, stage: int, room: Room) -> None:
    """All groups of a stage that are not banned; a loop again as long as anything before its end changes."""
    group, rounds = tables.stages[stage, 0], 0
    changed = False
    while group < tables.stages[stage, 1]:
        if not room.banned[group] and run_group(tables, board, group, room):
            changed = True
        if room.flags[ASK] != 0:
            return
        if changed and tables.groups[group, 2] >= 0:
            group, changed = tables.groups[group, 2], False
            rounds += 1
            if rounds > tables.most_rounds:
                return
            continue
        group += 1
