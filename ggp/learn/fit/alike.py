"""Decisions that need not differ are made alike.

Each decision asks for no more than its own examples need. Where two ask that none of some things is there,
and these differ only by what few examples happened to show, both may as well ask for all of them: what is in
the way of one thing is in the way of others. And what is taken along in two of its facings is so in all, and
what pairs of one kind and pairs of another do, mixed pairs do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product

from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.questions import Row, Test
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.views import OWN, Seen

Things = frozenset[Seen]


def in_one_way(decisions: Decisions, rows: Sequence[Row]) -> Decisions:
    """The decisions with as few differences in what stops them as what was seen allows."""
    while True:
        better = next((one for one in simpler(decisions) if says(one, rows)), None)
        if better is None:
            return decisions
        decisions = better


def simpler(decisions: Decisions) -> Iterator[Decisions]:
    """The decisions with one difference less, in each way in which that can be done."""
    yield from merged(decisions)
    yield from with_all_facings(decisions)
    yield from with_what_stops_others(decisions)


def merged(decisions: Decisions) -> Iterator[Decisions]:
    """Two sets of things in the way that overlap are made one: all of both, or else what both have."""
    sets = dict.fromkeys(
        test.things for one in decisions.decisions for test in one.tests if not test.wanted and not test.word
    )
    largest = sorted(sets, key=lambda things: (-len(things), sorted(things)))
    pairs = [(one, other) for one, other in combinations(largest, 2) if one & other]
    for united in (frozenset[Seen].union, frozenset[Seen].intersection):
        for one, other in pairs:
            yield replaced(decisions, dict.fromkeys((one, other), united(one, other)))


def with_all_facings(decisions: Decisions) -> Iterator[Decisions]:
    """A set with some facings of a thing gets those that another set has of it."""
    sets = dict.fromkeys(
        test.things for one in decisions.decisions for test in one.tests if not test.wanted and not test.word
    )
    faced = {thing for things in sets for thing in things if thing.facing}
    for name in sorted({thing.name for thing in faced}):
        every = {thing for thing in faced if thing.name == name}
        for things in sorted(sets, key=sorted):
            if every & things and not every <= things:
                yield replaced(decisions, {things: things | every})


def with_what_stops_others(decisions: Decisions) -> Iterator[Decisions]:
    """What stops all others, two at least, wherever it stands, stops the last one too."""
    busy = [one for one in decisions.decisions if one.outcome]
    for number, one in enumerate(decisions.decisions):
        others = [other for other in busy if other is not one]
        if len(others) < 2 or not one.outcome:
            continue
        for offset in decisions.offsets:
            common = frozenset[Seen].intersection(*(stopping(other, offset) for other in others))
            missing = common - stopping(one, offset)
            if missing:
                narrower = one._replace(tests=(*one.tests, Test(offset, missing, wanted=False)))
                listed = list(decisions.decisions)
                listed[number] = narrower
                yield replace(decisions, decisions=tuple(listed))


def stopping(decision: Decision, offset: Offset) -> Things:
    """The things that must not be at an offset."""
    asked = (t.things for t in decision.tests if t.offset == offset and not t.wanted and not t.word)
    return frozenset[Seen]().union(*asked)


def replaced(decisions: Decisions, by: dict[Things, Things]) -> Decisions:
    """The decisions with other sets in what must not be there."""

    def test_with(test: Test) -> Test:
        return test if test.wanted or test.word else test._replace(things=by.get(test.things, test.things))

    def decision_with(one: Decision) -> Decision:
        return one._replace(tests=tuple(map(test_with, one.tests)))

    return replace(decisions, decisions=tuple(map(decision_with, decisions.decisions)))


def in_all_facings(decisions: Decisions, rows: Sequence[Row], facings: Sequence[str]) -> Decisions:
    """The decisions with one more for each facing of something that two of them take along alike."""
    for one in decisions.decisions:
        for thing in carried(one):
            ways = values_seen(thing.name, rows) if thing.facing.isdecimal() else facings
            family = {facing: facing_another_way(one, thing, facing) for facing in ways}
            known = [number for number, other in enumerate(decisions.decisions) if has(family, other)]
            missing = [n for n in family.values() if not any(same(n, o) for o in decisions.decisions)]
            if len(known) > 1 and missing:
                at = known[-1] + 1
                more = (*decisions.decisions[:at], *missing, *decisions.decisions[at:])
                wider = replace(decisions, decisions=more)
                if says(wider, rows):
                    return in_all_facings(wider, rows, facings)
    return decisions


def values_seen(name: str, rows: Sequence[Row]) -> list[str]:
    """All values of something that were seen."""
    looks = {look for row in rows for look in row.window if look is not None}
    return sorted({thing.facing for look in looks for thing in look if thing.name == name})


def in_mixed_pairs(decisions: Decisions, rows: Sequence[Row]) -> Decisions:
    """The decisions with more where two of one kind are taken along, and two of another: one of each, too."""
    for one, other in permutations([d for d in decisions.decisions if d.outcome], 2):
        own, others = ({thing.name for thing in carried(d)} for d in (one, other))
        for a, b in product(sorted(own - others), sorted(others - own)):
            things = [thing for thing in carried(one) if thing.name == a]
            if len(things) < 2 or not same(renamed(one, {t: Seen(b, t.facing) for t in things}), other):
                continue
            mixed = [renamed(one, {thing: Seen(b, thing.facing)}) for thing in things]
            missing = [m for m in mixed if not any(same(m, o) for o in decisions.decisions)]
            wider = replace(decisions, decisions=(*decisions.decisions, *missing))
            if missing and says(wider, rows):
                return in_mixed_pairs(wider, rows)
    return decisions


def renamed(decision: Decision, names: Mapping[Seen, Seen]) -> Decision:
    """The decision with other things in what it does, and in what it asks to be there alone."""
    tests = (
        test._replace(things=frozenset(names.get(t, t) for t in test.things)) if test.wanted else test
        for test in decision.tests
    )
    changes = (c._replace(thing=names.get(c.thing, c.thing)) for c in decision.outcome)
    return Decision(tuple(tests), tuple(sorted(changes)))


def carried(decision: Decision) -> list[Seen]:
    """The things with facings that go from one cell to another as they are."""
    gone = {(c.thing, c.offset) for c in decision.outcome if c.sign == "-"}
    come = {(c.thing, c.offset) for c in decision.outcome if c.sign == "+"}
    things = {thing for thing, _ in gone} & {thing for thing, _ in come}
    faced = (thing for thing in things if thing.facing not in ("", OWN))
    return sorted(thing for thing in faced if len([t for t, _ in gone if t == thing]) == 1)


def facing_another_way(decision: Decision, thing: Seen, facing: str) -> Decision:
    """The decision about a thing of another facing."""
    other = Seen(thing.name, facing)
    source = next(c.offset for c in decision.outcome if c.sign == "-" and c.thing == thing)

    def test_with(test: Test) -> Test:
        if test.offset != source or not test.wanted or thing not in test.things:
            return test
        return test._replace(things=test.things - {thing} | {other})

    changes = (c._replace(thing=other) if c.thing == thing else c for c in decision.outcome)
    return Decision(tuple(map(test_with, decision.tests)), tuple(sorted(changes)))


def has(family: Mapping[str, Decision], one: Decision) -> bool:
    """Is a decision one of some?"""
    return any(same(one, other) for other in family.values())


def same(one: Decision, other: Decision) -> bool:
    """Do two decisions ask and do the same?"""
    return one.outcome == other.outcome and set(one.tests) == set(other.tests)


def says(decisions: Decisions, rows: Sequence[Row]) -> bool:
    """Do they say what was seen?"""
    return all(
        decisions.outcome(dict(zip(decisions.offsets, row.window, strict=True)), row.word) == row.outcome
        for row in rows
    )
