"""What rules do to boards, cell by cell, as machine code: see `tables` for what is read here."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.learn.turn.searched.sheets import (
    INSIDE,
    TOUCHED,
    Bits,
    Boards,
    Grid,
    Numbers,
    Sheet,
    Wanted,
    any_in,
    any_of,
    is_as,
    keep,
    put,
    sheet,
    steps,
    wrongness,
)
from ggp.transition.native.compiling import compiled, inlined, tight

Truth = NDArray[np.bool_]

NOTHING = -1


class Table(NamedTuple):
    """The ways in which the rules of some passes are followed, as arrays.

    Of each pass how many rounds it is asked at most, the planes of which there are ways (`owners`), whether
    there are ways of `cells`, and where its groups begin: ways by whose they are. Of each group a `bit` of a
    `word` which is set where they are asked, or, for cells, is not (`there`), and where its ways begin
    (`first`). Of each way: the way after all that it bars, its rule, its subject, under which inputs it is
    asked, where its `spots` and `changes` begin. Of each spot: bits of which one is `wanted`, or none, and
    how far from the anchor; of each change: whether it comes, its word and bit, and how far.

    Of each pass where its `signs` begin, which stand in all cells while it is played (`said`) if anywhere one
    of some planes is (`what`), with (`beside` is 1) or without (-1) one of others (`ground`), or either (0).
    """

    rounds: Numbers
    owners: Bits
    cells: Truth
    groups: Numbers
    word: Numbers
    bit: Bits
    there: Truth
    first: Numbers
    follows: Numbers
    rule: Numbers
    subject: Numbers
    words: Truth
    spots: Numbers
    masks: Bits
    wanted: Truth
    along: Numbers
    changes: Numbers
    comes: Truth
    changed: Numbers
    set: Bits
    to: Numbers
    signs: Numbers
    what: Bits
    ground: Bits
    beside: Numbers
    said: Bits


class Instead(NamedTuple):
    """What is done at places of the array instead of what rules say; empty where nothing is.

    `way`: of another table, or -1 where a rule is only not followed. `subject`: whose rules are not asked.
    """

    at: Numbers
    way: Numbers
    subject: Numbers
    rule: Numbers


@inlined
def holds(table: Table, cells: Bits, at: int, heard: int, way: int) -> bool:
    """Do all tests of a way hold at an anchor?"""
    if not table.words[way, heard]:
        return False
    for spot in range(table.spots[way], table.spots[way + 1]):
        if any_of(cells, at + table.along[spot], table.masks, spot) != table.wanted[spot]:
            return False
    return True


@inlined
def fire(table: Table, way: int, cell: int, on: Sheet) -> bool:
    """Note what a way does at a cell; does one thing come twice to one?"""
    twice = False
    for change in range(table.changes[way], table.changes[way + 1]):
        place, word, bit = cell + table.to[change], table.changed[change], table.set[change]
        if not (any_in(on.gone, place) or any_in(on.come, place)):
            on.touched[on.many[TOUCHED]] = place
            on.many[TOUCHED] += 1
        if table.comes[change]:
            twice = twice or on.come[place, word] & bit != 0
            on.come[place, word] |= bit
        else:
            on.gone[place, word] |= bit
    return twice


@inlined
def apply(on: Sheet, grid: Grid) -> bool:
    """All removals, then all additions, and none are left; is anything otherwise?"""
    otherwise = False
    for number in range(on.many[TOUCHED]):
        cell = on.touched[number]
        for word in range(on.gone.shape[1]):
            old = on.board[grid.pad + cell, word]
            new = old & ~on.gone[cell, word] | on.come[cell, word]
            if new != old:
                on.board[grid.pad + cell, word] = new
                otherwise = True
            on.gone[cell, word] = on.come[cell, word] = 0
    on.many[TOUCHED] = 0
    return otherwise


@inlined
def ask(
    table: Table, one: int, grid: Grid, on: Sheet, heard: int, instead: Instead, row: int
) -> tuple[bool, bool]:
    """Ask the rules of a pass at all cells: does any say something, and does one thing come twice to a cell?

    `row`: what is done instead; -1 where nothing is.
    """
    some = twice = False
    for number in range(on.many[INSIDE]):
        at = grid.pad + on.inside[number]
        if not (table.cells[one] or any_of(on.board, at, table.owners, one)):
            continue
        here = row >= 0 and instead.at[row] == at - grid.pad
        for group in range(table.groups[one], table.groups[one + 1]):
            if (on.board[at, table.word[group]] & table.bit[group] != 0) != table.there[group]:
                continue
            way = table.first[group]
            while way < table.first[group + 1]:
                if here and table.subject[way] == instead.subject[row]:
                    way = table.follows[way]
                elif here and table.rule[way] == instead.rule[row]:
                    way += 1
                elif holds(table, on.board, at, heard, way):
                    twice = fire(table, way, at - grid.pad, on) or twice
                    some = True
                    way = table.follows[way]
                else:
                    way += 1
    return some, twice


@tight
def say(table: Table, one: int, grid: Grid, on: Sheet) -> None:
    """Let the signs of a pass that are true of a board stand in all its cells."""
    for sign in range(table.signs[one], table.signs[one + 1]):
        true = False
        for number in range(on.many[INSIDE]):
            at = grid.pad + on.inside[number]
            if any_of(on.board, at, table.what, sign):
                beside = any_of(on.board, at, table.ground, sign)
                true = true or table.beside[sign] == 0 or beside == (table.beside[sign] > 0)
        for number in range(on.many[INSIDE]):
            for word in range(on.board.shape[1]):
                place = grid.pad + on.inside[number]
                if true:
                    on.board[place, word] |= table.said[sign, word]
                else:
                    on.board[place, word] &= ~table.said[sign, word]


@tight
def hush(table: Table, one: int, grid: Grid, on: Sheet) -> None:
    """Take the signs of a pass away."""
    for sign in range(table.signs[one], table.signs[one + 1]):
        for number in range(on.many[INSIDE]):
            for word in range(on.board.shape[1]):
                on.board[grid.pad + on.inside[number], word] &= ~table.said[sign, word]


@tight
def play(
    table: Table, one: int, other: Table, grid: Grid, on: Sheet, heard: int, instead: Instead, row: int
) -> tuple[bool, bool]:
    """Play a pass: is the board otherwise, and does one thing ever come twice to a cell at once?

    What is done instead is of the table `other`, and done in the first round alone.
    """
    say(table, one, grid, on)
    twice = otherwise = False
    alone = row >= 0 and instead.way[row] >= 0
    if alone:
        twice = fire(other, instead.way[row], instead.at[row], on)
    for turn in range(table.rounds[one]):
        some, both = ask(table, one, grid, on, heard, instead, row if turn == 0 else NOTHING)
        twice = twice or both
        if not ((some or (alone and turn == 0)) and apply(on, grid)):
            break
        otherwise = True
    hush(table, one, grid, on)
    return otherwise, twice


@compiled
def played(table: Table, grid: Grid, boards: Boards) -> tuple[Bits, Truth, Truth]:
    """The boards after the first pass, on which one thing came twice to a cell, which are otherwise."""
    number = len(boards.heard)
    cells = boards.cells.copy()
    twice, otherwise = np.zeros(number, np.bool_), np.zeros(number, np.bool_)
    on, none = sheet(grid), np.zeros(0, np.int64)
    nothing = Instead(none, none, none, none)
    for row in range(number):
        start = grid.pad + row * grid.size
        put(boards, row, start, grid, on)
        otherwise[row], twice[row] = play(table, 0, table, grid, on, boards.heard[row], nothing, NOTHING)
        keep(on, grid, cells, start)
    return cells, twice, otherwise


@compiled
def compared(
    table: Table,
    grid: Grid,
    boards: Boards,
    known: Bits,
    last: Bits,
    wrong: Numbers,
    twice: Numbers,
    wanted: Wanted,
) -> tuple[int, int, int, int]:
    """How many turns some passes leave wrong, in how many places, and in how many passes a thing comes twice.

    And how many turns end otherwise than they did (`last`), and as wrong.

    `known`: the boards that were there after the first of these passes: where they are the same, it is as
    `wrong` as it was, and what comes later comes `twice` as often. Each board is of the turn of its row.
    """
    on, none = sheet(grid), np.zeros(0, np.int64)
    nothing = Instead(none, none, none, none)
    turns = places = often = idle = 0
    for row in range(len(boards.heard)):
        start = grid.pad + row * grid.size
        put(boards, row, start, grid, on)
        same = False
        for one in range(len(table.rounds)):
            _, both = play(table, one, table, grid, on, boards.heard[row], nothing, NOTHING)
            often += both
            same = one == 0 and is_as(on, grid, known, start)
            if same:
                often += twice[row]
                break
        left = wrong[row] if same else wrongness(on, start, grid, wanted)
        turns += left > 0
        places += left
        idle += not same and 0 < left == wrong[row] and not is_as(on, grid, last, start)
    return turns, places, often, idle


@compiled
def ends(
    table: Table,
    other: Table,
    grid: Grid,
    boards: Boards,
    rows: Numbers,
    turns: Numbers,
    wrong: Numbers,
    instead: Instead,
    before: bool,
    wanted: Wanted,
) -> tuple[Numbers, Numbers]:
    """How wrong some boards of `rows` end if something is done instead, and how far astray.

    That is -1 where they are not as wrong as they were. `before`: it is done before all passes, else it is
    instead of what the rules of the first one say.
    """
    after, astray = np.empty(len(rows), np.int64), np.full(len(rows), NOTHING)
    on = sheet(grid)
    for place in range(len(rows)):
        row = rows[place]
        put(boards, row, grid.pad + row * grid.size, grid, on)
        if before:
            fire(other, instead.way[place], instead.at[place], on)
            apply(on, grid)
        for one in range(len(table.rounds)):
            busy = place if one == 0 and not before else NOTHING
            play(table, one, other, grid, on, boards.heard[row], instead, busy)
        end = grid.pad + turns[row] * grid.size
        after[place] = wrongness(on, end, grid, wanted)
        if after[place] == wrong[row] and wrong[row] > 0:
            astray[place] = steps(on, end, grid, wanted)
    return after, astray


@compiled
def changed(table: Table, grid: Grid, boards: Boards, rows: Numbers, instead: Instead) -> Bits:
    """The boards after what is done at some places of those of `rows`, which are sorted."""
    cells = boards.cells.copy()
    on = sheet(grid)
    for place in range(len(rows)):
        start = grid.pad + rows[place] * grid.size
        fire(table, instead.way[place], instead.at[place], on)
        if place + 1 == len(rows) or rows[place + 1] != rows[place]:
            put(boards, rows[place], start, grid, on)
            apply(on, grid)
            keep(on, grid, cells, start)
    return cells


@compiled
def where(table: Table, way: int, grid: Grid, boards: Boards, places: Numbers) -> Numbers:
    """Those of some places at which a way holds."""
    found = np.empty(len(places), np.int64)
    number = 0
    for at in places:
        if holds(table, boards.cells, at, boards.heard[(at - grid.pad) // grid.size], way):
            found[number] = at
            number += 1
    return found[:number]


@compiled
def followed(table: Table, rule: int, grid: Grid, boards: Boards) -> Any:
    """Where a rule of the first pass is the one that is followed: ways, and places."""
    ways, places = [0], [0]
    for at in range(grid.pad, len(boards.cells) - grid.pad):
        heard = boards.heard[(at - grid.pad) // grid.size]
        for group in range(table.groups[1]):
            if (boards.cells[at, table.word[group]] & table.bit[group] != 0) != table.there[group]:
                continue
            way = table.first[group]
            while way < table.first[group + 1]:
                if not holds(table, boards.cells, at, heard, way):
                    way += 1
                    continue
                if table.rule[way] == rule:
                    ways.append(way)
                    places.append(at)
                way = table.follows[way]
    return np.array(ways[1:], np.int64), np.array(places[1:], np.int64)


@compiled
def wrong_ends(grid: Grid, boards: Boards, turns: Numbers, wanted: Wanted) -> tuple[Numbers, Numbers]:
    """In how many places each board is otherwise than one of the turns ends, and how many steps astray."""
    number, astray = np.zeros(len(boards.heard), np.int64), np.zeros(len(boards.heard), np.int64)
    on = sheet(grid)
    for row in range(len(boards.heard)):
        put(boards, row, grid.pad + row * grid.size, grid, on)
        end = grid.pad + turns[row] * grid.size
        number[row] = wrongness(on, end, grid, wanted)
        if number[row]:
            astray[row] = steps(on, end, grid, wanted)
    return number, astray
