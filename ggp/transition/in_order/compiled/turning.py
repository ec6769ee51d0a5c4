"""Turns of rules in scan order on machine words: input, rules, movement, commands, time that goes on."""

from __future__ import annotations

from typing import Any

import numpy as np

from ggp.transition.in_order.compiled.applying import ASK, GIVEN, WORK, fill, run_stage
from ggp.transition.in_order.compiled.matching import holds_bit
from ggp.transition.in_order.compiled.rigid import ban, ban_none, forget
from ggp.transition.in_order.compiled.tables import (
    ACTION,
    AGAIN,
    CANCEL,
    CHECKPOINT,
    RESTART,
    WAYS,
    WIN,
    Room,
    Tables,
)
from ggp.transition.native.compiling import inlined, tight

Array = Any
ZERO, ONE = np.uint64(0), np.uint64(1)
NO_INPUT = -1
MOST_TRIES = 50  # of a turn, each without the rigid groups that failed before
MOVED, TRY_AGAIN, CLASH = 0, 1, 2  # what became of what is marked
MOST_AGAIN = 500  # times that a turn goes on here: where it goes on longer, the referee is asked
CHANGED, WON, UNTOLD = 1, 2, 4  # what a turn came to, as bits; UNTOLD: ask the referee


@tight
def crowd_word(tables: Tables, board: Array, first: int, after: int, together: int, word: int) -> Any:
    """A word of the cells that hold what a condition speaks of."""
    found = ~ZERO if together else ZERO
    for entry in range(first, after):
        here = board[tables.planes[entry], word]
        found = found & here if together else found | here
    return found


@tight
def goal_holds(tables: Tables, board: Array) -> bool:
    """Do all conditions hold? Where there are none, only a command wins."""
    goals = tables.goals
    for goal in range(goals.shape[0]):
        some = False
        for word in range(board.shape[1]):
            what = crowd_word(tables, board, goals[goal, 1], goals[goal, 2], goals[goal, 3], word)
            ground = ~ZERO
            if goals[goal, 4] >= 0:
                ground = crowd_word(tables, board, goals[goal, 4], goals[goal, 5], goals[goal, 6], word)
            wrong = what & ~ground if goals[goal, 0] == 0 else what & ground
            if wrong != ZERO:
                some = True
                break
        if some != (goals[goal, 0] == 1):
            return False
    return bool(goals.shape[0] > 0)


@tight
def mark_player(tables: Tables, board: Array, way: int, room: Room) -> bool:
    """Mark the player with an input; is there one?"""
    player = tables.player
    some = False
    for word in range(board.shape[1]):
        players = crowd_word(tables, board, player[0], player[1], player[2], word)
        if players == ZERO:
            continue
        some = True
        for driver in range(tables.drivers.shape[0]):
            kind, mark = tables.drivers[driver, 0], tables.kinds + WAYS * tables.drivers[driver, 1] + way
            here = board[kind, word] & players
            if here != ZERO:
                board[mark, word] |= here
                fill(room, mark)
    return some


@tight
def player_left(tables: Tables, before: Array, board: Array) -> bool:
    """Is there a cell that the player stood on and stands on no more?"""
    player = tables.player
    for word in range(board.shape[1]):
        players = crowd_word(tables, before, player[0], player[1], player[2], word)
        now = crowd_word(tables, board, player[0], player[1], 0, word)
        if players & ~now != ZERO:
            return True
    return False


@tight
def marked(tables: Tables, board: Array, room: Room) -> int:
    """Note (cell, layer, way) of each mark, cell by cell, layer by layer; how many, or -1 if two clash."""
    count, layers = 0, tables.layers.shape[0]
    first = tables.kinds
    for word in range(board.shape[1]):
        cells = ZERO
        for plane in range(first, first + WAYS * layers):
            cells |= board[plane, word]
        cell = 64 * word
        while cells != ZERO:
            if cells & ONE != ZERO:
                for layer in range(layers):
                    ways = 0
                    for way in range(WAYS):
                        if holds_bit(board, first + WAYS * layer + way, cell):
                            room.waiting[count, 0], room.waiting[count, 1] = cell, layer
                            room.waiting[count, 2] = way
                            ways += 1
                    if ways > 1:
                        return -1
                    count += ways
            cells >>= ONE
            cell += 1
    return count


@tight
def step(tables: Tables, board: Array, cell: int, layer: int, way: int) -> bool:
    """Move a layer's piece from a cell, if there is room for it."""
    if way == ACTION:
        return True
    if tables.edges[way, cell >> 6] >> np.uint64(cell & 63) & ONE != ZERO:
        return False
    target = cell + tables.steps[way]
    first, after = tables.layers[layer, 0], tables.layers[layer, 1]
    for entry in range(first, after):
        if holds_bit(board, tables.planes[entry], target):
            return False
    for entry in range(first, after):
        plane = tables.planes[entry]
        if holds_bit(board, plane, cell):
            board[plane, cell >> 6] ^= ONE << np.uint64(cell & 63)
            board[plane, target >> 6] |= ONE << np.uint64(target & 63)
    return True


@tight
def move(tables: Tables, board: Array, room: Room) -> int:
    """Move what is marked while anything can, and take the marks away; CLASH where one thing has two."""
    count = marked(tables, board, room)
    if count < 0:
        return CLASH
    moved = True
    while moved and count > 0:
        moved, left = False, 0
        for entry in range(count):
            cell, layer, way = room.waiting[entry, 0], room.waiting[entry, 1], room.waiting[entry, 2]
            if step(tables, board, cell, layer, way):
                moved = True
            else:
                room.waiting[left, 0], room.waiting[left, 1], room.waiting[left, 2] = cell, layer, way
                left += 1
        count = left
    for plane in range(tables.kinds, board.shape[0]):
        room.filled[plane >> 6] &= ~(ONE << np.uint64(plane & 63))
        for word in range(board.shape[1]):
            board[plane, word] = ZERO
    return TRY_AGAIN if tables.rigid.shape[0] > 0 and ban(tables, room, count) else MOVED


