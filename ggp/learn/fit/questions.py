"""What may be asked about what is seen: which sets of things, at which place, and how much that says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import Any, NamedTuple

from ggp.learn.seen.frames import Offset
from ggp.learn.seen.signs import is_sign
from ggp.learn.seen.views import Look, Outcome, Seen, more_than_own
from ggp.model import DIRECTIONS

SUBSETS = 4  # of so few things in a cell every set is a test
FACINGS = 0.1  # what it costs to ask for some facings of a thing
WORD = 1.5  # what it costs to ask which input it was, beyond where it points
AXES = {
    "up or down": ("up", "down"),
    "left or right": ("right", "left"),
}  # crates are pushed to the sides only


class Excluded(NamedTuple):
    """For each name those that never share its cell; and those that were never seen to."""

    surely: Mapping[str, frozenset[str]] = {}
    maybe: Mapping[str, frozenset[str]] = {}


class Test(NamedTuple):
    """Is one of these things at the offset (`wanted`), or none of them?

    `edge`: outside the board counts as one. `word`: instead, is this the input, or one of this axis?
    """

    offset: Offset
    things: frozenset[Seen] = frozenset()
    edge: bool = False
    wanted: bool = True
    word: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The inputs that are asked for."""
        return AXES.get(self.word, (self.word,))

    def holds(self, look: Look, word: str = "") -> bool:
        """The answer for what is seen there."""
        if self.word:
            return (word in self.words) == self.wanted
        found = self.edge if look is None else not self.things.isdisjoint(look)
        return found == self.wanted


class Row(NamedTuple):
    """What was seen around an anchor (in the order of the offsets), the input, and what came of it."""

    window: tuple[Look, ...]
    word: str
    outcome: Outcome

    def order(self) -> tuple[Any, ...]:
        """A key that does not depend on how sets are gone through; what is outside comes first."""
        return tuple(() if look is None else (sorted(look),) for look in self.window), self.word, self.outcome


