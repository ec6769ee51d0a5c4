"""Of very many rows those that a list of decisions is fitted to, and all on which such lists were wrong.

The most frequent are taken first. What is rare, and decides, may so be left out: a switch that is pressed
where there is no lamp. A list that was found is held against all rows, and what it gets wrong is taken in.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from hashlib import blake2b
from typing import Any

from ggp.learn.fit.lists import Decisions, applies
from ggp.learn.fit.questions import Row, Test, Told
from ggp.learn.seen.codes import Codes
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.views import Look, Outcome

MOST_ROWS = 6_000  # different rows that one list is fitted to at first
MOST_IDLE = 2_000  # of these, if there are so many, in which nothing happens
MOST_MISSED = 500  # rows that are taken in at once


class Sample:
    """Some of the different rows of a window. `whole`: all of them."""

    def __init__(
        self,
        looks: Codes[Look],
        words: Codes[str],
        outcomes: Codes[Outcome],
        offsets: Sequence[Offset],
        table: Any,
    ) -> None:
        """`table`: the rows as numbers (looks at the offsets, input, outcome), most frequent first."""
        import numpy as np

        self.np = np
        self.looks, self.words, self.outcomes = looks, words, outcomes
        self.place = {offset: index for index, offset in enumerate(offsets)}
        self.table, self.taken = table, self.thinned(table)
        self.whole = len(self.taken) == len(table)

    def thinned(self, table: Any) -> Any:
        """The places of at most so many rows; of those in which nothing happens some."""
        np = self.np
        if len(table) <= MOST_ROWS:
            return np.arange(len(table))
        busy = np.array([bool(outcome) for outcome in self.outcomes.values])[table[:, -1]]
        active, idle = np.flatnonzero(busy), np.flatnonzero(~busy)
        active = active[: MOST_ROWS - min(len(idle), MOST_IDLE)]
        return np.concatenate([active, idle[: MOST_ROWS - len(active)]])

    def rows(self) -> list[Row]:
        """The rows with what their numbers stand for."""
        looks, words, outcomes = self.looks.values, self.words.values, self.outcomes.values
        return [
            Row(tuple(looks[code] for code in line[:-2]), words[line[-2]], outcomes[line[-1]])
            for line in self.table[self.taken].tolist()
        ]

    def told(self) -> Told:
        """The rows that are taken, as numbers."""
        table = self.table[self.taken]
        return Told(
            {
                offset: self.recoded(table[:, index], self.looks.values)
                for offset, index in self.place.items()
            },
            self.recoded(table[:, -2], self.words.values),
            self.recoded(table[:, -1], self.outcomes.values),
        )

    def recoded(self, column: Any, values: Sequence[Any]) -> tuple[list[Any], Any]:
        """The different values of a column, and for each row the place of its own."""
        used = self.np.zeros(len(values), dtype=bool)
        used[column] = True
        codes = self.np.flatnonzero(used).tolist()
        return [values[code] for code in codes], (self.np.cumsum(used) - 1)[column]

    def content(self) -> Hashable:
        """What all its rows are, the same for samples of which the same is found."""
        values: list[Sequence[Any]] = [*[self.looks.values] * len(self.place), self.words.values]
        values.append(self.outcomes.values)
        columns = [self.recoded(self.table[:, index], some) for index, some in enumerate(values)]
        digest = blake2b(digest_size=16)
        for _, place in columns:
            digest.update(place.astype(self.np.int32).tobytes())
        return tuple(self.place), tuple(tuple(some) for some, _ in columns), len(self.table), digest.digest()

    @property
    def deeds(self) -> int:
        """How many different things happen in the rows that are taken."""
        happened = self.np.unique(self.table[self.taken, -1]).tolist()
        return sum(bool(self.outcomes.values[code]) for code in happened)

    def amended(self, decisions: Decisions) -> bool:
        """Take in rows that the decisions get wrong; False where there are none."""
        np = self.np
        if self.whole:
            return False
        missed = np.setdiff1d(np.flatnonzero(self.foreseen(decisions) != self.table[:, -1]), self.taken)
        self.taken = np.concatenate([self.taken, missed[:MOST_MISSED]])
        return len(missed) > 0

    def foreseen(self, decisions: Decisions) -> Any:
        """The number of what the decisions say of each row."""
        np = self.np
        left = np.ones(len(self.table), dtype=bool)
        found = np.full(len(self.table), self.outcomes(()))
        for decision in decisions.decisions:
            holds = left.copy()
            for change in decision.outcome:
                holds &= self.answers(change.offset, lambda look, c=change: applies((c,), {c.offset: look}))
            for test in decision.tests:
                holds &= self.tested(test)
            found[holds] = self.outcomes(decision.outcome)
            left &= ~holds
        return found

    def tested(self, test: Test) -> Any:
        """The answer of each row to a test."""
        if not test.word:
            return self.answers(test.offset, test.holds)
        said = self.np.array([test.holds(None, word) for word in self.words.values])
        return said[self.table[:, -2]]

    def answers(self, offset: Offset, asked: Any) -> Any:
        """What is asked of the look at an offset, for each row."""
        told = self.np.array([asked(look) for look in self.looks.values])
        return told[self.table[:, self.place[offset]]]
