"""Sweeps over layers of cost, on the tables of `ggp.search.push.compiled.first`: some plan soon.

States are gone on from by rising cost; of those of one cost only so many, the most hopeful by their bound
first. This is a beam search (Lowerre, 1976), repeated with more of them until nothing has to be left out
(complete anytime beam search: Zhang, 1998). What costs as much as the best plan so far, by its bound, is
not kept. The least bound of what was left out is proved: no plan costs less than that, or than the best
one that was found.

States are kept in the table of `push.compiled.arcs`, in rows of the same form.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.search.push.compiled.arcs import ENTRIES, FIELD, STATES, Store, entered, place
from ggp.search.push.compiled.first import NEVER, Arcs, Workspace, bound, taken
from ggp.search.push.tables import Array
from ggp.transition.native.compiling import inlined, tight

BUSY, BETTER, SWEPT, FULL = range(4)  # how a stretch of sweeping ended
MOST = 1 << 9  # plans that cost as much are not looked for
# What stands where in `counts`.
COST, TOTAL, TAKEN, WIDTH, CEILING, LEFT_OUT, WINNER, WHERE = range(8)


class Order(NamedTuple):
    """Which states wait, in lists by cost and by what a plan through them costs at least; room for a walk."""

    head: Array  # (MOST * MOST)
    far: Array  # how far each cell is from the agent's
    queue: Array
    counts: Array


@tight
def meet(store: Store, order: Order, words: Array, node: int, cost: int, total: int, parent: int) -> None:
    """A state was reached, from a parent by an arc: keep it if it is new, or cheaper than before."""
    size = words.size
    at = place(store, words, node)
    state = entered(store, words, -1 - at) if at < 0 else (store.table[at] & 0xFFFFFFFF) - 1
    base = state * (size + 2)
    store.rows[base + size] = (node << 16) | cost
    store.rows[base + size + 1] = parent
    entry = store.counts[ENTRIES]
    store.counts[ENTRIES] += 1
    store.entry[entry] = (state << 16) | cost
    store.entry_next[entry] = order.head[cost * MOST + total]
    order.head[cost * MOST + total] = entry


@inlined
def cheaper(store: Store, words: Array, node: int, cost: int) -> bool:
    """Is the state new, or was it reached at more cost?"""
    at = place(store, words, node)
    if at < 0:
        return True
    state = (store.table[at] & 0xFFFFFFFF) - 1
    return bool(cost < store.rows[state * (words.size + 2) + words.size] & FIELD)


@inlined
def following(store: Store, order: Order, size: int) -> int:
    """The next state of this sweep in turn, -1 if there is none any more; counts what is left out."""
    counts = order.counts
    while counts[COST] < counts[CEILING]:
        while counts[TOTAL] < counts[CEILING]:
            at = counts[COST] * MOST + counts[TOTAL]
            entry = order.head[at]
            if entry < 0:
                counts[TOTAL] += 1
                continue
            known = store.entry[entry]
            if counts[TAKEN] == counts[WIDTH]:
                counts[LEFT_OUT] = min(counts[LEFT_OUT], counts[TOTAL])
                break
            order.head[at] = store.entry_next[entry]
            state = known >> 16
            if store.rows[state * (size + 2) + size] & FIELD == known & FIELD:
                counts[TAKEN] += 1
                return int(state)
        counts[COST] += 1
        counts[TOTAL], counts[TAKEN] = counts[COST], 0
    return -1


@tight
def arrive(
    store: Store, order: Order, arcs: Arcs, work: Workspace, arc: int, paid: int, total: int, state: int
) -> None:
    """A push along an arc, paid for, from a state through which a plan costs `total` at least."""
    bit, beyond, to = arcs.bit[arc], arcs.beyond[arc], arcs.to[arc]
    for word in range(arcs.words):
        work.after[word] = work.words[word]
    work.after[bit >> 6] &= ~(1 << (bit & 63))
    if beyond >= 0:
        work.after[beyond >> 6] |= 1 << (beyond & 63)
    if not cheaper(store, work.after, to, paid):
        return
    least = bound(arcs, work, work.after, to, order.counts[CEILING] - 1 - paid, False)
    if least < NEVER:
        meet(store, order, work.after, to, paid, max(total, paid + least), ((state + 1) << 16) | arc)


@tight
def expand(store: Store, order: Order, arcs: Arcs, work: Workspace, state: int, node: int, cost: int) -> bool:
    """Meet the states that a walk and a push lead to; True if the walk ends a plan better than the best."""
    counts, total = order.counts, order.counts[TOTAL]
    order.far[:] = NEVER
    order.queue[0], order.far[node] = node, 0
    count, at, better = 1, 0, False
    while at < count:
        here = order.queue[at]
        at += 1
        paid = cost + order.far[here]
        if arcs.at[here] and paid < counts[CEILING]:
            counts[CEILING], counts[WINNER], counts[WHERE] = paid, state, here
            better = True
        for arc in range(here * arcs.inputs, (here + 1) * arcs.inputs):
            to = arcs.to[arc]
            if to < 0 or paid + 1 + arcs.back[to] >= counts[CEILING]:
                continue
            if not taken(work.words, arcs.bit[arc]):
                if arcs.steps[arc] and order.far[to] == NEVER:
                    order.far[to] = order.far[here] + 1
                    order.queue[count] = to
                    count += 1
            elif arcs.pushes[arc] and not taken(work.words, arcs.beyond[arc]):
                arrive(store, order, arcs, work, arc, paid + 1, total, state)
    return better


@tight
def search(store: Store, order: Order, arcs: Arcs, work: Workspace, stretch: int) -> int:
    """Sweep on, until there is a better plan, no room, nothing left, or `stretch` states have been taken."""
    counts, size = store.counts, arcs.words
    for _ in range(stretch):
        if max(counts[STATES], counts[ENTRIES]) + arcs.to.size > store.entry.size:
            return FULL
        state = following(store, order, size)
        if state < 0:
            return SWEPT
        base = state * (size + 2)
        for word in range(size):
            work.words[word] = store.rows[base + word]
        known = store.rows[base + size]
        if expand(store, order, arcs, work, state, known >> 16, known & FIELD):
            return BETTER
    return BUSY
