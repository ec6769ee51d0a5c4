"""Passes that tell all of the board what holds somewhere: written as one formula for all cells.

A rule about the whole board is said by cells: what is found anywhere is handed on, over 1, 2, 4, ... cells,
until it has been heard everywhere. Pass by pass that is a variable for each cell and pass. Where what one
cell holds comes to all others, it is one for the whole board: something was found somewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.encoding.sliding import Slide
from ggp.transition.bits import Bits
from ggp.transition.chains import Chain
from ggp.transition.kernel import run_program
from ggp.transition.program import Change, CompiledRule, Loop, Offset, Pass, Program, Term, Transition


class Spread(NamedTuple):
    """Passes that put a marker everywhere if it is anywhere, and the subject everywhere (None: always)."""

    marker: int
    subject: int | None
    passes: Program = ()


Steps = tuple[Pass | Loop | Slide | Chain | Spread, ...]


Way = tuple[bool, tuple[frozenset[Offset], ...]]
"""How a marker is handed on: is a subject asked for, and over which steps in each pass?"""


def with_spreads(program: Steps, transition: Transition, known: dict[Way, bool] | None = None) -> Steps:
    """The steps of a program, with those that hand a marker on to all cells as one.

    `known` keeps which ways lead everywhere, from one program of a board to the next.
    """
    return tuple(found(program, transition, {} if known is None else known))


def found(
    program: Steps, transition: Transition, known: dict[Way, bool]
) -> Iterator[Pass | Loop | Slide | Chain | Spread]:
    """The same, one after another."""
    place = 0
    while place < len(program):
        what, last = handed_on(program[place], transition), place + 1
        while what is not None and last < len(program) and handed_on(program[last], transition) == what:
            last += 1
        passes = tuple(step for step in program[place:last] if isinstance(step, Pass))
        if what is not None and all_round(passes, what, transition, known):
            yield what._replace(passes=passes)
        else:
            yield from program[place:last]
        place = last


def handed_on(step: Pass | Loop | Slide | Chain | Spread, transition: Transition) -> Spread | None:
    """The marker that a pass puts beside where it is, if it does nothing else."""
    if not isinstance(step, Pass) or len(step.subjects) != 1:
        return None
    ((subject, rules),) = step.subjects
    markers = {change.result for rule in rules for change in rule.changes}
    marker = markers.pop() if len(markers) == 1 else None
    if marker is None or marker == subject or marker not in transition.markers:
        return None
    return Spread(marker, subject) if all(hands_on(rule, marker) for rule in rules) else None


def hands_on(rule: CompiledRule, marker: int) -> bool:
    """Does the rule put the marker where there is one in one other cell, and ask for nothing else?"""
    put = Change(None, (0, 0), marker, (0, 0), True)
    heard = [term for term in rule.terms if term.planes and term != Term((0, 0), (marker,), False)]
    asks = len(heard) == 1 and heard[0].planes == (marker,) and heard[0].wanted
    return rule.changes == (put,) and asks and not rule.inputs and rule.whole is None


def all_round(program: Program, what: Spread, transition: Transition, known: dict[Way, bool]) -> bool:
    """The same as `everywhere`, looked up where another marker is handed on in the same way."""
    rules = [
        [rule for _, some in step.subjects for rule in some] for step in program if isinstance(step, Pass)
    ]
    steps = (frozenset(term.offset for rule in some for term in rule.terms if term.wanted) for some in rules)
    way = what.subject is not None, tuple(steps)
    if way not in known:
        known[way] = everywhere(program, what, transition)
    return known[way]


def everywhere(program: Program, what: Spread, transition: Transition) -> bool:
    """Does the marker come from each cell to all, if the subject is everywhere?"""
    algebra = Bits(transition)
    for cell in range(transition.height * transition.width):
        boards = [0] * len(transition.planes)
        if what.subject is not None:
            boards[what.subject] = algebra.full
        boards[what.marker] = algebra.bit(*divmod(cell, transition.width))
        if run_program(algebra, program, tuple(boards))[what.marker] != algebra.full:
            return False
    return True