@tight
def begin(tables: Tables, before: Array, board: Array, room: Room) -> None:
    """Copy the kinds, take all marks away, and note which planes are empty."""
    room.filled[:] = ZERO
    for plane in range(tables.kinds):
        some = ZERO
        for word in range(board.shape[1]):
            some |= before[plane, word]
            board[plane, word] = before[plane, word]
        if some != ZERO:
            fill(room, plane)
    for plane in range(tables.kinds, board.shape[0]):
        for word in range(board.shape[1]):
            board[plane, word] = ZERO


@inlined
def copy(source: Array, target: Array, planes: int) -> None:
    """Copy so many planes."""
    for plane in range(planes):
        for word in range(source.shape[1]):
            target[plane, word] = source[plane, word]


@inlined
def same(one: Array, other: Array, planes: int) -> bool:
    """Are so many planes the same?"""
    for plane in range(planes):
        for word in range(one.shape[1]):
            if one[plane, word] != other[plane, word]:
                return False
    return True


@tight
def run(tables: Tables, before: Array, board: Array, way: int, room: Room) -> bool:
    """Mark the player, run the rules, move what is marked; False where a needed move is not made."""
    ban_none(tables, room)
    players, moved = False, TRY_AGAIN
    for _ in range(MOST_TRIES):
        begin(tables, before, board, room)
        forget(tables, room)
        room.flags[GIVEN] = 0
        players = way != NO_INPUT and mark_player(tables, board, way, room)
        run_stage(tables, board, 0, room)
        if room.flags[ASK] != 0:
            return False
        moved = move(tables, board, room)
        if moved != TRY_AGAIN:
            break
    if moved != MOVED:
        room.flags[ASK] = 1
        return False
    run_stage(tables, board, 1, room)
    if room.flags[ASK] != 0:
        return False
    return not (tables.must_move and players and not player_left(tables, before, board))


@tight
def remember(state: Array, kinds: int) -> bool:
    """Keep the board of a state beside it, where there is room for that; was another one kept?"""
    another = False
    for plane in range(kinds, state.shape[0]):
        for word in range(state.shape[1]):
            if state[plane, word] != state[plane - kinds, word]:
                another = True
                state[plane, word] = state[plane - kinds, word]
    return another


@tight
def would_happen(tables: Tables, before: Array, room: Room) -> bool:
    """Would anything happen if time went on?"""
    if not run(tables, before, room.trial, NO_INPUT, room):
        return False
    given = room.flags[GIVEN]
    if given & CANCEL:
        return bool(given != CANCEL)
    happens = given & (WIN | RESTART) != 0 or not same(before, room.trial, tables.kinds)
    if given & CHECKPOINT and not happens:  # it is kept all the same
        remember(before, tables.kinds)
    return happens


@tight
def tick(tables: Tables, state: Array, way: int, tried: bool, room: Room) -> int:
    """One run of the rules and what its commands do, to a state in place; what it came to, and AGAIN << 3.

    `tried`: the run has just been made, where it was asked whether anything would happen.
    """
    board = room.trial if tried else room.board
    ran = tried or run(tables, state, board, way, room)
    given = room.flags[GIVEN]
    if room.flags[ASK] != 0:
        return UNTOLD
    if not ran or given & CANCEL:
        return 0
    if given & RESTART:
        if tables.first.shape[0] == 0:
            return UNTOLD
        board, given = tables.first, 0
        if state.shape[0] > tables.kinds:
            board = room.trial
            for plane in range(tables.kinds):
                for word in range(state.shape[1]):
                    board[plane, word] = state[tables.kinds + plane, word]
    changed = not same(state, board, tables.kinds)
    if changed:
        copy(board, state, tables.kinds)
    told = CHANGED if changed else 0
    if given & WIN or goal_holds(tables, state):
        return told | WON
    if given & CHECKPOINT and remember(state, tables.kinds):
        told = CHANGED
    if given & AGAIN and changed and would_happen(tables, state, room):
        told |= AGAIN << 3
    return UNTOLD if room.flags[ASK] != 0 else told


@tight
def turn(tables: Tables, state: Array, way: int, room: Room) -> int:
    """A turn, in place: CHANGED if any tick changed something, WON, or UNTOLD where the referee must say."""
    room.flags[ASK] = 0
    told = tick(tables, state, way, False, room)
    seen = told
    for _ in range(MOST_AGAIN):
        if not told & (AGAIN << 3) or told & (WON | UNTOLD):
            return seen & (CHANGED | WON | UNTOLD)
        told = tick(tables, state, NO_INPUT, True, room)
        seen |= told
    return UNTOLD


@tight
def some_turns(
    tables: Tables, states: Array, ways: Array, after: Array, told: Array, first: int, work: int, room: Room
) -> int:
    """Every input in each state: (states, planes, words) become (states, inputs, planes, words).

    Made are the turns from the number `first` on, counted state by state, until so much work is done; the
    number of the next one, which is not made, or not to its end, where it is told to stop.
    """
    room.flags[WORK] = 0
    for turn_number in range(first, told.size):
        number, entry = turn_number // ways.shape[0], turn_number % ways.shape[0]
        made = after[number, entry]
        copy(states[number], made, made.shape[0])
        told[number, entry] = turn(tables, made, ways[entry], room)
        if room.stopped[0] != 0:  # maybe before its end
            return turn_number
        if room.flags[WORK] >= work:
            return turn_number + 1
    return int(told.size)
