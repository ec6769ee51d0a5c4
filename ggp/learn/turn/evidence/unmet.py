"""What is gone may have come to what takes it, though no board shows the two in one cell.

Balloons rise as far as they can, then spikes take them: a balloon and a spike are never seen together, and
seem to be in each other's way. But no turn in which none is taken ends with a balloon right below a spike,
and many do with one below a wall. So what gets lost, and never rests right before something, may have come
to that one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ggp.learn.boards import Turn
from ggp.learn.fit.memory import remembered
from ggp.learn.fit.program import subjects_on
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.resting import Rewrite, Site
from ggp.learn.turn.evidence.steady import net_of
from ggp.model import OFFSETS

FEWEST = 3  # turns in which something got lost
EXPECTED = 6.0  # ends on which it would rest right before the other one, if it stood anywhere
BOTH = 0.5  # of what got lost the other one was gone, too

Pair = tuple[str, str]
"""The names of what gets lost, and of what it gets lost to."""


@remembered
def unmet(turns: Sequence[Turn], structure: Structure) -> tuple[Pair, ...]:
    """All that may get lost to what it was never seen with, and never rests right before."""
    lost = Counter(name for turn in turns for name in lost_in(turn, structure))
    likely = sorted(name for name, times in lost.items() if times >= FEWEST)
    return tuple((one, other) for one in likely for other in shunned(one, turns, structure))


def lost_in(turn: Turn, structure: Structure) -> list[str]:
    """The names of which there are fewer after a turn in which nothing has become another thing."""
    net = net_of(turn, structure)
    return [name for name, more in net if more < 0] if all(more < 0 for _, more in net) else []


def shunned(name: str, turns: Iterable[Turn], structure: Structure) -> list[str]:
    """What a thing never rests right before, along one way at least, nor in one cell with.

    Where one gets lost its like may be next, in its place by the end of that turn. Where something else
    stands with the other one, that may be what bars the way.
    """
    barring = structure.exclusions()[name]
    ends = dict.fromkeys(turn.after for turn in turns if name not in lost_in(turn, structure))
    names = sorted(set(map(structure.name, structure.tokens)) - {name})
    expected: dict[str, float] = defaultdict(float)
    beside, together = set[tuple[str, str]](), set[str]()
    for end in ends:
        own = [cell for cell, _ in subjects_on(end, name, structure)]
        if not own:
            continue
        for other in names:
            expected[other] += len(own) * len(list(subjects_on(end, other, structure))) / len(end.cells)
        for row, column in own:
            together |= set(map(structure.name, end.at((row, column)) or ()))
            for way, (down, right) in OFFSETS.items():
                there = set(map(structure.name, structure.at(end, (row + down, column + right)) or ()))
                beside |= {(one, way) for one in there if not barring & there - {one}}
    return [
        other
        for other in names
        if other not in together
        and expected[other] >= EXPECTED
        and any((other, way) not in beside for way in OFFSETS)
    ]


def meeting(structure: Structure, pairs: Iterable[Pair]) -> Structure:
    """The same, but that the two of these pairs may come to one cell inside a turn."""
    some = {frozenset(pair) for pair in pairs}
    return replace(structure, apart=structure.apart - some, perhaps=structure.perhaps - some)


def taken(turns: Sequence[Turn], structure: Structure) -> list[Rewrite]:
    """Rules by which things get lost to those that may come to their cells, which may be gone as well."""
    pairs = [pair for pair in unmet(turns, structure) if frozenset(pair) not in structure.apart]
    return [
        Rewrite((Site(frozenset({a, b}), frozenset({a, b} if both else {a})),), ("right",))
        for one, other in pairs
        for both in (gone_with(one, other, turns, structure),)
        for a in structure.members(one)
        for b in structure.members(other)
    ]


def gone_with(one: str, other: str, turns: Iterable[Turn], structure: Structure) -> bool:
    """Is the other one mostly gone, too, where a thing got lost?"""
    lost = [names for turn in turns if one in (names := lost_in(turn, structure))]
    return sum(other in names for names in lost) >= BOTH * len(lost)
