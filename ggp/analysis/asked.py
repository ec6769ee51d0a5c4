"""What a rule asks of pieces on cells: when two such things exclude each other, when not all of them hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.errors import Unfit

WAYS = 64  # of one rule at one place


class Asked(NamedTuple):
    """On a cell stands one of these planes, or (if not `wanted`) none of them."""

    cell: int
    planes: frozenset[int]
    wanted: bool


def apart(asked: tuple[Asked, ...], before: list[tuple[Asked, ...]]) -> Iterator[tuple[Asked, ...]]:
    """The ways in which all of `asked` holds and, of each of those before, something does not."""
    ways = [asked]
    for other in before:
        ways = [more for way in ways for more in without(way, other)]
        if len(ways) > WAYS:
            raise Unfit("which of its rules fires hangs on too much")
    yield from ways


def without(way: tuple[Asked, ...], other: tuple[Asked, ...]) -> Iterator[tuple[Asked, ...]]:
    """The way, and the first thing of the other that does not hold: one for each thing that it may be."""
    if any(contradict(a, b) for a in way for b in other):
        yield way
        return
    open_ones = [b for b in other if not any(follows(b, a) for a in way)]
    for number, first in enumerate(open_ones):
        yield (*way, *open_ones[:number], Asked(first.cell, first.planes, not first.wanted))


def contradict(one: Asked, other: Asked) -> bool:
    """Is it plain that not both hold?"""
    wanted, denied = (one, other) if one.wanted else (other, one)
    return one.cell == other.cell and one.wanted != other.wanted and wanted.planes <= denied.planes


def follows(what: Asked, given: Asked) -> bool:
    """Does it hold where the given one does?"""
    if what.cell != given.cell or what.wanted != given.wanted:
        return False
    return given.planes <= what.planes if what.wanted else what.planes <= given.planes
