"""A deed, and then what fills a line from one wall to the next: a row that is full of crates vanishes.

How long such a line is no window says, so what is asked of each cell is whether a wall is seen from it
through nothing but its like: a ray that begins at the wall and goes on through crates alone (`seen.rays`).
Which ray is read off what the deed leaves of all turns: with it hardly anything is open of what becomes of
its cells.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import product

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, pointed
from ggp.learn.fit.program import Passes, Program, in_a_row, subjects_on
from ggp.learn.fit.toil import account
from ggp.learn.seen.rays import Ray
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.in_parts.aftermath import often_done
from ggp.learn.turn.one_pass.elsewhere import entropy, learned_from
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.turn.one_pass.inline import became, with_its_tokens

SEVERAL = 2  # of one name gone at once, for a line to be thought of
OFTEN = 3  # turns
OPEN = 0.1  # of what becomes of its cells may be open once it is known where the ray comes
WORK = 2e6  # on the rules with one ray
SOON = 5e5  # on the deed, which is small


def learn_filled(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """A deed and what becomes of full lines; raises NotLearned where these do not say what was seen."""
    if not structure.joined and not pointed(turns):
        names = gone_at_once(turns, structure)
        for common in often_done(turns, structure) if names else ():
            with account(SOON):
                deed = learned_from(common, structure, LIMITS[:1])
            rest = left_by(deed, turns) if deed is not None else None
            for ray in telling(rest, names, structure) if rest else ():
                then = with_a_ray(ray, rest or (), structure, limits)
                if deed is not None and then is not None:
                    passes = in_a_row(structure, (deed, then))
                    if not any(map(passes.wrong, turns)):
                        return passes
    raise NotLearned("no deed and what fills a line explain a turn", "record the boards inside a turn")


def with_a_ray(
    ray: Ray, rest: Sequence[Turn], structure: Structure, limits: Sequence[float]
) -> Program | None:
    """What comes of the deed, where rules may ask for the ray; None where a little work finds none."""
    with account(WORK):
        return learned_from(rest, with_its_tokens(structure, ray), limits)


def gone_at_once(turns: Sequence[Turn], structure: Structure) -> list[str]:
    """The names of which several are gone at once in some turns."""
    often = Counter[str]()
    for turn in turns:
        less = Counter[str]()
        for sign, _, token in changes_of(turn):
            less[structure.name(token)] += 1 if sign == "-" else -1
        often.update(name for name, number in less.items() if number >= SEVERAL)
    return sorted(name for name, number in often.items() if number >= OFTEN)


def telling(rest: Sequence[Turn], names: Sequence[str], structure: Structure) -> Iterator[Ray]:
    """The rays from what never moves that leave hardly anything open of what becomes of such things."""
    still = sorted(structure.still)
    found = []
    for name, source in product(names, still):
        ray = Ray(source, through=frozenset({name}))
        every, left = told(ray, name, rest, structure)
        if every and left <= OPEN * every:
            found.append((left, ray.name, ray))
    yield from (ray for *_, ray in sorted(found))


def told(ray: Ray, name: str, rest: Sequence[Turn], structure: Structure) -> tuple[float, float]:
    """The bits of what becomes of each thing of a name, and those that are left with the ray known."""
    events: list[Hashable] = []
    by_way: dict[Hashable, list[Hashable]] = defaultdict(list)
    for turn in rest:
        cells = list(subjects_on(turn.before, name, structure))
        ways: dict[Hashable, set[str]] = defaultdict(set)
        for cell, direction in ray.lit(turn.before, structure.facing) if cells else ():
            ways[cell].add(direction)
        for cell, token in cells:
            event = became(turn, cell, token or name)
            events.append(event)
            by_way[frozenset(ways[cell])].append(event)
    return len(events) * entropy(events), sum(len(some) * entropy(some) for some in by_way.values())
