"""The slides of all turns, and among them of what is gone at the end: where its like is known to go.

What is gone shows no way. It is supposed to have gone on, as others of its name do, to what it came to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ggp.learn.boards import Turn
from ggp.learn.fit.program import pointing, subjects_on
from ggp.learn.seen.going import heading
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.slides import Slide, cells_between, slide_of, winding
from ggp.model import OFFSETS


def slides_of(turns: Iterable[Turn], structure: Structure) -> dict[Turn, Slide]:
    """The slide of each turn that is one. Where edges join, which way round something went is not plain.

    What comes and goes anywhere slides nowhere, though it is sometimes in line with where it was.
    """
    if structure.joined:
        return {}
    turns = list(turns)
    found = {turn: slide for turn in turns if (slide := slide_of(turn, structure)) is not None}
    anywhere = winding(turns, structure) if found else frozenset[str]()
    found = {
        turn: one for turn, one in found.items() if one.far <= 1 or structure.name(one.token) not in anywhere
    }
    ways = {(structure.name(one.became), heading(one.way[0], one.way[-1])) for one in found.values()}
    stops = stops_of({name for name, _ in ways}, turns, structure)
    for turn in turns:
        if turn not in found:
            lost = lost_with_another(turn, structure, ways, stops) or lost_alone(turn, structure, stops)
            if lost is not None:
                found[turn] = lost
    return found


def lost_with_another(
    turn: Turn,
    structure: Structure,
    ways: Collection[tuple[str, str | None]],
    stops: Mapping[str, Collection[str]],
) -> Slide | None:
    """What went where its like is known to go, and is gone with what it came to, if nothing else changed.

    It was not what its like stops at: then both are gone for another reason.
    """
    changes = list(changes_of(turn))
    if [sign for sign, _, _ in changes] != ["-", "-"]:
        return None
    for (_, source, token), (_, target, lost) in (changes, changes[::-1]):
        way, name = cells_between(source, target), structure.name(token)
        if (name, heading(source, target)) not in ways or structure.name(lost) in stops[name]:
            continue
        if all(
            {name, structure.name(other)} not in structure.apart
            for cell in way[1:-1]
            for other in turn.before.at(cell) or ()
        ):
            return Slide(token, token, way, gone=True, lost=lost)
    return None


def lost_alone(turn: Turn, structure: Structure, stops: Mapping[str, Collection[str]]) -> Slide | None:
    """What is gone, and nothing else has changed: it came to the first thing with which it is never seen.

    That may be a hole; what its like stops at it is not.
    """
    changes = list(changes_of(turn))
    way = pointing(structure, turn.word)
    if len(changes) != 1 or changes[0][0] != "-" or way is None:
        return None
    _, (row, column), token = changes[0]
    name, (down, right) = structure.name(token), OFFSETS[way]
    cells = [(row, column)]
    while name in stops and turn.before.inside((row + down, column + right)):
        row, column = row + down, column + right
        cells.append((row, column))
        there = set(map(structure.name, turn.before.at((row, column)) or ()))
        if not there.isdisjoint(stops[name]):
            return None
        if any({name, other} in structure.apart | structure.perhaps for other in there):
            return Slide(token, token, cells, gone=True)
    return None


def stops_of(names: Collection[str], turns: Iterable[Turn], structure: Structure) -> dict[str, set[str]]:
    """What each of these names stops at: what stands ahead of it at the end, where an input points."""
    found: dict[str, set[str]] = {name: set() for name in names}
    for turn in turns:
        way = pointing(structure, turn.word)
        if way is None:
            continue
        down, right = OFFSETS[way]
        for name in names:
            for (row, column), _ in subjects_on(turn.after, name, structure):
                ahead = turn.after.at((row + down, column + right))
                found[name] |= set(map(structure.name, ahead or ()))
    return found
