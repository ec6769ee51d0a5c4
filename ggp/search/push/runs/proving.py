"""Searches over tables of a simple form (`push.arcs`) that end with a plan that costs least."""

from __future__ import annotations

import numpy as np

from ggp.errors import Unfit
from ggp.search.moving import Found
from ggp.search.push import nogoods, space
from ggp.search.push.arcs import arcs, larger, retold, store_of, workspace_of
from ggp.search.push.compiled import arcs as native_arcs
from ggp.search.push.compiled import nogoods as native_nogoods
from ggp.search.push.compiled.first import ANY, Workspace, bound
from ggp.search.push.problem import Problem


class ArcSearch:
    """The same for the form of `push.compiled.arcs`. Raises Unfit where the tables are of another."""

    def __init__(self, of: Problem) -> None:
        self.of = of
        self.most_bytes = 0
        self.full = False
        size = of.words.size
        self.arcs, self.push_of, self.ways = arcs(of.ops, of.goal, of.inputs, size)
        self.work = self.new_workspace()
        self.store = store_of(space.FIRST_STATES, size)
        native_arcs.meet(self.store, of.words.view(np.int64), of.node, 0, 1, -1, 0)

    def new_workspace(self) -> Workspace:
        """Room for the work on one state."""
        return workspace_of(self.arcs.own.size, self.arcs.to.size, self.arcs.words)

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this."""
        return int(self.store.counts[native_arcs.LEVEL])

    @property
    def states(self) -> int:
        """How many states it keeps."""
        return int(self.store.counts[native_arcs.STATES])

    def go_on(self) -> Found | None:
        """Search a stretch; the answer, if there is one. Raises Unfit for endless costs."""
        many = space.on_board(3 * space.STRETCH, self.arcs.to.size)
        end = native_arcs.search(self.store, self.arcs, self.work, many)
        if end == native_arcs.FULL:
            try:
                self.store = larger(self.store, self.of.words.size, self.most_bytes)
            except MemoryError:
                self.full = True
        elif end == native_arcs.FAR:
            raise Unfit
        elif end == native_arcs.FOUND:
            cost = int(self.store.counts[native_arcs.PAID])
            return Found(self.of.plan(*retold(self.store, self.of.words.size, self.push_of)), cost, False, 0)
        elif end == native_arcs.EMPTY:
            return Found(None, 0, False, 0)
        return None


class NogoodSearch:
    """The same by `push.compiled.nogoods`, on tables of another run. Raises Unfit for other rules."""

    def __init__(self, other: ArcSearch) -> None:
        self.of, self.arcs, self.push_of = other.of, other.arcs, other.push_of
        self.work = other.new_workspace()
        self.most_bytes = 0
        self.full = False
        nogoods.fit(self.arcs)
        start = self.of.words.view(np.int64)
        self.room = nogoods.room_of(self.arcs, other.ways.between())
        self.trie = nogoods.trie_of(nogoods.FIRST, nogoods.FIRST, start, self.arcs.own.size)
        self.stack = nogoods.stack_of(self.arcs)
        self.stack.words[: start.size], self.stack.node[0] = start, self.of.node
        least = bound(self.arcs, self.work, start, self.of.node, ANY, False)
        self.trie.counts[native_nogoods.DEPTH], self.trie.counts[native_nogoods.LIMIT] = -1, least

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this."""
        return int(self.trie.counts[native_nogoods.LIMIT])

    @property
    def states(self) -> int:
        """How many states it went through."""
        return int(self.trie.counts[native_nogoods.NODES])

    def go_on(self) -> Found | None:
        """Search a stretch; the plan, if there is one. That there is none it never finds out."""
        size = self.arcs.to.size  # on a larger board there are more exits, and more is asked about each
        many = space.on_board(space.on_board(2 * space.STRETCH, size), size)
        end = native_nogoods.search(self.trie, self.stack, self.arcs, self.work, self.room, many)
        if end == native_nogoods.FULL:
            try:
                self.trie = nogoods.larger(self.trie, self.most_bytes)
            except MemoryError:
                self.full = True
        elif end == native_nogoods.FAR:
            self.full = True
        elif end == native_nogoods.FOUND:
            counts = self.trie.counts
            cost = self.stack.left[0] - self.stack.left[counts[native_nogoods.DEPTH]]
            cost += counts[native_nogoods.PAID]
            told = nogoods.retold(self.trie, self.stack, self.of.words.size, self.push_of)
            return Found(self.of.plan(*told), int(cost), False, 0)
        return None
