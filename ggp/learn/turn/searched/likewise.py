"""Rules like one that was found: of another thing, or the other way round.

What rolls off to the right rolls off to the left, and gems roll as rocks do. Each of these is seen seldom, so
that what is asked for is soon guessed wrongly; but of one of them enough may have been seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from ggp.learn.fit.program import CELL
from ggp.learn.fit.questions import Test
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.views import Change, Seen
from ggp.learn.turn.searched.rules import Rule

SIDES = {"left": "right", "right": "left"}
ENDS = {"up": "down", "down": "up"}


def likewise(rule: Rule, names: Iterable[str]) -> Iterator[Rule]:
    """The rule for other things of some names in the place of its own, and for other directions."""
    for name in names:
        if name != rule.subject and CELL not in (rule.subject, name) and not rule.sight.own:
            yield renamed(rule, rule.subject, name)
    if rule.sight.frame.toward == "none":
        yield turned(rule, partial(mirrored, ahead=-1, side=1), SIDES)
        yield turned(rule, partial(mirrored, ahead=1, side=-1), ENDS)


def renamed(rule: Rule, old: str, name: str) -> Rule:
    """The rule with another name for its subject, wherever that itself is spoken of."""

    def of(thing: Seen) -> Seen:
        return thing._replace(name=name) if thing.name == old else thing

    outcome = tuple(sorted(change._replace(thing=of(change.thing)) for change in rule.outcome))
    tests = tuple(
        test._replace(things=frozenset(map(of, test.things))) if test.offset == (0, 0) else test
        for test in rule.tests
    )
    return rule._replace(subject=name, tests=tests, outcome=outcome)


def mirrored(offset: Offset, ahead: int, side: int) -> Offset:
    """The cell opposite."""
    return offset[0] * ahead, offset[1] * side


def turned(rule: Rule, where: partial[Offset], ways: Mapping[str, str]) -> Rule:
    """The rule as it is seen in a mirror."""

    def of(thing: Seen) -> Seen:
        return thing._replace(facing=ways.get(thing.facing, thing.facing))

    def asked(test: Test) -> Test:
        if test.word:
            return test._replace(word=ways.get(test.word, test.word))
        return test._replace(offset=where(test.offset), things=frozenset(map(of, test.things)))

    outcome = (Change(one.sign, where(one.offset), of(one.thing)) for one in rule.outcome)
    return rule._replace(tests=tuple(map(asked, rule.tests)), outcome=tuple(sorted(outcome)))
