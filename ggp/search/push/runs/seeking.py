"""Searches that come upon better and better plans, over the tables of an `ArcSearch`."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ggp.model import Plan
from ggp.search.moving import Found
from ggp.search.push import nogoods, space
from ggp.search.push.clauses import Clauses
from ggp.search.push.novel import Novel
from ggp.search.push.runs.proving import ArcSearch
from ggp.search.push.session import Sessions
from ggp.search.push.sweeps import Sweeps

NEW = 1_000  # states of a search for something new meanwhile
SWEPT = 500  # states of a sweep meanwhile: each takes many bounds, and the proof should not wait for it


class Seeker(ABC):
    """One that is under way: `how` keeps what it knows, `of` says what a plan is."""

    def __init__(self, other: ArcSearch, how: Sweeps | Novel | Clauses) -> None:
        self.of, self.push_of, self.how = other.of, other.push_of, how
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


class SweepSearch(Seeker):
    """By `push.sweeps`: plans soon, the best one at last."""

    def __init__(self, other: ArcSearch) -> None:
        start = other.of.words.view(np.int64)
        self.sweeps = Sweeps(other.arcs, other.new_workspace(), start, other.of.node, space.FIRST_STATES)
        super().__init__(other, self.sweeps)

    @property
    def states(self) -> int:
        """How many states its sweeps have met."""
        return self.sweeps.states

    def go_on(self) -> Found | None:
        """Sweep a stretch; a plan that is better than the ones before, if it comes upon one."""
        self.sweeps.most_bytes = self.most_bytes
        if self.full or not self.sweeps.go_on(space.on_board(SWEPT, self.arcs)):
            return None
        plan = self.of.plan(*self.sweeps.retold(self.push_of))
        return Found(plan, self.sweeps.ceiling, True, 0)


class NoveltySearch(Seeker):
    """By `push.novel`: plans soon, and better ones."""

    def __init__(self, other: ArcSearch) -> None:
        start = other.of.words.view(np.int64)
        self.novel = Novel(other.arcs, other.new_workspace(), start, other.of.node, space.FIRST_STATES)
        super().__init__(other, self.novel)

    @property
    def states(self) -> int:
        """How many states its tries have met."""
        return self.novel.states

    def go_on(self) -> Found | None:
        """Search a stretch; a plan that is better than the ones before, if it comes upon one."""
        self.novel.most_bytes = self.most_bytes
        if self.full or not self.novel.go_on(space.on_board(NEW, self.arcs)):
            return None
        plan = self.of.plan(*self.novel.retold(self.push_of))
        self.novel.within(len(plan.actions))
        return Found(plan, len(plan.actions), True, 0)


class ClauseSearch(Seeker):
    """By `push.clauses`: plans, and proofs that nothing costs less. Raises Unfit for other rules."""

    def __init__(self, other: ArcSearch, sessions: Sessions) -> None:
        nogoods.fit(other.arcs)
        start = other.of.words.view(np.int64)
        self.clauses = Clauses(other.arcs, other.new_workspace(), start, other.of.node, sessions)
        super().__init__(other, self.clauses)

    @property
    def states(self) -> int:
        """How often it was asked to look on."""
        return self.clauses.asked

    def go_on(self) -> Found | None:
        """Look on for a while; a plan that is better than the ones before, if it comes upon one."""
        self.clauses.most_bytes = self.most_bytes
        inputs = None if self.full else self.clauses.go_on()
        if inputs is None:
            return None
        return Found(Plan((), tuple(str(self.of.actions[number]) for number in inputs)), len(inputs), True, 0)

    def close(self) -> None:
        """Let go of what is not ours."""
        self.clauses.close()
