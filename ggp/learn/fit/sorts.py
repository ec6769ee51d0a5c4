"""How long rules are where what they say alike of several kinds counts once, as said of a class of these.

Rules of pushes, and those that go on until they find nothing, are learned kind by kind. Of three kinds that
are pushed and fall alike they say all three times, and what is long is not believed. So it is with what three
kinds of players do to a crate.
"""

from __future__ import annotations

from collections.abc import Mapping

from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Part, Passes, Program, programs_of
from ggp.learn.fit.questions import Test
from ggp.learn.seen.views import Change, Seen

NAME = 0.5  # what it costs to say that a rule is about a kind more


def size_by_sorts(rules: Program | Passes) -> float:
    """The size of all parts. One that says of another kind what one before says is no more than its name.

    Both are in one pass: what a class does in the one says nothing of another. So it is with decisions of one
    part that say alike what comes of other kinds.
    """
    size = 0.0
    for program in programs_of(rules):
        known: list[Part] = []
        for part in program.parts:
            again = any(alike(part, other) for other in known)
            size += min(NAME, part.decisions.cost) if again else size_of(part)
            known += [] if again else [part]
    return size


def size_of(part: Part) -> float:
    """The size of a part, where each decision has its share, or is a name more of one before it."""
    known: list[Decision] = []
    for decision in part.decisions.decisions:
        if not any(but_for_a_name(decision, other) for other in known):
            known.append(decision)
    number = len(part.decisions.decisions)
    share = part.decisions.cost / number if number else 0.0
    return part.decisions.cost - (number - len(known)) * max(0.0, share - NAME)


def but_for_a_name(one: Decision, other: Decision) -> bool:
    """Do two decisions say the same, with the one name exchanged that they do not share?"""
    own, others = names_in(one), names_in(other)
    if len(own - others) != 1 or len(others - own) != 1:
        return False
    return with_names(one, dict(zip(own - others, others - own, strict=True))) == with_names(other, {})


def names_in(decision: Decision) -> set[str]:
    """The kinds that a decision asks for or changes."""
    asked = {thing.name for test in decision.tests for thing in test.things}
    return asked | {change.thing.name for change in decision.outcome}


def alike(one: Part, other: Part) -> bool:
    """Do two parts say the same, with the names of their own kinds exchanged?"""
    if one.subject == other.subject or (one.view.frame, one.words) != (other.view.frame, other.words):
        return False
    names = {one.subject: other.subject, other.subject: one.subject}
    said = [with_names(each, names) for each in one.decisions.decisions]
    known = [with_names(each, {}) for each in other.decisions.decisions]
    # Where all decisions have one outcome their order says nothing.
    return said == known or (len({come for _, come in said + known}) == 1 and set(said) == set(known))


def with_names(decision: Decision, names: Mapping[str, str]) -> tuple[frozenset[Test], frozenset[Change]]:
    """What a decision asks and brings, with other names for some kinds, in any order."""

    def of(thing: Seen) -> Seen:
        return thing._replace(name=names.get(thing.name, thing.name))

    tests = frozenset(one._replace(things=frozenset(map(of, one.things))) for one in decision.tests)
    return tests, frozenset(one._replace(thing=of(one.thing)) for one in decision.outcome)
