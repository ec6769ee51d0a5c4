"""The turns of one level as straight code: what the kernel does is written down once, for all states.

The kernel runs over boards that are not known yet (`Wire`), and each operation on one becomes an instruction.
What is known folds away: pieces that no rule touches are numbers, as are the edges of the board and the
input, so there is a program for each input word and pick direction, and none of them looks at a rule for
another. `ggp.transition.native.lanes` runs the code over many states at once, `ggp.transition.stepper`
brings both together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from ggp.transition.bits import Bits
from ggp.transition.kernel import Boards, Company, overlaps, run_program
from ggp.transition.program import CompiledRule, Loop, Pass, Transition, changed_by

# What an instruction does with its operands a and b.
AND, AND_NOT, OR, XOR, RIGHT, LEFT, SOME, ADD_COUNT, COMPARE, COPY, FAULT, AGAIN = range(12)
OF_TWO = (AND, AND_NOT, OR, XOR, ADD_COUNT)  # `b` is a value, not a number
COMPARISONS = ("=", "<=", ">=")


class Instruction(NamedTuple):
    """`target` becomes `operation` of the values `a` and `b`, and of `number` where it takes one.

    RIGHT and LEFT shift by `number` bits; SOME is true everywhere if any bit of `a` is; ADD_COUNT adds the
    bits of `b` to the number in `a`; COMPARE holds if the number in `a` compares (`b` says how) with
    `number`. FAULT marks the states in which `a` has a bit. AGAIN ends a loop that began at `number`: it is
    run again where `a` has a bit, but no more than `b` times, and then that is a fault.
    """

    operation: int
    target: int
    a: int
    b: int = -1
    number: int = 0

    def moved(self, base: int, first: int) -> tuple[int, ...]:
        """The same where registers begin at `base`, and the code at `first`."""
        target = self.target + base if self.target >= 0 else -1
        b = self.b + base if self.operation in OF_TWO else self.b
        number = self.number + first if self.operation == AGAIN else self.number
        return self.operation, target, self.a + base, b, number


class Wire:
    """A board, or a truth, that is only known when the code runs. Boards that are known are integers."""

    def __init__(self, trace: Trace, value: int) -> None:
        self.trace = trace
        self.value = value

    def __bool__(self) -> bool:
        raise TypeError("what a wire carries is not known yet")

    def __and__(self, other: Any) -> Any:
        return self.trace.both(self, other)

    def __or__(self, other: Any) -> Any:
        return self.trace.either(self, other)

    __rand__ = __and__
    __ror__ = __or__

    def __invert__(self) -> Complement:
        return Complement(self)

    def __rshift__(self, distance: int) -> Wire:
        return self.trace.emit(RIGHT, self, number=distance) if distance else self

    def __lshift__(self, distance: int) -> Wire:
        return self.trace.emit(LEFT, self, number=distance) if distance else self


class Complement:
    """The complement of a wire, which costs nothing where it is only intersected."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def __invert__(self) -> Wire:
        return self.wire

    def __and__(self, other: Any) -> Any:
        if isinstance(other, Complement):
            return ~(self.wire | other.wire)
        if isinstance(other, int):
            other &= self.wire.trace.full
            return self.wire.trace.emit(AND_NOT, self.wire.trace.known(other), self.wire) if other else 0
        return self.wire.trace.emit(AND_NOT, other, self.wire) if other.value != self.wire.value else 0

    def __or__(self, other: Any) -> Any:
        return self.plain() | (other.plain() if isinstance(other, Complement) else other)

    __rand__ = __and__
    __ror__ = __or__

    def plain(self) -> Wire:
        """The complement as a wire."""
        trace = self.wire.trace
        return trace.emit(AND_NOT, trace.known(trace.full), self.wire)


