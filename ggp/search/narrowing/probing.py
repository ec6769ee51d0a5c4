"""Each choice of each open cell is tried before one is decided, in machine code, where cells differ.

Imported only where a search takes long, as it needs arrays and a compiler.
What cannot be is taken away until nothing more can (singleton consistency: R. Debruyne and C. Bessiere, Some
practicable filtering techniques for the constraint satisfaction problem, IJCAI 1997). What each try took away
says where to branch: as in look-ahead solvers, where the branches that are left are smallest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from ggp.search.narrowing import probing_loops
from ggp.search.narrowing.choices import Dead, Grid, Mask, Rule
from ggp.search.narrowing.different import Matched, Plain

WIDEST = 62  # choices that fit a number of the machine
HALF = 15.0  # as many choices fewer leave half of the work, so branches are weighed

Decisions = list[tuple[int, Mask]]


class Probing:
    """Tries over the regions in which all cells differ; where these ask for nothing else."""

    def __init__(self, regions: Sequence[Plain], start: Sequence[Mask], none: Mask) -> None:
        cells = [region.watched for region in regions]
        around: list[list[int]] = [[] for _ in start]
        for number, region in enumerate(cells):
            for cell in region:
                around[cell].append(number)
        every = [union(start, one.watched) if one.is_whole(start) else 0 for one in regions]
        (members, begins), (others, first) = listed(cells), listed(around)
        self.regions = probing_loops.Regions(members, begins, flat(every), others, first, none)
        places = np.zeros(len(cells), np.int64)
        self.waiting = probing_loops.Waiting(places, np.zeros(1, np.int64), np.zeros(len(cells), np.uint8))
        self.whole = [flat(one) for one, values in zip(cells, every, strict=True) if values]
        self.gains = np.zeros((len(start), none.bit_length()), np.int64)

    def narrowed(self, masks: Sequence[Mask], tick: Callable[[], None]) -> list[Mask]:
        """What is left of each cell when all that cannot be is taken away. Raises Dead."""
        now = flat(masks)
        trial = np.empty_like(now)
        gone = 1
        while gone:
            tick()
            gone = probing_loops.sweep(now, trial, self.gains, self.regions, self.waiting)
            if gone == probing_loops.DEAD:
                raise Dead
        return [int(mask) for mask in now]

    def decisions(self, masks: Sequence[Mask]) -> Decisions:
        """Choices of which one is right, as the last tries of these choices weigh them; none if all are made.

        What a cell takes, or where in a region a value goes; what takes least away comes first.
        """
        now = flat(masks)
        choices = 1 << np.arange(self.gains.shape[1])
        open_ = (now & (now - 1) != 0)[:, None] & (now[:, None] & choices != 0)
        weights = np.where(open_, 0.5 ** (self.gains / HALF), 0.0)
        cells = np.flatnonzero(open_.any(axis=1))
        if not cells.size:
            return []
        sums = weights.sum(axis=1)
        cell = int(cells[sums[cells].argmin()])
        least, best = float(sums[cell]), [(cell, int(bit)) for bit in np.flatnonzero(open_[cell])]
        for region in self.whole:
            there = open_[region]
            own = np.where(there.any(axis=0), weights[region].sum(axis=0), np.inf)
            bit = int(own.argmin())
            if own[bit] < least:
                least, best = float(own[bit]), [(int(one), bit) for one in region[there[:, bit]]]
        best.sort(key=lambda one: int(self.gains[one]))
        return [(cell, 1 << bit) for cell, bit in best]


def probing(rules: Sequence[Rule], grid: Grid) -> Probing | None:
    """The tries for these rules; None where they ask for more than that cells differ, which tries do not see.

    Nor where no choice must stand in a region, or there are too many for a number of the machine.
    """
    regions = [rule for rule in rules if isinstance(rule, Plain)]
    others = [rule for rule in rules if not isinstance(rule, Plain | Matched)]
    some = any(rule.is_whole(grid.start) for rule in regions)
    fits = grid.none.bit_length() <= WIDEST
    return Probing(regions, grid.start, grid.none) if some and fits and not others else None


def load() -> None:
    """Load the loops, or have them compiled, by the tries of one region of two cells."""
    start, none = [1 | 2, 1 | 2], 4
    Probing([Plain((0, 1), none)], start, none).narrowed(start, lambda: None)


def union(masks: Sequence[Mask], cells: Sequence[int]) -> Mask:
    """What any of the cells may take."""
    taken = 0
    for cell in cells:
        taken |= masks[cell]
    return taken


def flat(numbers: Sequence[int]) -> Any:
    """As an array."""
    return np.array(numbers, np.int64)


def listed(lists: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """All of the lists behind one another, and where each begins, with the end of the last."""
    return flat([one for each in lists for one in each]), flat([0, *accumulate(map(len, lists))])
