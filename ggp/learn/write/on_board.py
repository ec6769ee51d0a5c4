"""What is asked of the whole board, by the rule that asks: "some crate on plate", and no mark.

A mark everywhere needs a loop that spreads it. Where rules only ever ask that one is here, they can ask the
board themselves, as goals do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ggp.goals.count import Count
from ggp.goals.on import On
from ggp.learn.seen.signs import Sign
from ggp.learn.write.patterns import Patterns
from ggp.learn.write.unmarked import Marked, kinds_of, rewritten
from ggp.model import Asked, Condition, Group, Pattern, Rule
from ggp.model.goal import Term
from ggp.model.rules import OnBoard


def asking_the_board(
    group: Group, signs: Mapping[str, Sign], members: Mapping[str, tuple[str, ...]], patterns: Patterns
) -> Group | None:
    """The group with sentences in the place of marks; None where a mark is needed.

    `signs`: what each mark stands for. `members`: the kinds of each class. A group that is repeated is none
    of these: its marks say what was true when it began.
    """
    if group.bound is not None:
        return None
    return rewritten(
        group, lambda rule: [replace(rule, conditions=tuple(spelled(rule, signs, members, patterns)))]
    )


def spelled(
    rule: Rule, signs: Mapping[str, Sign], members: Mapping[str, tuple[str, ...]], patterns: Patterns
) -> Iterator[Asked]:
    """The conditions of a rule, with sentences last. Raises Marked."""
    sentences: dict[tuple[Sign, bool], None] = {}
    for one in rule.conditions:
        marks, others = kinds_of(one, signs, members)
        if not marks or not isinstance(one, Condition):
            yield one
            continue
        if one.path != () or (one.wants == "present" and (others or len(marks) > 1)):
            raise Marked
        if others:
            yield replace(one, pattern=Pattern(patterns.vocabulary.class_of(others)))
        sentences |= dict.fromkeys((signs[mark], one.wants == "present") for mark in marks)
    for sign, wanted in sentences:
        yield OnBoard(sentence(sign, wanted, patterns))


def sentence(sign: Sign, wanted: bool, patterns: Patterns) -> Term:
    """The goal word for it, or for its opposite. Raises Marked where several facings are one ground."""
    what = patterns.one_of(sign.what)
    if not sign.ground:
        return Count(what, ">=", 1) if wanted else Count(what, "=", 0)
    grounds = [one for name in sign.ground for one in patterns.all_of(name)]
    if len(grounds) > 1 and any(one.variant is not None for one in grounds):
        raise Marked
    ground = (
        grounds[0]
        if len(grounds) == 1
        else Pattern(patterns.vocabulary.class_of([one.name for one in grounds]))
    )
    return On("some" if wanted else "no", what, "off" if sign.off else "on", ground)
