"""Where something can happen that chance decides: what is asked there, so that it is possible at all.

What happens in some places and never in others, however often it could have, is barred there. How often is
enough hangs on how likely it is elsewhere: the chance that it only seems so must be small.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ggp.learn.chance.sightings import HERE, WAYS, WINDOW, Context, things_of
from ggp.learn.fit.program import CELL
from ggp.learn.fit.questions import Test
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.nearby import Near
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import Seen

UNLIKELY = 5e-4  # that what is often not done where it could be is just not done by chance
BARRING = 0.02  # the same of what stands where something comes to: that is barred by things, as a rule
MOST = 4  # tests beside what the outcome asks for itself


class Asking(NamedTuple):
    """Something that may be asked about a context. `aside`: what is asked about is beside, whatever side."""

    test: Test
    aside: str = ""

    def holds(self, context: Context) -> bool:
        """The answer."""
        if self.aside:
            return (self.aside in context.near) == self.test.wanted
        look = context.looks[WINDOW.index(self.test.offset)] if not self.test.word else None
        return self.test.holds(look, context.word)


class Row(NamedTuple):
    """A context, how often it was seen, and how often that happened in it."""

    context: Context
    number: int
    times: int


def inside(offset: Offset) -> Asking:
    """That a cell is on the board."""
    return Asking(Test(offset, edge=True, wanted=False))


def needed(
    rows: Sequence[Row], first: Sequence[Asking], all_of: Iterable[Asking], target: Offset
) -> list[Asking]:
    """What must be asked beside `first`, so that nothing is left where it never happens.

    `target`: where something comes to.
    """
    chosen = list(first)
    left = [row for row in rows if all(one.holds(row.context) for one in chosen)]
    happened = [row.context for row in left if row.times]
    # What is not so in a single context in which it happened cannot be asked.
    offered = [one for one in all_of if all(map(one.holds, happened))] if happened else []
    while len(chosen) - len(first) < MOST:
        best: tuple[float, int, Asking] | None = None
        for place, one in enumerate(offered):
            barred = sum(row.number for row in left if not one.holds(row.context))
            if not barred:
                continue
            kept = [row for row in left if one.holds(row.context)]
            rate = sum(row.times for row in kept) / sum(row.number for row in kept)
            chance = never(rate, barred)
            plain = one.test.offset == target and not one.test.wanted and not one.aside and not one.test.word
            key = (-barred, place, one)
            if chance < (BARRING if plain else UNLIKELY) and (best is None or key[:2] < best[:2]):
                best = key
        if best is None:
            break
        chosen.append(best[2])
        left = [row for row in left if best[2].holds(row.context)]
    return chosen


def never(rate: float, times: int) -> float:
    """The chance that what is so likely does not happen so many times."""
    return 0.0 if rate >= 1 else math.exp(times * math.log1p(-rate))


def askings(structure: Structure, contexts: Iterable[Context], subject: str) -> Iterator[Asking]:
    """All that is looked at: what is not there before what is, near before far, what never changes first."""
    contexts = list(contexts)
    seen = {thing.name for context in contexts for look in context.looks for thing in look or ()}
    names = sorted(seen, key=lambda name: (name not in structure.still, name))
    things = {name: things_of(structure, name) for name in names}
    for wanted in (False, True):
        for offset in WINDOW:
            for name in names:
                if wanted and offset == HERE and name == subject:
                    continue
                yield Asking(Test(offset, things[name], wanted=wanted))
                if offset == HERE and len(things[name]) > 1:
                    yield from (
                        Asking(Test(offset, frozenset({one}), wanted=wanted)) for one in sorted(things[name])
                    )
        if subject == CELL:
            yield from (Asking(Test(HERE, frozenset({Seen(Near(n).name)}), wanted=wanted), n) for n in names)
    words = sorted({context.word for context in contexts})
    for wanted in (True, False) if len(words) > 1 else ():
        yield from (Asking(Test(HERE, word=word, wanted=wanted)) for word in words if word)


def merged(askings_of: Sequence[Asking]) -> tuple[Test, ...]:
    """The tests, those of what must not be in one cell as one."""
    absent: dict[Offset, frozenset[Seen]] = {}
    edges: set[Offset] = set()
    tests: list[Test] = []
    for one in askings_of:
        test = one.test
        if test.word or test.wanted or one.aside:
            tests.append(test)
        elif test.edge:
            edges.add(test.offset)
        else:
            absent[test.offset] = absent.get(test.offset, frozenset()) | test.things
    for offset in dict.fromkeys((*absent, *edges)):
        tests.append(Test(offset, absent.get(offset, frozenset()), offset in edges, wanted=False))
    # What is there comes first: it is who acts, where the cell itself does not.
    return tuple(sorted(tests, key=lambda test: (not test.wanted or bool(test.word), test.offset != HERE)))


def turned(context: Context, way: Offset) -> Context:
    """The context as seen by who looks that way: what was there is to the right."""
    by = WAYS.index(way) - WAYS.index((1, 0))
    looks = dict(zip(WINDOW, context.looks, strict=True))
    around = (looks[WAYS[(place + by) % len(WAYS)]] for place in range(len(WAYS)))
    return Context((looks[HERE], *around), context.near, context.word)


def turned_back(one: Asking, way: Offset) -> Asking:
    """What is asked by who looks that way, as it is asked by who looks to the right."""
    if one.test.offset == HERE:
        return one
    by = WAYS.index(way) - WAYS.index((1, 0))
    offset = WAYS[(WAYS.index(one.test.offset) + by) % len(WAYS)]
    return one._replace(test=one.test._replace(offset=offset))


def undecided(
    rows: Sequence[Row], chosen: Sequence[Asking], structure: Structure, target: Offset
) -> Mapping[str, int]:
    """What stood where something would have come to, and it never did, too seldom to be sure; how often."""
    left = [row for row in rows if all(one.holds(row.context) for one in chosen)]
    found: dict[str, int] = {}
    names = {thing.name for row in left for thing in row.context.looks[WINDOW.index(target)] or ()}
    for name in sorted(names):
        things = things_of(structure, name)
        there = [row for row in left if not things.isdisjoint(row.context.looks[WINDOW.index(target)] or ())]
        if not any(row.times for row in there):
            found[name] = sum(row.number for row in there)
    return found
