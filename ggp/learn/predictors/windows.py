"""Boards as tables of numbers: a row for each cell, with what stands on it and around it, and the input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.learn.boards import Board, Stack, Turn, word_of

Numbers = NDArray[np.int64]

OUTSIDE, STRANGE = 0, 1  # numbers of what lies off the board, and of what was never seen while learning
CENTRE = 4  # the place of the cell itself among the nine of its window
INPUTS = 3  # columns behind the nine: the verb, the direction, where in the window the input points


class Windows:
    """Numbers for stacks, verbs and directions, as they were met in what was learned from."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        boards = [board for turn in turns for board in (turn.before, turn.after)]
        stacks = sorted({stack for board in boards for stack in board.cells}, key=sorted)
        self.stacks: list[Stack] = stacks
        self.number = {stack: STRANGE + 1 + at for at, stack in enumerate(stacks)}
        words = [word_of(turn.word) for turn in turns if turn.word is not None]
        self.verbs = {verb: at + 1 for at, verb in enumerate(sorted({word.verb for word in words}))}
        ways = sorted({word.toward for word in words if word.toward is not None})
        self.ways = {toward: at + 1 for at, toward in enumerate(ways)}
        self.sizes = np.array([len(stacks) + 2] * 9 + [len(self.verbs) + 1, len(self.ways) + 1, 10])

    def examples(self, turns: Sequence[Turn]) -> tuple[Numbers, Numbers, Numbers]:
        """Distinct windows with what came of their cell: (windows, numbers of stacks, how often)."""
        rows = self.rows([turn.before for turn in turns], [turn.word for turn in turns])
        after = np.concatenate([self.numbers(turn.after).ravel() for turn in turns])
        told, often = np.unique(np.column_stack([rows, after]), axis=0, return_counts=True)
        return told[:, :-1], told[:, -1], often

    def rows(self, boards: Sequence[Board], words: Sequence[str | None]) -> Numbers:
        """The windows of all cells of the boards, one after another: (cells, 9 + INPUTS)."""
        return np.concatenate([self.of_one(*pair) for pair in zip(boards, words, strict=True)])

    def of_one(self, board: Board, text: str | None) -> Numbers:
        """The windows of one board."""
        padded = np.pad(self.numbers(board), 1, constant_values=OUTSIDE)
        around = np.lib.stride_tricks.sliding_window_view(padded, (3, 3)).reshape(-1, 9)
        inputs = np.zeros((around.shape[0], INPUTS), np.int64)
        if text is not None:
            word = word_of(text)
            inputs[:, 0], inputs[:, 1] = self.verbs.get(word.verb, 0), self.ways.get(word.toward or "", 0)
            if word.cell is not None:
                for row in range(max(0, word.cell[0] - 1), min(board.height, word.cell[0] + 2)):
                    for column in range(max(0, word.cell[1] - 1), min(board.width, word.cell[1] + 2)):
                        place = (word.cell[0] - row + 1) * 3 + word.cell[1] - column + 1
                        inputs[row * board.width + column, 2] = place + 1
        return np.concatenate([around, inputs], axis=1)

    def numbers(self, board: Board) -> Numbers:
        """The number of the stack on each cell: (height, width)."""
        found = [self.number.get(stack, STRANGE) for stack in board.cells]
        return np.array(found, np.int64).reshape(board.height, board.width)

    def distinct(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """The distinct ones of some rows, and for each row which of them it is."""
        if float(np.prod(self.sizes.astype(float))) >= 2.0**62:
            found, where = np.unique(rows, axis=0, return_inverse=True)
            return found, where.ravel()
        # As one number each: many times as fast as comparing rows.
        places = np.concatenate([[1], np.cumprod(self.sizes)[:-1]])
        _, first, where = np.unique(rows @ places, return_index=True, return_inverse=True)
        return rows[first], where.ravel()

    def onehot(self, rows: Numbers) -> NDArray[np.float32]:
        """A column for each value that each column may have."""
        starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        found = np.zeros((rows.shape[0], int(self.sizes.sum())), np.float32)
        np.put_along_axis(found, rows + starts, 1.0, axis=1)
        return found

    def boards(self, before: Sequence[Board], after: Any) -> list[Board]:
        """The boards that numbers of stacks stand for, cell by cell; STRANGE is what stood there before."""
        made, at = [], 0
        for board in before:
            told = after[at : at + len(board.cells)]
            at += len(board.cells)
            cells = (
                old if number <= STRANGE else self.stacks[number - STRANGE - 1]
                for old, number in zip(board.cells, told, strict=True)
            )
            made.append(Board(board.height, board.width, tuple(cells)))
        return made
