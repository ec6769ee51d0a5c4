"""Best-first search where only the agent has to get somewhere and pushes move one piece, compiled.

This is `ggp.search.push.compiled.best` for the commonest form of such puzzles, with all that it need not ask
left out. On each cell an input leads to one cell, which one bit may say is taken; then the piece there is
pushed on to where another bit must say that nothing is. Each step and each push costs one.

A state is one row: its words, then cost, cell, bound and how far it was expanded in one number, then parent
and arc in another. States whose cost and way to the goal exceed what is looked at just now are not kept:
their parent is taken again when it is their turn (partial expansion: Yoshizumi, Miura and Ishida, 2000). Nor
is a state gone on from while one that looks the same, as far as its plans can still ask, was reached at no
more cost. All numbers are signed, as the compiler would mix signed and unsigned ones to floating point; the
sign bit of a word is a bit like any other.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.search.push.compiled.first import ANY, NEVER, Arcs, Workspace, bound, taken
from ggp.search.push.tables import Array
from ggp.transition.native.compiling import inlined, tight

BUSY, FOUND, EMPTY, FULL, FAR = 0, 1, 2, 3, 4  # how a stretch of search ended
LEVELS = 1 << 14  # costs of plans; those from the last one on end the search
PATIENCE = 100_000  # looks for equal views without much success before they are given up
FIELD = 0xFFFF  # the fields of a state's number are 16 bits wide
LOOSE = 1 << 46  # in that number: the bound is only what had been ruled out when it was asked for
# What stands where in `counts`.
STATES, ENTRIES, FREE, LEVEL, EXPANDED, WINNER, WHERE, PAID, PART, LOOKED, ALIKE, COST = range(12)


class Store(NamedTuple):
    """The transposition table, a row for each state, and the open list, by the cost of a plan."""

    rows: Array  # (states * (words + 2)): see above
    table: Array  # by hash: state + 1 and a part of the hash
    entry: Array  # state and cost
    entry_next: Array
    head: Array
    due: Array  # those of the cost that is looked at just now, by the cost of the state
    counts: Array


@tight
def place(store: Store, words: Array, node: int) -> int:
    """Where in the table a state stands, or -1 - where it is to be put."""
    size = words.size
    mix = (node + 1) * -0x61C8864680B583EB
    for word in range(size):
        mix = (mix ^ words[word]) * -0x40A7B892E31B1A47
        mix ^= (mix >> 29) & 0x7FFFFFFFF
    mix *= -0x6B2FB644ECCEEE15
    part = (mix >> 40) & 0xFFFFFF
    mask = store.table.size - 1
    at = (mix ^ ((mix >> 32) & 0xFFFFFFFF)) & mask
    while True:
        held = store.table[at]
        if held == 0:
            store.counts[PART] = part
            return int(-1 - at)
        if held >> 32 == part:
            base = ((held & 0xFFFFFFFF) - 1) * (size + 2)
            same = (store.rows[base + size] >> 16) & FIELD == node
            for word in range(size):
                same = same and store.rows[base + word] == words[word]
            if same:
                return int(at)
        at = (at + 1) & mask


@tight
def refill(store: Store, words: Array) -> None:
    """Fill an empty table with all states."""
    size = words.size
    for state in range(store.counts[STATES]):
        base = state * (size + 2)
        for word in range(size):
            words[word] = store.rows[base + word]
        at = place(store, words, (store.rows[base + size] >> 16) & FIELD)
        store.table[-1 - at] = (store.counts[PART] << 32) | (state + 1)


@inlined
def entry_of(store: Store, state: int, cost: int) -> int:
    """A free entry of the open list, for a state at some cost."""
    counts = store.counts
    if counts[FREE] >= 0:
        entry = counts[FREE]
        counts[FREE] = store.entry_next[entry]
    else:
        entry = counts[ENTRIES]
        counts[ENTRIES] += 1
    store.entry[entry] = (state << 16) | cost
    return int(entry)


@inlined
def wait(store: Store, state: int, cost: int, level: int) -> None:
    """Put a state among those to be taken."""
    counts, entry = store.counts, entry_of(store, state, cost)
    if level <= counts[LEVEL]:
        store.entry_next[entry] = store.due[cost]
        store.due[cost] = entry
    else:
        level = min(level, LEVELS - 1)
        store.entry_next[entry] = store.head[level]
        store.head[level] = entry


@inlined
def entered(store: Store, words: Array, at: int) -> int:
    """The number of a new state, which gets this place in the table; its row has the words alone."""
    state, size = store.counts[STATES], words.size
    store.counts[STATES] += 1
    store.table[at] = (store.counts[PART] << 32) | (state + 1)
    for word in range(size):
        store.rows[state * (size + 2) + word] = words[word]
    return int(state)


@tight
def meet(store: Store, words: Array, node: int, cost: int, level: int, parent: int, arc: int) -> None:
    """A state was reached: keep it if it is new, or cheaper than before."""
    size = words.size
    at = place(store, words, node)
    if at < 0:
        state = entered(store, words, -1 - at)
        base = state * (size + 2)
        least, loose = 0, 0
    else:
        state = (store.table[at] & 0xFFFFFFFF) - 1
        base = state * (size + 2)
        known = store.rows[base + size]
        least, loose = (known >> 32) & 0x3FFF, known & LOOSE
        if cost >= known & FIELD or least == NEVER:
            return
        level = max(level, cost + least)
    store.rows[base + size] = loose | (least << 32) | (node << 16) | cost
    store.rows[base + size + 1] = ((parent + 1) << 16) | arc
    wait(store, state, cost, level)


@tight
def seen_alike(arcs: Arcs, work: Workspace, node: int, cost: int, level: int) -> bool:
    """Was a state with the same view taken at this level before, at no more cost? Else this one is noted.

    A view is the cell, and what can still be asked for if the plan costs no more than the level: states with
    equal views have the same plans. A slot keeps the last view that fell on it. Needs `bound` up to then.
    """
    size, budget, inputs = arcs.words, level - cost, arcs.inputs
    work.asked[:] = 0
    for here in range(arcs.own.size):
        if work.far[here] >= budget:
            continue
        for arc in range(here * inputs, (here + 1) * inputs):
            to = arcs.to[arc]
            if to >= 0 and work.far[here] + 1 + arcs.back[to] <= budget:
                bit, beyond = arcs.bit[arc], arcs.beyond[arc]
                if bit >= 0:
                    work.asked[bit >> 6] |= 1 << (bit & 63)
                if beyond >= 0:
                    work.asked[beyond >> 6] |= 1 << (beyond & 63)
    mix = (node + 1) * -0x61C8864680B583EB
    for word in range(size):
        mix = (mix ^ work.asked[word]) * -0x40A7B892E31B1A47
        mix ^= (mix >> 29) & 0x7FFFFFFFF
        mix = (mix ^ (work.words[word] & work.asked[word])) * -0x6B2FB644ECCEEE15
        mix ^= (mix >> 31) & 0x1FFFFFFFF
    base = (mix & (work.views.size // (2 * size + 1) - 1)) * (2 * size + 1)
    name = (level << 32) | (node << 16)
    same = (work.views[base] >> 16) << 16 == name and work.views[base] & FIELD <= cost
    for word in range(size):
        asked, there = work.asked[word], work.words[word] & work.asked[word]
        at = base + 1 + 2 * word
        same = same and work.views[at] == asked and work.views[at + 1] == there
        work.views[at], work.views[at + 1] = asked, there
    if not same:
        work.views[base] = name | cost
    return bool(same)


@tight
def expand(store: Store, arcs: Arcs, work: Workspace, state: int, node: int, cost: int, done: int) -> int:
    """Meet the states that a walk and a push lead to, if they are in turn and were not before.

    Returns for which level to take the state again; -1 if the agent gets to the goal in turn.
    """
    level, after, words = store.counts[LEVEL], LEVELS, work.words
    work.far[:] = NEVER
    work.queue[0], work.far[node] = node, 0
    count, at = 1, 0
    while at < count:
        here = work.queue[at]
        at += 1
        paid = cost + work.far[here]
        if arcs.at[here]:
            if paid <= level:
                store.counts[WHERE], store.counts[PAID] = here, paid
                return -1
            after = min(after, paid)
        for arc in range(here * arcs.inputs, (here + 1) * arcs.inputs):
            to = arcs.to[arc]
            if to < 0:
                continue
            bit = arcs.bit[arc]
            if not taken(words, bit):
                if arcs.steps[arc] and work.far[to] == NEVER:
                    work.far[to] = work.far[here] + 1
                    work.queue[count] = to
                    count += 1
                continue
            beyond = arcs.beyond[arc]
            if not arcs.pushes[arc] or taken(words, beyond):
                continue
            turn = paid + 1 + arcs.back[to]
            if turn > level:
                after = min(after, turn)
            elif turn > done:
                for word in range(arcs.words):
                    work.after[word] = words[word]
                work.after[bit >> 6] &= ~(1 << (bit & 63))
                if beyond >= 0:
                    work.after[beyond >> 6] |= 1 << (beyond & 63)
                meet(store, work.after, to, paid + 1, level, state, arc)
    return int(after)


@tight
def sharpened(arcs: Arcs, work: Workspace, known: int, level: int, viewed: bool) -> int:
    """What is known of a state, with its bound asked for as far as it takes to tell if it is in turn.

    Most that are not will never be: only for those whose turn comes again all is looked at.
    """
    node, least, most = (known >> 16) & FIELD, (known >> 32) & 0x3FFF, level - (known & FIELD)
    if least == 0:
        most += 0 if viewed else arcs.stride
        least = bound(arcs, work, work.words, node, most, viewed)
        if least == NEVER:
            return int(known | LOOSE | (min(most + arcs.stride, NEVER - 1) << 32))
        return int(known | (least << 32))
    if known & LOOSE:
        least = max(least, bound(arcs, work, work.words, node, ANY, False))
        known = (known & ~(LOOSE | (0x3FFF << 32))) | (least << 32)
    if viewed and least <= most:
        bound(arcs, work, work.words, node, most, True)
    return int(known)


@inlined
def next_entry(store: Store) -> int:
    """The cheapest state of those that may be part of the cheapest plans; -1 if there are none.

    By rising cost, as a state that is met again then hardly ever was dearer before.
    """
    counts = store.counts
    while True:
        while counts[COST] <= counts[LEVEL]:
            entry = store.due[counts[COST]]
            if entry >= 0:
                store.due[counts[COST]] = store.entry_next[entry]
                return int(entry)
            counts[COST] += 1
        counts[COST] = 0
        while counts[LEVEL] < LEVELS - 1 and store.head[counts[LEVEL]] < 0:
            counts[LEVEL] += 1
        if counts[LEVEL] >= LEVELS - 1:
            return -1
        entry, store.head[counts[LEVEL]] = store.head[counts[LEVEL]], -1
        while entry >= 0:
            after, cost = store.entry_next[entry], store.entry[entry] & FIELD
            store.entry_next[entry] = store.due[cost]
            store.due[cost] = entry
            entry = after


@tight
def search(store: Store, arcs: Arcs, work: Workspace, stretch: int) -> int:
    """Search on, until there is an answer, no room, or `stretch` states have been taken."""
    counts, size = store.counts, arcs.words
    most = arcs.to.size + 2  # states and entries that one expansion can add
    states = store.rows.size // (size + 2)
    for _ in range(stretch):
        if counts[STATES] + most > states or counts[ENTRIES] + most > store.entry.size:
            return FULL
        entry = next_entry(store)
        if entry < 0:
            return EMPTY if store.head[LEVELS - 1] < 0 else FAR
        level = counts[LEVEL]
        store.entry_next[entry] = counts[FREE]
        counts[FREE] = entry
        state, cost = store.entry[entry] >> 16, store.entry[entry] & FIELD
        base = state * (size + 2)
        known = store.rows[base + size]
        node, least, done = (known >> 16) & FIELD, (known >> 32) & 0x3FFF, (known >> 48) & 0x7FFF
        if cost != known & FIELD or done >= level:
            continue
        for word in range(size):
            work.words[word] = store.rows[base + word]
        # Looking for equal views costs as much as what it saves is worth where few are found.
        viewed = 8 * counts[ALIKE] + PATIENCE >= counts[LOOKED]
        if viewed or least == 0 or known & LOOSE:
            known = sharpened(arcs, work, known, level, viewed)
            store.rows[base + size] = known
            least = (known >> 32) & 0x3FFF
            if least == NEVER:
                continue
            if cost + least > level:
                wait(store, state, cost, cost + least)
                continue
        if viewed:
            counts[LOOKED] += 1
            if seen_alike(arcs, work, node, cost, level):
                counts[ALIKE] += 1
                wait(store, state, cost, level + arcs.stride)
                continue
        counts[EXPANDED] += 1
        again = expand(store, arcs, work, state, node, cost, done)
        if again < 0:
            counts[WINNER] = state
            return FOUND
        store.rows[base + size] = (known & 0xFFFFFFFFFFFF) | (level << 48)
        if again < LEVELS:
            wait(store, state, cost, again)
    return BUSY
