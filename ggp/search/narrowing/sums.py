"""What cells add up to lies between two bounds: counts, sums of values, "one of these"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from ggp.search.narrowing.choices import Dead, Mask, Now

Weights = tuple[int, ...]  # what a cell adds, for each choice


class Adds:
    """What one sort of cell adds, looked up by the choices that it has left."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.ends: dict[Mask, tuple[int, int]] = {}
        self.within: dict[tuple[float, float], Mask] = {}

    def range(self, mask: Mask) -> tuple[int, int]:
        """The least and the most that a cell with these choices adds."""
        found = self.ends.get(mask)
        if found is None:
            left = [weight for bit, weight in enumerate(self.weights) if mask >> bit & 1]
            found = self.ends[mask] = (min(left), max(left))
        return found

    def between(self, low: float, high: float) -> Mask:
        """The choices that add so much."""
        found = self.within.get((low, high))
        if found is None:
            found = sum(1 << bit for bit, weight in enumerate(self.weights) if low <= weight <= high)
            self.within[low, high] = found
        return found


class Sum:
    """What the cells add is at least `low` and at most `high`; a cell counts as often as it is named."""

    dear = False

    def __init__(self, terms: Iterable[tuple[int, Weights]], low: float, high: float) -> None:
        added: dict[int, Weights] = {}
        for cell, weights in terms:
            before = added.get(cell)
            added[cell] = weights if before is None else tuple(map(int.__add__, before, weights))
        sorts: dict[Weights, Adds] = {}
        self.terms = [(cell, sorts.setdefault(w, Adds(w))) for cell, w in added.items() if any(w)]
        self.watched = tuple(cell for cell, _ in self.terms)
        self.low, self.high = low, high

    def narrow(self, now: Now) -> None:
        """Leave each cell what the others leave room for."""
        masks = now.masks
        ranges = [adds.range(masks[cell]) for cell, adds in self.terms]
        least, most = sum(one for one, _ in ranges), sum(one for _, one in ranges)
        if least > self.high or most < self.low:
            raise Dead
        if least >= self.low and most <= self.high:
            return
        below, above = self.low - most, self.high - least
        for (cell, adds), (fewest, largest) in zip(self.terms, ranges, strict=True):
            if fewest < largest and (fewest - largest < below or largest - fewest > above):
                now.keep(cell, adds.between(below + largest, above + fewest))


class NotAll:
    """Not every one of these cells takes one of these choices."""

    dear = False

    def __init__(self, looks: Iterable[tuple[int, Mask]]) -> None:
        self.looks = tuple(looks)
        self.watched = tuple(cell for cell, _ in self.looks)

    def narrow(self, now: Now) -> None:
        """Once all but one do, that one does not."""
        masks, last = now.masks, None
        for cell, mask in self.looks:
            here = masks[cell]
            if not here & mask:
                return
            if here & ~mask:
                if last is not None:
                    return
                last = (cell, mask)
        if last is None:
            raise Dead
        now.keep(last[0], ~last[1])


class Some:
    """One of several pictures is there: in each, every cell takes one of its choices."""

    dear = True

    def __init__(self, pictures: Sequence[Sequence[tuple[int, Mask]]]) -> None:
        self.pictures = pictures
        self.watched = tuple({cell for picture in pictures for cell, _ in picture})

    def narrow(self, now: Now) -> None:
        """Once only one picture is possible, it is there."""
        masks, found = now.masks, None
        for picture in self.pictures:
            if all(masks[cell] & mask for cell, mask in picture):
                if found is not None:
                    return
                found = picture
        if found is None:
            raise Dead
        for cell, mask in found:
            now.keep(cell, mask)


def bounds(comparison: str, number: int) -> tuple[float, float]:
    """The bounds that `<=`, `>=` or `=` set."""
    return (-inf if comparison == "<=" else number), (inf if comparison == ">=" else number)
