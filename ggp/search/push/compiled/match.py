"""The minimum matching bound: each piece is brought somewhere alone, and places are shared out.

For a goal that wants every piece of some kinds on certain ground. What it costs to bring one piece from one
place to another is worked out as if all other pieces made way, with the agent where it is: a pattern database
(Culberson and Schaeffer, 1998) whose pattern is one piece and the agent. Then the pieces are matched with
places so that the sum is least (Junghanns and Schaeffer, 2001). Every move is counted for the piece that it
moves, so the sum is no more than the true cost, as of disjoint patterns (Korf and Felner, 2002); counted in
turns it is divided by the most pieces that one turn moves. A piece that can get to no place is on a dead
square.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.search.push.tables import ENDLESS, Array, Operators
from ggp.transition.native.compiling import compiled, tight

FAR = 30_000  # stands for "cannot": more than any sum of moves of one piece that is told apart


class Match(NamedTuple):
    """The pieces of one goal term, the places they may go to, and what it costs."""

    spot: Array  # the number of each bit among the spots of these pieces, -1 for others
    mask: Array  # the bits of these pieces
    way: Array  # (places, spots, agent cells): moves of the piece that are counted
    share: int  # so many of these pieces are moved by one turn at most
    lost: Array  # (spots, agent cells, words): the pieces with which one is lost; no rows: not known
    pieces: Array  # room for one matching: the spots of the pieces,
    room: Array  # (5, places + 1) numbers,
    used: Array  # (places + 1) and marks


class Hops(NamedTuple):
    """How operators move the pieces: those of operator o are first[o] up to first[o + 1]."""

    first: Array
    source: Array  # spots
    target: Array
    word: Array  # of each spot, its word and bit
    bit: Array


@tight
def follow(ops: Operators, hops: Hops, cells: int, edges: Array, degree: Array, fill: bool) -> int:
    """List what may follow each (spot, agent cell) if only this piece is in the way; returns how many.

    An edge is (from, to, cost). `degree` counts the edges into each.
    """
    number = 0
    for spot in range(hops.word.size):
        word, bit = hops.word[spot], hops.bit[spot]
        for operator in range(ops.source.size):
            if ops.kind[operator] == 0:
                continue
            possible = True
            for ask in range(ops.ask_first[operator], ops.ask_first[operator + 1]):
                its_own = ops.ask_word[ask] == word and (ops.ask_mask[ask] & bit) != 0
                if its_own and not ops.ask_wanted[ask]:
                    possible = False
                    break
            if not possible:
                continue
            after, cost = spot, 0
            for hop in range(hops.first[operator], hops.first[operator + 1]):
                if hops.source[hop] == spot:
                    after, cost = hops.target[hop], 1
            if fill:
                edges[number, 0] = spot * cells + ops.source[operator]
                edges[number, 1] = after * cells + ops.target[operator]
                edges[number, 2] = cost
                degree[edges[number, 1] + 1] += 1
            number += 1
    return number


@compiled
def ways(first: Array, before: Array, cost: Array, starts: Array, size: int) -> Array:
    """The least cost from everywhere to one of `starts`; costs are 0 or 1, so breadth first in two layers."""
    way = np.full(size, FAR, np.int16)
    now = np.zeros(2 * size + 2, np.int64)  # each state waits here at most twice, for it gets cheaper once
    later = np.zeros(2 * size + 2, np.int64)
    count, time = 0, 0
    for start in starts:
        way[start] = 0
        now[count] = start
        count += 1
    while count > 0:
        waiting = 0
        while count > 0:
            count -= 1
            state = now[count]
            if way[state] != time:
                continue
            for edge in range(first[state], first[state + 1]):
                other = before[edge]
                if time + cost[edge] >= way[other]:
                    continue
                way[other] = time + cost[edge]
                if cost[edge] == 0:
                    now[count] = other
                    count += 1
                else:
                    later[waiting] = other
                    waiting += 1
        now, later = later, now
        count = waiting
        time += 1
    return way


@compiled
def arrange(edges: Array, degree: Array, before: Array, cost: Array) -> None:
    """Sort edges by where they lead; `degree` becomes the first edge into each."""
    for state in range(1, degree.size):
        degree[state] += degree[state - 1]
    place = degree.copy()
    for edge in range(edges.shape[0]):
        at = place[edges[edge, 1]]
        place[edges[edge, 1]] += 1
        before[at] = edges[edge, 0]
        cost[at] = edges[edge, 2]


def pattern_database(ops: Operators, hops: Hops, cells: int, places: list[list[int]]) -> Array:
    """For each place (a list of spots), spot and agent cell: what bringing the piece there costs."""
    spots = hops.word.size
    degree = np.zeros(spots * cells + 1, np.int64)
    nothing = np.zeros((0, 3), np.int64)
    number = follow(ops, hops, cells, nothing, degree, False)
    edges = np.zeros((number, 3), np.int64)
    follow(ops, hops, cells, edges, degree, True)
    before, cost = np.zeros(number, np.int64), np.zeros(number, np.int64)
    arrange(edges, degree, before, cost)
    way = np.full((len(places), spots, cells), FAR, np.int16)
    for place, ends in enumerate(places):
        starts = np.array([spot * cells + cell for spot in ends for cell in range(cells)], np.int64)
        way[place] = ways(degree, before, cost, starts, spots * cells).reshape(spots, cells)
    return way


@tight
def cheapest(match: Match, words: Array, node: int) -> int:
    """The least sum of a matching of pieces with places; ENDLESS if there is none."""
    places = match.way.shape[0]
    count = 0
    for word in range(words.size):
        left = words[word] & match.mask[word]
        bit = 0
        while left != 0:
            if left & np.uint64(1):
                if count == places:
                    return ENDLESS
                match.pieces[count] = match.spot[word * 64 + bit]
                count += 1
            left = left >> np.uint64(1)
            bit += 1
    total = assign(match, count, node)
    return ENDLESS if total >= FAR else (total + match.share - 1) // match.share


@tight
def lost_together(match: Match, before: Array, words: Array, node: int) -> bool:
    """Is a piece that has just been moved lost with another one? `before` is what was there until then."""
    if match.lost.shape[0] == 0:
        return False
    for word in range(words.size):
        new = words[word] & ~before[word] & match.mask[word]
        bit = 0
        while new != 0:
            if new & np.uint64(1):
                spot = match.spot[word * 64 + bit]
                for other in range(words.size):
                    if (match.lost[spot, node, other] & words[other]) != 0:
                        return True
            new = new >> np.uint64(1)
            bit += 1
    return False


@tight
def assign(match: Match, count: int, node: int) -> int:
    """The least sum of a matching, by shortest augmenting paths (Kuhn, 1955; Munkres, 1957)."""
    way, pieces, used = match.way, match.pieces, match.used
    places = way.shape[0]
    row, column, owner, back, slack = (
        match.room[0], match.room[1], match.room[2], match.room[3], match.room[4],
    )  # fmt: skip
    match.room[:] = 0
    for piece in range(1, count + 1):
        owner[0] = piece
        at = 0
        slack[:] = ENDLESS
        used[:] = False
        while True:
            used[at] = True
            mine, least, following = owner[at], ENDLESS, -1
            for place in range(1, places + 1):
                if used[place]:
                    continue
                reduced = way[place - 1, pieces[mine - 1], node] - row[mine] - column[place]
                if reduced < slack[place]:
                    slack[place] = reduced
                    back[place] = at
                if slack[place] < least:
                    least, following = slack[place], place
            for place in range(places + 1):
                if used[place]:
                    row[owner[place]] += least
                    column[place] -= least
                else:
                    slack[place] -= least
            at = following
            if owner[at] == 0:
                break
        while at != 0:
            owner[at] = owner[back[at]]
            at = back[at]
    total = 0
    for place in range(1, places + 1):
        if owner[place] != 0:
            total += way[place - 1, pieces[owner[place] - 1], node]
    return total


def with_own_room(match: Match) -> Match:
    """The same tables with room for matchings of its own: that is written to while one is worked out."""
    return match_for(*match[:5])


def match_for(spot: Array, mask: Array, way: Array, share: int, lost: Array) -> Match:
    """The tables, with room for one matching."""
    places = way.shape[0]
    return Match(
        spot,
        mask,
        way,
        share,
        lost,
        np.zeros(places + 1, np.int64),
        np.zeros((5, places + 1), np.int64),
        np.zeros(places + 1, np.bool_),
    )
