"""Many states at once: a board is an array of machine words, with one bit for each state of the batch.

A board has shape (rows, columns, words) and dtype uint64; bit b of word w belongs to state 64 * w + b. So
one instruction does a cell of 64 states. Where rules collide or a loop does not come to rest, the state is
marked in `faults` instead of raising: the others go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ggp.model import Cell, Piece
from ggp.model.board import Action, State
from ggp.transition.kernel import Boards, Company, clear_markers, overlaps, run_program, tallied, union
from ggp.transition.program import CompiledRule, Loop, Offset, Pass, Transition, input_words

Words = NDArray[np.uint64]
NONE, ALL = np.uint64(0), ~np.uint64(0)


class Batch:
    """Boards for `size` states of one transition, stepped together."""

    def __init__(self, transition: Transition, size: int) -> None:
        self.transition = transition
        self.size = size
        self.words = (size + 63) // 64
        self.shape = (transition.height, transition.width, self.words)
        self.zero: Words = np.zeros(self.shape, np.uint64)
        self.faults: Words = np.zeros(self.words, np.uint64)
        self.given: dict[str, Words] = {}
        self.inside = cache(self._inside)

    # --- what the kernel asks

    def everywhere(self) -> Words:
        return np.full(self.shape, ALL)

    def empty(self, board: Words) -> bool:
        return board is self.zero

    def shift(self, board: Words, offset: Offset) -> Words:
        down, right = offset
        if self.transition.wraps:
            return np.roll(board, (-down, -right), axis=(0, 1))
        height, width = self.transition.height, self.transition.width
        moved = np.zeros_like(board)
        if abs(down) < height and abs(right) < width:
            to_rows, from_rows = overlap(down, height)
            to_columns, from_columns = overlap(right, width)
            moved[to_rows, to_columns] = board[from_rows, from_columns]
        return moved

    def _inside(self, offset: Offset) -> Words:
        return self.shift(self.everywhere(), offset)

    def tally(self, where: Words, boards: list[Words], low: int, high: int) -> Words:
        counted: Words = tallied(self, where, boards, low, high)
        return counted

    def input(self, words: tuple[str, ...]) -> Words | None:
        if not words:
            return None
        total = np.full(self.words, ALL)
        for word in words:
            total = total & self.given.get(word, np.zeros(self.words, np.uint64))
        return total

    def fired(self, rule: CompiledRule, subject: int | None, where: Words) -> Words:
        return where

    def moved(self, plane: int, where: Words) -> None:
        pass

    def settle(self, plane: int, board: Words) -> Words:
        return board

    def exclude(self, what: str, step: Pass, companies: list[Company]) -> None:
        for both in overlaps(self, companies):
            self.fault(both)

    def idle(self, step: Pass, rule: CompiledRule, where: Words) -> None:
        self.fault(where)

    def fault(self, where: Words) -> None:
        """Mark the states in which some cell is true."""
        self.faults = self.faults | self.some(where)

    def loop(self, loop: Loop, boards: Boards) -> Boards:
        for _ in range(loop.bound + 1):
            after = run_program(self, loop.body, boards)
            unrest = self.changed(boards, after)
            if not unrest.any():
                return after
            boards = after
        self.faults = self.faults | unrest
        return boards

    # --- for those who step

    def changed(self, before: Boards, after: Boards) -> Words:
        """The states in which something differs."""
        different = [a ^ b for a, b in zip(before, after, strict=True) if a is not b]
        return self.some(union(self, different))

    def step(
        self, boards: Boards, actions: Sequence[Action] | None = None, whose: Sequence[str] = ()
    ) -> Boards:
        """The boards after one turn, with an input for each state (None where the game has none).

        `whose` names the player of each input, where several take turns.

        Inputs that pick a cell are not supported here. A state in which nothing changed had an illegal
        input, unless the game has waiting: see `changed`.
        """
        transition, program = self.transition, self.transition.physics
        self.given = {}
        if actions is not None:
            program = transition.turn + transition.physics
            for index, action in enumerate(actions):
                for word in input_words(action).union(whose[index : index + 1]):
                    mask = self.given.setdefault(word, np.zeros(self.words, np.uint64))
                    mask[index // 64] |= np.uint64(1 << (index % 64))
        return clear_markers(self, run_program(self, program, boards))

    def pack(self, states: Sequence[State]) -> Boards:
        """States of the referee as boards."""
        number, columns = self.transition.number, self.transition.width
        boards = tuple(np.zeros(self.shape, np.uint64) for _ in self.transition.planes)
        for index, state in enumerate(states):
            word, bit = index // 64, np.uint64(1 << (index % 64))
            for cell, here in enumerate(state.board):
                for piece in here:
                    boards[number[piece]][cell // columns, cell % columns, word] |= bit
        return boards

    def unpack(self, boards: Boards, index: int) -> State:
        """One state of the batch, for the referee (of the first player)."""
        word, bit = index // 64, np.uint64(1 << (index % 64))
        height, width = self.transition.height, self.transition.width
        there = [(board[:, :, word] & bit) != 0 for board in boards]
        cells: list[frozenset[Piece]] = []
        for row in range(height):
            for column in range(width):
                planes = zip(self.transition.planes, there, strict=True)
                cells.append(frozenset(piece for piece, board in planes if board[row, column]))
        return State(tuple(cells))

    # --- what goal words ask: truths are words, one bit a state

    def cells(self, region: Iterable[Cell]) -> Words:
        """The board that is true on these cells."""
        board = np.zeros(self.shape, np.uint64)
        for row, column in region:
            board[row, column] = ALL
        return board

    def every(self, truths: Iterable[Words]) -> Words:
        """The states in which all of them hold."""
        total = np.full(self.words, ALL)
        for truth in truths:
            total = total & truth
        return total

    def opposite(self, truth: Words) -> Words:
        """The states in which it does not hold."""
        return ~truth

    def some(self, board: Words) -> Words:
        """The states in which any cell is true."""
        states: Words = np.bitwise_or.reduce(board, axis=(0, 1))
        return states

    def none(self, board: Words) -> Words:
        """The states in which no cell is true."""
        return ~self.some(board)

    def count(self, boards: list[Words], comparison: str, number: int) -> Words:
        """The states in which the number of true cells of all the boards compares so."""
        totals = sum((self.totals(board) for board in boards), np.zeros(self.words * 64, np.int64))
        held = {"=": totals == number, "<=": totals <= number, ">=": totals >= number}[comparison]
        return np.packbits(held, bitorder="little").view(np.uint64)

    def totals(self, board: Words) -> NDArray[np.int64]:
        """The number of true cells in each state."""
        octets = np.ascontiguousarray(board).view(np.uint8)
        totals: NDArray[np.int64] = np.unpackbits(octets, axis=2, bitorder="little").sum(axis=(0, 1))
        return totals


def overlap(distance: int, size: int) -> tuple[slice, slice]:
    """(to, from) along an axis, for a board read at some distance."""
    if distance >= 0:
        return slice(0, size - distance), slice(distance, size)
    return slice(-distance, size), slice(0, size + distance)
