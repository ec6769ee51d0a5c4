"""A mark in the cells that hang together with something: it begins there and spreads."""

from __future__ import annotations

from ggp.learn.seen.regions import Region
from ggp.learn.write.patterns import Patterns
from ggp.learn.write.senses.marking import Marking, mark_of
from ggp.model import Condition, Effect, Group, Pattern, Piece, Rule


def marked(region: Region, number: int, patterns: Patterns) -> Marking:
    """The mark, by a group that begins and one that spreads."""
    source, along = (patterns.one_of(name) for name in (region.source, region.along))
    mark = mark_of(f"{along.name}-together-{number}")
    put = (Effect("add", Pattern(mark.name), ()),)
    there = Condition("present", (), along)
    begins = [there, Condition("present", (), source)]
    begins += [Condition("present", ("ahead",), along)] * region.several
    begin = Rule(mark.name, "any" if region.several else "none", tuple(begins), put)
    beside = (
        Condition("absent", (), Pattern(mark.name)),
        Condition("present", ("ahead",), Pattern(mark.name)),
    )
    spread = Rule(f"{mark.name}-spreads", "any", (there, *beside), put)
    groups = [Group(mark.name, (begin,)), Group(f"{mark.name}-further", (spread,), "width * height")]
    return Marking(mark, {region.name: Piece(mark.name)}, groups)
