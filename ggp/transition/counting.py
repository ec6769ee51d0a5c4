"""What a compiled rule asks of cells: a piece is there, or none is, or so many of some cells hold one.

Whoever reads compiled rules knows conditions on single cells only, so a rule that counts is compiled to one
rule for each way to come to the number. For `around` that is 56 where it is `=` with 3, and never more than
70. Who evaluates boards counts instead (`tallied`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ggp.model import Cell

Offset = Cell


class Term(NamedTuple):
    """One condition: at `offset` from the anchor some piece of `planes` stands (or none, if not `wanted`).

    Without planes it asks whether that cell is inside the board.
    """

    offset: Offset
    planes: tuple[int, ...]
    wanted: bool


class Tally(NamedTuple):
    """From `low` to `high` of these hold: (offset from the anchor, planes of which one stands there)."""

    spots: tuple[tuple[Offset, tuple[int, ...]], ...]
    low: int
    high: int


Way = tuple[Term, ...]


def ways_to_count(spots: tuple[tuple[Offset, tuple[int, ...]], ...], low: int, high: int) -> Iterator[Way]:
    """The ways in which from `low` to `high` of the spots hold something.

    One at least of these ways is met by each board on which that is so, and none by any other.
    """
    times = Counter(spots)
    total = len(spots)
    # What only tells ways apart need not be asked: where there is one bound, more, or fewer, do no harm.
    idle = False if high >= total else True if low <= 0 else None
    for way in between(tuple(times.values()), low, high):
        held = zip(times, way, strict=True)
        yield tuple(
            Term(offset, planes, there)
            for (offset, planes), there in held
            if there is not None and there is not idle
        )


def between(times: tuple[int, ...], low: int, high: int) -> Iterator[tuple[bool | None, ...]]:
    """For each spot, counted so many times: it holds something, nothing, or it does not matter."""
    if high < 0 or low > sum(times) or low > high:
        return
    if low <= 0 and sum(times) <= high:
        yield (None,) * len(times)
        return
    for there in (True, False):
        spent = times[0] if there else 0
        yield from ((there, *rest) for rest in between(times[1:], low - spent, high - spent))
