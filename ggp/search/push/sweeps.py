"""The outer half of `ggp.search.push.compiled.sweep`: sweeps one after another, each twice as broad."""

from __future__ import annotations

import numpy as np

from ggp.search.push.arcs import SMALL, larger, retold, store_of
from ggp.search.push.compiled import arcs as native_arcs
from ggp.search.push.compiled import sweep as native
from ggp.search.push.compiled.best import SearchSpace
from ggp.search.push.compiled.first import ANY, NEVER, Arcs, Workspace, bound
from ggp.search.push.tables import Array

FIRST_WIDTH = 16  # states of a cost that the first sweep goes on from


class Sweeps:
    """Sweeps that are under way, from one state, for plans that cost less and less.

    `least` is proved: no plan costs less than that, or than the best one found here. `swept`: that is as
    much, so there is no better one. There is room for so many `states` to begin with.
    """

    def __init__(self, tables: Arcs, work: Workspace, words: Array, node: int, states: int) -> None:
        self.arcs, self.work, self.words, self.node = tables, work, words, node
        self.most_bytes = 0
        self.full = self.swept = False
        self.store = store_of(states, words.size)
        cells = tables.own.size
        self.order = native.Order(
            np.full(native.MOST * native.MOST, -1, SMALL),
            np.zeros(cells, SMALL),
            np.zeros(cells + 1, SMALL),
            np.zeros(8, np.int64),
        )
        self.least = int(bound(tables, work, words, node, ANY, False))
        self.order.counts[native.CEILING] = native.MOST
        self.order.counts[native.WIDTH] = FIRST_WIDTH
        self.states = 0
        self.begin()

    @property
    def ceiling(self) -> int:
        """What the best plan costs."""
        return int(self.order.counts[native.CEILING])

    def begin(self) -> None:
        """Start at the first state again."""
        if self.least >= self.ceiling:
            self.full = self.swept = True
            return
        self.store.table[:] = 0
        self.store.counts[:] = 0
        self.order.head[:] = -1
        counts = self.order.counts
        counts[native.COST], counts[native.TOTAL], counts[native.TAKEN] = 0, 0, 0
        counts[native.LEFT_OUT] = NEVER
        native.meet(self.store, self.order, self.words, self.node, 0, self.least, 0)

    def within(self, ceiling: int) -> None:
        """Look for plans that cost less than that."""
        self.order.counts[native.CEILING] = min(self.ceiling, ceiling)

    def go_on(self, stretch: int) -> bool:
        """Sweep a stretch; is there a better plan?"""
        end = native.search(self.store, self.order, self.arcs, self.work, stretch)
        counts = self.order.counts
        if end == native.FULL:
            try:
                self.store = larger(self.store, self.words.size, self.most_bytes)
            except MemoryError:
                self.full = True
        elif end == native.SWEPT:
            self.states += int(self.store.counts[native_arcs.STATES])
            left_out = int(counts[native.LEFT_OUT])
            self.least = max(self.least, min(left_out, self.ceiling))
            counts[native.WIDTH] *= 2
            self.begin()
        return bool(end == native.BETTER)

    def retold(self, push_of: Array) -> tuple[SearchSpace, int]:
        """The states on the way of the plan that was just found, and which of them is the last."""
        self.store.counts[native_arcs.WINNER] = self.order.counts[native.WINNER]
        self.store.counts[native_arcs.WHERE] = self.order.counts[native.WHERE]
        return retold(self.store, self.words.size, push_of)
