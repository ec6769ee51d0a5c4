"""Pairs of pieces that are lost together: from there not both get to places, even if all others made way.

What dead squares are for one piece (`push.compiled.match`), worked out for two and the agent, backwards from
all pairs of places: a pattern database of two pieces that knows yes and no. It sees pieces that block each
other in corners, along walls and in corridors, which a bound of single pieces does not.
"""

from __future__ import annotations

import numpy as np

from ggp.search.push.compiled.match import Hops
from ggp.search.push.tables import Array, Operators
from ggp.transition.native.compiling import compiled, tight

MOST = 8_000_000  # triples of two spots and an agent cell, at a byte each


def lost_pairs(ops: Operators, hops: Hops, cells: int, place: Array, words: int) -> Array:
    """For each spot and agent cell the bits of pieces with which one there is lost: (spots, cells, words).

    `place` has the number of each spot's place, -1 where there is none. No rows where that is too much.
    """
    spots = hops.word.size
    if spots * spots * cells > MOST:
        return np.zeros((0, 0, words), np.uint64)
    order = np.argsort(ops.target, kind="stable")
    order = order[ops.kind[order] != 0]
    into = np.searchsorted(ops.target[order], np.arange(cells + 1))
    blocked = np.zeros((ops.source.size, spots), np.bool_)
    barred(ops, hops, blocked)
    queue = np.zeros(spots * (spots - 1) // 2 * cells + 1, np.int64)
    saved = np.zeros((spots, spots, cells), np.bool_)
    spread(ops, hops, into, order, blocked, place, queue, saved)
    lost = np.zeros((spots, cells, words), np.uint64)
    noted(hops, saved, lost)
    return lost


@tight
def barred(ops: Operators, hops: Hops, blocked: Array) -> None:
    """Note which operators cannot fire while a piece is on a spot, for that they ask it to be empty."""
    for operator in range(ops.source.size):
        for ask in range(ops.ask_first[operator], ops.ask_first[operator + 1]):
            if ops.ask_wanted[ask]:
                continue
            for spot in range(hops.word.size):
                if ops.ask_word[ask] == hops.word[spot] and (ops.ask_mask[ask] & hops.bit[spot]) != 0:
                    blocked[operator, spot] = True


@tight
def before(hops: Hops, operator: int, spot: int, which: int) -> int:
    """Where a piece that is on a spot after an operator may have been: there, or where a hop came from.

    `which` counts the hops; -1: it stayed. -1 if it was nowhere.
    """
    if which >= 0:
        return int(hops.source[which]) if hops.target[which] == spot else -1
    for hop in range(hops.first[operator], hops.first[operator + 1]):
        if hops.source[hop] == spot:
            return -1
    return spot


@compiled
def spread(
    ops: Operators, hops: Hops, into: Array, order: Array, blocked: Array, place: Array, queue: Array,
    saved: Array,
) -> None:  # fmt: skip
    """Note all from where both get to places: backwards, and the lower spot first."""
    spots, cells = hops.word.size, saved.shape[2]
    count = 0
    for one in range(spots):
        for other in range(one + 1, spots):
            if place[one] < 0 or place[other] < 0 or place[one] == place[other]:
                continue
            for cell in range(cells):
                saved[one, other, cell] = True
                queue[count] = (one * spots + other) * cells + cell
                count += 1
    at = 0
    while at < count:
        pair, cell = queue[at] // cells, queue[at] % cells
        at += 1
        for entry in range(into[cell], into[cell + 1]):
            operator = order[entry]
            first, last, source = hops.first[operator], hops.first[operator + 1], ops.source[operator]
            for its in range(first - 1, last):
                one = before(hops, operator, pair // spots, its if its >= first else -1)
                if one < 0 or blocked[operator, one]:
                    continue
                for others in range(first - 1, last):
                    other = before(hops, operator, pair % spots, others if others >= first else -1)
                    if other < 0 or other == one or blocked[operator, other]:
                        continue
                    low, high = min(one, other), max(one, other)
                    if not saved[low, high, source]:
                        saved[low, high, source] = True
                        queue[count] = (low * spots + high) * cells + source
                        count += 1


@tight
def noted(hops: Hops, saved: Array, lost: Array) -> None:
    """Set the bits of the pairs that are not saved."""
    for one in range(saved.shape[0]):
        for other in range(one + 1, saved.shape[1]):
            for cell in range(saved.shape[2]):
                if not saved[one, other, cell]:
                    lost[one, cell, hops.word[other]] |= hops.bit[other]
                    lost[other, cell, hops.word[one]] |= hops.bit[one]
