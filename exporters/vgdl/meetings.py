"""What becomes of one who walks, and of what he pushes, by what each of them meets.

A game of one walker is a list of meetings where each of his turns is one step or none, and what comes of it
hangs on what stands on the cell ahead and on the one behind it, and on how many keys he holds: each number is
a piece of its own, as a value of his. `ggp.exporters.vgdl.walking` finds the list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ggp.exporters.vgdl.turning import Gates

Planes = frozenset[int]
NOTHING: Planes = frozenset()


class Case(NamedTuple):
    """The walker, what stands with him, on the cell ahead, and on the next one. None: there is no cell."""

    who: int
    here: Planes
    ahead: Planes | None
    beyond: Planes | None


class After(NamedTuple):
    """Who stands where after the turn; the walker is on the cell ahead now, or `gone`."""

    case: Case
    gone: bool


@dataclass(frozen=True)
class Meetings:
    """What the walker, and what he pushes, comes to by what each of them meets.

    `walkers`: his planes, by how many keys he holds, none at first. Each of the `keys` that he takes is one
    more, up to the last of these. `doors` stop him while he holds none; else they are gone when he comes, and
    if `spends`, one of his keys. `blockers`: what stops a step, what can be pushed included; `pushed`: for
    each thing that can be pushed what stops that. `taken` is gone when he comes; `deadly` is the end of him,
    and `spent` of itself too. Of things pushed and what they meet, the pairs: of `sunk` the first is gone, of
    `crushed` the second, of `filled` both. `never`: what can stand nowhere. `gates` stop who comes the wrong
    way, beside what `blockers` and `pushed` say.
    """

    walkers: tuple[int, ...]
    blockers: Planes
    pushed: Mapping[int, Planes]
    taken: Planes = NOTHING
    deadly: Planes = NOTHING
    spent: Planes = NOTHING
    sunk: frozenset[tuple[int, int]] = frozenset()
    filled: frozenset[tuple[int, int]] = frozenset()
    crushed: frozenset[tuple[int, int]] = frozenset()
    keys: Planes = NOTHING
    doors: Planes = NOTHING
    spends: bool = False
    never: Planes = NOTHING
    gates: Gates = Gates()

    @property
    def player(self) -> int:
        """The plane of the walker who holds nothing."""
        return self.walkers[0]

    @property
    def plain(self) -> bool:
        """Does nothing ever vanish?"""
        return not (self.taken or self.deadly or self.sunk or self.filled or self.crushed or self.doors)

    def foretell(self, case: Case) -> After | None:
        """What becomes of a case; None: nothing."""
        who, here, ahead, beyond = case
        held = self.walkers.index(who)
        stops = self.blockers if held else self.blockers | self.doors
        if ahead is None or ahead & (stops - self.pushed.keys()):
            return None
        things = ahead & self.pushed.keys()
        if things:
            if beyond is None or any(beyond & self.pushed[thing] for thing in things):
                return None
            met = [(thing, other) for thing in things for other in beyond]
            lost = {thing for thing, other in met if (thing, other) in self.sunk | self.filled}
            gone = {other for thing, other in met if (thing, other) in self.filled | self.crushed}
            beyond = (beyond - gone) | (things - lost)
        dies, opened = bool(ahead & self.deadly), ahead & self.doors
        held += len(ahead & self.keys) - (self.spends and bool(opened))
        who = who if dies else self.walkers[min(held, len(self.walkers) - 1)]
        return After(Case(who, here, ahead - things - opened - self.taken - self.spent, beyond), dies)
