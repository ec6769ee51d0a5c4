"""Passes with a rule more, a rule less, or a rule otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ggp.learn.fit.questions import Test
from ggp.learn.turn.searched.rules import Rule, Step, Steps


class Draft(NamedTuple):
    """A rule that may be put in before a pass, or within it, and what that seems to be worth."""

    worth: float
    rule: Rule
    place: int
    within: bool


def places(steps: Steps) -> Iterator[tuple[int, bool]]:
    """Where something may be done: before each pass and after the last, and within each."""
    for k in range(len(steps) + 1):
        yield k, False
        if k < len(steps):
            yield k, True


def placed(steps: Steps, draft: Draft) -> Iterator[tuple[Steps, int]]:
    """The passes with a rule in all places where it may stand, and the first pass that is new."""
    _, rule, k, within = draft
    if not within:
        for loop in (False, True):
            yield (*steps[:k], Step((rule,), loop), *steps[k:]), k
        if k and fits(steps[k - 1], rule):
            step = steps[k - 1]
            yield (*steps[: k - 1], step._replace(rules=(*step.rules, rule)), *steps[k:]), k - 1
    if k < len(steps) and fits(steps[k], rule):
        step = steps[k]
        for place in range(len(step.rules) + 1):
            if place == len(step.rules) or step.rules[place].part == rule.part:
                rules = (*step.rules[:place], rule, *step.rules[place:])
                yield (*steps[:k], step._replace(rules=rules), *steps[k + 1 :]), k


def fits(step: Step, rule: Rule) -> bool:
    """May a rule stand in a pass: is its subject asked in one part there, whatever the input?"""
    for one in step.rules:
        other_part = one.subject == rule.subject and one.part != rule.part
        if other_part and (one.words is None or rule.words is None or one.words & rule.words):
            return False
    return True


def every_rule(steps: Steps) -> list[tuple[int, int]]:
    """The pass and the place of each rule."""
    return [(k, place) for k, step in enumerate(steps) for place in range(len(step.rules))]


def without(steps: Steps, k: int, place: int) -> Steps:
    """The passes without a rule; without its pass if nothing is left there."""
    step = steps[k]
    rules = (*step.rules[:place], *step.rules[place + 1 :])
    kept = (step._replace(rules=rules),) if rules else ()
    return (*steps[:k], *kept, *steps[k + 1 :])


def with_rule(steps: Steps, k: int, place: int, rule: Rule) -> Steps:
    """The passes with another rule in the place of one."""
    step = steps[k]
    rules = (*step.rules[:place], rule, *step.rules[place + 1 :])
    return (*steps[:k], step._replace(rules=rules), *steps[k + 1 :])


def with_exception(steps: Steps, k: int, place: int, tests: Sequence[Test]) -> Iterator[Steps]:
    """The passes in which a rule is not followed where some tests hold, in each way to say that or more.

    In a loop no rule says that something rests: a game cannot be written so.
    """
    rule = steps[k].rules[place]
    for test in tests:
        other = test._replace(wanted=not test.wanted)
        yield with_rule(steps, k, place, rule._replace(tests=(*rule.tests, other)))
    if len(tests) > 1 and not steps[k].loop:
        nothing = rule._replace(tests=(*rule.tests, *tests), outcome=())
        rules = (*steps[k].rules[:place], nothing, *steps[k].rules[place:])
        yield (*steps[:k], steps[k]._replace(rules=rules), *steps[k + 1 :])
