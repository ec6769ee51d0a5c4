"""Best-first search over pushes, compiled: a state is the agent's cell and the bits of all that can move.

Between two pushes the agent walks. Where steps cost nothing and walking back is always possible, all cells it
can walk to are one state, named by the lowest (as Sokoban solvers do: Junghanns and Schaeffer, 2001); else a
state is where the last push left it, and the way to the next one is added to its cost. States are kept in a
transposition table, and taken from an open list, a bucket for each weighted sum of cost and bound. With equal
weights that is A* (Hart, Nilsson and Raphael, 1968): the bounds are admissible, and a closed state that is
met again at less cost is opened again, as bounds need not be consistent.

A bound is worked out late: a new state starts with its parent's, less what the push cost (pathmax: Mero,
1984), or with the way to the goal where nothing is in the way, and gets its own when it is first taken.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.search.push.compiled.corrals import NONE, SET, Pens, narrowed
from ggp.search.push.compiled.match import Match, cheapest, lost_together
from ggp.search.push.compiled.relaxed import Relaxed, Scratch, ask, bound
from ggp.search.push.compiled.views import Views, seen_alike
from ggp.search.push.compiled.walk import all_hold, any_holds, fires
from ggp.search.push.tables import ENDLESS, Array, Goal, Operators
from ggp.transition.native.compiling import inlined, tight

NEW, KNOWN, CLOSED, DEAD = 0, 1, 2, 3  # what is known of a state: nothing, its bound, its successors, the end
BUSY, FOUND, EMPTY, FULL, FAR, CROWDED = 0, 1, 2, 3, 4, 5  # how a stretch of search ended
LEVELS = 1 << 16  # priorities
WALKED = -2  # instead of an operator: the agent just walked to the goal
# In `counts`:
STATES, ENTRIES, FREE, LEVEL, EXPANDED, WINNER, WHERE, LIMIT, BEYOND, ASKED, HELPED = range(11)
TRIED = 1_000  # so often the relaxed rules are asked before it is looked how often they helped,
HELPING = 4  # which should be one time in so many
SELDOM = 8  # else they are asked of one state in so many


class SearchSpace(NamedTuple):
    """Every state that was met (the transposition table), and the entries that wait (the open list)."""

    words: Array  # (states, words)
    node: Array
    cost: Array
    least: Array  # the bound of what is still to come
    parent: Array
    operator: Array  # by which it was reached
    stage: Array
    table: Array  # of state numbers, by hash
    entry_state: Array
    entry_cost: Array
    entry_next: Array
    head: Array  # the entries of each priority
    counts: Array


class Room(NamedTuple):
    """Room for walking: two sets, as a walk is looked at while another one goes on."""

    queue: Array  # (2, cells)
    way: Array  # (2, cells)
    seen: Array  # (2, cells): the number of the walk that last came here
    walk: Array  # (2,) numbers of walks
    words: Array


class Settings(NamedTuple):
    """What is searched, and how."""

    inputs: int
    step_cost: int
    regions: bool  # are all cells that can be walked to one state?
    weigh_cost: int
    weigh_bound: int
    relaxed: bool  # are these bounds of use?
    matched: bool
    dead: Array  # bits of pieces on dead squares
    viewed: bool  # is it of use to compare views?


@inlined
def stepped(ops: Operators, words: Array, node: int, action: int, inputs: int) -> int:
    """Where an input leads if it is a step; -1 if it is none."""
    if ops.step_target.size > 0:
        at = node * inputs + action
        if ops.step_target[at] < 0 or (words[ops.step_word[at]] & ops.step_mask[at]) != 0:
            return -1
        return int(ops.step_target[at])
    operator = fires(ops, words, node, action, inputs)
    return int(ops.target[operator]) if operator >= 0 and ops.kind[operator] == 1 else -1


@tight
def walk(ops: Operators, goal: Goal, words: Array, start: int, inputs: int, room: Room, which: int) -> int:
    """Visit all cells that can be walked to, nearest first; returns how many there are."""
    room.walk[which] += 1
    mark = room.walk[which]
    queue, way, seen = room.queue[which], room.way[which], room.seen[which]
    queue[0], way[start], seen[start] = start, 0, mark
    count, at = 1, 0
    while at < count:
        node = queue[at]
        at += 1
        for action in range(inputs):
            target = stepped(ops, words, node, action, inputs)
            if target < 0:
                continue
            if seen[target] != mark and not goal.off[target]:
                seen[target] = mark
                way[target] = way[node] + 1
                queue[count] = target
                count += 1
    return count


@inlined
def copy(words: Array, to: Array) -> None:
    """Copy a row of words (slices would go through a new array)."""
    for word in range(words.size):
        to[word] = words[word]


@tight
def slot(space: SearchSpace, words: Array, node: int) -> int:
    """Where in the table a state stands, or is to be put."""
    mix = np.uint64(node + 1) * np.uint64(0x9E3779B97F4A7C15)
    for word in range(words.size):
        mix = (mix ^ words[word]) * np.uint64(0xBF58476D1CE4E5B9)
        mix = mix ^ (mix >> np.uint64(29))
    mix = mix * np.uint64(0x94D049BB133111EB)
    mask = np.uint64(space.table.size - 1)
    at = (mix ^ (mix >> np.uint64(32))) & mask
    while True:
        state = space.table[at]
        if state < 0:
            return int(at)
        if space.node[state] == node:
            same = True
            for word in range(words.size):
                if space.words[state, word] != words[word]:
                    same = False
                    break
            if same:
                return int(at)
        at = (at + np.uint64(1)) & mask


@tight
def rehash(space: SearchSpace) -> None:
    """Fill an empty table with all states."""
    for state in range(space.counts[STATES]):
        space.table[slot(space, space.words[state], space.node[state])] = state


@inlined
def wait(space: SearchSpace, settings: Settings, state: int) -> None:
    """Put a state among those to be taken."""
    counts = space.counts
    if counts[FREE] >= 0:
        entry = counts[FREE]
        counts[FREE] = space.entry_next[entry]
    else:
        entry = counts[ENTRIES]
        counts[ENTRIES] += 1
    level = settings.weigh_cost * space.cost[state] + settings.weigh_bound * space.least[state]
    level = min(level, LEVELS - 1)
    space.entry_state[entry] = state
    space.entry_cost[entry] = space.cost[state]
    space.entry_next[entry] = space.head[level]
    space.head[level] = entry
    counts[LEVEL] = min(counts[LEVEL], level)


@tight
def meet(
    space: SearchSpace,
    settings: Settings,
    words: Array,
    node: int,
    cost: int,
    least: int,
    parent: int,
    operator: int,
) -> None:
    """A state was reached: keep it if it is new, or cheaper than before."""
    at = slot(space, words, node)
    state = space.table[at]
    if state < 0:
        state = space.counts[STATES]
        space.counts[STATES] += 1
        space.table[at] = state
        copy(words, space.words[state])
        space.node[state] = node
        space.stage[state] = NEW
        space.least[state] = least
    elif cost >= space.cost[state] or space.stage[state] == DEAD:
        return
    elif space.stage[state] == CLOSED:
        space.stage[state] = KNOWN
    space.cost[state] = cost
    space.parent[state] = parent
    space.operator[state] = operator
    wait(space, settings, state)


@inlined
def take(space: SearchSpace) -> int:
    """The next state in the order of priority, -1 if none waits."""
    counts = space.counts
    while counts[LEVEL] < LEVELS:
        entry = space.head[counts[LEVEL]]
        if entry < 0:
            counts[LEVEL] += 1
            continue
        space.head[counts[LEVEL]] = space.entry_next[entry]
        space.entry_next[entry] = counts[FREE]
        counts[FREE] = entry
        state = space.entry_state[entry]
        if space.stage[state] < CLOSED and space.entry_cost[entry] == space.cost[state]:
            return int(state)
    return -1


@tight
def estimate(
    space: SearchSpace, ops: Operators, goal: Goal, relaxed: Relaxed, scratch: Scratch, match: Match,
    settings: Settings, state: int,
) -> int:  # fmt: skip
    """The best of the bounds: the highest of admissible ones is admissible.

    That of the relaxed rules takes longer than all else that is done for a state. Where pieces are matched
    and it seldom says more than that, it is asked of one state in some.
    """
    words, node = space.words[state], space.node[state]
    least = 0
    if settings.matched:
        least = cheapest(match, words, node)
    counts = space.counts
    worth = HELPING * counts[HELPED] >= counts[ASKED] or counts[ASKED] < TRIED
    if settings.relaxed and least < ENDLESS and (worth or not settings.matched or state % SELDOM == 0):
        other = bound(ops, relaxed, scratch, goal, words, node, settings.inputs, ENDLESS, False)
        counts[ASKED] += 1
        if other > least:
            counts[HELPED] += 1
            least = other
    return int(least)


@inlined
def apply(ops: Operators, words: Array, operator: int, after: Array) -> bool:
    """Write the words after an operator; does it change any?"""
    copy(words, after)
    changed = False
    for change in range(ops.change_first[operator], ops.change_first[operator + 1]):
        word = ops.change_word[change]
        after[word] = (words[word] & ~ops.change_clear[change]) | ops.change_set[change]
        changed = changed or after[word] != words[word]
    return changed


@tight
def expand(
    space: SearchSpace, ops: Operators, goal: Goal, back: Array, match: Match, pens: Pens,
    settings: Settings, room: Room, state: int,
) -> bool:  # fmt: skip
    """Meet all states that a walk and a push lead to; True if the state itself is a win.

    Where a pen is found only its pushes are looked at.
    """
    words, node = space.words[state], space.node[state]
    won = all_hold(goal.win, words)
    if won and (goal.at[node] or not goal.asks_at):
        space.counts[WHERE] = node
        return True
    inputs = settings.inputs
    count = walk(ops, goal, words, node, inputs, room, 0)
    cost = space.cost[state]
    penned = False
    if settings.regions and pens.bars.shape[0] > 0:
        last = space.operator[state]
        seen, mark = room.seen[0], room.walk[0]
        found = narrowed(
            ops, goal, match, pens, settings.dead, words, room.queue[0], count, seen, mark, inputs, last
        )
        penned = found != NONE
    for at in range(count):
        here = room.queue[0, at]
        walked = settings.step_cost * room.way[0, here]
        if won and goal.at[here]:
            if walked == 0:
                space.counts[WHERE] = here
                return True
            meet(space, settings, words, here, cost + walked, 0, state, WALKED)
            continue
        for action in range(inputs):
            operator = fires(ops, words, here, action, inputs)
            if operator < 0 or ops.kind[operator] != 2:
                continue
            if penned and pens.chosen[operator] != pens.marks[SET]:
                continue
            target = ops.target[operator]
            if not apply(ops, words, operator, room.words) and target == here:
                continue
            if goal.off[target] or any_holds(goal.lose, room.words) or on_dead_square(settings, room.words):
                continue
            if back[target] >= ENDLESS or lost_together(match, words, room.words, target):
                continue
            if settings.regions:
                target = lowest(room, walk(ops, goal, room.words, target, inputs, room, 1))
            paid = walked + ops.cost[operator]
            least = max(space.least[state] - paid, back[target])
            meet(space, settings, room.words, target, cost + paid, least, state, operator)
    return False


@inlined
def on_dead_square(settings: Settings, words: Array) -> bool:
    """Does a piece stand on a dead square? Then no plan from here wins."""
    for word in range(words.size):  # noqa: SIM110 - the compiler knows no generators
        if (words[word] & settings.dead[word]) != 0:
            return True
    return False


@inlined
def lowest(room: Room, count: int) -> int:
    """The lowest of the cells of a walk."""
    least = room.queue[1, 0]
    for at in range(1, count):
        least = min(least, room.queue[1, at])
    return int(least)


@tight
def search(
    space: SearchSpace, ops: Operators, goal: Goal, relaxed: Relaxed, scratch: Scratch, match: Match,
    pens: Pens, settings: Settings, room: Room, views: Views, stretch: int,
) -> int:  # fmt: skip
    """Search on, until there is an answer, no room, or `stretch` states have been taken."""
    counts = space.counts
    most = ops.first.size  # states that one expansion can meet
    for _ in range(stretch):
        if counts[STATES] + most > space.node.size or counts[ENTRIES] + most > space.entry_state.size:
            return FULL
        if 2 * views.number[0] >= views.table.size:
            return CROWDED
        state = take(space)
        if state < 0:
            return EMPTY
        if counts[LEVEL] >= LEVELS - 1 and settings.weigh_cost == 1:
            return FAR
        cost, words, node = space.cost[state], space.words[state], space.node[state]
        if space.stage[state] == NEW and settings.weigh_bound > 0:
            space.stage[state] = KNOWN
            budget = counts[LIMIT] - cost
            least = ENDLESS
            if settings.viewed:
                least = bound(ops, relaxed, scratch, goal, words, node, settings.inputs, budget, True)
            if least >= ENDLESS:
                least = estimate(space, ops, goal, relaxed, scratch, match, settings, state)
                if least >= ENDLESS:
                    space.stage[state] = DEAD
                    continue
            else:
                ask(ops, relaxed, scratch, settings.inputs)
                if seen_alike(views, scratch.asked, words, node, cost):
                    space.stage[state] = CLOSED
                    continue
            if least > space.least[state]:
                space.least[state] = least
                wait(space, settings, state)
                continue
        if cost + space.least[state] > counts[LIMIT]:
            counts[BEYOND] = min(counts[BEYOND], cost + space.least[state])
            continue
        space.stage[state] = CLOSED
        counts[EXPANDED] += 1
        if expand(space, ops, goal, relaxed.back, match, pens, settings, room, state):
            counts[WINNER] = state
            return FOUND
    return BUSY
