"""The loops of the search for designs: depth first along one run, a cell decided only when the run reads it.

What was found out stays known: that from a state no run wins, with so many placements to spare, at that
turn or later. It holds wherever the same was decided of the cells at which a run can still look from there,
which are few where the mover never goes back along some axis (falls, say).

The same text runs as it stands (tables are lists) and compiled (they are arrays, see `native_loops`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ggp.search.walking.world import CLEAR, Tables

STATE, TURN, DEPTH, USED, LIMIT, LEAVES, SHORT, BACK, NOTES, WORDS = range(10)
"""Of `counts`: the run's state and turn; how many cells are decided; how many pieces are placed, and may be;
how many winning runs were found; 1 where a piece more might have changed a run; 1 if the run is at its end;
how many failures are noted, and the cells written down for them."""

MORE, LEAF, DONE = range(3)
BREAKS, ASKS = -1, -2  # instead of a state; ASKS - place
MANY = 1 << 40  # placements: more than can be


class Digging(NamedTuple):
    """What changes during a search: lists, or arrays, of whole numbers."""

    counts: Any
    decided: Any  # of each place: the choice; -1: not decided yet; 0 where nothing can be placed
    visited: Any  # of each state: 1 if the run came through it
    path: Any  # of each turn: the state
    # Of each decision, in order: the place, the run's state and turn, and `LEAVES` and `SHORT` before it.
    places: Any
    states: Any
    turns: Any
    leaves: Any
    short: Any
    # What failed, chained from `heads` by hash: the state, what was to spare, the turn, the cells decided.
    heads: Any
    after: Any
    failed: Any
    spare: Any
    since: Any
    begins: Any
    words: Any  # place and choice, by turns


def dig(tables: Tables, at: Digging, steps: int) -> int:
    """Go on for so many steps: MORE; LEAF at a run that wins; DONE where there is no further one."""
    counts = at.counts
    while steps > 0:
        steps -= 1
        if counts[BACK]:
            counts[BACK] = 0
            if not back(tables, at):
                return DONE
        state, turn = counts[STATE], counts[TURN]
        if tables.left[state] > tables.horizon - turn:
            counts[BACK] = 1
        elif tables.ends[state] and (tables.stops or turn == tables.horizon):
            counts[LEAVES] += 1
            counts[BACK] = 1
            return LEAF
        elif not advance(tables, at, state, turn):
            counts[BACK] = 1
    return MORE


def advance(tables: Tables, at: Digging, state: int, turn: int) -> bool:
    """One turn of the run, or one decision; False if it cannot win any more."""
    counts = at.counts
    after = follow(tables, at, state, counts[USED] >= counts[LIMIT])
    if after <= ASKS:
        return decide(tables, at, ASKS - after)
    if after == BREAKS or turn >= tables.horizon:
        return False
    if not tables.ends[after]:
        if at.visited[after]:
            return False  # and so for ever
        at.visited[after] = 1
    counts[STATE], counts[TURN] = after, turn + 1
    at.path[turn + 1] = after
    return True


def follow(tables: Tables, at: Digging, state: int, spent: bool) -> int:
    """The state after a turn, or BREAKS, or ASKS - the place that has to be decided first."""
    size, possible = tables.size, tables.possible
    plane = state // size
    place = state - plane * size
    for rule in range(tables.rules[plane], tables.rules[plane + 1]):
        if possible[rule * size + place]:
            fires = True
            for ask in range(tables.asks[rule], tables.asks[rule + 1]):
                where, planes = place + tables.where[ask], tables.planes[ask]
                seen = 1 if tables.fixed[where] & planes else look(tables, at, where, planes, spent)
                if seen < 0:
                    return int(ASKS - where)
                if tables.wanted[ask] == CLEAR:
                    if seen:
                        return BREAKS
                elif seen != tables.wanted[ask]:
                    fires = False
                    break
            if fires:
                return int(state + tables.goes[rule])
    return state


def look(tables: Tables, at: Digging, place: int, planes: int, spent: bool) -> int:
    """Was something of these planes placed there? -1 if that is not decided; with all spent nothing is."""
    choice = at.decided[place]
    if choice >= 0:
        return 1 if tables.pieces[choice] & planes else 0
    if not planes & tables.placed:
        return 0
    if spent:
        at.counts[SHORT] = 1
        return 0
    return -1


def decide(tables: Tables, at: Digging, place: int) -> bool:
    """Place nothing there for now; False if that was found to fail whatever is placed."""
    counts = at.counts
    if hopeless(tables, at):
        return False
    depth = counts[DEPTH]
    at.places[depth], at.states[depth], at.turns[depth] = place, counts[STATE], counts[TURN]
    at.leaves[depth], at.short[depth] = counts[LEAVES], counts[SHORT]
    at.decided[place] = 0
    counts[DEPTH], counts[SHORT] = depth + 1, 0
    return True


def back(tables: Tables, at: Digging) -> bool:
    """Take the next choice of the last decision that has one; False if none has."""
    counts = at.counts
    while counts[DEPTH] > 0:
        depth = counts[DEPTH] - 1
        place, turn = at.places[depth], at.turns[depth]
        for later in range(turn + 1, counts[TURN] + 1):
            at.visited[at.path[later]] = 0
        counts[STATE], counts[TURN] = at.states[depth], turn
        choice = at.decided[place]
        used = counts[USED] - (1 if choice else 0)
        if choice + 1 < len(tables.pieces) and used < counts[LIMIT]:
            at.decided[place] = choice + 1
            counts[USED] = used + 1
            return True
        at.decided[place] = -1
        counts[USED], counts[DEPTH] = used, depth
        if counts[LEAVES] == at.leaves[depth]:
            note(tables, at, counts[LIMIT] - used if counts[SHORT] else MANY)
        counts[SHORT] |= at.short[depth]
    return False


# --- what failed


def oldest(tables: Tables, at: Digging) -> int:
    """The first decision about a cell at which a run may look again, or one before that."""
    counts = at.counts
    rank = tables.ranks[counts[STATE] % tables.size]
    depth = counts[DEPTH]
    while depth > 0 and tables.ranks[at.states[depth - 1] % tables.size] + tables.far >= rank + tables.near:
        depth -= 1
    return int(depth)


def matters(tables: Tables, at: Digging, place: int) -> bool:
    """Can the run look at this place again?"""
    return bool(tables.ranks[place] >= tables.ranks[at.counts[STATE] % tables.size] + tables.near)


def slot(tables: Tables, at: Digging, first: int) -> int:
    """Where failures in this state, with the same decided, are chained."""
    mixed = at.counts[STATE] * 31
    lowest = tables.ranks[at.counts[STATE] % tables.size] + tables.near
    for depth in range(first, at.counts[DEPTH]):
        place = at.places[depth]
        if tables.ranks[place] >= lowest:  # it `matters`
            mixed += (place + 1) * (7919 + 104729 * at.decided[place])
    return int(mixed % len(at.heads))


def hopeless(tables: Tables, at: Digging) -> bool:
    """Is it noted that no run wins from here?"""
    counts = at.counts
    first = oldest(tables, at)
    one = at.heads[slot(tables, at, first)]
    deciding = 0
    for depth in range(first, counts[DEPTH] if one >= 0 else first):
        if matters(tables, at, at.places[depth]):
            deciding += 1
    while one >= 0:
        enough = at.spare[one] >= counts[LIMIT] - counts[USED] and at.since[one] <= counts[TURN]
        if enough and at.failed[one] == counts[STATE] and alike(at, one, deciding):
            if at.spare[one] < MANY:
                counts[SHORT] = 1
            return True
        one = at.after[one]
    return False


def alike(at: Digging, one: int, deciding: int) -> bool:
    """Was just this decided where a failure was noted?"""
    word, end = at.begins[one], at.begins[one + 1]
    if end - word != 2 * deciding:
        return False
    while word < end and at.decided[at.words[word]] == at.words[word + 1]:
        word += 2
    return bool(word == end)


def note(tables: Tables, at: Digging, spare: int) -> None:
    """Note that no run wins from here with so many placements to spare. If there is no room, start anew."""
    counts = at.counts
    first = oldest(tables, at)
    if counts[NOTES] + 1 >= len(at.failed) or counts[WORDS] + 2 * (counts[DEPTH] - first) > len(at.words):
        for place in range(len(at.heads)):
            at.heads[place] = -1
        counts[NOTES] = counts[WORDS] = 0
        if 2 * (counts[DEPTH] - first) > len(at.words):
            return
    one, word = counts[NOTES], counts[WORDS]
    place = slot(tables, at, first)
    at.after[one], at.heads[place] = at.heads[place], one
    at.failed[one], at.spare[one], at.since[one] = counts[STATE], spare, counts[TURN]
    at.begins[one] = word
    for depth in range(first, counts[DEPTH]):
        if matters(tables, at, at.places[depth]):
            at.words[word], at.words[word + 1] = at.places[depth], at.decided[at.places[depth]]
            word += 2
    at.begins[one + 1] = word
    counts[NOTES], counts[WORDS] = one + 1, word
