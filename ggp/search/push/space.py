"""The transposition table and the open list of `push.compiled.best`, and larger ones in their place."""

from __future__ import annotations

import numpy as np

from ggp.search.push.compiled import best as native
from ggp.search.push.compiled.views import Views, move_views
from ggp.search.push.tables import ENDLESS, Array

FIRST_STATES = 1 << 13  # room to begin with
STRETCH = 5_000  # states between two looks at the clock
USUAL = 400  # arcs of a board on which stretches are as long as they are said to be


def on_board(states: int, arcs: int) -> int:
    """How many states make a stretch on a board of so many arcs: it takes about as long as on others."""
    return max(1, states * USUAL // max(USUAL, arcs))


def space_of(states: int, words: int) -> native.SearchSpace:
    """An empty space with room for so many states."""
    counts = np.zeros(11, np.int64)
    counts[native.FREE] = -1
    counts[native.BEYOND] = ENDLESS
    return native.SearchSpace(
        np.zeros((states, words), np.uint64),
        np.zeros(states, np.int32),
        np.zeros(states, np.int32),
        np.zeros(states, np.int32),
        np.zeros(states, np.int32),
        np.zeros(states, np.int32),
        np.zeros(states, np.int8),
        np.full(2 * states, -1, np.int32),
        np.zeros(2 * states, np.int32),
        np.zeros(2 * states, np.int32),
        np.zeros(2 * states, np.int32),
        np.full(native.LEVELS, -1, np.int64),
        counts,
    )


def grown(space: native.SearchSpace, most_bytes: int) -> native.SearchSpace:
    """The same with room for twice as many states; raises MemoryError where that would be too much."""
    states, words = space.words.shape
    size = sum(array.nbytes for array in space)
    if 2 * size > most_bytes or 2 * states > np.iinfo(np.int32).max:
        raise MemoryError
    larger = space_of(2 * states, words)
    for name in native.SearchSpace._fields:
        old: Array = getattr(space, name)
        if name != "table":
            getattr(larger, name)[: len(old)] = old
    native.rehash(larger)
    return larger


def views_of(views: int, words: int) -> Views:
    """Room for views of states."""
    return Views(
        np.zeros((views, 2 * words), np.uint64),
        np.zeros(views, np.int32),
        np.zeros(views, np.int32),
        np.full(2 * views, -1, np.int32),
        np.zeros(1, np.int64),
    )


def more_views(views: Views, most_bytes: int) -> Views:
    """The same with room for twice as many; raises MemoryError where that would be too much."""
    if 2 * sum(array.nbytes for array in views) > most_bytes:
        raise MemoryError
    larger = views_of(2 * len(views.node), views.words.shape[1] // 2)
    move_views(views, larger)
    return larger


def room_of(cells: int, words: int) -> native.Room:
    """Room for walking."""
    queue, way, seen = (np.zeros((2, cells), np.int64) for _ in range(3))
    return native.Room(queue, way, seen, np.zeros(2, np.int64), np.zeros(words, np.uint64))
