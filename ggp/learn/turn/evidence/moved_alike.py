"""Which kinds are moved alike, so that they may be learned as one (`ggp.learn.turn.one_kind`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from ggp.learn.boards import Turn
from ggp.learn.fit.program import pointing
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import Seen, View
from ggp.learn.turn.evidence.changes import changes_of

FEWEST = 3  # turns in which something happens to a kind
ALIKE = 0.5  # of these, in which what happens to it happens to the other one, too

Names = Mapping[str, str]
"""Of each name that is called by another one, that one."""


def one_name(turns: Sequence[Turn], structure: Structure) -> dict[str, str]:
    """The names of what is moved like something else, each with that name; none where there are none."""
    deeds = [done for turn in turns if (done := deeds_of(turn, structure)) is not None]
    kept = {name for name in structure.names if name not in structure.still and is_kept(name, deeds)}
    called: dict[str, str] = {}
    for one, other in combinations(sorted(kept, key=lambda name: (-len(structure.members(name)), name)), 2):
        if one not in called and other not in called:
            alike = [one, *(name for name, first in called.items() if first == one)]
            if apart(alike, other, structure) and moved_alike(deeds, one, other):
                called[other] = one
    return called


def apart(names: Sequence[str], other: str, structure: Structure) -> bool:
    """Does something share no cell with others, and has it facings if they have any?"""
    faces = {not structure.facing.keys().isdisjoint(structure.members(name)) for name in (*names, other)}
    pairs = structure.apart | structure.perhaps
    return len(faces) == 1 and all(frozenset({name, other}) in pairs for name in names)


Deed = frozenset[tuple[str, Offset, Seen]]
"""What comes and goes in a turn, with places as seen from the first of these, the input pointing ahead."""


def deeds_of(turn: Turn, structure: Structure) -> Deed | None:
    """What happens in a turn; None where nothing does."""
    changes = changes_of(turn)
    if not changes:
        return None
    frame, way = Frame("input"), pointing(structure, turn.word)
    view = View(frame, structure)
    places = [frame.offset((0, 0), cell, way) for _, cell, _ in changes]
    first = min(places)
    return frozenset(
        (sign, (place[0] - first[0], place[1] - first[1]), view.seen(token, way))
        for (sign, _, token), place in zip(changes, places, strict=True)
    )


def is_kept(name: str, deeds: Iterable[Deed]) -> bool:
    """Is there always as much of it after a turn as before, and did it ever move?"""
    signs = [[sign for sign, _, thing in deed if thing.name == name] for deed in deeds]
    return any(signs) and all(some.count("+") == some.count("-") for some in signs)


def moved_alike(deeds: Iterable[Deed], one: str, other: str) -> bool:
    """Is most of what happens to either, with nothing of the other, seen of both?"""
    seen: dict[str, Counter[Deed]] = defaultdict(Counter)
    for deed in deeds:
        names = {thing.name for _, _, thing in deed}
        for name, beside in ((one, other), (other, one)):
            if name in names and beside not in names:
                seen[name][called_one(deed, {name: one})] += 1
    both = seen[one].keys() & seen[other].keys()
    return all(
        some.total() >= FEWEST and sum(some[deed] for deed in both) >= ALIKE * some.total()
        for some in (seen[one], seen[other])
    )


def called_one(deed: Deed, names: Names) -> Deed:
    """What happens, with other names."""
    return frozenset(
        (sign, at, thing._replace(name=names.get(thing.name, thing.name))) for sign, at, thing in deed
    )
