"""Arcs of the state graph: what a turn of one mover comes to, and what must have been placed for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ggp.model import Piece

State = tuple[int, int]  # (plane, the cell as a bit)
NOTHING = "no rule"  # what fires where none does


class Placed(NamedTuple):
    """On `cell` one of `pieces` was placed; or, if not `wanted`, none of them."""

    cell: int
    pieces: frozenset[Piece]
    wanted: bool

    @property
    def opposite(self) -> Placed:
        """The other answer."""
        return self._replace(wanted=not self.wanted)


class Arc(NamedTuple):
    """A turn of one mover: taken where all `needs` hold, and of each of `unless` some does not.

    `reads` are the cells of which a run may ask what was placed there before it takes it.
    """

    rule: str
    target: State
    needs: frozenset[Placed]
    unless: tuple[frozenset[Placed], ...]
    reads: frozenset[int]


def guarded(
    rule: str, target: State, needs: frozenset[Placed], earlier: Sequence[frozenset[Placed]]
) -> Iterator[Arc]:
    """The arc where these needs hold and of each earlier group something does not; none if that cannot be.

    What the needs settle is left out, and a group of one is a need of its own.
    """
    reads = frozenset(one.cell for group in (needs, *earlier) for one in group)
    open_, settled = list(earlier), set(needs)
    while True:
        unless, more = list[frozenset[Placed]](), set[Placed]()
        for group in open_:
            if any(one.opposite in settled for one in group):
                continue  # it fails for certain
            left = group - settled
            if not left:
                return  # the earlier rule fires
            if len(left) == 1:
                more.add(next(iter(left)).opposite)
            else:
                unless.append(left)
        if not more:
            break
        settled |= more
        open_ = unless
    if not any(one.opposite in settled for one in settled):
        yield Arc(rule, target, frozenset(settled), tuple(unless), reads)


def joined(first: Arc, then: Arc) -> Iterator[Arc]:
    """What two passes do one after the other; none if what they ask for cannot be together."""
    names = " then ".join(one.rule for one in (first, then) if one.rule != NOTHING) or NOTHING
    for arc in guarded(names, then.target, first.needs | then.needs, (*first.unless, *then.unless)):
        yield arc._replace(reads=first.reads | then.reads)
