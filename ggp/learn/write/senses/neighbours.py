"""A mark in the cells that are so far away from something."""

from __future__ import annotations

from itertools import product

from ggp.learn.seen.nearby import Near
from ggp.learn.write.patterns import Patterns
from ggp.learn.write.senses.marking import Marking, mark_of
from ggp.model import Condition, Effect, Group, Pattern, Piece, Rule


def marked(near: Near, number: int, patterns: Patterns) -> Marking:
    """The mark, by one rule for each kind that there may be with each ground."""
    kinds = [patterns.all_of(name) for name in (near.source, near.ground) if name]
    mark = mark_of("-".join(("near", *(some[0].name for some in kinds), str(number))))
    effects = tuple(Effect("add", Pattern(mark.name), path, if_inside=True) for path, _ in near.around)
    rules = (
        Rule(f"{mark.name}-{place}", "none", tuple(Condition("present", (), kind) for kind in some), effects)
        for place, some in enumerate(product(*kinds), start=1)
    )
    return Marking(mark, {near.name: Piece(mark.name)}, [Group(mark.name, tuple(rules))])
