"""A call that the first of several alike things answers: a key opens one door, the first that is found.

A rule of PuzzleScript that asks for a key here and a door anywhere takes both, and so one door: the
first, as its engine goes over it. Which one that is no window shows, so cells say it (`seen.foremost`),
where it was always the first that changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, pointed
from ggp.learn.fit.program import Passes, subjects_on
from ggp.learn.seen.foremost import Foremost
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.halfway import NEAR
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.turn.one_pass.faraway import learn_far, single
from ggp.model import Cell

FEWEST = 3  # turns in which one of several changed far away
CHANCE = 0.02  # that it was the first one in all of them, if each may be the one


def learn_first_found(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS
) -> Passes:
    """Call, deed and answer, where the first of some things answers; raises NotLearned."""
    firsts = [] if pointed(turns) else always_first(turns, structure)
    if not firsts:
        raise NotLearned("nothing is the first of several to change", "more roll-outs may help")
    return learn_far(turns, replace(structure, senses=tuple(firsts)), limits)


def always_first(turns: Sequence[Turn], structure: Structure) -> list[Foremost]:
    """What is always the first of several in one order, where one alone changes far away."""
    actor = actor_of(turns, structure)
    seen = list(single(turns, structure, actor)) if actor is not None else []
    names = sorted(set(map(structure.name, structure.tokens)) - {actor})
    changed = {one.turn: {cell for _, cell, _ in changes_of(one.turn)} for one in seen}
    found = []
    for name in names:
        ones = [
            (there, gone)
            for one in seen
            if len(there := [cell for cell, _ in subjects_on(one.turn.before, name, structure)]) > 1
            if len(gone := changed[one.turn].intersection(there)) == 1
            if all(structure.distance(one.board, one.at, cell) > NEAR for cell in gone)
        ]
        found += [one for one in orders(name) if is_first(one, ones)]
    return found


def orders(name: str) -> Iterator[Foremost]:
    """The orders in which an engine may come to such things."""
    yield Foremost(name)
    yield Foremost(name, by_rows=True)


def is_first(first: Foremost, ones: Sequence[tuple[list[Cell], set[Cell]]]) -> bool:
    """Is it always the first one that changed, and seldom by chance?"""
    chance = 1.0
    for there, _ in ones:
        chance /= len(there)
    told = len(ones) >= FEWEST and chance <= CHANCE
    return told and all(min(there, key=first.order) in gone for there, gone in ones)
