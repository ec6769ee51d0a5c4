"""When a walker who shoves can enter each cell for the first time: the bound of
`ggp.search.push.compiled.lanes`.

On each cell an input leads to one cell, which one bit may say is taken; then the piece there is pushed on to
where another bit must say that nothing is. Each step and each push costs one, and a plan ends on the goal.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.native.compiling import inlined, tight
from ggp.search.push.shove_tables import Array

NEVER = 1 << 13  # a time that nothing takes: longer ones are taken for the one before
ANY = 1 << 40  # plans of any cost


class Lanes(NamedTuple):
    """What each input does on each cell: lane = cell * inputs + input. -1 stands for nothing."""

    source: Array  # the cell itself: dividing takes long
    to: Array  # the cell that it leads to
    bit: Array  # which says that something stands there
    steps: Array  # may the walker go there if nothing does?
    pushes: Array  # and push it, if something does?
    beyond: Array  # the bit which must be clear for that, and is set by it
    clearer: Array  # the cell that the walker is on when it has pushed away what that bit says
    way: Array  # how far it is from there to this lane's cell without entering the cell it leads to
    waits_first: Array  # the lanes that wait for cell c: from waits_first[c] up to waits_first[c + 1]
    waits: Array
    own: Array  # the bit of each cell
    ahead: Array  # the way in which a push along this lane enters the cell: see `bound`
    opens: Array  # (lanes * (inputs + 1)): can it become free by entering the cell beyond in that way?
    came: Array  # (cells * (inputs + 1)): the cell from which one enters it in that way, -1 if unknown
    back: Array  # how far the goal is from each cell, if nothing is in the way
    at: Array  # the cells of the goal
    inputs: int
    words: int
    stride: int  # the costs of all plans differ by multiples of this


class Desk(NamedTuple):
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
def post(lanes: Lanes, desk: Desk, count: int, node: int, way: int, time: int) -> int:
    """Note that the walker may enter a cell in some way at a time; returns how many notes there are."""
    time, base = min(time, NEVER - 1), node * (lanes.inputs + 1)
    if time < desk.entered[base + way] and time < desk.entered[base + lanes.inputs]:
        desk.entered[base + way] = time
        desk.far[node] = min(desk.far[node], time)
        desk.event[count] = (node << 16) | way
        desk.next[count] = desk.head[time]
        desk.head[time] = count
        count += 1
    return count


@inlined
def cleared(lanes: Lanes, desk: Desk, lane: int) -> int:
    """When the cell beyond is first entered in a way that can make the lane free."""
    kinds, time = lanes.inputs + 1, NEVER
    if lanes.way[lane] < NEVER:
        for kind in range(kinds):
            if lanes.opens[lane * kinds + kind]:
                time = min(time, desk.entered[lanes.clearer[lane] * kinds + kind])
    return time


@inlined
def passable(lanes: Lanes, desk: Desk, words: Array, lane: int, time: int, pushed: bool) -> int:
    """From when on a lane can be taken by a walker who is there now, pushing or not; -1 if it cannot."""
    if not pushed:
        return time if lanes.steps[lane] else -1
    if not lanes.pushes[lane]:
        return -1
    if not taken(words, lanes.beyond[lane]):
        return time
    then = cleared(lanes, desk, lane)
    return -1 if then > time else max(time, then + lanes.way[lane])


@tight
def bound(lanes: Lanes, desk: Desk, words: Array, start: int, most: int, whole: bool) -> int:
    """No plan from here costs less; NEVER if none costs `most` or less.

    With `whole` it goes on until it is known where the walker can be in such plans.

    It bounds when each cell is *first* entered, and in which way: by a push with some input, so that what was
    pushed now stands ahead and is met again by going on with that input; or in the way `inputs`, which leads
    on wherever the others do. What stands on a cell is there until the walker enters it. So where two stand
    in a row the cell of the second was entered before, neither from nor towards the first; and then the
    walker still has to come from there.
    """
    desk.far[:] = NEVER
    desk.entered[:] = NEVER
    inputs, kinds = lanes.inputs, lanes.inputs + 1
    count, last = post(lanes, desk, 0, start, inputs, 0), 0
    time, answer = 0, NEVER
    while time <= last and (whole or answer == NEVER):
        number = desk.head[time]
        if number < 0:
            time += 1
            continue
        desk.head[time] = desk.next[number]
        node, kind = desk.event[number] >> 16, desk.event[number] & 0xFFFF
        if desk.entered[node * kinds + kind] < time:
            continue
        if lanes.at[node]:
            answer = min(answer, time)
        for lane in range(node * inputs, (node + 1) * inputs):
            to = lanes.to[lane]
            if (
                to < 0
                or to == lanes.came[node * kinds + kind]
                or desk.entered[to * kinds + inputs] <= time + 1
            ):
                continue
            pushed = lane - node * inputs == kind or taken(words, lanes.bit[lane])
            ready = passable(lanes, desk, words, lane, time, pushed)
            if ready >= 0 and ready + 1 + lanes.back[to] <= most:
                way = lanes.ahead[lane] if pushed else inputs
                count = post(lanes, desk, count, to, way, ready + 1)
                last = max(last, min(ready + 1, NEVER - 1))
        if taken(words, lanes.own[node]):
            for entry in range(lanes.waits_first[node], lanes.waits_first[node + 1]):
                lane = lanes.waits[entry]
                if not lanes.opens[lane * kinds + kind]:
                    continue
                source, to, then = lanes.source[lane], lanes.to[lane], time + lanes.way[lane]
                met = desk.far[source]
                if not taken(words, lanes.bit[lane]):
                    met = desk.entered[source * kinds + lane - source * inputs]
                if met <= time and then + 1 + lanes.back[to] <= most:
                    count = post(lanes, desk, count, to, lanes.ahead[lane], then + 1)
                    last = max(last, min(then + 1, NEVER - 1))
    for at in range(time, last + 1):
        desk.head[at] = -1
    return answer
