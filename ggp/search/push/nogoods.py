"""The tables and the nogood store of `ggp.search.push.compiled.nogoods`."""

from __future__ import annotations

import numpy as np

from ggp.errors import Unfit
from ggp.search.push.arcs import SMALL
from ggp.search.push.compiled import nogoods as native
from ggp.search.push.compiled.best import WHERE, SearchSpace
from ggp.search.push.compiled.first import NEVER, Arcs
from ggp.search.push.space import space_of
from ggp.search.push.tables import Array

FIRST = 1 << 12  # nogoods that there is room for to begin with
NODES = 1 << 12  # pushes that a plan may have
EXITS = 1 << 18  # pushes within reach of all nodes on the way to one
WAYS = 1 << 16  # ways of entering cells: tables that grow with the square of the cells are then not too large


def fit(tables: Arcs) -> None:
    """Raise Unfit unless a plan still works where fewer pieces stand: what can be entered by a push can be
    entered by a step as well once nothing stands there."""
    if not tables.steps[tables.to >= 0].all() or tables.opens.size > WAYS:
        raise Unfit


def room_of(tables: Arcs, near: Array) -> native.Room:
    """Room for the work on one node; `near` says how far it is from cell to cell."""
    cells, ways = tables.own.size, tables.inputs + 1
    into: list[list[int]] = [[] for _ in range(cells)]
    for arc in np.flatnonzero(tables.to >= 0).tolist():
        into[tables.to[arc]].append(arc)
    # Each way into a cell is dealt with once, and asks something of each way into what is before it.
    asks = (ways * tables.to.size + cells) * ways * 2 + 16
    return native.Room(
        np.cumsum([0, *map(len, into)]).astype(SMALL),
        np.array([arc for entries in into for arc in entries], SMALL),
        near.astype(SMALL).ravel(),
        np.zeros(cells, SMALL),
        np.zeros(cells, SMALL),
        np.zeros(tables.words, np.int64),
        np.zeros(tables.words, np.int64),
        np.zeros(cells * ways, SMALL),
        np.full(NEVER + 1, -1, SMALL),
        np.zeros(asks, SMALL),
        np.zeros(asks, SMALL),
        np.zeros(32 * tables.words * (64 * tables.words + 1) + 2, SMALL),
    )


def trie_of(nogoods: int, branches: int, start: Array, cells: int) -> native.Trie:
    """An empty trie with room for so many."""
    arrays = [np.full(cells, -1, SMALL), *(np.zeros(branches, SMALL) for _ in range(5))]
    arrays += [np.zeros(nogoods * start.size, np.int64), np.zeros(nogoods, SMALL), np.zeros(nogoods, SMALL)]
    return native.Trie._make([*arrays, start, np.zeros(7, np.int64)])


def stack_of(tables: Arcs) -> native.Stack:
    """An empty stack."""
    exits = EXITS + tables.to.size
    arrays: list[Array] = [np.zeros(NODES * tables.words, np.int64) for _ in range(2)]
    arrays += [np.zeros(size, SMALL) for size in [NODES] * 4 + [exits] * 3]
    return native.Stack._make([*arrays, np.zeros(exits * tables.words, np.int64)])


def larger(trie: native.Trie, most_bytes: int) -> native.Trie:
    """The same with room for twice as many; raises MemoryError where that would be too much."""
    if 2 * sum(array.nbytes for array in trie) > most_bytes:
        raise MemoryError
    more = trie_of(2 * trie.cost.size, 2 * trie.bit.size, trie.start, trie.root.size)
    for name in native.Trie._fields:
        old: Array = getattr(trie, name)
        getattr(more, name)[: old.size] = old
    return more


def retold(trie: native.Trie, stack: native.Stack, words: int, push_of: Array) -> tuple[SearchSpace, int]:
    """The states on the stack as a space of the other search, and which of them is the last."""
    depth = int(trie.counts[native.DEPTH])
    space = space_of(depth + 1, words)
    for number in range(depth + 1):
        space.words[number] = stack.words[number * words : (number + 1) * words].view(np.uint64)
        space.node[number], space.parent[number] = stack.node[number], number - 1
        space.cost[number] = trie.counts[native.LIMIT] - stack.left[number]
        if number:
            space.operator[number] = push_of[stack.arc[stack.at[number - 1]]]
    space.counts[WHERE] = trie.counts[native.WHERE]
    return space, depth
