"""What is in the way of one thing is in the way of others: tests that need not differ are made alike.

Each decision asks for no more than its own examples need. Where two ask that none of some things is there,
and these differ only by what few examples happened to show, both may as well ask for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from ggp.learn.lists import Decision, Decisions
from ggp.learn.questions import Row, Test
from ggp.learn.views import Seen

Things = frozenset[Seen]


def in_one_way(decisions: Decisions, rows: Sequence[Row]) -> Decisions:
    """The decisions with as few different sets of things in the way as what was seen allows."""
    while True:
        better = next((one for one in merged(decisions) if says(one, rows)), None)
        if better is None:
            return decisions
        decisions = better


def merged(decisions: Decisions) -> Iterable[Decisions]:
    """The decisions with two sets that overlap made one, in each way in which that can be done."""
    sets = dict.fromkeys(
        test.things for one in decisions.decisions for test in one.tests if not test.wanted and not test.word
    )
    for one, other in combinations(sorted(sets, key=lambda things: (-len(things), sorted(things))), 2):
        if len(one & other) > 0:
            yield replaced(decisions, {one: one | other, other: one | other})


def replaced(decisions: Decisions, by: dict[Things, Things]) -> Decisions:
    """The decisions with other sets in what must not be there."""

    def test_with(test: Test) -> Test:
        return test if test.wanted or test.word else test._replace(things=by.get(test.things, test.things))

    def decision_with(one: Decision) -> Decision:
        return one._replace(tests=tuple(map(test_with, one.tests)))

    return replace(decisions, decisions=tuple(map(decision_with, decisions.decisions)))


def says(decisions: Decisions, rows: Sequence[Row]) -> bool:
    """Do they say what was seen?"""
    return all(
        decisions.outcome(dict(zip(decisions.offsets, row.window, strict=True)), row.word) == row.outcome
        for row in rows
    )