class Trace:
    """Instructions as they come. Equal ones are written once, as long as no loop lies between them."""

    def __init__(self, full: int) -> None:
        self.full = full
        self.code: list[Instruction] = []
        self.constants: dict[int, int] = {}  # number -> value
        self.made = 0  # values so far
        self.seen: list[dict[tuple[int, ...], int]] = [{}]
        self.loops: list[tuple[int, int]] = []  # the first and the last instruction of each

    def value(self) -> int:
        """A value that nothing has yet."""
        self.made += 1
        return self.made - 1

    def wire(self) -> Wire:
        """A board that comes from outside, or changes in a loop."""
        return Wire(self, self.value())

    def known(self, board: Any) -> Wire:
        """A board that is known, as a wire."""
        if isinstance(board, Complement):
            return board.plain()
        if isinstance(board, Wire):
            return board
        number = (self.full if board is True else 0) if isinstance(board, bool) else board & self.full
        if number not in self.constants:
            self.constants[number] = self.value()
        return Wire(self, self.constants[number])

    def emit(self, operation: int, a: Wire, b: Wire | int = -1, number: int = 0) -> Wire:
        """The result of an instruction."""
        told = (operation, a.value, b.value if isinstance(b, Wire) else b, number)
        for scope in self.seen:
            if told in scope:
                return Wire(self, scope[told])
        made = self.seen[-1][told] = self.value()
        self.code.append(Instruction(told[0], made, *told[1:]))
        return Wire(self, made)

    def both(self, wire: Wire, other: Any) -> Any:
        """Intersection."""
        if isinstance(other, Complement):
            return other & wire
        if isinstance(other, Wire):
            if other.value == wire.value:
                return wire
            first, second = sorted((wire, other), key=lambda one: one.value)
            return self.emit(AND, first, second)
        other = int(other) & self.full if not isinstance(other, bool) else self.full * other
        if not other or other == self.full:
            return wire if other else 0
        return self.emit(AND, wire, self.known(other))

    def either(self, wire: Wire, other: Any) -> Any:
        """Union."""
        if isinstance(other, Complement):
            return other.plain() | wire
        if isinstance(other, Wire):
            if other.value == wire.value:
                return wire
            first, second = sorted((wire, other), key=lambda one: one.value)
            return self.emit(OR, first, second)
        if isinstance(other, bool):
            return True if other else wire
        return self.emit(OR, wire, self.known(other)) if other & self.full else wire

    def copy(self, source: Any, target: Wire) -> None:
        """Let a wire that changes carry this."""
        self.code.append(Instruction(COPY, target.value, self.known(source).value))

    def prune(self, kept: set[int]) -> None:
        """Leave out the instructions whose results nobody asks for."""
        while True:
            asked = (
                kept | {one.a for one in self.code} | {one.b for one in self.code if one.operation in OF_TWO}
            )
            alive = [one.target < 0 or one.target in asked for one in self.code]
            if all(alive):
                return
            at = [0, *accumulate(alive)]  # where each instruction comes to stand
            self.loops = [(at[first], at[last]) for first, last in self.loops]
            moved = (
                one._replace(number=at[one.number]) if one.operation == AGAIN else one for one in self.code
            )
            self.code = [one for one, lives in zip(moved, alive, strict=True) if lives]


class Tracing(Bits):
    """The algebra of wires: as `Bits` does it, in as far as nothing need be known."""

    def __init__(self, transition: Transition, margin: int) -> None:
        super().__init__(transition, margin)
        self.trace = Trace(self.full)

    def empty(self, board: Any) -> bool:
        return isinstance(board, int) and not board & self.full

    def exclude(self, what: str, step: Pass, companies: list[Company]) -> None:
        for both in overlaps(self, companies):
            self.fault(both)

    def idle(self, step: Pass, rule: CompiledRule, where: Any) -> None:
        self.fault(where)

    def fired(self, rule: CompiledRule, subject: int | None, where: Any) -> Any:
        """No state says what a turn was worth, so nothing is counted."""
        return where

    def fault(self, where: Any) -> None:
        """The turn has no meaning in a state in which some cell is true."""
        if not self.empty(where):
            self.trace.code.append(Instruction(FAULT, -1, self.trace.known(where).value))

    def loop(self, loop: Loop, boards: Boards) -> Boards:
        trace = self.trace
        changing = {plane: trace.wire() for plane in sorted(changed_by(loop.body))}
        for plane, wire in changing.items():
            trace.copy(boards[plane], wire)
        boards = tuple(changing.get(plane, board) for plane, board in enumerate(boards))
        first = len(trace.code)
        trace.seen.append({})
        after = run_program(self, loop.body, boards)
        unrest: Any = 0
        for plane, wire in changing.items():
            unrest = unrest | trace.emit(XOR, trace.known(after[plane]), wire)
        # What is copied must not have been overwritten by a copy before it.
        wires = {wire.value for wire in changing.values()}
        held = {}
        for plane in changing:
            source = trace.known(after[plane])
            held[plane] = source
            if source.value in wires and source.value != changing[plane].value:
                held[plane] = trace.wire()
                trace.copy(source, held[plane])
        for plane, wire in changing.items():
            if held[plane].value != wire.value:
                trace.copy(held[plane], wire)
        trace.seen.pop()
        trace.code.append(Instruction(AGAIN, -1, trace.known(unrest).value, loop.bound, first))
        trace.loops.append((first, len(trace.code) - 1))
        return boards

    # --- what goal words ask: truths are wires, or known

    def every(self, truths: Iterable[Any]) -> Any:
        whole: Any = self.full
        for truth in truths:
            whole = truth & whole if isinstance(truth, (Wire, Complement)) else whole if truth else 0
        return whole if isinstance(whole, Wire) else bool(whole)

    def some(self, board: Any) -> Any:
        board = board if isinstance(board, int) else self.trace.known(board)
        return bool(board & self.full) if isinstance(board, int) else self.trace.emit(SOME, board)

    def none(self, board: Any) -> Any:
        return self.opposite(self.some(board))

    def opposite(self, truth: Any) -> Any:
        """True where it is not."""
        return Complement(truth).plain() if isinstance(truth, Wire) else not truth

    def count(self, boards: list[Any], comparison: str, number: int) -> Any:
        total = self.trace.known(0)
        for board in boards:
            total = self.trace.emit(ADD_COUNT, total, self.trace.known(board & self.full))
        return self.trace.emit(COMPARE, total, COMPARISONS.index(comparison), number)


