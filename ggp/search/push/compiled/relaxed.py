"""A lower bound from relaxed rules: what became possible stays possible, and the agent is in one place.

The bound is the time at which the goal could first hold if nothing that once became free were ever occupied
again (h-max: Bonet and Geffner, 2001). It is sharpened by where the agent is: an operator that needs a cell
to be cleared needs somebody who cleared it, on a cell from which the agent must then still come. On the way
it has not yet been on the cell that the operator leads to, or else that cell had been reached before. So
every number is no more than the true cost, and a state that gets no number is a deadlock.

What an operator asks to be *there* is taken for granted; only what it asks to be away counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ggp.search.push.tables import ENDLESS, Array, Goal, Operators
from ggp.transition.native.compiling import compiled, inlined, tight

LATEST = 4096  # times from here on are taken for this one: still a lower bound


class Relaxed(NamedTuple):
    """What waits for what. A *need* is one ask of an operator that something be away."""

    need_first: Array  # the needs of operator o are need_first[o] up to need_first[o + 1]
    need_word: Array
    need_mask: Array
    need_option: Array
    meet_first: Array  # what operator o may meet: from meet_first[o] up to meet_first[o + 1]
    meet_need: Array
    meet_way: Array  # and how far the agent then still has to go
    into_first: Array  # the operators that lead to cell n: from into_first[n] up to into_first[n + 1]
    into: Array
    back: Array  # from cell n to a cell of the goal the agent needs at least this


class Scratch(NamedTuple):
    """Room for one evaluation."""

    reached: Array  # the time of each agent cell
    met: Array  # of each need: has anybody met it?
    arrival: Array  # and when the agent can then be where the need is
    enabled: Array
    lit: Array
    left: Array  # bits that still have to be cleared
    head: Array  # events by time: lists of numbers into `event` and `after`
    event: Array
    after: Array
    used: Array  # [how many events there are, the latest time of any, what may be spent]
    asked: Array  # bits that some operator may ask for before all is spent


def scratch(ops: Operators, relaxed: Relaxed, words: int) -> Scratch:
    """Room that fits the tables."""
    operators, needs, cells = ops.source.size, relaxed.need_word.size, relaxed.into_first.size - 1
    # Each operator is tried once from its cell and once for each need that it meets, and posts two events.
    events = 2 * (operators + relaxed.meet_need.size) + cells + 16
    return Scratch(
        np.full(cells, ENDLESS, np.int64),
        np.zeros(needs, np.bool_),
        np.full(needs, ENDLESS, np.int64),
        np.zeros(operators, np.bool_),
        np.zeros(operators, np.bool_),
        np.zeros(words, np.uint64),
        np.full(LATEST + 1, -1, np.int64),
        np.zeros(events, np.int64),
        np.zeros(events, np.int64),
        np.zeros(3, np.int64),
        np.zeros(words, np.uint64),
    )


@inlined
def post(room: Scratch, time: int, event: int) -> None:
    """Note that something may happen at a time."""
    at = min(time, LATEST)
    number = room.used[0]
    room.used[0] = number + 1
    room.used[1] = max(room.used[1], at)
    room.event[number] = event
    room.after[number] = room.head[at]
    room.head[at] = number


@inlined
def attempt(ops: Operators, relaxed: Relaxed, room: Scratch, words: Array, operator: int, now: int) -> None:
    """If all that an operator needs has been met, say when it may fire."""
    source, target, cost = ops.source[operator], ops.target[operator], ops.cost[operator]
    ready = now
    for need in range(relaxed.need_first[operator], relaxed.need_first[operator + 1]):
        if (words[relaxed.need_word[need]] & relaxed.need_mask[need]) != 0:
            if not room.met[need]:
                return
            ready = max(ready, room.arrival[need])
    if not room.enabled[operator]:
        room.enabled[operator] = True
        if room.reached[target] < ENDLESS:
            post(room, now + cost, room.reached.size + operator)
    in_time = ready + cost + relaxed.back[target] <= room.used[2]
    if target != source and room.reached[target] == ENDLESS and in_time:
        post(room, ready + cost, target)


@inlined
def light(ops: Operators, relaxed: Relaxed, room: Scratch, words: Array, operator: int, now: int) -> None:
    """An operator has fired: what it clears may be what others need."""
    room.lit[operator] = True
    useful = False
    for change in range(ops.change_first[operator], ops.change_first[operator + 1]):
        word, clear = ops.change_word[change], ops.change_clear[change]
        room.left[word] &= ~clear
        if (words[word] & clear) != 0:
            useful = True
    if not useful:
        return
    for meeting in range(relaxed.meet_first[operator], relaxed.meet_first[operator + 1]):
        need = relaxed.meet_need[meeting]
        if (words[relaxed.need_word[need]] & relaxed.need_mask[need]) == 0:
            continue
        arrival = min(now + relaxed.meet_way[meeting], ENDLESS)
        if room.met[need] and arrival >= room.arrival[need]:
            continue
        room.met[need] = True
        room.arrival[need] = min(room.arrival[need], arrival)
        waiting = relaxed.need_option[need]
        if room.reached[ops.source[waiting]] < ENDLESS:
            attempt(ops, relaxed, room, words, waiting, now)


@inlined
def finished(room: Scratch, goal: Goal, arrived: bool) -> bool:
    """Has everything happened that the goal asks for?"""
    if goal.asks_at and not arrived:
        return False
    for word in range(room.left.size):  # noqa: SIM110 - the compiler knows no generators
        if room.left[word] != 0:
            return False
    return True


@tight
def bound(
    ops: Operators, relaxed: Relaxed, room: Scratch, goal: Goal, words: Array, node: int, inputs: int,
    budget: int, whole: bool,
) -> int:  # fmt: skip
    """No plan from this state costs less than this; ENDLESS if there is none within the budget.

    With `whole` it goes on after that, until it is known what can be reached within the budget.
    """
    room.reached[:] = ENDLESS
    room.met[:] = False
    room.arrival[:] = ENDLESS
    room.enabled[:] = False
    room.lit[:] = False
    room.used[:] = 0
    room.used[2] = budget
    for word in range(words.size):
        room.left[word] = words[word] & goal.zero[word]
    post(room, 0, node)
    arrived = False
    answer = ENDLESS
    time = 0
    while time <= room.used[1] and (whole or answer == ENDLESS):
        number = room.head[time]
        if number < 0:
            time += 1
            continue
        room.head[time] = room.after[number]
        event = room.event[number]
        if event >= room.reached.size:
            if not room.lit[event - room.reached.size]:
                light(ops, relaxed, room, words, event - room.reached.size, time)
        elif room.reached[event] == ENDLESS:
            arrived = arrived or goal.at[event]
            arrive(ops, relaxed, room, words, event, inputs, time)
        if answer == ENDLESS and finished(room, goal, arrived):
            answer = time
    for at in range(room.used[1] + 1):
        room.head[at] = -1
    return answer


@inlined
def arrive(
    ops: Operators, relaxed: Relaxed, room: Scratch, words: Array, node: int, inputs: int, time: int
) -> None:
    """The agent is on a cell for the first time."""
    room.reached[node] = time
    for entry in range(relaxed.into_first[node], relaxed.into_first[node + 1]):
        operator = relaxed.into[entry]
        if room.enabled[operator] and not room.lit[operator]:
            light(ops, relaxed, room, words, operator, time)
    for operator in range(ops.first[node * inputs], ops.first[(node + 1) * inputs]):
        if ops.kind[operator] != 0:
            attempt(ops, relaxed, room, words, operator, time)


@tight
def ask(ops: Operators, relaxed: Relaxed, room: Scratch, inputs: int) -> None:
    """After a whole evaluation: note the bits that operators which fire in time may ask for."""
    room.asked[:] = np.uint64(0)
    for operator in range(ops.source.size):
        source = ops.source[operator]
        if room.reached[source] + ops.cost[operator] + relaxed.back[ops.target[operator]] > room.used[2]:
            continue
        # Those tried before it for the same input decide as well whether it fires.
        first = ops.first[source * inputs + ops.action[operator]]
        for asks in range(ops.ask_first[first], ops.ask_first[operator + 1]):
            room.asked[ops.ask_word[asks]] |= ops.ask_mask[asks]


def relaxed(ops: Operators, inputs: int, at: Array) -> Relaxed:
    """What waits for what, read off the operators; `at` says which agent cells the goal allows."""
    operators = ops.source.size
    cells = (ops.first.size - 1) // inputs
    into = by_target(ops, cells)
    into_first = np.cumsum([0, *map(len, into)])
    flat = np.array([operator for entries in into for operator in entries], np.int64)
    clearing: dict[tuple[int, int], list[int]] = {}  # (word, bit) -> the operators that clear it
    for operator in range(operators):
        for word, clear in changes(ops, operator):
            for bit in bits(clear):
                clearing.setdefault((word, bit), []).append(operator)
    need_first: list[int] = [0]
    needs: list[tuple[int, int, int]] = []
    meetings: list[list[tuple[int, int]]] = [[] for _ in range(operators)]
    ways: dict[tuple[int, int], Array] = {}
    for operator in range(operators):
        source, target = int(ops.source[operator]), int(ops.target[operator])
        for ask in range(ops.ask_first[operator], ops.ask_first[operator + 1]) if ops.kind[operator] else ():
            if ops.ask_wanted[ask]:
                continue
            if (source, target) not in ways:
                ways[source, target] = ways_to(ops, into_first, flat, np.array([source]), target)
            word, mask = int(ops.ask_word[ask]), int(ops.ask_mask[ask])
            for other in {o for bit in bits(mask) for o in clearing.get((word, bit), ())}:
                way = int(ways[source, target][ops.target[other]])
                if way < ENDLESS or ops.kind[operator] == 2:
                    meetings[other].append((len(needs), way))
            needs.append((word, mask, operator))
        need_first.append(len(needs))
    met = [meeting for entries in meetings for meeting in entries]
    return Relaxed(
        np.array(need_first, np.int64),
        np.array([word for word, _, _ in needs], np.int64),
        np.array([mask for _, mask, _ in needs], np.uint64),
        np.array([operator for _, _, operator in needs], np.int64),
        np.cumsum([0, *map(len, meetings)]),
        np.array([need for need, _ in met], np.int64),
        np.array([way for _, way in met], np.int64),
        into_first,
        flat,
        ways_to(ops, into_first, flat, np.flatnonzero(at), -1),
    )


def by_target(ops: Operators, cells: int) -> list[list[int]]:
    """The operators that lead to each agent cell, apart from those that do nothing."""
    into: list[list[int]] = [[] for _ in range(cells)]
    for operator, target in enumerate(ops.target.tolist()):
        if ops.kind[operator]:
            into[target].append(operator)
    return into


def changes(ops: Operators, operator: int) -> Iterator[tuple[int, int]]:
    """(word, the bits that the operator clears in it)."""
    for change in range(ops.change_first[operator], ops.change_first[operator + 1]):
        yield int(ops.change_word[change]), int(ops.change_clear[change])


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


@compiled
def ways_to(ops: Operators, into_first: Array, into: Array, goals: Array, avoid: int) -> Array:
    """What it costs at least to get from each agent cell to one of `goals` without entering `avoid`."""
    ways = np.full(into_first.size - 1, ENDLESS)
    queued = np.zeros(into_first.size - 1, np.bool_)
    queue = [goals[0] for _ in range(0)]
    for goal in goals:
        queue.append(goal)
        ways[goal] = 0
    while len(queue) > 0:
        cell = queue.pop(0)
        queued[cell] = False
        for entry in range(into_first[cell], into_first[cell + 1]):
            operator = into[entry]
            before, cost = ops.source[operator], ways[cell] + ops.cost[operator]
            if cost < ways[before] and (before != avoid or goals[0] == avoid):
                ways[before] = cost
                if not queued[before]:
                    queued[before] = True
                    queue.append(before)
    return ways
