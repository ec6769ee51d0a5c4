"""Search for some plan by what is near and new, on the tables of `ggp.search.push.compiled.first`.

A state is new if something is so in it that was not so in any state before that was as far from the goal by
the bound: where the agent is, or where something was just pushed to; or one of these together with where
another piece stands. What is new is gone on from first, and of what is equally new what seems best
(best-first width search: Lipovetzky and Geffner, 2017). So a search that knows of no way does not go through
all the orders in which pieces can be pushed about.

States are kept in the table of `push.compiled.arcs`, in rows of the same form.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.search.push.compiled.arcs import (
    ENTRIES,
    EXPANDED,
    FIELD,
    FREE,
    LEVEL,
    STATES,
    WHERE,
    WINNER,
    Store,
    entered,
    entry_of,
    place,
)
from ggp.search.push.compiled.first import NEVER, Arcs, Workspace, bound, taken
from ggp.search.push.tables import Array
from ggp.transition.native.compiling import inlined, tight

BUSY, BETTER, EMPTY, FULL = range(4)  # how a stretch ended
BAND = 1 << 12  # priorities of states that are equally new
DONE = 1 << 48  # in the number of a state: it was gone on from at this cost


class Novelty(NamedTuple):
    """What was seen: a number for each thing, or two things, that can be so, by hash.

    Two that share a slot are taken for one, so a state may seem less new than it is; that only costs time.
    """

    marks: Array  # the number of the search that saw it last
    queue: Array  # room for a walk
    far: Array


class Aim(NamedTuple):
    """What a search prefers."""

    search: int  # its number, from 1 on
    cost: int  # weights of cost and bound
    bound: int
    below: int  # plans that cost this or more are not looked for


@inlined
def fresh(novelty: Novelty, search: int, thing: int, other: int, least: int) -> bool:
    """Are these two things together for the first time, at this distance? They have been from now on."""
    mix = (thing * -0x61C8864680B583EB) ^ (least * 0x2545F4914F6CDD1D)
    mix ^= (mix >> 29) & 0x7FFFFFFFF
    mix = (mix ^ other) * -0x40A7B892E31B1A47
    mix ^= (mix >> 32) & 0xFFFFFFFF
    at = mix & (novelty.marks.size - 1)
    new = novelty.marks[at] != search
    novelty.marks[at] = search
    return bool(new)


@tight
def oldness(novelty: Novelty, search: int, words: Array, node: int, bit: int, least: int) -> int:
    """0 if one thing is new about a state, 1 if two together are, else 2. `bit` says what was just pushed."""
    agent, pushed, old = -node - 1, bit + 1, 2
    if fresh(novelty, search, agent, 0, least):
        old = 0
    if bit >= 0 and fresh(novelty, search, pushed, 0, least):
        old = 0
    for word in range(words.size):
        rest = words[word]
        while rest != 0:
            piece = (rest & -rest) ^ (word * 0x632BE59BD9B4E019)
            piece ^= (piece >> 32) & 0xFFFFFFFF  # else the highest bits would be lost in `fresh`
            rest &= rest - 1
            if fresh(novelty, search, agent, piece, least):
                old = min(old, 1)
            if bit >= 0 and fresh(novelty, search, pushed, piece, least):
                old = min(old, 1)
    return old


@inlined
def wait(store: Store, state: int, cost: int, level: int) -> None:
    """Put a state among those to be taken."""
    entry = entry_of(store, state, cost)
    store.entry_next[entry] = store.head[level]
    store.head[level] = entry
    store.counts[LEVEL] = min(store.counts[LEVEL], level)


@tight
def meet(
    store: Store, novelty: Novelty, aim: Aim, arcs: Arcs, work: Workspace, node: int, cost: int, parent: int,
    arc: int,
) -> None:  # fmt: skip
    """The state `work.after` was reached: keep it if it is new, or cheaper than before."""
    size = arcs.words
    at = place(store, work.after, node)
    if at < 0:
        state = entered(store, work.after, -1 - at)
    else:
        state = (store.table[at] & 0xFFFFFFFF) - 1
        if cost >= store.rows[state * (size + 2) + size] & FIELD:
            return
    base = state * (size + 2)
    least = bound(arcs, work, work.after, node, aim.below - 1 - cost, False)
    store.rows[base + size] = (least << 32) | (node << 16) | cost
    store.rows[base + size + 1] = ((parent + 1) << 16) | arc
    if least < NEVER:
        bit = arcs.beyond[arc] if parent >= 0 else -1
        old = oldness(novelty, aim.search, work.after, node, bit, least)
        wait(store, state, cost, BAND * old + min(BAND - 1, aim.cost * cost + aim.bound * least))


@inlined
def take(store: Store, size: int, below: int) -> int:
    """The next state in turn, -1 if there is none."""
    counts = store.counts
    while counts[LEVEL] < 3 * BAND:
        entry = store.head[counts[LEVEL]]
        if entry < 0:
            counts[LEVEL] += 1
            continue
        store.head[counts[LEVEL]] = store.entry_next[entry]
        store.entry_next[entry] = counts[FREE]
        counts[FREE] = entry
        state, cost = store.entry[entry] >> 16, store.entry[entry] & FIELD
        known = store.rows[state * (size + 2) + size]
        if known & FIELD == cost and known & DONE == 0 and cost + ((known >> 32) & 0x3FFF) < below:
            return int(state)
    return -1


@tight
def expand(store: Store, novelty: Novelty, aim: Aim, arcs: Arcs, work: Workspace, state: int) -> bool:
    """Meet the states that a walk and a push lead to; True if the walk ends a plan that is cheap enough."""
    base = state * (arcs.words + 2)
    for word in range(arcs.words):
        work.words[word] = store.rows[base + word]
    known = store.rows[base + arcs.words]
    store.rows[base + arcs.words] = known | DONE
    node, cost = (known >> 16) & FIELD, known & FIELD
    novelty.far[:] = NEVER
    novelty.queue[0], novelty.far[node] = node, 0
    count, at = 1, 0
    while at < count:
        here = novelty.queue[at]
        at += 1
        paid = cost + novelty.far[here]
        if arcs.at[here] and paid < aim.below:
            store.counts[WINNER], store.counts[WHERE] = state, here
            return True
        for arc in range(here * arcs.inputs, (here + 1) * arcs.inputs):
            to, bit, beyond = arcs.to[arc], arcs.bit[arc], arcs.beyond[arc]
            if to < 0:
                continue
            if not taken(work.words, bit):
                if arcs.steps[arc] and novelty.far[to] == NEVER:
                    novelty.far[to] = novelty.far[here] + 1
                    novelty.queue[count] = to
                    count += 1
            elif arcs.pushes[arc] and not taken(work.words, beyond):
                for word in range(arcs.words):
                    work.after[word] = work.words[word]
                work.after[bit >> 6] &= ~(1 << (bit & 63))
                if beyond >= 0:
                    work.after[beyond >> 6] |= 1 << (beyond & 63)
                meet(store, novelty, aim, arcs, work, to, paid + 1, state, arc)
    return False


@tight
def search(store: Store, novelty: Novelty, aim: Aim, arcs: Arcs, work: Workspace, stretch: int) -> int:
    """Search on, until there is a plan that costs less than `aim.below`, no room, nothing left, or `stretch`
    states have been taken."""
    counts = store.counts
    for _ in range(stretch):
        if max(counts[STATES], counts[ENTRIES]) + arcs.to.size > store.entry.size:
            return FULL
        state = take(store, arcs.words, aim.below)
        if state < 0:
            return EMPTY
        counts[EXPANDED] += 1
        if expand(store, novelty, aim, arcs, work, state):
            return BETTER
    return BUSY
