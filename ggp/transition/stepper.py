"""Turns of a level by the number of the action, for thousands of states at once, as machine code.

States are an array of machine words, (boards that vary, words of a board, states); it is changed in place.
Where several players take turns there is one more board, the number of the player whose turn it is.
What a turn is, which input is legal and what is ill-formed are as in the kernel, of which the code is made
(`ggp.transition.tracing`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.model import Instance, Piece
from ggp.model.board import Action, State
from ggp.referee.designs import placeable
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state
from ggp.transition.bits import Bits, Named
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import Boards, clear_markers, run_program, union
from ggp.transition.native.portions import Portions
from ggp.transition.program import given, input_words
from ggp.transition.tracing import Straight, Tracing, Wire, straight

if TYPE_CHECKING:
    from ggp.transition.native.lanes import Machine

States = NDArray[np.uint64]


class Stepper:
    """The turns of an instance. `actions[n]` is the action number n, one None where the game takes no inputs.

    `loose` are pieces that may stand elsewhere than on the map, though no rule moves them. Goal words that
    are only judged at the end of a run (`judged` is False then) tell nothing here: ask the referee. With a
    `margin` (see `Bits`) states are laid out as those of other rules that look further. `in_hand`: the marker
    of a pick is on the board already; `waits`: a turn that changes nothing is one, too. `pause` is called now
    and then while many states have their turns.
    """

    def __init__(
        self,
        instance: Instance,
        loose: tuple[Piece, ...] = (),
        margin: int | None = None,
        *,
        in_hand: bool = False,
        waits: bool = False,
        pause: Callable[[], None] | None = None,
    ) -> None:
        self.instance, self.in_hand = instance, in_hand
        self.waits = waits or instance.game.input is None or instance.game.input.wait
        self.transition = compile_instance(instance)
        self.bits = Bits(self.transition, margin)
        self.actions: tuple[Action | None, ...] = tuple(all_actions(instance)) or (None,)
        placed = {self.transition.number[piece] for piece in (*placeable(instance), *loose)}
        self.varying = tuple(sorted(self.transition.dynamic - self.transition.markers | placed))
        self.words = (self.transition.height * self.bits.stride + 63) // 64
        self.start = self.bits.pack(initial_state(instance, partial=True))
        goal = instance.game.goal
        self.judged = all(hasattr(term, "test") for term in (*goal.terms, *goal.lose))
        self.players = len(instance.game.players)
        declared = instance.game.input
        self.passing = self.players > 1 and declared is not None and declared.stuck == "passes"
        self.portions = None if pause is None else Portions(pause)
        self.machine: Machine = self.assembled()
        if self.portions is not None:  # lanes run together, so that fewer at once save nothing
            self.portions.least = self.portions.size = self.machine.registers.shape[2]
        self.sort_of = self.machine.actions[:, 0].astype(np.uint8)  # the first player's, then the next one's
        self.sorts = len(self.machine.programs)
        self.in_order = np.arange(len(self.actions))
        shown = [p for p in range(len(self.transition.planes)) if p not in self.transition.markers]
        self.pieces = tuple(self.transition.planes[plane] for plane in shown)
        places = [shown.index(plane) for plane in self.varying]
        together = bool(places) and places == list(range(places[0], places[-1] + 1))
        self.places = slice(places[0], places[-1] + 1) if together else places
        self.background = self.drawn(tuple(self.start[plane] for plane in shown))
        self.alone = np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.uint8)
        self.pairs: tuple[int, NDArray[np.int64], NDArray[np.int64]] | None = None

    # --- what is asked of it ------------------------------------------------------------------------------

    def begin(self, count: int) -> States:
        """So many states before the first turn."""
        return np.repeat(self.pack(initial_state(self.instance, partial=True)), count, axis=2)

    def movers(self, states: States) -> NDArray[np.int64]:
        """The number of the player whose turn it is in each state."""
        if self.players == 1:
            return np.zeros(states.shape[2], np.int64)
        found: NDArray[np.int64] = states[-1, 0].astype(np.int64)
        return found

    def advance(self, states: States, actions: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Make a turn in each state; returns what it came to (`CHANGED`, `WON`, `LOST`, `ILL_FORMED`).

        A turn that changes nothing (unless the game has waiting) or is ill-formed leaves its state as it was.
        An action below zero is no turn.
        """
        from ggp.transition.native.lanes import CHANGED, turns

        if actions.size == 1 and actions[0] >= 0:
            return np.array([self.turn(states, int(actions[0]))], np.uint8)
        who = np.flatnonzero(actions >= 0)
        if self.sorts > 1 and who.size > 1:
            rows = actions[who]
            if self.players > 1:
                rows = rows + self.movers(states)[who] * len(self.actions)
            who = who[np.argsort(self.sort_of[rows], kind="stable")]
        told, chosen = np.empty(who.size, np.uint8), actions[who]
        for some in (slice(None),) if self.portions is None else self.portions(who.size):
            turns(self.machine, states, who[some], chosen[some], told[some], True)
        out = np.zeros(actions.size, np.uint8)
        out[who] = told
        if self.passing:
            self.pass_over(states, np.flatnonzero(out & CHANGED))
        return out

    def turn(self, states: States, action: int) -> int:
        """The same for a single state and an action that is one, without what many states need."""
        from ggp.transition.native.lanes import CHANGED, turns

        who, chosen, told = self.alone
        chosen[0] = action
        turns(self.machine, states, who, chosen, told, True)
        if self.passing and told[0] & CHANGED:
            self.pass_over(states, who)
        return int(told[0])

    def pass_over(self, states: States, who: NDArray[np.int64]) -> None:
        """Let those pass who have no legal action; where nobody has one, the turn stays where it is."""
        from ggp.transition.native.lanes import CHANGED

        for _ in range(self.players):
            some = np.ascontiguousarray(states[:, :, who])
            who = who[~(self.tried(some) & CHANGED).any(axis=1)]
            if not who.size:
                return
            states[-1, 0, who] = (states[-1, 0, who] + np.uint64(1)) % np.uint64(self.players)

    def all_turns(self, states: States) -> tuple[NDArray[np.uint8], States]:
        """What each action comes to in a single state, and the states that they lead to."""
        from ggp.transition.native.lanes import CHANGED, turns

        after = np.repeat(states, len(self.actions), axis=2)
        told = np.empty(len(self.actions), np.uint8)
        turns(self.machine, after, self.in_order, self.in_order, told, True)
        if self.passing:
            self.pass_over(after, np.flatnonzero(told & CHANGED))
        return told, after

    def tried(self, states: States) -> NDArray[np.uint8]:
        """What each action comes to in each state: (states, actions)."""
        from ggp.transition.native.lanes import turns

        count = states.shape[2]
        if self.pairs is None or self.pairs[0] != count:
            actions = np.argsort(self.sort_of[: len(self.actions)], kind="stable")
            self.pairs = count, np.tile(np.arange(count), actions.size), np.repeat(actions, count)
        _, who, all_actions = self.pairs
        movers = self.movers(states)
        if self.players > 1 and (movers != movers[:1]).any():  # those of one player run the same programs
            who = np.tile(np.argsort(movers, kind="stable"), len(self.actions))
        told = np.empty(who.size, np.uint8)
        turns(self.machine, states, who, all_actions, told, False)
        out = np.empty((count, len(self.actions)), np.uint8)
        out[who, all_actions] = told
        return out

    def legal(self, states: States) -> NDArray[np.bool_]:
        """Which actions are turns in each state: (states, actions)."""
        from ggp.transition.native.lanes import CHANGED

        found: NDArray[np.bool_] = (self.tried(states) & CHANGED) != 0
        return found

    def planes(self, states: States) -> NDArray[np.uint8]:
        """What stands where, as zeros and ones: (states, pieces, rows, columns), in the order of `pieces`.

        Markers are left out: between turns there are none.
        """
        count, (height, width) = states.shape[2], (self.transition.height, self.transition.width)
        out = np.empty((count, *self.background.shape), np.uint8)
        out[:] = self.background
        boards = states[: len(self.varying)]
        octets = np.ascontiguousarray(boards.transpose(2, 0, 1)).view(np.uint8)
        bits = np.unpackbits(octets, axis=2, count=height * self.bits.stride, bitorder="little")
        out[:, self.places] = bits.reshape(count, -1, height, self.bits.stride)[:, :, :, :width]
        return out

    def pack(self, state: State) -> States:
        """A state of the referee, as one of a single state."""
        boards = self.packed(self.bits.pack(state))
        if self.players > 1:
            whose = np.zeros((1, self.words), np.uint64)
            whose[0, 0] = state.mover
            boards = np.concatenate([boards, whose])
        return boards[:, :, np.newaxis]

    def unpack(self, states: States, index: int = 0) -> State:
        """One of the states, for the referee."""
        boards = list(self.start)
        for place, plane in enumerate(self.varying):
            boards[plane] = int.from_bytes(states[place, :, index].tobytes(), "little")
        for plane in self.transition.markers:
            boards[plane] = 0
        return State(self.bits.unpack(tuple(boards)).board, int(self.movers(states)[index]))

    # --- words --------------------------------------------------------------------------------------------

    def packed(self, boards: Boards) -> States:
        """The boards that vary, in words."""
        return np.array([self.as_words(boards[plane]) for plane in self.varying], np.uint64).reshape(
            len(self.varying), self.words
        )

    def as_words(self, board: int) -> list[int]:
        """A board in machine words, the lowest bits first."""
        return in_words(board, self.words)

    def drawn(self, boards: Boards) -> NDArray[np.uint8]:
        """Boards as zeros and ones: (boards, rows, columns)."""
        height, width = self.transition.height, self.transition.width
        out = np.zeros((len(boards), height, width), np.uint8)
        for number, board in enumerate(boards):
            for row in range(height):
                for column in range(width):
                    out[number, row, column] = bool(board & self.bits.bit(row, column))
        return out

    # --- the machine --------------------------------------------------------------------------------------

    def assembled(self) -> Machine:
        """All programs in one table; a player's actions that differ in the picked cell only share one."""
        sorts: dict[tuple[int, str, str | None] | None, int] = {}
        programs: list[Straight] = []
        actions: list[tuple[int, int]] = []
        for mover, action in product(range(self.players), self.actions):
            sort = None if action is None else (mover, action.verb, action.direction)
            if sort not in sorts:
                if self.portions is not None:
                    self.portions.pause()
                sorts[sort] = len(programs)
                programs.append(self.program(action, mover))
            picked = action.cell if action is not None else None
            bit = -1 if picked is None else self.bits.bit(*picked).bit_length() - 1
            actions.append((sorts[sort], bit))
        return machine_of(programs, actions, self.words, waits=self.waits, players=self.players)

    def program(self, action: Action | None, mover: int) -> Straight:
        """The code of a turn with inputs of this sort, of this player."""
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
        placed = action is not None and action.cell is not None and not self.in_hand
        if placed and action is not None and instance.game.input is not None:
            marker = tracing.trace.wire()
            boards[transition.number[Piece(str(instance.game.input.pick), action.direction)]] = marker
        steps = transition.physics if action is None else transition.turn + transition.physics
        words = input_words(action, instance.game.players, mover)
        made = run_program(tracing, given(steps, words), tuple(boards))
        after = clear_markers(tracing, made)
        view = Named(instance, transition, after)
        goal = instance.game.goal
        some_goal = self.judged and (bool(goal.terms) or self.players == 1)
        won: Any = some_goal and tracing.every(term.test(tracing, view) for term in goal.terms)
        losing = (tracing.opposite(term.test(tracing, view)) for term in goal.lose) if self.judged else ()
        lost = tracing.opposite(tracing.every(losing))
        kept = [plane for plane in transition.markers if self.keeps_turn(plane)]
        again: Any = tracing.some(union(tracing, (made[plane] for plane in kept)))
        return straight(tracing, wires, marker, [after[plane] for plane in self.varying], (won, lost, again))

    def keeps_turn(self, plane: int) -> bool:
        """Is it the marker of which one lets a player have the next turn, too?"""
        declared = self.instance.game.input
        return declared is not None and self.transition.planes[plane].kind == declared.again


