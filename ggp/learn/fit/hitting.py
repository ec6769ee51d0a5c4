"""Smallest hitting sets, found by PySAT."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice


def hitting_sets(
    sets: Sequence[Sequence[int]], sizes: Sequence[int], most: int, members: int
) -> Iterator[list[int]]:
    """The smallest sets of numbers that have one of each of these sets, each sorted; so many at `most`.

    What a number costs is its place in `sizes`. Sets with more than so many `members` are left out.
    """
    from pysat.examples.hitman import Hitman

    weights = dict(enumerate(sizes))
    with Hitman(bootstrap_with=sets, weights=weights, htype="sorted") as hitman:
        least = None
        for chosen in islice(hitman.enumerate(), most):
            cost = sum(sizes[n] for n in chosen)
            if least is not None and cost > least:
                return
            least = cost
            if len(chosen) <= members:
                yield sorted(chosen)
