"""When an agent who pushes can enter each cell for the first time: the bound of
`ggp.search.push.compiled.arcs`.

On each cell an input leads to one cell, which one bit may say is taken; then the piece there is pushed on to
where another bit must say that nothing is. Each step and each push costs one, and a plan ends on the goal.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.search.push.tables import Array
from ggp.transition.native.compiling import inlined, tight

NEVER = 1 << 13  # a time that nothing takes: longer ones are taken for the one before
ANY = 1 << 40  # plans of any cost


class Arcs(NamedTuple):
    """What each input does on each cell: arc = cell * inputs + input. -1 stands for nothing."""

    source: Array  # the cell itself: dividing takes long
    to: Array  # the cell that it leads to
    bit: Array  # which says that something stands there
    steps: Array  # may the agent go there if nothing does?
    pushes: Array  # and push it, if something does?
    beyond: Array  # the bit which must be clear for that, and is set by it
    clearer: Array  # the cell that the agent is on when it has pushed away what that bit says
    way: Array  # how far it is from there to this arc's cell without entering the cell it leads to
    waits_first: Array  # the arcs that wait for cell c: from waits_first[c] up to waits_first[c + 1]
    waits: Array
    own: Array  # the bit of each cell
    ahead: Array  # the way in which a push along this arc enters the cell: see `bound`
    opens: Array  # (arcs * (inputs + 1)): can it become free by entering the cell beyond in that way?
    came: Array  # (cells * (inputs + 1)): the cell from which one enters it in that way, -1 if unknown
    back: Array  # how far the goal is from each cell, if nothing is in the way
    at: Array  # the cells of the goal
    inputs: int
    words: int
    stride: int  # the costs of all plans differ by multiples of this


class Workspace(NamedTuple):
    """Room for the work on one state."""

    queue: Array
    far: Array  # how far each cell is
    entered: Array  # (cells * (inputs + 1)): and if it is first entered in that way
    words: Array
    after: Array
    head: Array  # entries by time: lists of numbers into `event` and `next`
    event: Array
    next: Array
    asked: Array  # bits that can still be asked for
    views: Array  # (slots * (2 * words + 1)): cell, level and cost; which bits matter; and these bits


@inlined
def taken(words: Array, bit: int) -> bool:
    """Is the bit set? None never is."""
    return bool(bit >= 0 and (words[bit >> 6] >> (bit & 63)) & 1)


@inlined
def post(arcs: Arcs, work: Workspace, count: int, node: int, way: int, time: int) -> int:
    """Note that the agent may enter a cell in some way at a time; returns how many notes there are."""
    time, base = min(time, NEVER - 1), node * (arcs.inputs + 1)
    if time < work.entered[base + way] and time < work.entered[base + arcs.inputs]:
        work.entered[base + way] = time
        work.far[node] = min(work.far[node], time)
        work.event[count] = (node << 16) | way
        work.next[count] = work.head[time]
        work.head[time] = count
        count += 1
    return count


@inlined
def cleared(arcs: Arcs, work: Workspace, arc: int) -> int:
    """When the cell beyond is first entered in a way that can make the arc free."""
    kinds, time = arcs.inputs + 1, NEVER
    if arcs.way[arc] < NEVER:
        for kind in range(kinds):
            if arcs.opens[arc * kinds + kind]:
                time = min(time, work.entered[arcs.clearer[arc] * kinds + kind])
    return time


@inlined
def passable(arcs: Arcs, work: Workspace, words: Array, arc: int, time: int, pushed: bool) -> int:
    """From when on an arc can be taken by an agent who is there now, pushing or not; -1 if it cannot."""
    if not pushed:
        return time if arcs.steps[arc] else -1
    if not arcs.pushes[arc]:
        return -1
    if not taken(words, arcs.beyond[arc]):
        return time
    then = cleared(arcs, work, arc)
    return -1 if then > time else max(time, then + arcs.way[arc])


@tight
def bound(arcs: Arcs, work: Workspace, words: Array, start: int, most: int, whole: bool) -> int:
    """No plan from here costs less; NEVER if none costs `most` or less.

    With `whole` it goes on until it is known where the agent can be in such plans.

    It bounds when each cell is *first* entered, and in which way: by a push with some input, so that what was
    pushed now stands ahead and is met again by going on with that input; or in the way `inputs`, which leads
    on wherever the others do. As in h-max (Bonet and Geffner, 2001) a time that is found never rises, and
    what once could be entered stays so. What stands on a cell is there until the agent enters it. So where
    two stand in a row the cell of the second was entered before, neither from nor towards the first; and then
    the agent still has to come from there.
    """
    work.far[:] = NEVER
    work.entered[:] = NEVER
    inputs, kinds = arcs.inputs, arcs.inputs + 1
    count, last = post(arcs, work, 0, start, inputs, 0), 0
    time, answer = 0, NEVER
    while time <= last and (whole or answer == NEVER):
        number = work.head[time]
        if number < 0:
            time += 1
            continue
        work.head[time] = work.next[number]
        node, kind = work.event[number] >> 16, work.event[number] & 0xFFFF
        if work.entered[node * kinds + kind] < time:
            continue
        if arcs.at[node]:
            answer = min(answer, time)
        for arc in range(node * inputs, (node + 1) * inputs):
            to = arcs.to[arc]
            if (
                to < 0
                or to == arcs.came[node * kinds + kind]
                or work.entered[to * kinds + inputs] <= time + 1
            ):
                continue
            pushed = arc - node * inputs == kind or taken(words, arcs.bit[arc])
            ready = passable(arcs, work, words, arc, time, pushed)
            if ready >= 0 and ready + 1 + arcs.back[to] <= most:
                way = arcs.ahead[arc] if pushed else inputs
                count = post(arcs, work, count, to, way, ready + 1)
                last = max(last, min(ready + 1, NEVER - 1))
        if taken(words, arcs.own[node]):
            for entry in range(arcs.waits_first[node], arcs.waits_first[node + 1]):
                arc = arcs.waits[entry]
                if not arcs.opens[arc * kinds + kind]:
                    continue
                source, to, then = arcs.source[arc], arcs.to[arc], time + arcs.way[arc]
                met = work.far[source]
                if not taken(words, arcs.bit[arc]):
                    met = work.entered[source * kinds + arc - source * inputs]
                if met <= time and then + 1 + arcs.back[to] <= most:
                    count = post(arcs, work, count, to, arcs.ahead[arc], then + 1)
                    last = max(last, min(then + 1, NEVER - 1))
    for at in range(time, last + 1):
        work.head[at] = -1
    return answer
