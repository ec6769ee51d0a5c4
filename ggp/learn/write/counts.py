"""What is asked of how many stand around, by the rule that asks: "count spore at around = 3", and no mark.

A mark in the cells around which so many stand needs a pass of its own. Where rules only ever ask that one is
here, they can count themselves; and two numbers next to each other are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ggp.learn.seen.crowded import Crowd
from ggp.learn.write.unmarked import Marked, kinds_of, rewritten
from ggp.model import Asked, Condition, Group, Nearby, Pattern, Rule

Named = Callable[[Sequence[str]], str]
"""The name of a kind, or of a class of several."""
Counts = Mapping[str, tuple[Crowd, Pattern]]
"""What each mark stands for, and the pattern that is counted."""
Source = tuple[Pattern, str]
"""What is counted, and where."""


def counting_itself(
    group: Group, counts: Counts, members: Mapping[str, tuple[str, ...]], named: Named
) -> Group | None:
    """The group with counts in the place of marks; None where a mark is needed. `members`: of each class."""
    return rewritten(
        group, lambda rule: [replace(rule, conditions=tuple(spelled(rule, counts, members, named)))]
    )


def spelled(
    rule: Rule, counts: Counts, members: Mapping[str, tuple[str, ...]], named: Named
) -> Iterator[Asked]:
    """The conditions of a rule, with counts last. Raises Marked."""
    least: dict[Source, int] = {}
    below: dict[Source, int] = {}
    for one in rule.conditions:
        marks, others = kinds_of(one, counts, members)
        if not marks or not isinstance(one, Condition):
            yield one
            continue
        if one.path != ():
            raise Marked
        found = [counts[mark] for mark in marks]
        if one.wants == "present":
            (source, number), *more = lowest(found).items()
            if others or more:
                raise Marked
            least[source] = max(number, least.get(source, number))
            continue
        if others:
            yield replace(one, pattern=Pattern(named(others)))
        for source, number in lowest(found).items():
            below[source] = min(number, below.get(source, number))
    for source in {**least, **below}:
        yield from compared(*source, least.get(source), below.get(source))


def lowest(marks: Sequence[tuple[Crowd, Pattern]]) -> dict[Source, int]:
    """The lowest number of each that is counted: so many are there where any of these marks is."""
    found: dict[Source, int] = {}
    for crowd, pattern in marks:
        source = pattern, crowd.area
        found[source] = min(crowd.least, found.get(source, crowd.least))
    return found


def compared(pattern: Pattern, area: str, least: int | None, below: int | None) -> Iterator[Nearby]:
    """So many or more, and fewer than `below`; the one number that is left, if it is one."""
    cells = ((area,),)
    if least is not None and below == least + 1:
        yield Nearby(pattern, cells, "=", least)
        return
    if least is not None:
        yield Nearby(pattern, cells, ">=", least)
    if below is not None:
        yield Nearby(pattern, cells, "<=", below - 1)
