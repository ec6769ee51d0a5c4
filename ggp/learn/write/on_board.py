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
from ggp.model import Asked, Condition, Group, Pattern, Rule
from ggp.model.goal import Term
from ggp.model.rules import OnBoard


class Marked(Exception):
    """Some rule asks more of a mark than that it is here, or not."""


def asking_the_board(
    group: Group, signs: Mapping[str, Sign], members: Mapping[str, tuple[str, ...]], patterns: Patterns
) -> Group | None:
    """The group with sentences in the place of marks; None where a mark is needed.

    `signs`: what each mark stands for. `members`: the kinds of each class. A group that is repeated is none
    of these: its marks say what was true when it began.
    """
    if group.bound is not None:
        return None
    try:
        rules = tuple(
            replace(rule, conditions=tuple(spelled(rule, signs, members, patterns))) for rule in group.rules
        )
    except Marked:
        return None
    return replace(group, rules=rules)


def spelled(
    rule: Rule, signs: Mapping[str, Sign], members: Mapping[str, tuple[str, ...]], patterns: Patterns
) -> Iterator[Asked]:
    """The conditions of a rule, with sentences last. Raises Marked."""
    sentences: dict[tuple[Sign, bool], None] = {}
    for one in rule.conditions:
        pattern = one.pattern if isinstance(one, Condition) else None
        kinds = members.get(pattern.name, (pattern.name,)) if pattern is not None else ()
        found = [signs[kind] for kind in kinds if kind in signs]
        if not found or not isinstance(one, Condition):
            yield one
            continue
        others = [kind for kind in kinds if kind not in signs]
        if one.path != () or (one.wants == "present" and (others or len(found) > 1)):
            raise Marked
        if others:
            yield replace(one, pattern=Pattern(patterns.vocabulary.class_of(others)))
        sentences |= dict.fromkeys((sign, one.wants == "present") for sign in found)
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
