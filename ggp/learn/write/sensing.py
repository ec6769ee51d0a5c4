"""Signs and rays as rules: a mark that begins where something stands, and spreads before it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal

from ggp.learn.fit.program import Program
from ggp.learn.seen.crowded import Crowd
from ggp.learn.seen.nearby import Near
from ggp.learn.seen.rays import Ray
from ggp.learn.seen.regions import Region
from ggp.learn.seen.signs import Sign, is_sign
from ggp.model import DIRECTIONS, Condition, Effect, Group, Kind, Pattern, Rule

SPREADS = "width + height"  # passes until a mark has got everywhere
ALONG = "longest"  # passes until a ray has got to the edge


def signs_read(program: Program) -> tuple[Sign, ...]:
    """The signs that the decisions of a program ask for."""
    asked = asked_by(program)
    return tuple(sign for sign in program.structure.signs if sign.token in asked)


def rays_read(program: Program) -> tuple[Ray | Near | Crowd | Region, ...]:
    """The rays, and what is asked of neighbours and their number, that decisions of a program ask for."""
    asked = asked_by(program)
    return tuple(ray for ray in program.structure.rays if ray.name in asked)


def asked_by(program: Program) -> set[str]:
    """The names of the signs and rays that the decisions of a program ask for."""
    return {
        thing.name
        for part in program.parts
        for decision in part.decisions.decisions
        for test in decision.tests
        for thing in test.things
        if is_sign(thing.name)
    }


def mark_of(name: str) -> Kind:
    """The kind of the marks of a sign."""
    return Kind(name, f"layer-of-{name}", marker=True)


def sensed(sign: Sign, mark: str, kinds: Mapping[str, Sequence[Pattern]]) -> Group:
    """The group of rules that puts the mark everywhere if the sign is true. `kinds`: those of each name."""
    empty = Condition("absent", (), Pattern(mark))
    effects = (Effect("add", Pattern(mark), ()),)
    rules = [
        Rule(f"{mark}-{number}", "none", (*found, empty), effects)
        for number, found in enumerate(places(sign, kinds), start=1)
    ]
    beside = Condition("present", ("ahead",), Pattern(mark))
    rules.append(Rule(f"{mark}-spreads", "any", (empty, beside), effects))
    return Group(mark, tuple(rules), SPREADS)


def lines_of(ray: Ray, mark: str, kinds: Mapping[str, Sequence[Pattern]], *, faced: bool) -> list[Group]:
    """The groups of rules that put the mark where the ray goes. `faced`: it goes where its source faces."""
    ways = ("ahead",) if faced else DIRECTIONS
    effects = tuple(Effect("add", Pattern(mark, way), (way,), if_inside=True) for way in ways)
    toward: Literal["facing", "none"] = "facing" if faced else "none"
    leading = [Condition("present", (), kind) for name in sorted(ray.along) for kind in kinds[name]]
    along: list[tuple[Condition, ...]] = [(one,) for one in leading] or [()]
    begun = [(Condition("present", (), kind), *some) for kind in kinds[ray.source] for some in along]
    begins = tuple(
        Rule(f"{mark}-{number}", toward, asked, effects) for number, asked in enumerate(begun, start=1)
    )
    conditions = (
        Condition("present", (), Pattern(mark)),
        *(Condition("absent", (), kind) for name in sorted(ray.barred) for kind in kinds[name]),
        Condition("inside", ("ahead",)),
        Condition("absent", ("ahead",), Pattern(mark, "ahead")),
    )
    further = (Effect("add", Pattern(mark, "ahead"), ("ahead",)),)
    through = [(Condition("present", (), kind),) for name in sorted(ray.through) for kind in kinds[name]]
    goes = tuple(
        Rule(f"{mark}-goes-on" + f"-{number}" * (number > 1), "facing", (*conditions, *some), further)
        for number, some in enumerate(through or along, start=1)
    )
    return [Group(mark, begins), Group(f"{mark}-further", goes, ALONG)]


def region_of(region: Region, mark: str, source: Pattern, along: Pattern) -> list[Group]:
    """The groups of rules that put the mark where one gets to from what has the source."""
    put = (Effect("add", Pattern(mark), ()),)
    there = Condition("present", (), along)
    begins = [there, Condition("present", (), source)]
    begins += [Condition("present", ("ahead",), along)] * region.several
    begin = Rule(mark, "any" if region.several else "none", tuple(begins), put)
    beside = (Condition("absent", (), Pattern(mark)), Condition("present", ("ahead",), Pattern(mark)))
    spread = Rule(f"{mark}-spreads", "any", (there, *beside), put)
    return [Group(mark, (begin,)), Group(f"{mark}-further", (spread,), "width * height")]


def neighbours_of(near: Near, mark: str, kinds: Mapping[str, Sequence[Pattern]]) -> Group:
    """The group of rules that puts the mark into the cells around something."""
    effects = tuple(Effect("add", Pattern(mark), path, if_inside=True) for path, _ in near.around)
    there = product(kinds[near.source], kinds.get(near.ground, [None]))
    conditions = (
        tuple(Condition("present", (), kind) for kind in some if kind is not None) for some in there
    )
    return Group(
        mark, tuple(Rule(f"{mark}-{n}", "none", some, effects) for n, some in enumerate(conditions, 1))
    )


def places(sign: Sign, kinds: Mapping[str, Sequence[Pattern]]) -> Iterator[tuple[Condition, ...]]:
    """The conditions under each of which a cell makes the sign true."""
    for kind in kinds[sign.what]:
        here = Condition("present", (), kind)
        grounds = [one for name in sign.ground for one in kinds[name]]
        if not grounds:
            yield (here,)
        elif sign.off:
            yield (here, *(Condition("absent", (), one) for one in grounds))
        else:
            yield from ((here, Condition("present", (), one)) for one in grounds)


def names_in(signs: Iterable[Sign]) -> set[str]:
    """All names that some signs speak of."""
    return {name for sign in signs for name in (sign.what, *sign.ground)}
