"""A mark along the lines that something looks along: it begins beside it and goes on, facing that way."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ggp.learn.seen.rays import Ray
from ggp.learn.write.patterns import Patterns
from ggp.learn.write.senses.marking import Marking, mark_of
from ggp.model import DIRECTIONS, Condition, Effect, Group, Pattern, Piece, Rule

ALONG = "longest"  # passes until a ray has got to the edge


def marked(ray: Ray, number: int, patterns: Patterns) -> Marking:
    """The mark, by a group that begins, where each source looks, and one that goes on."""
    sources = patterns.looking(ray.source)
    kind = replace(mark_of(f"line-{next(iter(sources)).name}-{number}"), facings=DIRECTIONS, merge=True)
    mark = kind.name
    along: list[tuple[Condition, ...]] = [
        (one,) for name in sorted(ray.along) for one in standing(name, patterns)
    ]
    along = along or [()]
    begins: list[Rule] = []
    for source, ways in sources.items():
        effects = tuple(Effect("add", Pattern(mark, way), (way,), if_inside=True) for way in ways)
        for some in along:
            toward: Literal["facing", "none"] = "facing" if ways == ("ahead",) else "none"
            asked = (Condition("present", (), source), *some)
            begins.append(Rule(f"{mark}-{len(begins) + 1}", toward, asked, effects))
    conditions = (
        Condition("present", (), Pattern(mark)),
        *(Condition("absent", (), one) for name in sorted(ray.barred) for one in patterns.all_of(name)),
        Condition("inside", ("ahead",)),
        Condition("absent", ("ahead",), Pattern(mark, "ahead")),
    )
    further = (Effect("add", Pattern(mark, "ahead"), ("ahead",)),)
    if ray.through:
        along = [(one,) for name in sorted(ray.along | ray.through) for one in standing(name, patterns)]
    goes = tuple(
        Rule(f"{mark}-goes-on" + f"-{n}" * (n > 1), "facing", (*conditions, *some), further)
        for n, some in enumerate(along, start=1)
    )
    pieces = {ray.token(direction): Piece(mark, direction) for direction in DIRECTIONS}
    return Marking(kind, pieces, [Group(mark, tuple(begins)), Group(f"{mark}-further", goes, ALONG)])


def standing(name: str, patterns: Patterns) -> list[Condition]:
    """That something of this name is here: of several kinds any."""
    return [Condition("present", (), one) for one in patterns.all_of(name)]
