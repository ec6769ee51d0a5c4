"""What is asked of neighbours, said by the rule that asks: "toward any: picked ahead", and no mark.

A mark in the cells around something needs a pass of its own. Where rules only ever ask that one is here, they
can look beside it themselves, in each direction: that is shorter to read, and one pass stays one pass.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from ggp.learn.seen.nearby import BESIDE, Away, Near
from ggp.learn.write.unmarked import Marked, kinds_of, rewritten
from ggp.model import Condition, Group, Pattern, Rule

Named = Callable[[Sequence[str]], str]
"""The name of a kind, or of a class of several."""
Asked = tuple[Near, Mapping[str, Sequence[Pattern]]]
"""What is asked of neighbours, and the patterns of each name in it."""


WORDS = {BESIDE: "beside", (1, 1): "corner"}  # in the names of rules


def without_marks(
    group: Group, asked: Mapping[str, Asked], members: Mapping[str, tuple[str, ...]], named: Named
) -> Group | None:
    """The group with what marks stand for in their place; None where a mark is needed.

    `asked`: what each mark stands for; `members`: the kinds of each class.
    """
    return rewritten(group, lambda rule: spelled_out(rule, asked, members, named))


def spelled_out(
    rule: Rule, asked: Mapping[str, Asked], members: Mapping[str, tuple[str, ...]], named: Named
) -> Iterator[Rule]:
    """The rule for each way in which one of its marks can be here. Raises Marked."""
    reading = [one for one in rule.conditions if kinds_of(one, asked, members).marks]
    if not reading:
        yield rule
        return
    (one, *more) = reading
    if not isinstance(one, Condition) or (one.wants, one.path) != ("present", ()):
        raise Marked
    if more or rule.toward != "none":
        raise Marked
    place = rule.conditions.index(one)
    marks, others = kinds_of(one, asked, members)
    if others:
        yield with_instead(rule, place, (Condition("present", (), Pattern(named(others))),))
    beside: dict[tuple[str, Away], list[Asked]] = defaultdict(list)
    for kind in marks:
        near = asked[kind][0]
        beside[near.source, near.away].append(asked[kind])
    for (source, away), alike in beside.items():
        found = product(ways(source, alike, named), Near(source, away=away).paths)
        for number, (kinds, path) in enumerate(found, start=1):
            told = with_instead(rule, place, tuple(Condition("present", path, kind) for kind in kinds))
            word = WORDS.get(away, "near")
            yield replace(told, name=f"{rule.name}-{word}-{number}", toward="any")


def ways(source: str, alike: Sequence[Asked], named: Named) -> Iterator[tuple[Pattern, ...]]:
    """What stands beside, of marks that differ only in the ground: grounds that are kinds are one class."""
    grounds: list[Pattern] = []
    sources: Sequence[Pattern] = alike[0][1][source]
    for near, kinds in alike:
        if not near.ground:  # whatever stands there
            yield from ((one,) for one in sources)
            return
        grounds += kinds[near.ground]
    whole = [one.name for one in grounds if one.variant is None]
    apart = [one for one in grounds if one.variant is not None]
    if whole:
        apart.insert(0, Pattern(named(whole)))
    yield from product(sources, apart)


def with_instead(rule: Rule, place: int, conditions: tuple[Condition, ...]) -> Rule:
    """The rule with other conditions in the place of one."""
    return replace(rule, conditions=(*rule.conditions[:place], *conditions, *rule.conditions[place + 1 :]))