def in_words(board: int, words: int) -> list[int]:
    """A board in so many machine words, the lowest bits first."""
    return [(board >> (64 * word)) & (2**64 - 1) for word in range(words)]


def machine_of(
    programs: Sequence[Straight], actions: Sequence[tuple[int, int]], words: int, *, waits: bool, players: int
) -> Machine:
    """All programs in one table. `actions` are (program, bit of the picked cell or -1), player by player."""
    from ggp.transition.native.lanes import LANES, Machine

    total = sum(program.registers for program in programs)
    registers = np.zeros((total, words, LANES), np.uint64)
    code: list[tuple[int, ...]] = []
    rows: list[list[int]] = []
    base = 0
    for program in programs:
        first = len(code)
        code += [(*one.moved(base, first), 0) for one in program.code]
        marker = -1 if program.marker is None else base + program.marker
        places = [program.won, program.lost, program.again, *program.given, *program.after]
        rows.append([first, len(code), marker, *(base + register for register in places)])
        for register, number in program.constants:
            registers[base + register] = np.array(in_words(number, words), np.uint64)[:, np.newaxis]
        base += program.registers
    return Machine(
        np.array(code, np.int64).reshape(-1, 6),
        np.array(rows, np.int64),
        np.array(actions, np.int64),
        registers,
        np.zeros(LANES, np.uint64),
        waits,
        players,
    )
