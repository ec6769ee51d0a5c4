"""What is taken on the way is taken on every way there.

A mover that takes a gem where it steps, and one that takes it where it pushes, will take it where it pushes
something into a hole, which few runs show. So where two decisions have a like of each that takes more, any
other decision that goes to the same cell, and does all else that these have in common, gets such a like, too,
if nothing seen speaks against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from ggp.learn.fit.alike import says
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.questions import Row, Test
from ggp.learn.seen.views import Change

Taken = frozenset[Change]
ENOUGH = 2  # decisions that take something more, before others do


def in_company(decisions: Decisions, rows: Sequence[Row]) -> Decisions:
    """The decisions with such as take along what others take that do the same otherwise."""
    for wider in widened(decisions):
        if says(wider, rows):
            return in_company(wider, rows)
    return decisions


def widened(decisions: Decisions) -> Iterator[Decisions]:
    """The decisions with one more, in each way in which it has two others to follow."""
    listed = decisions.decisions
    for taken, ones in extras(listed).items():
        common = frozenset.intersection(*(frozenset(one.outcome) for one in ones))
        come = {change.offset for change in common if change.sign == "+"}
        if len(ones) < ENOUGH or not {change.offset for change in taken} <= come:
            continue
        for number, one in enumerate(listed):
            outcome = tuple(sorted({*one.outcome, *taken}))
            if common <= set(one.outcome) and not any(other.outcome == outcome for other in listed):
                more = Decision((*without_denial(one, taken), *wanting(taken)), outcome)
                yield replace(decisions, decisions=(*listed[:number], more, *listed[number:]))


def extras(listed: Sequence[Decision]) -> dict[Taken, list[Decision]]:
    """What some decisions take more than others that do the same otherwise, and these others."""
    found: dict[Taken, list[Decision]] = {}
    for one, other in permutations([one for one in listed if one.outcome], 2):
        taken = frozenset(other.outcome) - frozenset(one.outcome)
        if taken and len(taken) + len(one.outcome) == len(other.outcome):
            plain = all(change.sign == "-" for change in taken)
            if plain and one not in found.setdefault(taken, []):
                found[taken].append(one)
    return {taken: ones for taken, ones in found.items() if ones}


def wanting(taken: Taken) -> Iterator[Test]:
    """The tests that what is taken is there."""
    yield from (Test(change.offset, frozenset({change.thing})) for change in sorted(taken))


def without_denial(one: Decision, taken: Taken) -> Iterator[Test]:
    """The tests of a decision, but that what is taken is not there."""
    for test in one.tests:
        there = {change.thing for change in taken if change.offset == test.offset}
        if test.wanted or test.word or not there & test.things:
            yield test
        elif test.things - there:
            yield test._replace(things=test.things - there)
