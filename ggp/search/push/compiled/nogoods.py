"""Depth first, learning why: for games in which a plan still works where fewer pieces are in the way.

In such games that no plan of some cost starts at a cell is the fault of pieces that *are* there: a nogood is
a cell, a cost and the bits of these pieces. It holds wherever they stand, whatever else does. So a failure
is not only noted, but explained, and pieces that had no part in it are left out. That prunes where equal
states never occur. The form of the tables, and the bound, are those of `ggp.search.push.compiled.first`.

A node is a state after a push, and what may still be spent. All pushes within reach are tried, the most
hopeful first; then the fault is all that stood in the way of them. Costs rise until there is a plan.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.native.compiling import inlined, tight
from ggp.search.push.compiled.first import NEVER, Desk, Lanes, bound, taken
from ggp.search.push.shove_tables import Array

BUSY, FOUND, FULL, FAR = 0, 1, 3, 4  # how a stretch of search ended
OPEN, BARRED, DONE = NEVER + 1, NEVER + 2, NEVER + 3  # ranks of exits that are not gone through
BRANCHES, NOGOODS, DEPTH, NODES, LIMIT, WHERE, PAID = range(7)  # what stands where in `counts`


class Book(NamedTuple):
    """The nogoods: by cell, in a tree of those of their bits that are not set at the start."""

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
    why: Array  # (nodes * words) the fault so far
    node: Array
    left: Array  # what may be spent
    end: Array  # its exits are those up to this one, from the end of the one before
    at: Array  # the exit that is gone through
    lane: Array
    paid: Array  # with the push
    rank: Array  # what a plan through it costs at least; OPEN if the fault is known; BARRED if nothing moves
    rows: Array  # (exits * words) that fault


class Room(NamedTuple):
    """Room for the work on one node."""

    into_first: Array  # the lanes that lead to cell c: from into_first[c] up to into_first[c + 1]
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
def known(book: Book, room: Room, words: Array, node: int, cost: int) -> int:
    """A nogood that says that no plan of that cost starts here, or -1."""
    size, count = words.size, 0
    if book.root[node] >= 0:
        room.branches[0], count = book.root[node], 1
    while count > 0:
        count -= 1
        branch = room.branches[count]
        if book.most[branch] < cost:
            continue
        nogood = book.last[branch]
        while nogood >= 0:
            if book.cost[nogood] >= cost:
                fits, word = True, 0
                while fits and word < size:
                    fits = book.rows[nogood * size + word] & ~words[word] == 0
                    word += 1
                if fits:
                    return int(nogood)
            nogood = book.before[nogood]
        child = book.child[branch]
        while child >= 0:
            if taken(words, book.bit[child]):
                room.branches[count] = child
                count += 1
            child = book.sibling[child]
    return -1


@inlined
def sprout(book: Book, bit: int, sibling: int) -> int:
    """A new branch."""
    branch = book.counts[BRANCHES]
    book.counts[BRANCHES] += 1
    book.bit[branch], book.child[branch], book.sibling[branch] = bit, -1, sibling
    book.last[branch], book.most[branch] = -1, 0
    return int(branch)


@tight
def branch_of(book: Book, node: int, why: Array, base: int, cost: int) -> int:
    """The branch for a nogood; grown if it is not there."""
    if book.root[node] < 0:
        book.root[node] = sprout(book, -1, -1)
    branch = book.root[node]
    book.most[branch] = max(book.most[branch], cost)
    for word in range(book.start.size):
        rest = why[base + word] & ~book.start[word]
        for bit in range(word * 64, word * 64 + 64 if rest != 0 else 0):
            if (rest >> (bit & 63)) & 1:
                child = book.child[branch]
                while child >= 0 and book.bit[child] != bit:
                    child = book.sibling[child]
                if child < 0:
                    child = sprout(book, bit, book.child[branch])
                    book.child[branch] = child
                branch = child
                book.most[branch] = max(book.most[branch], cost)
    return int(branch)


@tight
def learn(book: Book, node: int, why: Array, base: int, cost: int) -> None:
    """Write a nogood down."""
    size = book.start.size
    branch, nogood = branch_of(book, node, why, base, cost), book.counts[NOGOODS]
    book.counts[NOGOODS] += 1
    for word in range(size):
        book.rows[nogood * size + word] = why[base + word]
    book.cost[nogood], book.before[nogood] = cost, book.last[branch]
    book.last[branch] = nogood


@inlined
def ask(lanes: Lanes, room: Room, start: int, cell: int, way: int, time: int, count: int) -> int:
    """Ask that a cell is entered no earlier in that way, if that is not so anyhow."""
    at = cell * (lanes.inputs + 1) + way
    if time > room.need[at] and time > room.near[start * lanes.own.size + cell]:
        room.need[at] = time
        room.event[count] = (cell << 16) | way
        room.next[count] = room.head[time]
        room.head[time] = count
        count += 1
    return count


@inlined
def ask_beyond(lanes: Lanes, room: Room, start: int, lane: int, time: int, count: int) -> int:
    """Ask that what stands beyond is not cleared before it is too late for the lane at that time."""
    kinds = lanes.inputs + 1
    if lanes.way[lane] < NEVER:
        for other in range(kinds):
            if lanes.opens[lane * kinds + other]:
                count = ask(lanes, room, start, lanes.clearer[lane], other, time - lanes.way[lane], count)
    return count


@tight
def explain(
    lanes: Lanes, desk: Desk, room: Room, words: Array, start: int, most: int, out: Array, base: int
) -> None:
    """Which pieces it takes for `bound` to find nothing: to be asked just after that, with the same numbers.

    Backwards from the goal, which has to be entered too late: each way into a cell is late either because
    the cells before it are, or because something stands there, or beyond, and that is cleared too late.
    """
    inputs, kinds, count = lanes.inputs, lanes.inputs + 1, 0
    room.need[:] = 0
    for cell in range(lanes.own.size):
        if lanes.at[cell]:
            for way in range(kinds):
                count = ask(lanes, room, start, cell, way, most + 1, count)
    for time in range(most + 1, 0, -1):
        while room.head[time] >= 0:
            number = room.head[time]
            room.head[time] = room.next[number]
            to, way = room.event[number] >> 16, room.event[number] & 0xFFFF
            if room.need[to * kinds + way] != time:
                continue
            for entry in range(room.into_first[to], room.into_first[to + 1]):
                lane = room.into[entry]
                if way < inputs and lanes.ahead[lane] != way:
                    continue
                source, there = lanes.source[lane], taken(words, lanes.bit[lane])
                for kind in range(kinds):
                    if lanes.came[source * kinds + kind] == to:
                        continue
                    ahead = kind == lane - source * inputs
                    late = min(desk.entered[source * kinds + kind], desk.entered[source * kinds + inputs])
                    if late >= time - 1:
                        if (way == inputs and not ahead) or (lanes.ahead[lane] == way and (ahead or there)):
                            count = ask(lanes, room, start, source, kind, time - 1, count)
                        continue
                    if way == inputs and not ahead and there:
                        put(out, base, lanes.bit[lane])
                    beyond = taken(words, lanes.beyond[lane])
                    if lanes.pushes[lane] and lanes.ahead[lane] == way and (ahead or there) and beyond:
                        put(out, base, lanes.beyond[lane])
                        count = ask_beyond(lanes, room, start, lane, time - 1, count)


@tight
def weigh(book: Book, stack: Stack, lanes: Lanes, desk: Desk, room: Room, left: int, number: int) -> None:
    """What a new exit of the state `room.here` costs at least; or, if that is too much, what is at fault."""
    size, lane, base = lanes.words, stack.lane[number], number * lanes.words
    to, rest = lanes.to[lane], left - stack.paid[number]
    if taken(room.here, lanes.beyond[lane]):
        stack.rank[number] = BARRED
        return
    moved(room.here, 0, lanes.bit[lane], lanes.beyond[lane], room.part)
    nogood = known(book, room, room.part, to, rest)
    if nogood >= 0:
        stack.rank[number] = OPEN
        for word in range(size):
            stack.rows[base + word] = book.rows[nogood * size + word]
        return
    least = bound(lanes, desk, room.part, to, rest, False)
    stack.rank[number] = stack.paid[number] + least
    if least == NEVER:
        stack.rank[number] = OPEN
        for word in range(size):
            stack.rows[base + word] = 0
        explain(lanes, desk, room, room.part, to, rest, stack.rows, base)


@tight
def enter(book: Book, stack: Stack, lanes: Lanes, desk: Desk, room: Room) -> bool:
    """Find the exits of the topmost node. True if the walker gets to the goal from there."""
    depth, size, inputs = book.counts[DEPTH], lanes.words, lanes.inputs
    left, first = stack.left[depth], stack.end[depth - 1] if depth > 0 else 0
    book.counts[NODES] += 1
    for word in range(size):
        room.here[word], stack.why[depth * size + word] = stack.words[depth * size + word], 0
    room.far[:] = NEVER
    room.queue[0], room.far[stack.node[depth]] = stack.node[depth], 0
    count, at, end = 1, 0, first
    while at < count:
        here = room.queue[at]
        at += 1
        paid = room.far[here] + 1
        if lanes.at[here] and paid - 1 <= left:
            book.counts[WHERE], book.counts[PAID] = here, paid - 1
            return True
        for lane in range(here * inputs, (here + 1) * inputs):
            to = lanes.to[lane]
            if to < 0 or paid + lanes.back[to] > left:
                continue
            if not taken(room.here, lanes.bit[lane]):
                if room.far[to] == NEVER:
                    room.far[to] = paid
                    room.queue[count] = to
                    count += 1
            elif not lanes.pushes[lane]:
                put(stack.why, depth * size, lanes.bit[lane])
            else:
                stack.lane[end], stack.paid[end] = lane, paid
                end += 1
    stack.end[depth] = end
    for number in range(first, end):
        weigh(book, stack, lanes, desk, room, left, number)
    return False


@tight
def blame(book: Book, stack: Stack, lanes: Lanes, room: Room, row: Array, base: int) -> None:
    """Take over the fault of what an exit leads to: there the piece has been pushed, here it has not."""
    depth, size = book.counts[DEPTH], lanes.words
    lane = stack.lane[stack.at[depth]]
    moved(row, base, lanes.beyond[lane], lanes.bit[lane], room.part)
    for word in range(size):
        stack.why[depth * size + word] |= room.part[word]


@tight
def settled(book: Book, stack: Stack, lanes: Lanes, desk: Desk, room: Room) -> bool:
    """Deal with the exit that is looked at, without going through it. False if that is not possible."""
    depth, size = book.counts[DEPTH], lanes.words
    number, base = stack.at[depth], depth * size
    lane = stack.lane[number]
    to, bit, beyond = lanes.to[lane], lanes.bit[lane], lanes.beyond[lane]
    rest = stack.left[depth] - stack.paid[number]
    if stack.rank[number] == BARRED:
        if set_in(stack.why, base, bit) and set_in(stack.why, base, beyond):
            return True
    elif stack.rank[number] == OPEN:
        moved(stack.rows, number * size, beyond, bit, room.part)
        if within(room.part, stack.why, base):
            return True
    # Perhaps what is at fault anyhow is enough.
    moved(stack.why, base, bit, -1 if stack.rank[number] == BARRED else beyond, room.part)
    if known(book, room, room.part, to, rest) >= 0:
        return True
    if stack.rank[number] >= OPEN:
        if bound(lanes, desk, room.part, to, rest, False) == NEVER:
            return True
        if stack.rank[number] == BARRED:
            put(stack.why, base, bit)
            put(stack.why, base, beyond)
        else:
            blame(book, stack, lanes, room, stack.rows, number * size)
        return True
    moved(stack.words, base, bit, beyond, room.here)
    nogood = known(book, room, room.here, to, rest)
    if nogood >= 0:
        blame(book, stack, lanes, room, book.rows, nogood * size)
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
def search(book: Book, stack: Stack, lanes: Lanes, desk: Desk, room: Room, stretch: int) -> int:
    """Search on, until there is a plan, no room, or `stretch` exits have been dealt with.

    Before the first stretch the first state lies on the stack, LIMIT is what to spend, and DEPTH is -1.
    """
    counts, size = book.counts, lanes.words
    for _ in range(stretch):
        depth = counts[DEPTH]
        if counts[NOGOODS] >= book.cost.size or counts[BRANCHES] + size * 64 + 1 >= book.bit.size:
            return FULL
        end = (stack.end[depth] if depth >= 0 else 0) + lanes.to.size
        if depth + 2 >= stack.node.size or end > stack.lane.size or counts[LIMIT] >= NEVER - 2:
            return FAR
        if depth < 0:
            counts[DEPTH], stack.left[0] = 0, counts[LIMIT]
            if enter(book, stack, lanes, desk, room):
                return FOUND
            continue
        number = next_exit(stack, depth)
        if number < 0:
            learn(book, stack.node[depth], stack.why, depth * size, stack.left[depth])
            counts[DEPTH] -= 1
            if depth > 0:
                blame(book, stack, lanes, room, stack.why, depth * size)
                stack.rank[stack.at[depth - 1]] = DONE
            else:
                counts[LIMIT] += lanes.stride
            continue
        stack.at[depth] = number
        if settled(book, stack, lanes, desk, room):
            stack.rank[number] = DONE
            continue
        # `settled` left the state after the push in `room.here`.
        for word in range(size):
            stack.words[(depth + 1) * size + word] = room.here[word]
        stack.node[depth + 1] = lanes.to[stack.lane[number]]
        stack.left[depth + 1] = stack.left[depth] - stack.paid[number]
        counts[DEPTH] += 1
        if enter(book, stack, lanes, desk, room):
            return FOUND
    return BUSY