@dataclass(frozen=True)
class Straight:
    """A program in registers: instructions, where the boards that it takes and gives are, and what is known.

    `given` are the registers of the boards that come in, `marker` the one that the picked cell is put into,
    `after` those of the same boards afterwards, `won`, `lost` and `again` three truths. `constants` are
    (register, number).
    """

    code: tuple[Instruction, ...]
    given: tuple[int, ...]
    marker: int | None
    after: tuple[int, ...]
    won: int
    lost: int
    again: int
    constants: tuple[tuple[int, int], ...]
    registers: int


def straight(
    tracing: Tracing, given: list[Wire], marker: Wire | None, results: list[Any], truths: tuple[Any, Any, Any]
) -> Straight:
    """The code of a trace, with few registers: one is used again after the last that is read of it."""
    trace = tracing.trace
    after = [trace.known(result).value for result in results]
    ends = [trace.known(truth).value for truth in truths]
    trace.prune({*after, *ends})
    inputs = [wire.value for wire in (*given, *([marker] if marker is not None else []))]
    place = {value: register for register, value in enumerate([*inputs, *trace.constants.values()])}
    last = last_uses(trace, {*after, *ends})
    free: list[int] = []
    made = len(place)
    dying: dict[int, list[int]] = {}
    for value, index in last.items():
        dying.setdefault(index, []).append(value)
    code = []
    for index, one in enumerate(trace.code):
        a = place[one.a]
        b = place[one.b] if one.operation in OF_TWO else one.b
        if one.target >= 0 and one.target not in place:
            if not free:
                free.append(made)
                made += 1
            place[one.target] = free.pop()
        code.append(Instruction(one.operation, place.get(one.target, -1), a, b, one.number))
        # Not before the instruction has read it: a shift over several words must not overwrite what it reads.
        fixed = len(inputs) + len(trace.constants)
        free += [place[value] for value in dying.get(index, ()) if place[value] >= fixed]
    known = tuple((place[value], number) for number, value in trace.constants.items())
    return Straight(
        tuple(code),
        tuple(place[wire.value] for wire in given),
        None if marker is None else place[marker.value],
        tuple(place[value] for value in after),
        place[ends[0]],
        place[ends[1]],
        place[ends[2]],
        known,
        made,
    )


def last_uses(trace: Trace, kept: set[int]) -> dict[int, int]:
    """Of each value that is not kept to the end, the instruction after which nobody needs it.

    What comes into a loop from before it, or goes round in it, is needed until the loop has ended.
    """
    born: dict[int, int] = {}
    last: dict[int, int] = {}
    for index, one in enumerate(trace.code):
        takes_two = one.operation in OF_TWO
        for value in (one.a, *((one.b,) if takes_two else ())):
            last[value] = index
        if one.target >= 0:
            born.setdefault(one.target, index)
            last[one.target] = max(index, last.get(one.target, index))
    for value, index in last.items():
        for first, end in trace.loops:  # inner ones come before those around them
            if first <= index <= end and born.get(value, -1) < first:
                index = max(index, end)
        last[value] = index
    return {value: index for value, index in last.items() if value not in kept}
