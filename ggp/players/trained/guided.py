"""Search from deed to deed: by what a policy says, or, beside it, plain A*.

The guided search is best-first by the logarithm of
(turns so far and to come) / (likelihood of the way)^(1 + to come / so far), after policy-guided heuristic
search (Orseau and Lelis, 2021). Positions that were reached in no more turns are not looked at again.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from math import log
from typing import NamedTuple

import numpy as np

from ggp.players.trained.deeds import Deed, Deeds
from ggp.players.trained.fields import FAR, Fields
from ggp.players.trained.policy import Seated

LEAST = 1e-4  # likelihood of a deed: none is ruled out


class Way(NamedTuple):
    """What a search came to: the deeds of a plan (None: there is none, or it gave up), and positions gone
    on from. `whole`: it looked at all there is."""

    deeds: tuple[Deed, ...] | None
    expanded: int
    whole: bool

    @property
    def turns(self) -> int:
        """How many turns the plan takes."""
        return sum(len(deed.inputs) for deed in self.deeds or ())


class Onward(NamedTuple):
    """A deed, and the rank of what it leads to: the least comes first; later ranks go on from `memo`."""

    deed: Deed
    rank: float
    memo: float


Ranked = Callable[[bytes, int, float], list[Onward]]


def searched(start: bytes, ranked: Ranked, most: int, first: bool, limit: int | None = None) -> Way:
    """Search from a position, going on from `most` positions at most; plans take no more than `limit` turns.

    `first`: a plan is taken as soon as one is seen, else when its turn comes by rank.
    """
    queue: list[tuple[float, int, bytes, int, float]] = [(0.0, 0, start, 0, 0.0)]
    turns, came = {start: 0}, dict[bytes, tuple[bytes, Deed]]()
    done, pushed, expanded = set[tuple[bytes, int]](), 0, 0
    ends: dict[bytes, Deed] = {}
    while queue:
        _, _, position, made, memo = heapq.heappop(queue)
        if position in ends and made == turns[position]:
            return Way(way_to(came, position), expanded, True)
        if made > turns[position] or (position, made) in done or position in ends:
            continue
        if expanded >= most:
            return Way(None, expanded, False)
        done.add((position, made))
        expanded += 1
        for onward in ranked(position, made, memo):
            deed = onward.deed
            after = made + len(deed.inputs)
            if deed.outcome == "lost" or (limit is not None and after > limit):
                continue
            if after >= turns.get(deed.position, after + 1):
                continue
            turns[deed.position], came[deed.position] = after, (position, deed)
            if deed.outcome == "won":
                ends[deed.position] = deed
                if first:
                    return Way(way_to(came, deed.position), expanded, True)
            pushed += 1
            heapq.heappush(queue, (onward.rank, pushed, deed.position, after, onward.memo))
    return Way(None, expanded, True)


def way_to(came: dict[bytes, tuple[bytes, Deed]], end: bytes) -> tuple[Deed, ...]:
    """The deeds on the way to a position."""
    way: list[Deed] = []
    while end in came:
        end, deed = came[end]
        way.append(deed)
    return tuple(way[::-1])


def guided(seated: Seated) -> Ranked:
    """Ranks by what a policy says; the memo is the logarithm of the likelihood of the way."""

    def ranked(position: bytes, made: int, memo: float) -> list[Onward]:
        said = seated.judge(position)
        doubt = -log(max(said.solvable, LEAST))
        found = []
        for deed, chance in zip(said.choice.deeds, said.chances.tolist(), strict=True):
            likely = memo + log(max(chance, LEAST))
            after = made + len(deed.inputs)
            left = max(said.left - len(deed.inputs), 1.0)
            found.append(Onward(deed, log(after + left) - likely * (1 + left / after) + doubt, likely))
        return found

    return ranked


def plain(deeds: Deeds, fields: Fields) -> Ranked:
    """Ranks of A*: turns so far, and what it takes at least from there."""

    def ranked(position: bytes, made: int, memo: float) -> list[Onward]:
        choice = deeds.choice(position)
        if not choice.deeds:
            return []
        planes = deeds.planes([deed.position for deed in choice.deeds])
        bounds = fields.bound(fields.sums(planes, fields.maps(planes)))
        bounds[np.array([deed.outcome == "won" for deed in choice.deeds])] = 0
        return [
            Onward(deed, made + len(deed.inputs) + float(bound), 0.0)
            for deed, bound in zip(choice.deeds, bounds, strict=True)
            if bound < FAR
        ]

    return ranked