class Told(NamedTuple):
    """Many rows as numbers: what was seen at each offset, the inputs, and what came of it.

    Each is a list of different values, and for each row the place of its own.
    """

    looks: Mapping[Offset, tuple[Sequence[Look], Any]]
    words: tuple[Sequence[str], Any]
    outcomes: tuple[Sequence[Outcome], Any]

    def together(self, offset: Offset) -> Iterator[tuple[Look, Outcome]]:
        """What was seen at an offset with what came of it, each pair once."""
        import numpy as np

        (looks, seen), (outcomes, done) = self.looks[offset], self.outcomes
        for pair in np.unique(seen.astype(np.int64) * len(outcomes) + done).tolist():
            yield looks[pair // len(outcomes)], outcomes[pair % len(outcomes)]


def told_of(rows: Sequence[Row], offsets: Sequence[Offset]) -> Told:
    """The rows as numbers."""
    return Told(
        {offset: coded([row.window[n] for row in rows]) for n, offset in enumerate(offsets)},
        coded([row.word for row in rows]),
        coded([row.outcome for row in rows]),
    )


def coded(values: Sequence[Any]) -> tuple[list[Any], Any]:
    """The different values, and for each of all the number of its own."""
    import numpy as np

    place = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return list(place), np.array([place[value] for value in values], dtype=np.int32)


def costs_of(test: Test) -> float:
    """How much a test says: nearer, and fewer things, is less."""
    if test.word:
        return 1.0
    cost = 1.0 + 0.12 * max(0, len(test.things) - 1) + 0.04 * (abs(test.offset[0]) + abs(test.offset[1]))
    if test.edge and test.things:
        cost += 1.0 if test.wanted else 0.3
    # "Goes on where nothing is in the way, else turns" serves at an edge that was never seen, too; "turns
    # where something is in the way, else goes on" does not.
    return cost + (0.03 if test.wanted else 0.0)


def proposed(
    told: Told, offsets: Sequence[Offset], excluded: Excluded, cells_only: bool
) -> Iterator[tuple[Test, float]]:
    """The tests that may tell rows apart, with their costs. `cells_only`: none that require a thing here."""
    become = {change.thing for outcome in told.outcomes[0] for change in outcome}
    changed = sorted({thing.name for thing in become})
    steps = sorted({abs(step) for thing in become if (step := more_than_own(thing)) is not None} - {1})
    for offset in offsets:
        looks = set(told.looks[offset][0])
        things = frozenset(thing for look in looks if look is not None for thing in look)
        sets = dict(sets_of(things, changed, excluded))
        sets.update((one, FACINGS) for one in remainders(things, steps))
        sets.update(telling_sets(told.together(offset), sets))
        outside = None in looks
        for chosen, cost in sets.items():
            for wanted in (True, False):
                if (
                    cells_only
                    and offset == (0, 0)
                    and wanted
                    and not all(is_sign(one.name) for one in chosen)
                ):
                    continue
                plain = Test(offset, chosen, False, wanted)
                yield plain, cost_with(plain, cost)
                if outside:
                    edged = Test(offset, chosen, True, wanted)
                    yield edged, cost_with(edged, cost)
        if outside:
            yield from ((Test(offset, frozenset(), True, wanted), 1.1) for wanted in (True, False))
    words = sorted(told.words[0], key=word_order)
    if len(words) > 1:
        # "Not this one" is said as all others, one after another.
        others = 0.03 + 0.12 * max(0, len(words) - 2)
        for word in words:
            if word:
                yield Test((0, 0), word=word), WORD
                yield Test((0, 0), word=word, wanted=False), WORD + others
    if set(words) >= set(DIRECTIONS):
        yield from ((Test((0, 0), word=axis), WORD + 0.12) for axis in AXES)


def word_order(word: str) -> tuple[int, str]:
    """Directions clockwise from the top, then verbs by name."""
    return (DIRECTIONS.index(word) if word in DIRECTIONS else len(DIRECTIONS)), word


def cost_with(test: Test, named: float | None) -> float:
    """The cost of a test on a set, less where the set has a name of its own."""
    cost = costs_of(test)
    return cost if named is None else cost - 0.12 * max(0, len(test.things) - 1) + named


def sets_of(
    things: frozenset[Seen], changed: Iterable[str], excluded: Excluded
) -> Iterator[tuple[frozenset[Seen], float | None]]:
    """Sets of things worth asking for: each, each family, what excludes something that moves, small sets."""
    for size in range(1, SUBSETS + 1) if len(things) <= SUBSETS else (1, 2):
        for chosen in combinations(sorted(things), size):
            yield frozenset(chosen), None
    if len(things) > SUBSETS:
        for one in sorted(things):
            yield things - {one}, 0.3
    for name in sorted({one.name for one in things}):
        family = frozenset(one for one in things if one.name == name)
        if len(family) > 1:
            yield family, 0.0
        yield from ((one, FACINGS) for one in some_facings(family))
    for name in changed:
        for barred, cost in barred_sets(name, things, excluded):
            if len(barred) > 1:
                yield barred, cost


def some_facings(family: frozenset[Seen]) -> Iterator[frozenset[Seen]]:
    """Two or three of the four facings of a thing; of many values such as follow one another."""
    if len(family) > SUBSETS:
        values = sorted(family, key=lambda one: (len(one.facing), one.facing))
        spans = combinations(range(len(values) + 1), 2)
        yield from (frozenset(values[a:b]) for a, b in spans if 1 < b - a < len(values))
        return
    for size in range(2, len(family)):
        for chosen in combinations(sorted(family), size):
            yield frozenset(chosen)


def remainders(things: Iterable[Seen], steps: Iterable[int]) -> Iterator[frozenset[Seen]]:
    """Values of things that leave the same, or one of some that follow one another, over each of some steps.

    What is held of two things is one number, if one of them counts three: it goes up by three, or by one.
    """
    values = [one for one in things if one.facing.isdecimal()]
    for step, name in product(steps, sorted({one.name for one in values})):
        left = {one: int(one.facing) % step for one in values if one.name == name}
        rests = sorted(set(left.values()))  # of a step of a thousand few are seen
        for low, high in combinations_with_replacement(rests, 2):
            chosen = frozenset(one for one, rest in left.items() if low <= rest <= high)
            if 1 < len(chosen) < len(left):
                yield chosen


def barred_sets(
    name: str, things: frozenset[Seen], excluded: Excluded
) -> Iterator[tuple[frozenset[Seen], float]]:
    """What is in the way of something: it never shares a cell with it, or (for more) was never seen to.

    As a rule its like is in its way, too.
    """
    for certain, dearer in ((excluded.maybe, 0.1), (excluded.surely, 0.0)):
        for own, cost in ((frozenset[str](), -0.02), (frozenset({name}), -0.06)):
            names = certain.get(name, frozenset()) | own
            yield frozenset(one for one in things if one.name in names), cost + dearer


def telling_sets(
    seen: Iterable[tuple[Look, Outcome]], known: Mapping[frozenset[Seen], float | None]
) -> Iterator[tuple[frozenset[Seen], float | None]]:
    """For each outcome what was never there when it came, and was when another one came."""
    by_outcome: dict[Outcome, set[Seen]] = {}
    for here, outcome in seen:
        by_outcome.setdefault(outcome, set()).update(here if here is not None else ())
    everything = set().union(*by_outcome.values()) if by_outcome else set()
    for _, there in sorted(by_outcome.items(), key=lambda item: item[0]):
        for chosen in (frozenset(everything - there), frozenset(there)):
            if len(chosen) > 1 and chosen not in known:
                yield chosen, 0.05 * len(chosen)
