"""In which ways a few looks can come out together, so that limits on how many of them hold are all kept.

Each limit alone says little: that a line goes on does not say where. Together they leave few ways, and what
all of these have in common is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

MOST = 8  # looks that are told together
MANY = 128  # ways: of more it takes long to find those that can be put into one
Way = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of the looks that hold, and of those that do not; the others may come out either way."""
Limited = tuple[tuple[tuple[int, bool], ...], int]
"""At most so many come out as is said: (number of a look, whether it is to hold) each."""


@lru_cache(maxsize=256)  # the same ones again and again, whatever the board
def ways(number: int, limits: tuple[Limited, ...]) -> tuple[Way, ...] | None:
    """All ways of so many looks that keep the limits, those that differ in one look put into one.

    None where there are too many.
    """
    if number > MOST:
        return None
    kept = [row for row in range(1 << number) if all(few(row, *limit) for limit in limits)]
    if len(kept) > MANY:
        return None
    return tuple(
        (
            tuple(at for at in range(number) if care >> at & 1 and row >> at & 1),
            tuple(at for at in range(number) if care >> at & 1 and not row >> at & 1),
        )
        for care, row in sorted(merged({((1 << number) - 1, row) for row in kept}))
    )


def few(row: int, looks: Sequence[tuple[int, bool]], most: int) -> bool:
    """Do at most so many come out as is said, where the bits of `row` say which hold?"""
    return sum((row >> at & 1) == wanted for at, wanted in looks) <= most


def merged(found: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """(looks that matter, those of them that hold), as few as can be; some may cover the same."""
    whole = set[tuple[int, int]]()
    while found:
        joined, used = set(), set()
        for one, other in combinations(found, 2):
            apart = one[1] ^ other[1]
            if one[0] == other[0] and apart.bit_count() == 1:
                joined.add((one[0] & ~apart, one[1] & ~apart))
                used |= {one, other}
        whole |= found - used
        found = joined
    return whole
