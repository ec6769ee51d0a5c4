"""How likely each of several things is that chance decides between: whole numbers that fit the counts.

What cannot happen, as its cell is barred or outside the board, may be drawn there all the same, and then
nothing happens (`stays`); or it is not drawn, and all others are the more likely. The counts tell which.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal, NamedTuple

Place = Literal["open", "barred", "edge"]
Places = tuple[Place, ...]
"""Of each thing whether it can happen."""

ROUNDS = 300  # of expectation and maximisation
MOST_PARTS = 20  # whole numbers up to which weights are looked for
STAYS = 0.1  # what it costs, in natural units, that what cannot happen is drawn all the same
BOTH = 3.0  # the same of nothing being drawn in two ways: by itself, and in place of what cannot happen
FEWEST = 5.0  # expected times, for a count to be held against what is expected
Counts = Mapping[Places, Sequence[int]]
"""How often each thing happened, and (last) nothing."""


class Weights(NamedTuple):
    """The weight of each thing, and of nothing; `stays`: where things can be drawn that cannot happen."""

    each: tuple[float, ...]
    nothing: float
    stays: frozenset[str]

    @property
    def equal(self) -> bool:
        """Is each thing as likely as any other?"""
        return len(set(self.each)) == 1

    def odds(self, places: Places) -> tuple[float, ...]:
        """How likely each thing is, and (last) nothing."""
        drawn = [
            w for w, place in zip(self.each, places, strict=True) if place == "open" or place in self.stays
        ]
        total = sum(drawn) + self.nothing
        if not total:
            return (*[0.0] * len(self.each), 1.0)
        happens = [w / total * (place == "open") for w, place in zip(self.each, places, strict=True)]
        return (*happens, 1 - sum(happens))

    def likelihood(self, counts: Counts) -> float:
        """The logarithm of how likely the counts are."""
        found = 0.0
        for places, times in counts.items():
            for odds, number in zip(self.odds(places), times, strict=True):
                if number:
                    if odds <= 1e-12:
                        return -math.inf
                    found += number * math.log(odds)
        return found


def fitted(counts: Counts) -> Weights | None:
    """The weights that say the counts, and themselves, in the fewest bits; None where none can."""
    best: tuple[float, Weights] | None = None
    met = sorted({place for places in counts for place in places} - {"open"})
    for chosen in product((False, True), repeat=len(met)):
        stays = frozenset(place for place, yes in zip(met, chosen, strict=True) if yes)
        for bits, weights in candidates(counts, stays):
            bits += STAYS * len(stays) + BOTH * bool(stays and weights.nothing)
            score = bits - weights.likelihood(counts)
            if math.isfinite(score) and (best is None or score < best[0]):
                best = score, weights
    return best[1] if best is not None else None


def candidates(counts: Counts, stays: frozenset[str]) -> Iterator[tuple[float, Weights]]:
    """Weights that are tried, each with what it costs to say: the plainest are the cheapest."""
    number = len(next(iter(counts))) if counts else 0
    ones = (1.0,) * number
    yield 0.0, Weights(ones, 0.0, stays)
    yield 0.7, Weights(ones, 1.0, stays)
    for each, nothing in product(range(1, MOST_PARTS + 1), repeat=2):
        if math.gcd(each, nothing) == 1:
            yield 2 * math.log(each + nothing), Weights((float(each),) * number, float(nothing), stays)
    yield from (
        (2 * math.log(1 + rest), Weights(ones, float(rest), stays)) for rest in range(MOST_PARTS + 1, 101)
    )
    if number < 2:
        return
    exact = most_likely(counts, stays)
    total = sum(exact)
    for parts in range(2, MOST_PARTS + 1):
        rounded = [max(1, round(parts * one / total)) if one else 0 for one in exact[:-1]]
        if all(rounded):
            nothing = round(parts * exact[-1] / total)
            yield number * math.log(1 + parts), Weights(tuple(map(float, rounded)), float(nothing), stays)


def most_likely(counts: Counts, stays: frozenset[str]) -> list[float]:
    """The weights, that of nothing last, under which the counts are most likely; not rounded."""
    number = len(next(iter(counts)))
    weights = [1.0 / (number + 1)] * (number + 1)
    for _ in range(ROUNDS):
        drawn, shares = [0.0] * (number + 1), [0.0] * (number + 1)
        for places, times in counts.items():
            there = [n for n in range(number) if places[n] == "open" or places[n] in stays] + [number]
            total = sum(weights[n] for n in there) or 1.0
            hidden = [n for n in there if n == number or places[n] != "open"]
            unseen = sum(weights[n] for n in hidden) or 1.0
            for n in there:
                shares[n] += sum(times) / total
                drawn[n] += times[-1] * weights[n] / unseen if n in hidden else times[n]
        weights = [d / s if s else 0.0 for d, s in zip(drawn, shares, strict=True)]
        whole = sum(weights) or 1.0
        weights = [one / whole for one in weights]
    return weights


def keeping(seen: Iterable[tuple[Sequence[float], Sequence[int]]]) -> float:
    """How likely it is that counts are so far from what is expected, or further; 1 where few were seen.

    Each pair: how likely each thing is, and how often it was seen. Pearson's chi-squared, over counts of
    which five and more are expected; others are put together. What cannot be, and was seen, has 0.
    """
    from scipy.stats import chi2

    alike: dict[tuple[float, ...], Counter[int]] = {}
    for odds, times in seen:
        key = tuple(round(one, 9) for one in odds)
        alike.setdefault(key, Counter()).update(dict(enumerate(times)))
    far, free = 0.0, 0
    for odds, counted in alike.items():
        total = sum(counted.values())
        if any(counted[n] and not odds[n] for n in range(len(odds))):
            return 0.0
        cells = sorted(((odds[n] * total, counted[n]) for n in range(len(odds)) if odds[n]), reverse=True)
        large = [one for one in cells if one[0] >= FEWEST]
        small = [one for one in cells if one[0] < FEWEST]
        rest = sum(one for one, _ in small), sum(one for _, one in small)
        if small and rest[0] >= FEWEST:
            large.append(rest)
        elif small and large:
            large[-1] = large[-1][0] + rest[0], large[-1][1] + rest[1]
        if len(large) > 1:
            far += sum((times - expected) ** 2 / expected for expected, times in large)
            free += len(large) - 1
    return float(chi2.sf(far, free)) if free else 1.0


def between(times: int, number: int, sure: float = 0.95) -> tuple[float, float]:
    """The bounds of Clopper and Pearson for a share of which a sample of `number` has so many."""
    from scipy.special import betaincinv

    tail = (1 - sure) / 2
    low = 0.0 if times == 0 else float(betaincinv(times, number - times + 1, tail))
    high = 1.0 if times == number else float(betaincinv(times + 1, number - times, 1 - tail))
    return low, high
