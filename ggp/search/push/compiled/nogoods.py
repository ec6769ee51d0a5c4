"""IDA* that learns nogoods: for games in which a plan still works where fewer pieces are in the way.

In such games that no plan of some cost starts at a cell is due to pieces that *are* there: a nogood (Stallman
and Sussman, 1977) is a cell, a cost and a conflict set, the bits of these pieces. It holds wherever they
stand, whatever else does. So a failure is not only noted, as in a transposition table, but explained, and
pieces that had no part in it are left out. That prunes where equal states never occur. The form of the
tables, and the bound, are those of `ggp.search.push.compiled.first`.

A node is a state after a push, and what may still be spent. All pushes within reach are tried, the most
hopeful first; then the conflict set is all that stood in the way of them. Limits rise until there is a plan
(Korf, 1985); as the bound is admissible the first is a best one.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.search.push.compiled.first import NEVER, Arcs, Workspace, bound, taken
from ggp.search.push.tables import Array
from ggp.transition.native.compiling import inlined, tight

BUSY, FOUND, FULL, FAR = 0, 1, 3, 4  # how a stretch of search ended
OPEN, BARRED, DONE = NEVER + 1, NEVER + 2, NEVER + 3  # ranks of exits that are not gone through
BRANCHES, NOGOODS, DEPTH, NODES, LIMIT, WHERE, PAID = range(7)  # what stands where in `counts`


class Trie(NamedTuple):
    """The nogoods: by cell, in a trie of those of their bits that are not set at the start."""

    root: Array  # the branch of each cell, or -1
    bit: Array  # of each branch: the last bit on the way to it
    child: Array
    sibling: Array
    last: Array  # the nogood learnt last that ends there
    most: Array  # the highest cost of all on it
    rows: Array  # (nogoods * words) their bits
    cost: Array
    before: Array  # the nogood that was learnt before, on the same branch
    start: Array  # the bits that are set at the start
    counts: Array


class Stack(NamedTuple):
    """The nodes on the way to this one, and their exits: pushes within reach."""

    words: Array  # (nodes * words) the bits that are set
    conflict: Array  # (nodes * words) the conflict set so far
    node: Array
    left: Array  # what may be spent
    end: Array  # its exits are those up to this one, from the end of the one before
    at: Array  # the exit that is gone through
    arc: Array
    paid: Array  # with the push
    rank: Array  # what a plan through it costs at least; OPEN: conflict set known; BARRED: nothing moves
    rows: Array  # (exits * words) that conflict set


class Room(NamedTuple):
    """Room for the work on one node."""

    into_first: Array  # the arcs that lead to cell c: from into_first[c] up to into_first[c + 1]
    into: Array
    near: Array  # (cells * cells) how far it is from one to the other, if nothing is in the way
    far: Array
    queue: Array
    here: Array
    part: Array
    need: Array  # of each way into each cell: to be no earlier than this is all that is asked of it
    head: Array
    event: Array
    next: Array
    branches: Array


@inlined
def put(words: Array, base: int, bit: int) -> None:
    """Set a bit of a row."""
    words[base + (bit >> 6)] |= 1 << (bit & 63)


@inlined
def set_in(words: Array, base: int, bit: int) -> bool:
    """Is a bit of a row set?"""
    return bool((words[base + (bit >> 6)] >> (bit & 63)) & 1)


@inlined
def moved(words: Array, base: int, source: int, target: int, out: Array) -> None:
    """A row in which the bit `source`, if it is set, is cleared and `target` set instead (-1: none)."""
    for word in range(out.size):
        out[word] = words[base + word]
    if source >= 0 and (out[source >> 6] >> (source & 63)) & 1:
        out[source >> 6] &= ~(1 << (source & 63))
        if target >= 0:
            out[target >> 6] |= 1 << (target & 63)


@inlined
def within(part: Array, words: Array, base: int) -> bool:
    """Are all bits of `part` set in a row?"""
    for word in range(part.size):  # noqa: SIM110 - the compiler knows no generators
        if part[word] & ~words[base + word]:
            return False
    return True


@tight
def known(trie: Trie, room: Room, words: Array, node: int, cost: int) -> int:
    """A nogood that says that no plan of that cost starts here, or -1."""
    size, count = words.size, 0
    if trie.root[node] >= 0:
        room.branches[0], count = trie.root[node], 1
    while count > 0:
        count -= 1
        branch = room.branches[count]
        if trie.most[branch] < cost:
            continue
        nogood = trie.last[branch]
        while nogood >= 0:
            if trie.cost[nogood] >= cost:
                fits, word = True, 0
                while fits and word < size:
                    fits = trie.rows[nogood * size + word] & ~words[word] == 0
                    word += 1
                if fits:
                    return int(nogood)
            nogood = trie.before[nogood]
        child = trie.child[branch]
        while child >= 0:
            if taken(words, trie.bit[child]):
                room.branches[count] = child
                count += 1
            child = trie.sibling[child]
    return -1


@inlined
def sprout(trie: Trie, bit: int, sibling: int) -> int:
    """A new branch."""
    branch = trie.counts[BRANCHES]
    trie.counts[BRANCHES] += 1
    trie.bit[branch], trie.child[branch], trie.sibling[branch] = bit, -1, sibling
    trie.last[branch], trie.most[branch] = -1, 0
    return int(branch)


@tight
def branch_of(trie: Trie, node: int, conflict: Array, base: int, cost: int) -> int:
    """The branch for a nogood; grown if it is not there."""
    if trie.root[node] < 0:
        trie.root[node] = sprout(trie, -1, -1)
    branch = trie.root[node]
    trie.most[branch] = max(trie.most[branch], cost)
    for word in range(trie.start.size):
        rest = conflict[base + word] & ~trie.start[word]
        for bit in range(word * 64, word * 64 + 64 if rest != 0 else 0):
            if (rest >> (bit & 63)) & 1:
                child = trie.child[branch]
                while child >= 0 and trie.bit[child] != bit:
                    child = trie.sibling[child]
                if child < 0:
                    child = sprout(trie, bit, trie.child[branch])
                    trie.child[branch] = child
                branch = child
                trie.most[branch] = max(trie.most[branch], cost)
    return int(branch)


@tight
def learn(trie: Trie, node: int, conflict: Array, base: int, cost: int) -> None:
    """Write a nogood down."""
    size = trie.start.size
    branch, nogood = branch_of(trie, node, conflict, base, cost), trie.counts[NOGOODS]
    trie.counts[NOGOODS] += 1
    for word in range(size):
        trie.rows[nogood * size + word] = conflict[base + word]
    trie.cost[nogood], trie.before[nogood] = cost, trie.last[branch]
    trie.last[branch] = nogood


@inlined
def ask(arcs: Arcs, room: Room, start: int, cell: int, way: int, time: int, count: int) -> int:
    """Ask that a cell is entered no earlier in that way, if that is not so anyhow."""
    at = cell * (arcs.inputs + 1) + way
    if time > room.need[at] and time > room.near[start * arcs.own.size + cell]:
        room.need[at] = time
        room.event[count] = (cell << 16) | way
        room.next[count] = room.head[time]
        room.head[time] = count
        count += 1
    return count


@inlined
def ask_beyond(arcs: Arcs, room: Room, start: int, arc: int, time: int, count: int) -> int:
    """Ask that what stands beyond is not cleared before it is too late for the arc at that time."""
    kinds = arcs.inputs + 1
    if arcs.way[arc] < NEVER:
        for other in range(kinds):
            if arcs.opens[arc * kinds + other]:
                count = ask(arcs, room, start, arcs.clearer[arc], other, time - arcs.way[arc], count)
    return count


@tight
def explain(
    arcs: Arcs, work: Workspace, room: Room, words: Array, start: int, most: int, out: Array, base: int
) -> None:
    """Which pieces it takes for `bound` to find nothing: to be asked just after that, with the same numbers.

    Backwards from the goal, which has to be entered too late: each way into a cell is late either because
    the cells before it are, or because something stands there, or beyond, and that is cleared too late.
    """
    inputs, kinds, count = arcs.inputs, arcs.inputs + 1, 0
    room.need[:] = 0
    for cell in range(arcs.own.size):
        if arcs.at[cell]:
            for way in range(kinds):
                count = ask(arcs, room, start, cell, way, most + 1, count)
    for time in range(most + 1, 0, -1):
        while room.head[time] >= 0:
            number = room.head[time]
            room.head[time] = room.next[number]
            to, way = room.event[number] >> 16, room.event[number] & 0xFFFF
            if room.need[to * kinds + way] != time:
                continue
            for entry in range(room.into_first[to], room.into_first[to + 1]):
                arc = room.into[entry]
                if way < inputs and arcs.ahead[arc] != way:
                    continue
                source, there = arcs.source[arc], taken(words, arcs.bit[arc])
                for kind in range(kinds):
                    if arcs.came[source * kinds + kind] == to:
                        continue
                    ahead = kind == arc - source * inputs
                    late = min(work.entered[source * kinds + kind], work.entered[source * kinds + inputs])
                    if late >= time - 1:
                        if (way == inputs and not ahead) or (arcs.ahead[arc] == way and (ahead or there)):
                            count = ask(arcs, room, start, source, kind, time - 1, count)
                        continue
                    if way == inputs and not ahead and there:
                        put(out, base, arcs.bit[arc])
                    beyond = taken(words, arcs.beyond[arc])
                    if arcs.pushes[arc] and arcs.ahead[arc] == way and (ahead or there) and beyond:
                        put(out, base, arcs.beyond[arc])
                        count = ask_beyond(arcs, room, start, arc, time - 1, count)


@tight
def weigh(trie: Trie, stack: Stack, arcs: Arcs, work: Workspace, room: Room, left: int, number: int) -> None:
    """What a new exit of the state `room.here` costs at least; or, if that is too much, its conflict set."""
    size, arc, base = arcs.words, stack.arc[number], number * arcs.words
    to, rest = arcs.to[arc], left - stack.paid[number]
    if taken(room.here, arcs.beyond[arc]):
        stack.rank[number] = BARRED
        return
    moved(room.here, 0, arcs.bit[arc], arcs.beyond[arc], room.part)
    nogood = known(trie, room, room.part, to, rest)
    if nogood >= 0:
        stack.rank[number] = OPEN
        for word in range(size):
            stack.rows[base + word] = trie.rows[nogood * size + word]
        return
    least = bound(arcs, work, room.part, to, rest, False)
    stack.rank[number] = stack.paid[number] + least
    if least == NEVER:
        stack.rank[number] = OPEN
        for word in range(size):
            stack.rows[base + word] = 0
        explain(arcs, work, room, room.part, to, rest, stack.rows, base)


@tight
def enter(trie: Trie, stack: Stack, arcs: Arcs, work: Workspace, room: Room) -> bool:
    """Find the exits of the topmost node. True if the agent gets to the goal from there."""
    depth, size, inputs = trie.counts[DEPTH], arcs.words, arcs.inputs
    left, first = stack.left[depth], stack.end[depth - 1] if depth > 0 else 0
    trie.counts[NODES] += 1
    for word in range(size):
        room.here[word], stack.conflict[depth * size + word] = stack.words[depth * size + word], 0
    room.far[:] = NEVER
    room.queue[0], room.far[stack.node[depth]] = stack.node[depth], 0
    count, at, end = 1, 0, first
    while at < count:
        here = room.queue[at]
        at += 1
        paid = room.far[here] + 1
        if arcs.at[here] and paid - 1 <= left:
            trie.counts[WHERE], trie.counts[PAID] = here, paid - 1
            return True
        for arc in range(here * inputs, (here + 1) * inputs):
            to = arcs.to[arc]
            if to < 0 or paid + arcs.back[to] > left:
                continue
            if not taken(room.here, arcs.bit[arc]):
                if room.far[to] == NEVER:
                    room.far[to] = paid
                    room.queue[count] = to
                    count += 1
            elif not arcs.pushes[arc]:
                put(stack.conflict, depth * size, arcs.bit[arc])
            else:
                stack.arc[end], stack.paid[end] = arc, paid
                end += 1
    stack.end[depth] = end
    for number in range(first, end):
        weigh(trie, stack, arcs, work, room, left, number)
    return False


@tight
def blame(trie: Trie, stack: Stack, arcs: Arcs, room: Room, row: Array, base: int) -> None:
    """Take over the conflict set behind an exit: there the piece has been pushed, here it has not."""
    depth, size = trie.counts[DEPTH], arcs.words
    arc = stack.arc[stack.at[depth]]
    moved(row, base, arcs.beyond[arc], arcs.bit[arc], room.part)
    for word in range(size):
        stack.conflict[depth * size + word] |= room.part[word]


@tight
def settled(trie: Trie, stack: Stack, arcs: Arcs, work: Workspace, room: Room) -> bool:
    """Deal with the exit that is looked at, without going through it. False if that is not possible."""
    depth, size = trie.counts[DEPTH], arcs.words
    number, base = stack.at[depth], depth * size
    arc = stack.arc[number]
    to, bit, beyond = arcs.to[arc], arcs.bit[arc], arcs.beyond[arc]
    rest = stack.left[depth] - stack.paid[number]
    if stack.rank[number] == BARRED:
        if set_in(stack.conflict, base, bit) and set_in(stack.conflict, base, beyond):
            return True
    elif stack.rank[number] == OPEN:
        moved(stack.rows, number * size, beyond, bit, room.part)
        if within(room.part, stack.conflict, base):
            return True
    # Perhaps the conflict set as it is is enough.
    moved(stack.conflict, base, bit, -1 if stack.rank[number] == BARRED else beyond, room.part)
    if known(trie, room, room.part, to, rest) >= 0:
        return True
    if stack.rank[number] >= OPEN:
        if bound(arcs, work, room.part, to, rest, False) == NEVER:
            return True
        if stack.rank[number] == BARRED:
            put(stack.conflict, base, bit)
            put(stack.conflict, base, beyond)
        else:
            blame(trie, stack, arcs, room, stack.rows, number * size)
        return True
    moved(stack.words, base, bit, beyond, room.here)
    nogood = known(trie, room, room.here, to, rest)
    if nogood >= 0:
        blame(trie, stack, arcs, room, trie.rows, nogood * size)
    return nogood >= 0


@inlined
def next_exit(stack: Stack, depth: int) -> int:
    """The most hopeful exit of a node that is left, or -1."""
    best = -1
    for number in range(stack.end[depth - 1] if depth > 0 else 0, stack.end[depth]):
        if stack.rank[number] < DONE and (best < 0 or stack.rank[number] < stack.rank[best]):
            best = number
    return int(best)


@tight
def search(trie: Trie, stack: Stack, arcs: Arcs, work: Workspace, room: Room, stretch: int) -> int:
    """Search on, until there is a plan, no room, or `stretch` exits have been dealt with.

    Before the first stretch the first state lies on the stack, LIMIT is what to spend, and DEPTH is -1.
    """
    counts, size = trie.counts, arcs.words
    for _ in range(stretch):
        depth = counts[DEPTH]
        if counts[NOGOODS] >= trie.cost.size or counts[BRANCHES] + size * 64 + 1 >= trie.bit.size:
            return FULL
        end = (stack.end[depth] if depth >= 0 else 0) + arcs.to.size
        if depth + 2 >= stack.node.size or end > stack.arc.size or counts[LIMIT] >= NEVER - 2:
            return FAR
        if depth < 0:
            counts[DEPTH], stack.left[0] = 0, counts[LIMIT]
            if enter(trie, stack, arcs, work, room):
                return FOUND
            continue
        number = next_exit(stack, depth)
        if number < 0:
            learn(trie, stack.node[depth], stack.conflict, depth * size, stack.left[depth])
            counts[DEPTH] -= 1
            if depth > 0:
                blame(trie, stack, arcs, room, stack.conflict, depth * size)
                stack.rank[stack.at[depth - 1]] = DONE
            else:
                counts[LIMIT] += arcs.stride
            continue
        stack.at[depth] = number
        if settled(trie, stack, arcs, work, room):
            stack.rank[number] = DONE
            continue
        # `settled` left the state after the push in `room.here`.
        for word in range(size):
            stack.words[(depth + 1) * size + word] = room.here[word]
        stack.node[depth + 1] = arcs.to[stack.arc[number]]
        stack.left[depth + 1] = stack.left[depth] - stack.paid[number]
        counts[DEPTH] += 1
        if enter(trie, stack, arcs, work, room):
            return FOUND
    return BUSY
