"""Straight code (`ggp.transition.tracing`) run over many states at once: a register has a word for each of them.

States that got inputs of one sort run together, `lanes` at a time, so that an instruction costs little more than
its arithmetic, and all that is needed stays near the processor. A board is one word or more; words of all states
lie side by side.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ggp.transition.native.compiling import inlined, tight
from ggp.transition.tracing import (
    ADD_COUNT,
    AGAIN,
    AND,
    AND_NOT,
    COMPARE,
    COPY,
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

ZERO, ONE, TWO, FOUR = (np.uint64(number) for number in (0, 1, 2, 4))
PAIRS, QUADS, OCTETS, EACH = (
    np.uint64(word)
    for word in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101)
)
TOP, ALL, WORD = np.uint64(56), np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(64)


class Machine(NamedTuple):
    """The programs of a level in one table, and room to run them.

    A row of `programs` is (first instruction, the one after the last, register of the marker or -1, of the goal,
    of losing); `given` and `after` have the registers of the boards that vary, a row a program. `program_of` and
    `bit_of` are of each action: which program, and the bit of the picked cell or -1. `waits`: a turn that changes
    nothing is one.
    """

    code: Array
    programs: Array
    given: Array
    after: Array
    program_of: Array
    bit_of: Array
    registers: Array  # (registers, words, lanes)
    faults: Array  # (lanes,)
    rounds: Array  # of each instruction that ends a loop, how often it was run
    waits: bool


@inlined
def popcount(word: Any) -> int:
    """How many bits of a word are set."""
    word = word - ((word >> ONE) & PAIRS)
    word = (word & QUADS) + ((word >> TWO) & QUADS)
    word = (word + (word >> FOUR)) & OCTETS
    return int((word * EACH) >> TOP)


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
    if unrest != ZERO and machine.rounds[at] < bound:
        machine.rounds[at] += 1
        return True
    machine.rounds[at] = 0
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


@tight
def together(
    machine: Machine,
    states: Array,
    who: Array,
    actions: Array,
    first: int,
    lanes: int,
    out: Array,
    keep: bool,
) -> None:
    """Run one program for entry `first` and those after it, as `turns` says."""
    registers, faults = machine.registers, machine.faults
    program = machine.program_of[actions[first]]
    boards, words = states.shape[0], states.shape[1]
    for lane in range(lanes):
        faults[lane] = ZERO
    for board in range(boards):
        register = machine.given[program, board]
        for word in range(words):
            for lane in range(lanes):
                registers[register, word, lane] = states[board, word, who[first + lane]]
    marker = machine.programs[program, 2]
    if marker >= 0:
        for lane in range(lanes):
            bit = machine.bit_of[actions[first + lane]]
            for word in range(words):
                there = ONE << np.uint64(bit % 64) if bit // 64 == word else ZERO
                registers[marker, word, lane] = there
    execute(machine, program, lanes)
    goal, losing = machine.programs[program, 3], machine.programs[program, 4]
    for lane in range(lanes):
        told = CHANGED if machine.waits else 0
        for board in range(boards):
            before, after = machine.given[program, board], machine.after[program, board]
            for word in range(words):
                if registers[before, word, lane] != registers[after, word, lane]:
                    told |= CHANGED
        if registers[losing, 0, lane] != ZERO:
            told |= LOST
        elif registers[goal, 0, lane] != ZERO:
            told |= WON
        if faults[lane] != ZERO:
            told = ILL_FORMED
        out[first + lane] = told
        if keep and told & CHANGED:
            for board in range(boards):
                register = machine.after[program, board]
                for word in range(words):
                    states[board, word, who[first + lane]] = registers[register, word, lane]


@tight
def turns(machine: Machine, states: Array, who: Array, actions: Array, out: Array, keep: bool) -> None:
    """Try an action in a state for each entry of `who` and `actions`; `out` becomes what each turn came to.

    With `keep` the states are changed, and none may come twice. It is quick where actions of one program stand
    together.
    """
    first = 0
    while first < who.size:
        program, after = machine.program_of[actions[first]], first + 1
        while after < who.size and after < first + LANES and machine.program_of[actions[after]] == program:
            after += 1
        together(machine, states, who, actions, first, after - first, out, keep)
        first = after
