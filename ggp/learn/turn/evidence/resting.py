"""Rules that go on until they find nothing: what no end of a turn shows, and what becomes of it.

Where crates fall as far as they can, or three in a row vanish, whatever was done, no turn ends with a crate
above a free cell, or with three in a row. Few turns show what becomes of those, as they come of what was done
in the same turn; but all ends of turns say that there is such a rule, and where it must not apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice
from typing import NamedTuple

from ggp.learn.boards import Board, Stack, Token, Turn
from ggp.learn.fit.program import places
from ggp.learn.fit.toil import spend
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import changes_of
from ggp.model import DIRECTIONS, OFFSETS, Cell
from ggp.model.board import turned

LONGEST = 3  # cells in a line that a rule is about
SELDOM = 0.25  # of the ends a rule may apply to, if another one comes after it in the turn and leaves these
BOARD = 5  # work on looking for a rule on one board, whether anything that it is about stands there or not
NOTHING: Stack = frozenset()
AXES = (("up", "down"), ("left", "right"))


class Site(NamedTuple):
    """One cell of a rule: what must stand there, what is gone then, what has come, and what bars it."""

    needs: Stack
    gone: Stack = NOTHING
    come: Stack = NOTHING
    lacks: Stack = NOTHING


class Rewrite(NamedTuple):
    """What stands in a line of cells becomes something else, along some ways. The first cell is not empty."""

    sites: tuple[Site, ...]
    ways: tuple[str, ...]

    @property
    def symmetrical(self) -> bool:
        """Is it the same from its other end?"""
        return self.sites == self.sites[::-1]

    @property
    def overlapping(self) -> bool:
        """May two places at which it applies share cells along one line? Then one of them comes first."""
        return len(self.sites) > 1 and len({site.needs for site in self.sites}) == 1

    def order(self) -> tuple[object, ...]:
        """A key that does not depend on how sets are gone through; what asks for less comes first."""
        number = sum(len(site.needs) for site in self.sites)
        return number, len(self.sites), in_words(self.sites), self.ways


Known = dict[tuple[tuple[Site, ...], str], Rewrite | None]
"""The rule of some cells along most ways, by the cells and one way."""
There = frozenset[tuple[int, Token]]
"""What stands in the cells of a rule, each by its number."""
Standing = dict[tuple[tuple[Site, ...], str], list[There]]
"""What stands where a rule would apply to ends of turns, by its cells and its way."""


def in_words(sites: tuple[Site, ...]) -> list[list[list[Token]]]:
    """The cells of a rule in an order that does not depend on how sets are gone through."""
    return [[sorted(some) for some in site] for site in sites]


def rewrites(
    pairs: Iterable[tuple[Board, Board]], ends: Sequence[Board], structure: Structure
) -> list[Rewrite]:
    """What may have become of boards in the middle of turns, by rules that apply to no end of a turn.

    `pairs`: boards in the middle, each with the end of its turn. Asked for is as little as that leaves. A
    rule that is over before another one begins may apply to an end now and then: what that one takes away
    leaves something to it.
    """
    known: Known = {}
    rarely: Known = {}
    standing: Standing = {}
    found = set[Rewrite]()
    for middle, end in pairs:
        for cells, way in lines_of(middle, end):
            plain = sites_of(middle, end, cells)
            if plain[-1].needs and not plain[0].needs:
                plain, cells, way = plain[::-1], cells[::-1], turned("behind", way)
            alone = along_ways(plain, way, ends, structure, known)
            if alone is not None:
                found.add(alone)
                continue
            seldom = along_ways(plain, way, ends, structure, rarely, SELDOM)
            found.update(filter(None, [seldom]))
            if (plain, way) not in standing:
                standing[plain, way] = standing_where(Rewrite(plain, (way,)), ends, structure)
            others = unless(plain, middle, cells, standing[plain, way])
            asked = chain(with_company(plain, middle, cells), others)
            found.update(filter(None, (along_ways(one, way, ends, structure, known) for one in asked)))
    return sorted(found, key=Rewrite.order)


def lines_of(middle: Board, end: Board) -> Iterator[tuple[list[Cell], str]]:
    """The short lines of cells, down or to the right, in which all lies that changes, each with its way."""
    cells = sorted({cell for _, cell, _ in changes_of(Turn(middle, None, end))})
    if not cells or len(cells) > LONGEST:
        return
    first, last = cells[0], cells[-1]
    for way in ("down", "right"):
        down, right = OFFSETS[way]
        span = (last[0] - first[0]) * down + (last[1] - first[1]) * right + 1
        if span > LONGEST or any(
            (cell[0] - first[0]) * right or (cell[1] - first[1]) * down for cell in cells
        ):
            continue
        for length in range(span, LONGEST + 1):
            for before in range(length - span + 1):
                start = first[0] - before * down, first[1] - before * right
                line = [(start[0] + n * down, start[1] + n * right) for n in range(length)]
                if all(map(middle.inside, line)):
                    yield line, way


def sites_of(middle: Board, end: Board, cells: Sequence[Cell]) -> tuple[Site, ...]:
    """What changes in some cells; asked for is what is gone."""
    stacks = [(middle.at(cell) or NOTHING, end.at(cell) or NOTHING) for cell in cells]
    return tuple(Site(old - new, old - new, new - old) for old, new in stacks)


def with_company(sites: tuple[Site, ...], middle: Board, cells: Sequence[Cell]) -> Iterator[tuple[Site, ...]]:
    """The same, if something else stands there, too: in one cell, or the same in each."""
    stacks = [middle.at(cell) or NOTHING for cell in cells]
    for place, (site, stack) in enumerate(zip(sites, stacks, strict=True)):
        for token in sorted(stack - site.needs):
            yield (*sites[:place], site._replace(needs=site.needs | {token}), *sites[place + 1 :])
    for token in sorted(frozenset.intersection(*stacks)) if len(stacks) > 1 else ():
        yield tuple(site._replace(needs=site.needs | {token}) for site in sites)


def standing_where(one: Rewrite, ends: Sequence[Board], structure: Structure) -> list[There]:
    """What stands in each place of the ends to which the rule would apply, each once."""
    barred = barred_by(one, structure) if one.sites[0].needs else ()
    found = {
        frozenset((n, token) for n, cell in enumerate(place) for token in end.at(cell) or ())
        for end in (ends if barred else ())
        for place in places_of(one, end, barred)
    }
    return sorted(found, key=sorted)


def unless(
    sites: tuple[Site, ...], middle: Board, cells: Sequence[Cell], there: Sequence[There]
) -> Iterator[tuple[Site, ...]]:
    """The same, unless one of one or two things is there: one is wherever it would apply to an end."""
    if not sites[0].needs:
        return
    here = {(n, token) for n, cell in enumerate(cells) for token in middle.at(cell) or ()}
    reasons = sorted(frozenset[tuple[int, Token]]().union(*there) - here)
    alone = [reason for reason in reasons if all(reason in some for some in there)]
    pairs = [pair for pair in combinations(reasons, 2) if not set(pair) & set(alone)]
    both = [pair for pair in pairs if all(not some.isdisjoint(pair) for some in there)]
    for chosen in (*((reason,) for reason in alone), *both):
        lacks = [frozenset(token for place, token in chosen if place == n) for n in range(len(sites))]
        yield tuple(site._replace(lacks=more) for site, more in zip(sites, lacks, strict=True))


def along_ways(
    sites: tuple[Site, ...],
    way: str,
    ends: Sequence[Board],
    structure: Structure,
    known: Known,
    share: float = 0,
) -> Rewrite | None:
    """The rule along all ways, both of a line, or one: the most in which it applies to no end of a turn.

    Or to no more than a share of them. `known`: what was found for that share.
    """
    if len(sites) == 1:
        way = "right"
    elif not sites[0].needs or (sites[-1].needs and in_words(sites[::-1]) < in_words(sites)):
        sites, way = sites[::-1], turned("behind", way)
    if not all((site.needs or site.come) and site.gone <= site.needs for site in (sites[0], sites[-1])):
        return None
    if not sites[0].needs:
        return None
    if (sites, way) not in known:
        one = Rewrite(sites, (way,))
        axis = (way,) if one.symmetrical else next(axis for axis in AXES if way in axis)
        every = ("down", "right") if one.symmetrical else DIRECTIONS
        choices = [(way,)] if len(sites) == 1 else [every, axis, (way,)]
        wider = (one._replace(ways=tuple(ways)) for ways in choices)
        known[sites, way] = next(
            (one for one in wider if seldom_applies(one, ends, structure, int(share * len(ends)))), None
        )
    return known[sites, way]


def seldom_applies(rewrite: Rewrite, ends: Iterable[Board], structure: Structure, most: int) -> bool:
    """Does the rule apply to so many of the ends at most?"""
    return next(islice(applied_to(rewrite, ends, structure), most, None), None) is None


def applying(rewrite: Rewrite, ends: Iterable[Board], structure: Structure) -> int:
    """To how many of the ends does the rule apply?"""
    return sum(1 for _ in applied_to(rewrite, ends, structure))


def applied_to(rewrite: Rewrite, ends: Iterable[Board], structure: Structure) -> Iterator[Board]:
    """The ends to which the rule applies."""
    barred = barred_by(rewrite, structure)
    return (end for end in ends if any(True for _ in places_of(rewrite, end, barred)))


def places_of(rewrite: Rewrite, board: Board, barred: Sequence[Stack]) -> Iterator[list[Cell]]:
    """The lines of cells in which the rule applies. `barred`: what bars it in each of its cells."""
    anchors = places(board, frozenset(sorted(rewrite.sites[0].needs)[:1]))
    spend(BOARD + 2 * len(anchors) * len(rewrite.ways))
    for down, right in (OFFSETS[way] for way in rewrite.ways):
        for (row, column), _ in anchors:
            line = [(row + n * down, column + n * right) for n in range(len(barred))]
            if all(map(fits, rewrite.sites, barred, map(board.at, line))):
                yield line


def fits(site: Site, barred: Stack, stack: Stack | None) -> bool:
    """May the rule have this cell as one of its own?"""
    return stack is not None and site.needs <= stack and barred.isdisjoint(stack)


def barred_by(rewrite: Rewrite, structure: Structure) -> list[Stack]:
    """What bars a rule in each of its cells, which is the same on every board."""
    return [barring(site, structure) for site in rewrite.sites]


def barring(site: Site, structure: Structure) -> Stack:
    """What must not stand in a cell: what is never seen with what comes there, but could be there."""
    apart = structure.exclusions()
    come, there = ({structure.name(token) for token in some} for some in (site.come, site.needs))
    names = come.union(*(apart.get(name, ()) for name in come)).difference(
        there, *(apart.get(name, ()) for name in there)
    )
    return site.lacks.union(token for token in structure.tokens if structure.name(token) in names)
