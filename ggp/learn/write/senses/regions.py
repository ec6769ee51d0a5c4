"""A mark in the cells that hang together with something: it begins there and spreads.

Where more than two must, those with the mark are counted, and another mark says that they are enough.
"""

from __future__ import annotations

from ggp.goals.count import Count
from ggp.learn.seen.regions import Region
from ggp.learn.write.patterns import Patterns
from ggp.learn.write.senses.marking import Marking, mark_of
from ggp.model import Condition, Effect, Group, Pattern, Piece, Rule
from ggp.model.rules import OnBoard


def marked(region: Region, number: int, patterns: Patterns) -> Marking:
    """The mark, by a group that begins and one that spreads, and by one that counts if need be."""
    source, along = (patterns.one_of(name) for name in (region.source, region.along))
    mark = mark_of(f"{along.name}-together-{number}")
    put = (Effect("add", Pattern(mark.name), ()),)
    there = Condition("present", (), along)
    begins = [there, Condition("present", (), source)]
    begins += [Condition("present", ("ahead",), along)] * (region.least > 1)
    begin = Rule(mark.name, "any" if region.least > 1 else "none", tuple(begins), put)
    beside = (
        Condition("absent", (), Pattern(mark.name)),
        Condition("present", ("ahead",), Pattern(mark.name)),
    )
    spread = Rule(f"{mark.name}-spreads", "any", (there, *beside), put)
    groups = [Group(mark.name, (begin,)), Group(f"{mark.name}-further", (spread,), "width * height")]
    if region.least <= 2:
        return Marking(mark, {region.name: Piece(mark.name)}, groups)
    enough = mark_of(f"{mark.name}-of-{region.least}")
    many = OnBoard(Count(Pattern(mark.name), ">=", region.least))
    is_enough = (Condition("present", (), Pattern(mark.name)), many)
    counted = Rule(enough.name, "none", is_enough, (Effect("add", Pattern(enough.name), ()),))
    groups.append(Group(enough.name, (counted,)))
    return Marking(enough, {region.name: Piece(enough.name)}, groups, (mark,))
