"""A mark on the first of several things: two more find out what has one before it.

One stands in every line with such a thing, and in all lines after that; the other one on all cells that have
such a thing before them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.learn.seen.foremost import Foremost
from ggp.learn.write.patterns import Patterns
from ggp.learn.write.senses.marking import Marking, mark_of
from ggp.model import Condition, Effect, Group, Pattern, Piece, Rule

SPREADS = "width + height"  # passes until a mark has got everywhere


def marked(first: Foremost, number: int, patterns: Patterns) -> Marking:
    """The mark, by a group that begins lines, two that go on, and one that says which is the first."""
    sources = patterns.all_of(first.source)
    mark = mark_of(f"first-{sources[0].name}-{number}")
    others = [mark_of(f"{mark.name}-{word}") for word in ("line", "later")]
    back, before, after = ("up", "left", "right") if first.by_rows else ("left", "up", "down")
    chosen, line, later = (Pattern(one.name) for one in (mark, *others))
    beside = [Condition("present", (way,), line) for way in (back, before, after)]
    over = [
        *(Condition("present", (before,), one) for one in sources),
        Condition("present", (before,), later),
        Condition("present", (back,), line),
    ]
    begins = [(Condition("present", (), one),) for one in sources]
    spreads = [(Condition("absent", (), line), one) for one in beside]
    follows = [(Condition("absent", (), later), one) for one in over]
    says = [(Condition("present", (), one), Condition("absent", (), later)) for one in sources]
    groups = [
        Group(f"{line.name}-begins", rules_of(f"{line.name}-begins", begins, line)),
        Group(line.name, rules_of(line.name, spreads, line), SPREADS),
        Group(later.name, rules_of(later.name, follows, later), SPREADS),
        Group(mark.name, rules_of(mark.name, says, chosen)),
    ]
    return Marking(mark, {first.name: Piece(mark.name)}, groups, others)


def rules_of(name: str, asked: Sequence[tuple[Condition, ...]], put: Pattern) -> tuple[Rule, ...]:
    """A rule for each of these conditions, which puts a mark here."""
    effects = (Effect("add", put, ()),)
    return tuple(Rule(f"{name}-{n}", "none", some, effects) for n, some in enumerate(asked, start=1))
