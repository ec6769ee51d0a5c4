"""A mark in the cells around which so many stand."""

from __future__ import annotations

from ggp.learn.seen.crowded import Crowd
from ggp.learn.write.patterns import Patterns
from ggp.learn.write.senses.marking import Marking, mark_of
from ggp.model import Effect, Group, Nearby, Pattern, Piece, Rule


def marked(crowd: Crowd, number: int, patterns: Patterns) -> Marking:
    """The mark, by one rule that counts."""
    source = patterns.one_of(crowd.source)
    mark = mark_of(f"{source.name}-{crowd.area}-{crowd.least}-{number}")
    enough = Nearby(source, ((crowd.area,),), ">=", crowd.least)
    rule = Rule(mark.name, "none", (enough,), (Effect("add", Pattern(mark.name), ()),))
    return Marking(mark, {crowd.name: Piece(mark.name)}, [Group(mark.name, (rule,))])
