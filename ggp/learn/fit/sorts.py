"""How long rules are where what they say alike of several kinds counts once, as said of a class of these.

Rules of pushes, and those that go on until they find nothing, are learned kind by kind. Of three kinds that
are pushed and fall alike they say all three times, and what is long is not believed.
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

    Both are in one pass: what a class does in the one says nothing of another.
    """
    size = 0.0
    for program in programs_of(rules):
        known: list[Part] = []
        for part in program.parts:
            again = any(alike(part, other) for other in known)
            size += min(NAME, part.decisions.cost) if again else part.decisions.cost
            known += [] if again else [part]
    return size


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
