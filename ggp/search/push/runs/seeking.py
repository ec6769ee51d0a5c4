"""Searches that come upon better and better plans, over the tables of an `ArcSearch`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, TypeVar

import numpy as np

from ggp.model import Plan
from ggp.search.moving import Found
from ggp.search.push import nogoods, space
from ggp.search.push.clauses import Clauses
from ggp.search.push.novel import Novel
from ggp.search.push.runs.proving import ArcSearch
from ggp.search.push.session import Sessions
from ggp.search.push.sweeps import Sweeps

How = TypeVar("How", bound=Sweeps | Novel | Clauses)
Tables = TypeVar("Tables", bound=Sweeps | Novel)


class Seeker(ABC, Generic[How]):
    """One that is under way: `how` keeps what it knows, `of` says what a plan is."""

    def __init__(self, other: ArcSearch, how: How) -> None:
        self.of, self.push_of = other.of, other.push_of
        self.how: How = how
        self.arcs = other.arcs.to.size
        self.most_bytes = 0  # what its memory may take

    @property
    def full(self) -> bool:
        """Is there nothing more to find, or no room to?"""
        return self.how.full

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this, or than what it found."""
        return self.how.least

    @property
    @abstractmethod
    def states(self) -> int:
        """How much work it has done."""

    def within(self, cost: int) -> None:
        """Only what costs less is of use."""
        self.how.within(cost)

    @abstractmethod
    def go_on(self) -> Found | None:
        """Look on for a while; a plan that is better than the ones before, if it comes upon one."""


class TableSearch(Seeker[Tables]):
    """By states in tables. `kind` says how they are gone through, `stretch` how many of them at a time."""

    kind: ClassVar[type]
    stretch: ClassVar[int]

    def __init__(self, other: ArcSearch) -> None:
        start = other.of.words.view(np.int64)
        room = space.FIRST_STATES
        super().__init__(other, self.kind(other.arcs, other.new_workspace(), start, other.of.node, room))

    @property
    def states(self) -> int:
        """How many states it has met."""
        return self.how.states

    def go_on(self) -> Found | None:
        """Search a stretch; a plan that is better than the ones before, if it comes upon one."""
        self.how.most_bytes = self.most_bytes
        if self.full or not self.how.go_on(space.on_board(self.stretch, self.arcs)):
            return None
        plan = self.of.plan(*self.how.retold(self.push_of))
        self.within(len(plan.actions))
        return Found(plan, len(plan.actions), True, 0)


class SweepSearch(TableSearch[Sweeps]):
    """By `push.sweeps`: plans soon, the best one at last."""

    kind = Sweeps
    stretch = 500  # each state takes many bounds, and the proof should not wait for it


class NoveltySearch(TableSearch[Novel]):
    """By `push.novel`: plans soon, and better ones."""

    kind = Novel
    stretch = 1_000


class ClauseSearch(Seeker[Clauses]):
    """By `push.clauses`: plans, and proofs that nothing costs less. Raises Unfit for other rules."""

    def __init__(self, other: ArcSearch, sessions: Sessions) -> None:
        nogoods.fit(other.arcs)
        start = other.of.words.view(np.int64)
        super().__init__(other, Clauses(other.arcs, other.new_workspace(), start, other.of.node, sessions))

    @property
    def states(self) -> int:
        """How often it was asked to look on."""
        return self.how.asked

    def go_on(self) -> Found | None:
        """Look on for a while; a plan that is better than the ones before, if it comes upon one."""
        self.how.most_bytes = self.most_bytes
        inputs = None if self.full else self.how.go_on()
        if inputs is None:
            return None
        return Found(Plan((), tuple(str(self.of.actions[number]) for number in inputs)), len(inputs), True, 0)

    def close(self) -> None:
        """Let go of what is not ours."""
        self.how.close()
