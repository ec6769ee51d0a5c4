"""The outer half of `ggp.search.push.compiled.novel`: tries one after another, in several tempers."""

from __future__ import annotations

import numpy as np

from ggp.search.push.arcs import SMALL, larger, retold, store_of
from ggp.search.push.compiled import arcs as native_arcs
from ggp.search.push.compiled import novel as native
from ggp.search.push.compiled.best import SearchSpace
from ggp.search.push.compiled.first import NEVER, Arcs, Workspace
from ggp.search.push.tables import Array

# Weights of what was paid and of what is still to come. On some boards only one of them finds a plan soon.
TEMPERS = (1, 2), (0, 1), (1, 0)
PATIENCE = 4_000  # states that the first try in each temper goes on from; each round has twice as many
MARKS = 1 << 22  # slots for what was seen


class Novel:
    """Tries that are under way, from one state, for plans that cost less and less.

    `least` is proved: no plan costs less. A try that comes to its end has gone on from every state that may
    be part of a better plan, so then there is none: it is `full`. It is so too where memory is too small.
    """

    def __init__(self, tables: Arcs, work: Workspace, words: Array, node: int, states: int) -> None:
        self.arcs, self.work, self.words, self.node = tables, work, words, node
        self.most_bytes, self.full = 0, False
        self.states, self.tries, self.below, self.least = 0, 0, NEVER, 0
        self.cramped = 0  # tries that ended for want of memory
        self.store = store_of(states, words.size)
        cells = tables.own.size
        self.novelty = native.Novelty(
            np.zeros(MARKS, SMALL), np.zeros(cells + 1, SMALL), np.zeros(cells, SMALL)
        )
        self.begin()

    def begin(self) -> None:
        """Start a try at the first state again, in the next temper."""
        rounds, temper = divmod(self.tries, len(TEMPERS))
        self.left = PATIENCE << rounds
        self.weights = TEMPERS[temper]
        self.tries += 1
        self.states += int(self.store.counts[native_arcs.STATES])
        self.store.table[:] = 0
        self.store.counts[:] = 0
        self.store.counts[native_arcs.FREE] = -1
        self.store.head[:] = -1
        self.work.after[:] = self.words
        native.meet(self.store, self.novelty, self.aim(), self.arcs, self.work, self.node, 0, -1, 0)

    def aim(self) -> native.Aim:
        """What is looked for."""
        return native.Aim(self.tries, *self.weights, self.below)

    def within(self, below: int) -> None:
        """Look for plans that cost less than that."""
        self.below = min(self.below, below)

    def go_on(self, stretch: int) -> bool:
        """Search a stretch; is there a plan that is cheap enough? `within` says what the next may cost."""
        expanded = int(self.store.counts[native_arcs.EXPANDED])
        end = native.search(self.store, self.novelty, self.aim(), self.arcs, self.work, stretch)
        self.left -= int(self.store.counts[native_arcs.EXPANDED]) - expanded
        if end == native.FULL:
            try:
                self.store = larger(self.store, self.words.size, self.most_bytes)
            except MemoryError:
                self.left, self.cramped = 0, self.cramped + 1
                # In each temper there was no room for as many states as it has patience for: that stays so.
                self.full = self.cramped == len(TEMPERS)
        if end == native.EMPTY:
            self.full, self.least = True, self.below if self.below < NEVER else 0
        elif end != native.BETTER and self.left <= 0 and not self.full:
            self.begin()
        return bool(end == native.BETTER)

    def retold(self, push_of: Array) -> tuple[SearchSpace, int]:
        """The states on the way of the plan that was just found, and which of them is the last."""
        return retold(self.store, self.words.size, push_of)
