"""A decision list per cell, grown as by Rivest (1987): the shortest test that is never wrong comes next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ggp.learn.boards import Board, Turn
from ggp.learn.predictors.windows import CENTRE, STRANGE, Numbers, Windows

LONGEST = 3  # literals of one test: a column has a value
WIDE = 16  # literals of which longer tests are made, those that the most of what is left agrees with


class DecisionList:
    """If the cells around are so, then this becomes of the cell; the first test that holds decides.

    Outcomes are changes: `stays` (STRANGE) or a stack, so that one test can speak of cells with different
    contents that stay as they are.
    """

    def fit(self, turns: Sequence[Turn]) -> None:
        """Take tests that cover most of what is left and are right about it, until nothing is left."""
        self.windows = Windows(turns)
        rows, after, often = self.windows.examples(turns)
        outcomes = np.where(after == rows[:, CENTRE], STRANGE, after)
        self.tests: list[tuple[tuple[tuple[int, int], ...], int]] = []
        left = np.ones(len(rows), bool)
        literals, holds = literals_of(rows)
        while left.any():
            # The rare outcomes first: what is left over at the end is what usually happens.
            values, counts = np.unique(outcomes[left], return_counts=True)
            if values.size == 1:
                self.tests.append(((), int(values[0])))
                return
            best = max(
                (found for value in values for found in self.pure(holds, outcomes == value, left, often)),
                default=None,
            )
            if best is None:  # contradictions, or what takes longer tests: what happens most often
                self.tests.append(((), int(values[np.argmax(counts)])))
                return
            _, _, chosen, value = best
            self.tests.append((tuple(literals[at] for at in chosen), int(outcomes[value])))
            left &= ~holds[list(chosen)].all(axis=0)

    def pure(
        self, holds: NDArray[np.bool_], good: NDArray[np.bool_], left: NDArray[np.bool_], often: Numbers
    ) -> list[tuple[int, int, tuple[int, ...], int]]:
        """The shortest test that holds of much with one outcome, and of nothing else that is left, if any.

        As (negative length, cover, literals, an example of the outcome).
        """
        wanted, other = good & left, ~good & left
        cover, wrong = holds @ (wanted * often), holds @ other.astype(np.int64)
        example = int(np.flatnonzero(wanted)[0])
        wide = np.argsort(-cover, kind="stable")[:WIDE]
        wide = wide[cover[wide] > 0]
        for length in range(1, LONGEST + 1):
            if length == 1:
                tries = [((int(at),), int(cover[at])) for at in np.flatnonzero((wrong == 0) & (cover > 0))]
            else:
                tries = []
                for chosen in combinations(wide.tolist(), length):
                    both = holds[list(chosen)].all(axis=0)
                    if not (both & other).any() and (both & wanted).any():
                        tries.append((tuple(sorted(chosen)), int(often[both & wanted].sum())))
            if tries:
                chosen, most = max(tries, key=lambda one: (one[1], [-at for at in one[0]]))
                return [(-length, most, chosen, example)]
        return []

    def predict(self, boards: Sequence[Board], words: Sequence[str | None]) -> list[Board]:
        """What the first test that holds says of each cell."""
        rows = self.windows.rows(boards, words)
        found, open_ones = np.full(len(rows), STRANGE), rows[:, CENTRE] != STRANGE
        for test, outcome in self.tests:
            hit = open_ones.copy()
            for column, value in test:
                hit &= rows[:, column] == value
            found[hit] = outcome
            open_ones &= ~hit
        return self.windows.boards(boards, found)


def literals_of(rows: Numbers) -> tuple[list[tuple[int, int]], NDArray[np.bool_]]:
    """Each (column, value) that is met, and of which rows it holds: (literals, rows)."""
    literals = [
        (column, int(value)) for column in range(rows.shape[1]) for value in np.unique(rows[:, column])
    ]
    return literals, np.array([rows[:, column] == value for column, value in literals])


def make(name: str, seed: int) -> DecisionList:
    """The predictor; there is no chance in it."""
    return DecisionList()
