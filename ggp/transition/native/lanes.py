"""Straight code (`ggp.transition.tracing`) run over many states at once: a register has a word for each of
them.

States that got inputs of one sort run together, `lanes` at a time, so that an instruction costs little more
than its arithmetic, and all that is needed stays near the processor. A board is one word or more; words of
all states lie side by side.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ggp.transition.native.compiling import inlined, tight
from ggp.transition.native.words import ONE, popcount
from ggp.transition.tracing import (
    ADD_COUNT,
    AGAIN,
    AND,
    AND_NOT,
    COMPARE,
    FAULT,
    LEFT,
    OR,
    RIGHT,
    SOME,
    XOR,
)

Array = Any
LANES = 64  # states that run together: the registers of most games stay in the first cache
CHANGED, WON, LOST, ILL_FORMED = 1, 2, 4, 8  # what a turn came to, as bits

ZERO, ALL, WORD = np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(64)


class Machine(NamedTuple):
    """The programs of a level in one table, and room to run them.

    A row of `code` is an instruction, and how often the loop that it ends was run. A row of `programs` is
    (first instruction, the one after the last, register of the marker or -1, of the goal, of losing, of
    having the next turn too), then the registers of the boards that vary, before the turn and after it. A row
    of `actions` is (program, bit of the picked cell or -1), those of the first player before those of the
    next. `waits`: a turn that changes nothing is one. With several `players` the last board of a state is
    the number of the player whose turn it is.
    """

    code: Array
    programs: Array
    actions: Array
    registers: Array  # (registers, words, lanes)
    faults: Array  # (lanes,)
    waits: bool
    players: int


BEFORE = 6  # where the registers of the boards begin in a row of `programs`


@inlined
def boards_of(machine: Machine) -> int:
    """How many boards vary."""
    count: int = (machine.programs.shape[1] - BEFORE) // 2
    return count


@tight
def shift(registers: Array, target: int, source: int, distance: int, lanes: int) -> None:
    """Shift boards by so many bits: down, or up where it is negative. What leaves the words is lost."""
    words = registers.shape[1]
    far = abs(distance)
    whole, part = far // 64, np.uint64(far % 64)
    rest = WORD - part
    for word in range(words):
        near = word + whole if distance >= 0 else word - whole
        beyond = near + 1 if distance >= 0 else near - 1
        for lane in range(lanes):
            found = ZERO
            if 0 <= near < words:
                found = registers[source, near, lane]
                found = found >> part if distance >= 0 else found << part
            if part != ZERO and 0 <= beyond < words:
                over = registers[source, beyond, lane]
                found |= over << rest if distance >= 0 else over >> rest
            registers[target, word, lane] = found


@tight
def summarize(registers: Array, operation: int, target: int, a: int, b: int, number: int, lanes: int) -> None:
    """The operations whose result is a truth or a number."""
    words = registers.shape[1]
    for lane in range(lanes):
        if operation == ADD_COUNT:
            total = registers[a, 0, lane]
            for word in range(words):
                total += np.uint64(popcount(registers[b, word, lane]))
            registers[target, 0, lane] = total
            continue
        if operation == SOME:
            union = ZERO
            for word in range(words):
                union |= registers[a, word, lane]
            holds = union != ZERO
        else:
            total, wanted = registers[a, 0, lane], np.uint64(number)
            holds = total == wanted if b == 0 else total <= wanted if b == 1 else total >= wanted
        for word in range(words):
            registers[target, word, lane] = ALL if holds else ZERO


@tight
def combine(registers: Array, operation: int, target: int, a: int, b: int, lanes: int) -> None:
    """The operations that take each bit for itself."""
    for word in range(registers.shape[1]):
        if operation == AND:
            for lane in range(lanes):
                registers[target, word, lane] = registers[a, word, lane] & registers[b, word, lane]
        elif operation == AND_NOT:
            for lane in range(lanes):
                registers[target, word, lane] = registers[a, word, lane] & ~registers[b, word, lane]
        elif operation == OR:
            for lane in range(lanes):
                registers[target, word, lane] = registers[a, word, lane] | registers[b, word, lane]
        elif operation == XOR:
            for lane in range(lanes):
                registers[target, word, lane] = registers[a, word, lane] ^ registers[b, word, lane]
        else:
            for lane in range(lanes):
                registers[target, word, lane] = registers[a, word, lane]


@tight
def again(machine: Machine, at: int, lanes: int) -> bool:
    """Does the loop that this instruction ends go on? Where it may not any more, that is a fault."""
    source, bound = machine.code[at, 2], machine.code[at, 3]
    registers = machine.registers
    unrest = ZERO
    for word in range(registers.shape[1]):
        for lane in range(lanes):
            unrest |= registers[source, word, lane]
    if unrest != ZERO and machine.code[at, 5] < bound:
        machine.code[at, 5] += 1
        return True
    machine.code[at, 5] = 0
    for word in range(registers.shape[1]):
        for lane in range(lanes):
            machine.faults[lane] |= registers[source, word, lane]
    return False


@tight
def execute(machine: Machine, program: int, lanes: int) -> None:
    """Run a program in its registers."""
    registers = machine.registers
    at, end = machine.programs[program, 0], machine.programs[program, 1]
    while at < end:
        operation, target, a = machine.code[at, 0], machine.code[at, 1], machine.code[at, 2]
        b, number = machine.code[at, 3], machine.code[at, 4]
        if operation == RIGHT:
            shift(registers, target, a, number, lanes)
        elif operation == LEFT:
            shift(registers, target, a, -number, lanes)
        elif operation in (SOME, ADD_COUNT, COMPARE):
            summarize(registers, operation, target, a, b, number, lanes)
        elif operation == FAULT:
            for word in range(registers.shape[1]):
                for lane in range(lanes):
                    machine.faults[lane] |= registers[a, word, lane]
        elif operation == AGAIN:
            if again(machine, at, lanes):
                at = number
                continue
        else:
            combine(registers, operation, target, a, b, lanes)
        at += 1


@inlined
def row_of(machine: Machine, states: Array, state: int, action: int) -> int:
    """The row of `actions` for an action of the player whose turn it is."""
    if machine.players == 1:
        return action
    mover = np.int64(states[states.shape[0] - 1, 0, state])
    row: int = action + mover * (machine.actions.shape[0] // machine.players)
    return row


@tight
def load(
    machine: Machine, program: int, states: Array, who: Array, actions: Array, first: int, lanes: int
) -> None:
    """Put the states, and the marker of a pick, into the registers of a program."""
    registers, marker = machine.registers, machine.programs[program, 2]
    for lane in range(lanes):
        machine.faults[lane] = ZERO
    for board in range(boards_of(machine)):
        register = machine.programs[program, BEFORE + board]
        for word in range(states.shape[1]):
            for lane in range(lanes):
                registers[register, word, lane] = states[board, word, who[first + lane]]
    if marker >= 0:
        for lane in range(lanes):
            row = row_of(machine, states, who[first + lane], actions[first + lane])
            bit = machine.actions[row, 1]
            for word in range(states.shape[1]):
                there = ONE << np.uint64(bit % 64) if bit // 64 == word else ZERO
                registers[marker, word, lane] = there


@tight
def came_to(machine: Machine, program: int, lane: int) -> int:
    """What the turn in this lane came to."""
    registers = machine.registers
    if machine.faults[lane] != ZERO:
        return ILL_FORMED
    told = CHANGED if machine.waits else 0
    boards = boards_of(machine)
    for board in range(boards):
        before = machine.programs[program, BEFORE + board]
        after = machine.programs[program, BEFORE + boards + board]
        for word in range(registers.shape[1]):
            if registers[before, word, lane] != registers[after, word, lane]:
                told |= CHANGED
    if registers[machine.programs[program, 4], 0, lane] != ZERO:
        return told | LOST
    return told | WON if registers[machine.programs[program, 3], 0, lane] != ZERO else told


@tight
def leave(machine: Machine, program: int, lane: int, states: Array, state: int) -> None:
    """Put what a program made of a state in its place, and say whose turn it is."""
    boards, registers = boards_of(machine), machine.registers
    for board in range(boards):
        register = machine.programs[program, BEFORE + boards + board]
        for word in range(states.shape[1]):
            states[board, word, state] = registers[register, word, lane]
    if machine.players > 1 and registers[machine.programs[program, 5], 0, lane] == ZERO:
        states[boards, 0, state] = (states[boards, 0, state] + ONE) % np.uint64(machine.players)


@tight
def turns(machine: Machine, states: Array, who: Array, actions: Array, out: Array, keep: bool) -> None:
    """Try an action in a state for each entry of `who` and `actions`; `out` becomes what each turn came to.

    With `keep` the states are changed, and none may come twice. It is quick where actions of one program
    stand together.
    """
    first_turns(machine, states, who, actions, out, keep, who.size)


@tight
def first_turns(
    machine: Machine, states: Array, who: Array, actions: Array, out: Array, keep: bool, count: int
) -> None:
    """The same for so many entries only."""
    first = 0
    while first < count:
        program = machine.actions[row_of(machine, states, who[first], actions[first]), 0]
        after = first + 1
        while after < count and after < first + LANES:
            if machine.actions[row_of(machine, states, who[after], actions[after]), 0] != program:
                break
            after += 1
        lanes = after - first
        load(machine, program, states, who, actions, first, lanes)
        execute(machine, program, lanes)
        for lane in range(lanes):
            told = out[first + lane] = came_to(machine, program, lane)
            if keep and told & CHANGED:
                leave(machine, program, lane, states, who[first + lane])
        first = after
