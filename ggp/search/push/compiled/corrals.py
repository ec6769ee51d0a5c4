"""Which pushes have to be looked at: where some pieces bar the way to a place, one of them has to go first.

A *pen* is a set of pieces such that no plan wins without moving one of them, and such that whichever of them
a plan moves first can as well be moved at once. Then pushes of these pieces are all that is looked at, and
where there are none the state is lost. These are the PI-corrals of Sokoban solvers (Damgaard), said by
operators as strong stubborn sets are (Valmari, 1989), so that frozen pieces are a case of it.

With the pieces of the pen where they are and all others away, the agent gets to the *zone* at most. For each
push of a piece of the pen one of these must hold, as long as none of the pen has moved:

- it cannot be made: a piece of the pen is in the way, the agent does not come to its cell, or what comes of
  it is lost;
- it can be made at once, puts the piece where nothing in the zone asks for room, and the agent can step after
  it, for nothing but the piece can have been in the way. So it may be made before the others as well: they
  are made as before, and the agent ends where he would have ended.

A push that another piece bars becomes possible when that has gone: then it belongs to the pen, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.search.push.compiled.match import Match
from ggp.search.push.tables import Array, Goal, Operators
from ggp.transition.native.compiling import inlined, tight

NONE = -1  # no pen was found: all pushes are looked at
ZONE, KNOWN, SET = 0, 1, 2  # numbers of the last zone, the last places looked at, the last set of pushes


class Pens(NamedTuple):
    """What finding pens takes, and room for it; no rows where the rules are not of this form."""

    bars: Array  # (operators, words): the bits that must be clear
    take_word: Array  # of each operator the word and the bit of the piece that it moves,
    take_bit: Array
    put_word: Array  # and where it puts it
    put_bit: Array
    put_spot: Array  # the same as in Match; -1: not of the pieces that are matched
    put_cell: Array
    follows: Array  # does a step go after the piece, for which nothing else can be in the way?
    clear_word: Array  # what must be clear for that
    clear_mask: Array
    cell_word: Array  # the bits of each agent cell
    cell_mask: Array
    by_first: Array  # the operators that move bit n are by_operator[by_first[n]] up to the next
    by_operator: Array
    pen: Array  # (words,) room
    used: Array
    zone: Array  # (cells,) marks
    known: Array
    queue: Array
    chosen: Array  # (operators,) marks
    marks: Array


@inlined
def common(row: Array, words: Array) -> bool:
    """Do they have a bit in common?"""
    for word in range(words.size):  # noqa: SIM110 - the compiler knows no generators
        if (row[word] & words[word]) != 0:
            return True
    return False


@tight
def spread(ops: Operators, pens: Pens, reached: Array, count: int, inputs: int) -> None:
    """Mark the zone around where the agent gets to, and note what something in it asks to be clear."""
    pens.marks[ZONE] += 1
    mark = pens.marks[ZONE]
    zone, queue, pen, used = pens.zone, pens.queue, pens.pen, pens.used
    used[:] = 0
    for at in range(count):
        queue[at], zone[reached[at]] = reached[at], mark
    at = 0
    while at < count:
        cell = queue[at]
        at += 1
        for operator in range(ops.first[cell * inputs], ops.first[(cell + 1) * inputs]):
            if ops.kind[operator] == 0 or common(pens.bars[operator], pen):
                continue
            if ops.kind[operator] == 2 and (pens.take_bit[operator] & pen[pens.take_word[operator]]) != 0:
                continue
            for word in range(used.size):
                used[word] |= pens.bars[operator, word]
            target = ops.target[operator]
            if zone[target] != mark:
                zone[target] = mark
                queue[count] = target
                count += 1


@inlined
def pointless(match: Match, pens: Pens, dead: Array, ops: Operators, operator: int) -> bool:
    """Is what comes of a push lost as long as the pen stands, or can it not be made?"""
    if common(pens.bars[operator], pens.pen) or (pens.put_bit[operator] & dead[pens.put_word[operator]]) != 0:
        return True
    if match.lost.shape[0] == 0 or pens.put_spot[operator] < 0:
        return False
    lost = match.lost[pens.put_spot[operator], ops.target[operator]]
    for word in range(lost.size):
        others = pens.pen[word]
        if word == pens.take_word[operator]:
            others = others & ~pens.take_bit[operator]  # the piece itself is gone from there
        if (lost[word] & others) != 0:
            return True
    return False


@tight
def grown(
    ops: Operators, match: Match, pens: Pens, dead: Array, words: Array, seen: Array, walk: int
) -> bool:  # fmt: skip
    """Let the pen grow by what bars its pushes from where the agent is; False if a push leads out of it.

    The zone tells more, and takes longer.
    """
    pen, grew = pens.pen, True
    while grew:
        grew = False
        for word in range(pen.size):
            left = pen[word]
            bit = 0
            while left != 0:
                if left & np.uint64(1):
                    for at in range(pens.by_first[word * 64 + bit], pens.by_first[word * 64 + bit + 1]):
                        operator = pens.by_operator[at]
                        if seen[ops.source[operator]] != walk:
                            continue
                        if pointless(match, pens, dead, ops, operator):
                            continue
                        cell = pens.put_cell[operator]
                        if common(pens.bars[operator], words):
                            join(pens, words, operator)
                            grew = True
                        elif not pens.follows[operator] or (cell >= 0 and seen[cell] == walk):
                            return False
                left = left >> np.uint64(1)
                bit += 1
    return True


@inlined
def join(pens: Pens, words: Array, operator: int) -> None:
    """Take what bars a push into the pen."""
    for word in range(words.size):
        pens.pen[word] |= pens.bars[operator, word] & words[word]


@tight
def judge(
    ops: Operators, match: Match, pens: Pens, dead: Array, words: Array, seen: Array, walk: int,
    operator: int,
) -> int:  # fmt: skip
    """Of a push of the pen: 0 it is not made first, 1 it may be made at once, 2 the pen grew, -1 neither."""
    if pens.zone[ops.source[operator]] != pens.marks[ZONE] or pointless(match, pens, dead, ops, operator):
        return 0
    if common(pens.bars[operator], words):
        join(pens, words, operator)
        return 2
    if seen[ops.source[operator]] != walk or not pens.follows[operator]:
        return NONE
    put = pens.put_word[operator]
    if (pens.used[put] & pens.put_bit[operator]) != 0:
        return NONE
    there = pens.clear_word[operator]
    others = words[there]
    if there == pens.take_word[operator]:
        others = others & ~pens.take_bit[operator]
    return NONE if (others & pens.clear_mask[operator]) != 0 else 1


@tight
def closed(
    ops: Operators, goal: Goal, match: Match, pens: Pens, dead: Array, words: Array, reached: Array,
    count: int, seen: Array, walk: int, inputs: int,
) -> int:  # fmt: skip
    """Let the pen grow until it is one: how many pushes it leaves, each marked; NONE if it is none."""
    while True:
        if not grown(ops, match, pens, dead, words, seen, walk) or not common(goal.zero, pens.pen):
            return NONE
        spread(ops, pens, reached, count, inputs)
        pens.marks[SET] += 1
        left, grew, failed = 0, False, False
        for word in range(words.size):
            bits = pens.pen[word]
            bit = 0
            while bits != 0:
                if bits & np.uint64(1):
                    for at in range(pens.by_first[word * 64 + bit], pens.by_first[word * 64 + bit + 1]):
                        operator = pens.by_operator[at]
                        told = judge(ops, match, pens, dead, words, seen, walk, operator)
                        failed = failed or told == NONE
                        grew = grew or told == 2
                        if told == 1:
                            left += 1
                            pens.chosen[operator] = pens.marks[SET]
                bits = bits >> np.uint64(1)
                bit += 1
        if not grew:  # else the zone is smaller than it was
            return NONE if failed else left


@tight
def fence(ops: Operators, pens: Pens, words: Array, start: int, seen: Array, walk: int, inputs: int) -> None:
    """Make a pen of the pieces beside a place that the agent does not come to."""
    mark = pens.marks[KNOWN]
    pens.pen[:] = 0
    pens.queue[0], pens.known[start] = start, mark
    at, count = 0, 1
    while at < count:
        cell = pens.queue[at]
        at += 1
        for action in range(inputs):
            target = ops.step_target[cell * inputs + action]
            if target < 0 or seen[target] == walk or pens.known[target] == mark:
                continue
            word = pens.cell_word[target]
            here = words[word] & pens.cell_mask[target]
            if here != 0:
                pens.pen[word] |= here
                continue
            pens.known[target] = mark
            pens.queue[count] = target
            count += 1


@tight
def narrowed(
    ops: Operators, goal: Goal, match: Match, pens: Pens, dead: Array, words: Array, reached: Array,
    count: int, seen: Array, walk: int, inputs: int, last: int,
) -> int:  # fmt: skip
    """How many pushes have to be looked at, each marked in `chosen`; NONE: all of them.

    `reached` and `seen` are where the agent gets to, `last` is the operator by which the state was reached.
    """
    if last >= 0:
        pens.pen[:] = 0
        pens.pen[pens.put_word[last]] = pens.put_bit[last]
        left = closed(ops, goal, match, pens, dead, words, reached, count, seen, walk, inputs)
        if left != NONE:
            return left
    pens.marks[KNOWN] += 1
    for cell in range(seen.size):
        if seen[cell] == walk or pens.known[cell] == pens.marks[KNOWN]:
            continue
        if (words[pens.cell_word[cell]] & pens.cell_mask[cell]) != 0:
            continue
        fence(ops, pens, words, cell, seen, walk, inputs)
        left = closed(ops, goal, match, pens, dead, words, reached, count, seen, walk, inputs)
        if left != NONE:
            return left
    return NONE
