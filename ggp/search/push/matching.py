"""The tables of the bound in `push.compiled.match`: which pieces must get where, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.model import Instance, Objective
from ggp.search.push.compiled.match import FAR, Hops, Match, match_for, pattern_database
from ggp.search.push.compiled.pairs import lost_pairs
from ggp.search.push.grounding import PUSH, Effect, Grounded, Spot, counted
from ggp.search.push.tables import Array, GoalReader, Layout, Operators

MOST_DISTANCES = 60_000_000  # entries of the table of distances of single pieces, at two bytes each


Wanted = tuple[set[int], set[int]]
"""Planes, and the cells that hold all their pieces in the end."""


def matches(
    instance: Instance,
    grounded: Grounded,
    layout: Layout,
    table: Operators,
    reader: GoalReader,
    objective: Objective | None,
) -> Match | None:
    """The tables for matching pieces with places; None where no goal term asks for that.

    Terms about different pieces are matched together, each piece with the places of its own term: "every red
    crate on red" and "every blue crate on blue" cost what both do.
    """
    by_kind, by_turns = counted(instance, grounded.transition, objective)
    fit = [
        (planes, cells)
        for planes, cells in reader.must_be_on
        if followed(grounded, planes) and (by_turns or planes <= by_kind)
    ]
    fit.sort(key=lambda term: -sum(spot[0] in term[0] for spot in grounded.open))
    apart: list[Wanted] = []
    for planes, cells in fit:
        if all(planes.isdisjoint(others) for others, _ in apart):
            apart.append((planes, cells))
    for terms in (apart, apart[:1]):
        found = match_of(terms, grounded, layout, table, by_turns) if terms else None
        if found is not None:
            return found
    return None


def followed(grounded: Grounded, planes: set[int]) -> bool:
    """Are there pieces of these planes, and do these neither come nor go, nor become others?"""
    spots = {spot for spot in grounded.open if spot[0] in planes}
    if not spots or planes & grounded.transition.exempt:
        return False
    return all(
        effect.source in spots and effect.target in spots
        for operator in grounded.operators
        if operator.kind == PUSH
        for effect in operator.effects
        if touches(effect, planes)
    )


def match_of(
    terms: list[Wanted], grounded: Grounded, layout: Layout, table: Operators, by_turns: bool
) -> Match | None:
    """The tables for pieces that must get to the cells of their terms; None if they would be too large."""
    planes = set[int]().union(*(one for one, _ in terms))
    spots = [spot for spot in grounded.open if spot[0] in planes]
    number = {spot: index for index, spot in enumerate(spots)}
    first, hops, share = [0], [], 1
    for operator in grounded.operators:
        own = [effect for effect in operator.effects if operator.kind == PUSH and touches(effect, planes)]
        hops += [(number[one.source], number[one.target]) for one in own if one.source and one.target]
        first.append(len(hops))
        share = max(share, len(own))
    places = list(places_of(terms, number, grounded.transition.layers))
    if len(places) * len(spots) * len(grounded.cells) > MOST_DISTANCES:
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
    way = pattern_database(table, lists, len(grounded.cells), places)
    place_of = np.full(len(spots), -1, np.int64)
    for place, ends in enumerate(places):
        place_of[ends] = place
    lost = lost_pairs(table, lists, len(grounded.cells), place_of, layout.words)
    return match_for(spot_of, layout.row(spots), way, share if by_turns else 1, lost)


def places_of(terms: list[Wanted], number: dict[Spot, int], layers: tuple[str, ...]) -> Iterator[list[int]]:
    """The spots of each place for one piece: a cell has one for each layer of the pieces of its term."""
    for planes, cells in terms:
        for cell in sorted(cells):
            for layer in sorted({layers[plane] for plane in planes}):
                own = [number[p, cell] for p in planes if layers[p] == layer and (p, cell) in number]
                if own:
                    yield own


def touches(effect: Effect, planes: set[int]) -> bool:
    """Does it take or put a piece of these planes?"""
    return any(spot is not None and spot[0] in planes for spot in effect)


def dead_squares(match: Match, layout: Layout) -> Array:
    """The bits of pieces on dead squares: from there they get to none of their places, wherever the agent is.

    Even with all other pieces out of the way (Junghanns and Schaeffer, 2001), so no win has such a bit.
    """
    lost = np.zeros(layout.words, np.uint64)
    hopeless: Array = np.all(match.way >= FAR, axis=(0, 2))
    for place, spot in enumerate(match.spot.tolist()):
        if spot >= 0 and hopeless[spot]:
            lost[place // 64] |= np.uint64(1 << (place % 64))
    return lost


def nothing(words: int) -> Match:
    """Stands for a bound that is of no use here."""
    spot, mask, lost = np.zeros(1, np.int64), np.zeros(words, np.uint64), np.zeros((0, 0, words), np.uint64)
    return match_for(spot, mask, np.zeros((1, 1, 1), np.int16), 1, lost)
