"""The tables of the bound in `push.compiled.match`: which pieces must get where, and what that costs."""

from __future__ import annotations

import numpy as np

from ggp.model import Instance, Objective
from ggp.search.push.compiled.match import FAR, Hops, Match, all_ways, match_for
from ggp.search.push.shove_tables import Array, GoalReader, Layout, Moves
from ggp.search.push.shoves import SHOVE, Move, Shoves, counted

MOST_WAYS = 60_000_000  # entries of the table of distances of single pieces, at two bytes each


def matches(
    instance: Instance,
    shoves: Shoves,
    layout: Layout,
    table: Moves,
    reader: GoalReader,
    objective: Objective | None,
) -> Match | None:
    """The tables for matching pieces with places, for the goal term that they fit best; None without one."""
    counts = counted(instance, shoves.transition, objective)
    found = [
        one
        for planes, cells in reader.must_be_on
        if (one := match_of(planes, cells, shoves, layout, table, counts))
    ]
    return max(found, key=lambda match: int(np.count_nonzero(match.spot >= 0)), default=None)


def match_of(
    planes: set[int],
    cells: set[int],
    shoves: Shoves,
    layout: Layout,
    table: Moves,
    counts: tuple[frozenset[int], bool],
) -> Match | None:
    """The tables for the pieces of some planes that must get to some cells; None if they come and go."""
    by_kind, by_turns = counts
    spots = [spot for spot in shoves.open if spot[0] in planes]
    number = {spot: index for index, spot in enumerate(spots)}
    if not spots or planes & shoves.transition.exempt or not (by_turns or planes <= by_kind):
        return None
    first, hops, share = [0], [], 1
    for option in shoves.options:
        own = [move for move in option.moves if option.kind == SHOVE and touches(move, planes)]
        if not all(move.source in number and move.target in number for move in own):
            return None
        hops += [(number[move.source], number[move.target]) for move in own if move.source and move.target]
        first.append(len(hops))
        share = max(share, len(own))
    places = [[number[plane, cell] for plane in planes if (plane, cell) in number] for cell in sorted(cells)]
    places = [place for place in places if place]
    if len(places) * len(spots) * len(shoves.cells) > MOST_WAYS:
        return None
    where = [layout.place[spot] for spot in spots]
    lists = Hops(
        np.array(first, np.int64),
        np.array([source for source, _ in hops], np.int64),
        np.array([target for _, target in hops], np.int64),
        np.array([word for word, _ in where], np.int64),
        np.array([1 << bit for _, bit in where], np.uint64),
    )
    spot_of = np.full(layout.words * 64, -1, np.int64)
    for index, (word, bit) in enumerate(where):
        spot_of[word * 64 + bit] = index
    way = all_ways(table, lists, len(shoves.cells), places)
    return match_for(spot_of, layout.row(spots), way, share if by_turns else 1)


def touches(move: Move, planes: set[int]) -> bool:
    """Does it take or put a piece of these planes?"""
    return any(spot is not None and spot[0] in planes for spot in move)


def lost_bits(match: Match, layout: Layout) -> Array:
    """The bits of pieces that can get to none of their places from there, wherever the walker is."""
    lost = np.zeros(layout.words, np.uint64)
    hopeless: Array = np.all(match.way >= FAR, axis=(0, 2))
    for place, spot in enumerate(match.spot.tolist()):
        if spot >= 0 and hopeless[spot]:
            lost[place // 64] |= np.uint64(1 << (place % 64))
    return lost


def nothing(words: int) -> Match:
    """Stands for a bound that is of no use here."""
    return match_for(np.zeros(1, np.int64), np.zeros(words, np.uint64), np.zeros((1, 1, 1), np.int16), 1)
