"""Of tests that give the same answers the cheapest; of equal price the plainest.

A tie does not depend on any set: near before far, ahead before aside, a thing there before a thing not there;
then fewer things, and what was seen more often, for that rests on more; names come last.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Generic, TypeVar

from ggp.learn.fit.questions import Test, word_order
from ggp.learn.seen.views import Seen

Key = TypeVar("Key", bound=Hashable)


class Plainness:
    """What sorts tests of one price: the plainer the sooner. `often`: how often each thing was seen."""

    def __init__(self, often: Mapping[Seen, int]) -> None:
        self.often = often
        self.known: dict[frozenset[Seen], tuple[tuple[int, ...], tuple[Seen, ...]]] = {}

    def __call__(self, test: Test) -> tuple[Any, ...]:
        """The key of a test."""
        ahead, side = test.offset
        return (
            (abs(ahead) + abs(side), -ahead, -side, not test.wanted, test.edge, len(test.things)),
            *self.in_order(test.things),
            word_order(test.word),
        )

    def in_order(self, things: frozenset[Seen]) -> tuple[tuple[int, ...], tuple[Seen, ...]]:
        """How often things were seen, most often first, and which they are: asked again at each place."""
        if things not in self.known:
            listed = sorted((-self.often.get(thing, 0), thing) for thing in things)
            self.known[things] = tuple(times for times, _ in listed), tuple(thing for _, thing in listed)
        return self.known[things]


class Plainest(Generic[Key]):
    """For each key the test that is taken, and its price."""

    def __init__(self, plainness: Plainness) -> None:
        self.plainness = plainness
        self.best: dict[Key, tuple[float, Test]] = {}

    def take(self, key: Key, cost: float, test: Test) -> None:
        """Take a test if it is cheaper than that with the same key, or plainer for the same price."""
        price, known = self.best.get(key, (cost, None))
        if known is None or cost < price or cost == price and self.plainness(test) < self.plainness(known):
            self.best[key] = cost, test

    def in_order(self) -> list[tuple[Key, float, Test]]:
        """All that were taken, cheap and plain ones first."""
        listed = [(key, cost, test) for key, (cost, test) in self.best.items()]
        return sorted(listed, key=lambda one: (one[1], self.plainness(one[2])))
