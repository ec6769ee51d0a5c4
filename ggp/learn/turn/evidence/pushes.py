"""What is pushed, and by whom: the fewest rules by which all went that did, and nobody else.

A rule says that things of a name are pushed by the input, or by things of a name that are pushed and stand
on some side of them: behind (crates in a row), ahead (who pulls), or anywhere (what sticks together). Who is
pushed goes, unless what bars its way does not. So rules are added one by one, the one that is wrong about
fewest things, and then made narrower by one question where that is better.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from ggp.learn.fit.lists import RULE
from ggp.learn.fit.program import meaning
from ggp.learn.fit.questions import AXES, Test, costs_of
from ggp.learn.fit.toil import spend
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import Seen
from ggp.learn.turn.evidence.along import AHEAD, AROUND, FREE, Steps, movers_of

MOST = 8  # rules
SIDE = 1.0  # what it costs to say where the other one stands
HERE: Offset = (0, 0)
SIDES: tuple[tuple[Offset, ...], ...] = (
    ((-1, 0),),
    ((1, 0),),
    ((0, 1), (0, -1)),
    ((1, 0), (-1, 0)),
    AROUND,
)


class Push(NamedTuple):
    """Things of a name are pushed by what is pushed on one of these sides; without any, by the input."""

    name: str
    by: str = ""
    sides: tuple[Offset, ...] = ()
    tests: tuple[Test, ...] = ()

    @property
    def cost(self) -> float:
        """What it says, in the same measure as a decision."""
        return RULE + (RULE + SIDE if self.sides else 0) + sum(map(costs_of, self.tests))


class Turns:
    """Turns of steps, of which it is asked how many things some rules are wrong about."""

    def __init__(self, steps: Sequence[Steps], structure: Structure) -> None:
        self.steps, self.structure = steps, structure
        self.answers: dict[tuple[int, int, Test], bool] = {}

    def asked(self, index: int, number: int, tests: Iterable[Test]) -> bool:
        """Do all of these hold for a thing of a turn?"""
        for test in tests:
            key = index, number, test
            if key not in self.answers:
                one = self.steps[index]
                there = one.things_at(number, test.offset, self.structure)
                look = None if there is None else frozenset(map(Seen, there))
                self.answers[key] = test.holds(look, meaning(self.structure, one.turn.word))
            if not self.answers[key]:
                return False
        return True

    def pushed(self, index: int, rules: Sequence[Push]) -> set[int]:
        """The things of a turn that are pushed."""
        one = self.steps[index]
        found = set[int]()
        new = [
            n
            for n, name in enumerate(one.names)
            for rule in rules
            if not rule.sides and rule.name == name and self.asked(index, n, rule.tests)
        ]
        while new:
            source = new.pop()
            if source in found:
                continue
            found.add(source)
            for rule in rules:
                for down, right in rule.sides if rule.by == one.names[source] else ():
                    n = one.beside[source].get((-down, -right), source)
                    if n not in found and one.names[n] == rule.name and self.asked(index, n, rule.tests):
                        new.append(n)
        return found

    def wrong_in(self, index: int, rules: Sequence[Push]) -> list[tuple[int, bool]]:
        """The things about which rules are wrong, and whether these let them go."""
        one = self.steps[index]
        spend(1 + 0.6 * len(one.names))
        pushed = self.pushed(index, rules)
        wrong = []
        for n, went in enumerate(one.went):
            at = n
            while at in pushed and one.ahead[at] >= 0:
                at = one.ahead[at]
            goes = at in pushed and one.ahead[at] == FREE
            if goes != went:
                wrong.append((n, goes))
        return wrong

    def wrong(self, rules: Sequence[Push], most: int | None = None) -> int:
        """About how many things rules are wrong, in all turns; more than `most` is not counted."""
        number = 0
        for index in range(len(self.steps)):
            number += len(self.wrong_in(index, rules))
            if most is not None and number > most:
                break
        return number


def pushes(steps: Sequence[Steps], structure: Structure) -> tuple[list[Push], int]:
    """Rules by which things go, and about how many things they are wrong in all turns."""
    turns, rules = Turns(steps, structure), list[Push]()
    left = turns.wrong(rules)
    while left and len(rules) < MOST:
        better = [[*rules, one] for one in rules_of(steps) if one not in rules]
        better += [
            [*rules[:n], one._replace(tests=(*one.tests, test)), *rules[n + 1 :]]
            for n, one in enumerate(rules)
            if len(one.tests) < 2
            for test in telling(turns, rules, one)
        ]
        least, known = left, rules
        for some in better:
            wrong = turns.wrong(some, least)
            if (wrong, sum(one.cost for one in some)) < (least, sum(one.cost for one in known)):
                least, known = wrong, some
        if least >= left:
            break
        left, rules = least, known
    for one in list(rules):
        fewer = [other for other in rules if other != one]
        if turns.wrong(fewer, left) <= left:
            rules = fewer
    return rules, left


def rules_of(steps: Sequence[Steps]) -> Iterator[Push]:
    """All rules, with no question but along which line the input points, those that say less first."""
    went = movers_of(steps)
    plain = [*map(Push, went), *(Push(name, by, sides) for name, by, sides in product(went, went, SIDES))]
    yield from plain
    yield from (one._replace(tests=(Test(HERE, word=axis),)) for one in plain for axis in AXES)


def telling(turns: Turns, rules: Sequence[Push], rule: Push) -> Iterator[Test]:
    """Questions that are answered with no for something that goes wrongly by a rule."""
    words = set[str]()
    things = set[tuple[Offset, str]]()
    for index, one in enumerate(turns.steps):
        for n, goes in turns.wrong_in(index, rules):
            if goes and one.names[n] == rule.name:
                words.add(meaning(turns.structure, one.turn.word))
                for offset in (HERE, AHEAD):
                    there = one.things_at(n, offset, turns.structure) or frozenset()
                    things |= {(offset, token) for token in there - {rule.name}}
    yield from (Test(HERE, word=axis) for axis, ways in AXES.items() if words and words.isdisjoint(ways))
    yield from (Test(offset, frozenset({Seen(token)}), wanted=False) for offset, token in sorted(things))
    fixed = sorted(turns.structure.tokens)
    yield from (Test(HERE, frozenset({Seen(token)})) for token in fixed if token != rule.name and words)
