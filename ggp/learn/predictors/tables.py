"""Predictors that look up the neighbourhood: what came of it when it was seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ggp.learn.boards import Board, Turn
from ggp.learn.predictors.windows import CENTRE, STRANGE, Numbers, Windows


class Table:
    """What became of the cell in the middle, by its neighbourhood and the input.

    Where the same neighbourhood had several outcomes, or was never seen, the tables differ: `conservative`
    says that nothing changes; `optimistic` takes the outcome that is a change, and of a neighbourhood that is
    new what the most similar one had that was seen; `frequency` takes the most frequent outcome, and of a new
    one the most frequent of those with the same cell in the middle.
    """

    def __init__(self, name: str) -> None:
        self.kind = name.partition("-")[2]

    def fit(self, turns: Sequence[Turn]) -> None:
        """Write the outcomes down."""
        self.windows = Windows(turns)
        rows, after, often = self.windows.examples(turns)
        self.known: dict[bytes, int] = {}
        told: dict[bytes, list[tuple[int, int]]] = {}
        middle: dict[int, dict[int, int]] = {}
        for row, outcome, times in zip(rows, after.tolist(), often.tolist(), strict=True):
            told.setdefault(row.tobytes(), []).append((times, outcome))
            counts = middle.setdefault(int(row[CENTRE]), {})
            counts[outcome] = counts.get(outcome, 0) + times
        self.rows: Numbers = np.unique(rows, axis=0)
        for row in self.rows:
            self.known[row.tobytes()] = self.chosen(int(row[CENTRE]), told[row.tobytes()])
        self.usual = {
            here: max(counts, key=lambda one: (counts[one], -one)) for here, counts in middle.items()
        }

    def chosen(self, here: int, outcomes: list[tuple[int, int]]) -> int:
        """One of the outcomes that a neighbourhood had, each with how often."""
        if len(outcomes) > 1 and self.kind == "conservative":
            return here
        if self.kind == "optimistic":
            outcomes = [one for one in outcomes if one[1] != here] or outcomes
        return max(outcomes, key=lambda one: (one[0], -one[1]))[1]

    def predict(self, boards: Sequence[Board], words: Sequence[str | None]) -> list[Board]:
        """What the table says of each cell."""
        distinct, where = self.windows.distinct(self.windows.rows(boards, words))
        found = np.array([self.outcome(row) for row in distinct])
        return self.windows.boards(boards, found[where])

    def outcome(self, row: Numbers) -> int:
        """What comes of one neighbourhood; it is remembered."""
        name, here = row.tobytes(), int(row[CENTRE])
        if name not in self.known:
            self.known[name] = self.guess(row, here)
        return self.known[name]

    def guess(self, row: Numbers, here: int) -> int:
        """What comes of a neighbourhood that was never seen."""
        if here == STRANGE or self.kind == "conservative":
            return STRANGE
        if self.kind == "frequency":
            return self.usual.get(here, STRANGE)
        # Another middle or another input is never the most similar one.
        weights = np.ones(row.size, np.int64)
        weights[CENTRE] = weights[9:] = row.size + 1
        apart = ((self.rows != row) * weights).sum(axis=1)
        return self.known[self.rows[int(apart.argmin())].tobytes()] if apart.min() <= row.size else STRANGE


def make(name: str, seed: int) -> Table:
    """The table of that name; there is no chance in it."""
    return Table(name)
