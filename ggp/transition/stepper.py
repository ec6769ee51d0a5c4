"""Turns of a level by the number of the action, for thousands of states at once, as machine code.

States are an array of machine words, (boards that vary, words of a board, states); it is changed in place. What a
turn is, which input is legal and what is ill-formed are as in the kernel, of which the code is made
(`ggp.transition.tracing`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.model import Instance, Piece
from ggp.model.board import Action, State
from ggp.referee.semantics import all_actions, initial_state, placeable
from ggp.transition.bits import Bits, Named
from ggp.transition.kernel import Boards, clear_markers, run_program
from ggp.transition.program import compile_instance, given, input_words
from ggp.transition.tracing import Straight, Tracing, Wire, straight

if TYPE_CHECKING:
    from ggp.transition.native.lanes import Machine

States = NDArray[np.uint64]


class Stepper:
    """The turns of an instance. `actions[n]` is the action number n, one None where the game takes no inputs.

    `margin` is as for `Bits`. Goal words that are only judged at the end of a run (`judged` is False then) tell
    nothing here: ask the referee.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.transition = compile_instance(instance)
        self.bits = Bits(self.transition)
        self.actions: tuple[Action | None, ...] = tuple(all_actions(instance)) or (None,)
        placed = {self.transition.number[piece] for piece in placeable(instance)}
        self.varying = tuple(sorted(self.transition.dynamic - self.transition.markers | placed))
        self.words = (self.transition.height * self.bits.stride + 63) // 64
        self.start = self.bits.pack(initial_state(instance, partial=True))
        goal = instance.game.goal
        self.judged = all(hasattr(term, "test") for term in (*goal.terms, *goal.lose))
        self.machine: Machine = self.assembled()
        self.sort_of = self.machine.program_of.astype(np.uint8)
        self.sorts = len(self.machine.programs)
        self.pairs: tuple[int, NDArray[np.int64], NDArray[np.int64]] | None = None

    # --- what is asked of it ------------------------------------------------------------------------------

    def begin(self, count: int) -> States:
        """So many states before the first turn."""
        one = self.packed(self.start)
        return np.repeat(one[:, :, np.newaxis], count, axis=2)

    def advance(self, states: States, actions: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Make a turn in each state; returns what it came to (`CHANGED`, `WON`, `LOST`, `ILL_FORMED`).

        A turn that changes nothing (unless the game has waiting) or is ill-formed leaves its state as it was.
        An action below zero is no turn.
        """
        from ggp.transition.native.lanes import turns

        who = np.flatnonzero(actions >= 0)
        if self.sorts > 1 and who.size > 1:
            who = who[np.argsort(self.sort_of[actions[who]], kind="stable")]
        told = np.empty(who.size, np.uint8)
        turns(self.machine, states, who, actions[who], told, True)
        out = np.zeros(actions.size, np.uint8)
        out[who] = told
        return out

    def tried(self, states: States) -> NDArray[np.uint8]:
        """What each action comes to in each state: (states, actions)."""
        from ggp.transition.native.lanes import turns

        count = states.shape[2]
        if self.pairs is None or self.pairs[0] != count:
            actions = np.argsort(self.sort_of, kind="stable")
            self.pairs = count, np.tile(np.arange(count), actions.size), np.repeat(actions, count)
        _, who, all_actions = self.pairs
        told = np.empty(who.size, np.uint8)
        turns(self.machine, states, who, all_actions, told, False)
        out = np.empty((count, len(self.actions)), np.uint8)
        out[who, all_actions] = told
        return out

    def legal(self, states: States) -> NDArray[np.bool_]:
        """Which actions are turns in each state: (states, actions)."""
        from ggp.transition.native.lanes import CHANGED

        return (self.tried(states) & CHANGED) != 0

    def planes(self, states: States) -> NDArray[np.uint8]:
        """What stands where, as zeros and ones: (states, pieces, rows, columns), in the order of the planes.

        Markers are left out: between turns there are none.
        """
        transition = self.transition
        shown = [plane for plane in range(len(transition.planes)) if plane not in transition.markers]
        out = np.empty((states.shape[2], len(shown), transition.height, transition.width), np.uint8)
        for index, plane in enumerate(shown):
            boards = states[self.varying.index(plane)].T if plane in self.varying else self.fixed(plane)
            out[:, index] = self.spread(boards)
        return out

    def shown(self) -> tuple[Piece, ...]:
        """The pieces whose planes are shown."""
        transition = self.transition
        return tuple(
            piece for plane, piece in enumerate(transition.planes) if plane not in transition.markers
        )

    def pack(self, state: State) -> States:
        """A state of the referee, as one of a single state."""
        return self.packed(self.bits.pack(state))[:, :, np.newaxis]

    def unpack(self, states: States, index: int = 0) -> State:
        """One of the states, for the referee (of the first player)."""
        boards = list(self.start)
        for place, plane in enumerate(self.varying):
            boards[plane] = int.from_bytes(states[place, :, index].tobytes(), "little")
        for plane in self.transition.markers:
            boards[plane] = 0
        return self.bits.unpack(tuple(boards))

    # --- words --------------------------------------------------------------------------------------------

    def packed(self, boards: Boards) -> States:
        """The boards that vary, in words."""
        return np.array([self.as_words(boards[plane]) for plane in self.varying], np.uint64).reshape(
            len(self.varying), self.words
        )

    def as_words(self, board: int) -> list[int]:
        """A board in machine words, the lowest bits first."""
        return [(board >> (64 * word)) & (2**64 - 1) for word in range(self.words)]

    def fixed(self, plane: int) -> States:
        """A board that no turn changes."""
        return np.array([self.as_words(self.start[plane])], np.uint64)

    def spread(self, boards: States) -> NDArray[np.uint8]:
        """Boards, a row of words each, as zeros and ones in rows and columns."""
        height, width = self.transition.height, self.transition.width
        octets = np.ascontiguousarray(boards).view(np.uint8)
        bits = np.unpackbits(octets, axis=1, count=height * self.bits.stride, bitorder="little")
        return bits.reshape(-1, height, self.bits.stride)[:, :, :width]

    # --- the machine --------------------------------------------------------------------------------------

    def assembled(self) -> Machine:
        """All programs in one table; the actions that differ in the picked cell only share one."""
        from ggp.transition.native.lanes import LANES, Machine

        sorts: dict[tuple[str, str | None] | None, int] = {}
        programs: list[Straight] = []
        program_of, bit_of = [], []
        for action in self.actions:
            sort = None if action is None else (action.verb, action.direction)
            if sort not in sorts:
                sorts[sort] = len(programs)
                programs.append(self.program(action))
            picked = action.cell if action is not None else None
            program_of.append(sorts[sort])
            bit_of.append(-1 if picked is None else self.bits.bit(*picked).bit_length() - 1)
        total = sum(program.registers for program in programs)
        registers = np.zeros((total, self.words, LANES), np.uint64)
        code: list[tuple[int, ...]] = []
        rows, given_rows, after_rows = [], [], []
        base = 0
        for program in programs:
            first = len(code)
            code += [one.moved(base, first) for one in program.code]
            marker = -1 if program.marker is None else base + program.marker
            rows.append((first, len(code), marker, base + program.won, base + program.lost))
            given_rows.append([base + register for register in program.given])
            after_rows.append([base + register for register in program.after])
            for register, number in program.constants:
                registers[base + register] = np.array(self.as_words(number), np.uint64)[:, np.newaxis]
            base += program.registers
        declared = self.instance.game.input
        return Machine(
            np.array(code, np.int64).reshape(-1, 5),
            np.array(rows, np.int64),
            np.array(given_rows, np.int64).reshape(len(programs), -1),
            np.array(after_rows, np.int64).reshape(len(programs), -1),
            np.array(program_of, np.int64),
            np.array(bit_of, np.int64),
            registers,
            np.zeros(LANES, np.uint64),
            np.zeros(len(code), np.int64),
            declared is None or declared.wait,
        )

    def program(self, action: Action | None) -> Straight:
        """The code of a turn with inputs of this sort."""
        transition, instance = self.transition, self.instance
        tracing = Tracing(transition, self.bits.stride - transition.width)
        wires: list[Wire] = []
        boards: list[Any] = list(self.start)
        for plane in self.varying:
            wires.append(tracing.trace.wire())
            boards[plane] = wires[-1]
        for plane in transition.markers:
            boards[plane] = 0
        marker = None
        if action is not None and action.cell is not None and instance.game.input is not None:
            marker = tracing.trace.wire()
            boards[transition.number[Piece(str(instance.game.input.pick), action.direction)]] = marker
        steps = transition.physics if action is None else transition.turn + transition.physics
        after = clear_markers(tracing, run_program(tracing, given(steps, input_words(action)), tuple(boards)))
        view = Named(instance, transition, after)
        goal = instance.game.goal
        won: Any = self.judged and tracing.every(term.test(tracing, view) for term in goal.terms)
        losing = (tracing.opposite(term.test(tracing, view)) for term in goal.lose) if self.judged else ()
        lost = tracing.opposite(tracing.every(losing))
        return straight(tracing, wires, marker, [after[plane] for plane in self.varying], won, lost)
