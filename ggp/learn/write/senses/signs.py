"""A mark everywhere if something stands somewhere: it begins there and spreads."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.learn.seen.signs import Sign
from ggp.learn.write.patterns import Patterns
from ggp.learn.write.senses.marking import Marking, mark_of
from ggp.model import Condition, Effect, Group, Pattern, Piece, Rule

SPREADS = "width + height"  # passes until a mark has got everywhere


def marked(sign: Sign, number: int, patterns: Patterns) -> Marking:
    """The mark, by one group that begins and spreads."""
    words = (patterns.all_of(name)[0].name for name in (sign.what, *sign.ground))
    mark = mark_of("-".join(("some", *words, str(number))))
    empty = Condition("absent", (), Pattern(mark.name))
    effects = (Effect("add", Pattern(mark.name), ()),)
    rules = [
        Rule(f"{mark.name}-{place}", "none", (*found, empty), effects)
        for place, found in enumerate(places(sign, patterns), start=1)
    ]
    beside = Condition("present", ("ahead",), Pattern(mark.name))
    rules.append(Rule(f"{mark.name}-spreads", "any", (empty, beside), effects))
    return Marking(mark, {sign.token: Piece(mark.name)}, [Group(mark.name, tuple(rules), SPREADS)])


def places(sign: Sign, patterns: Patterns) -> Iterator[tuple[Condition, ...]]:
    """The conditions under each of which a cell makes the sign true."""
    for kind in patterns.all_of(sign.what):
        here = Condition("present", (), kind)
        grounds = [one for name in sign.ground for one in patterns.all_of(name)]
        if not grounds:
            yield (here,)
        elif sign.off:
            yield (here, *(Condition("absent", (), one) for one in grounds))
        else:
            yield from ((here, Condition("present", (), one)) for one in grounds)
