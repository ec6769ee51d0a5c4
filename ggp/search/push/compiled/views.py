"""Views of states, compiled: which of them have the same plans, whatever else differs in them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.search.push.tables import Array
from ggp.transition.native.compiling import tight


class Views(NamedTuple):
    """What mattered of the states that were taken: the agent's cell, and bits that can still be asked for.

    Two states with equal views have the same plans within what may still be spent: along such a plan each
    operator asks only of these bits, so it fires in one where it fires in the other.
    """

    words: Array  # (views, 2 * words): which bits matter, and these bits
    node: Array
    cost: Array
    table: Array  # of view numbers, by hash
    number: Array  # (1,): how many there are


@tight
def seen_alike(views: Views, asked: Array, words: Array, node: int, cost: int) -> bool:
    """Was a state with the same view taken before, at no more cost? Else this one is noted."""
    mix = np.uint64(node + 1) * np.uint64(0x9E3779B97F4A7C15)
    for word in range(words.size):
        mix = (mix ^ asked[word]) * np.uint64(0xBF58476D1CE4E5B9)
        mix = mix ^ (mix >> np.uint64(29))
        mix = (mix ^ (words[word] & asked[word])) * np.uint64(0x94D049BB133111EB)
        mix = mix ^ (mix >> np.uint64(31))
    mask = np.uint64(views.table.size - 1)
    at = mix & mask
    while views.table[at] >= 0:
        view = views.table[at]
        same = views.node[view] == node
        for word in range(words.size):
            known = views.words[view, words.size + word]
            same = same and views.words[view, word] == asked[word] and known == words[word] & asked[word]
        if same:
            if views.cost[view] <= cost:
                return True
            views.cost[view] = cost
            return False
        at = (at + np.uint64(1)) & mask
    view = views.number[0]
    views.number[0] += 1
    views.table[at] = view
    views.node[view] = node
    views.cost[view] = cost
    for word in range(words.size):
        views.words[view, word] = asked[word]
        views.words[view, words.size + word] = words[word] & asked[word]
    return False


@tight
def move_views(old: Views, new: Views) -> None:
    """Note all views again in larger tables."""
    words = old.words.shape[1] // 2
    for view in range(old.number[0]):
        row = old.words[view]
        seen_alike(new, row[:words], row[words:], old.node[view], old.cost[view])
