"""What cells are asked, as rules: a mark in the cells where it is true, put there before it is read.

Each sort of sense is written in a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ggp.learn.fit.program import Program
from ggp.learn.seen.crowded import Crowd
from ggp.learn.seen.foremost import Foremost
from ggp.learn.seen.nearby import Near
from ggp.learn.seen.rays import Ray
from ggp.learn.seen.regions import Region
from ggp.learn.seen.senses import Sense
from ggp.learn.seen.signs import Sign, is_sign
from ggp.learn.write.patterns import Patterns
from ggp.learn.write.senses import foremost, lines, neighbours, numbers, regions, signs
from ggp.learn.write.senses.marking import Marking
from ggp.model import Group, Kind

WRITERS: dict[type[Any], Callable[[Any, int, Patterns], Marking]] = {
    Crowd: numbers.marked,
    Foremost: foremost.marked,
    Near: neighbours.marked,
    Ray: lines.marked,
    Region: regions.marked,
    Sign: signs.marked,
}


def signs_read(program: Program) -> tuple[Sign, ...]:
    """The signs that the decisions of a program ask for."""
    asked = asked_by(program)
    return tuple(sign for sign in program.structure.signs if sign.token in asked)


def senses_read(program: Program) -> tuple[Sense, ...]:
    """What the decisions of a program ask of cells: lines, neighbours, numbers, groups."""
    asked = asked_by(program)
    return tuple(sense for sense in program.structure.senses if sense.name in asked)


def asked_by(program: Program) -> set[str]:
    """The names of the signs and senses that the decisions of a program ask for."""
    return {
        thing.name
        for part in program.parts
        for decision in part.decisions.decisions
        for test in decision.tests
        for thing in test.things
        if is_sign(thing.name)
    }


def groups_of(senses: Iterable[Sign | Sense], patterns: Patterns, marks: list[Kind]) -> Iterator[Group]:
    """The groups that find out where something is true, each with marks of its own, added to `marks`."""
    for sense in senses:
        made = WRITERS[type(sense)](sense, len(marks) + 1, patterns)
        marks += (made.mark, *made.others)
        patterns.vocabulary.pieces.update(made.pieces)
        yield from made.groups
