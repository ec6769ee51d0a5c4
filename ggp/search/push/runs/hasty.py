"""Some plan soon and better ones after it: best-first search that trusts its bound more than it should.

Weighted A* that starts again with a smaller weight after each plan (Richter, Thayer and Ruml, 2010): near the
start are the bad decisions that a heavy weight made, and going on would keep to them. Only what may cost less
than the best plan is gone on from (Hansen and Zhou, 2007), so a search that comes to an end is a proof.

Where walking costs something the first of these searches do not count it: then all that the agent can walk
to is one state, and there are far fewer. Their plans cost more than they might, and if they find none there
is none.
"""

from __future__ import annotations

from typing import Protocol

from ggp.errors import Unfit
from ggp.search.moving import Found
from ggp.search.push.compiled import best as native
from ggp.search.push.problem import Problem
from ggp.search.push.runs.best_first import BestFirst
from ggp.search.push.tables import ENDLESS

WEIGHTS = ((1, 5), (1, 2), (2, 3))  # of cost and bound, one after another; equal ones are A* itself
BY_PUSHES = ((1, 2), (1, 1))


class Begin(Protocol):
    """Begins a search over all states; without `walks` only pushes cost anything."""

    def __call__(self, weights: tuple[int, int], walks: bool = True) -> BestFirst: ...


class Hasty:
    """One that is under way."""

    def __init__(self, of: Problem, begin: Begin) -> None:
        self.of, self.begin = of, begin
        apart = of.step_cost and of.grounded.agent.free_ground and not of.goal.asks_at
        stages = [(weights, False) for weights in BY_PUSHES] if apart else []
        self.stages = [*stages, *((weights, True) for weights in WEIGHTS)]  # each with: do walks count?
        self.below = ENDLESS  # only what costs less is of use
        self.least = 0
        self.met = 0  # states of the searches before
        self.most_bytes = 0  # what its memory may take
        self.full = False
        self.run: BestFirst | None = None

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this, or than what it found."""
        return self.least

    @property
    def states(self) -> int:
        """How many states were met."""
        return self.met + (self.run.states if self.run is not None else 0)

    def within(self, cost: int) -> None:
        """Only what costs less is of use."""
        self.below = min(self.below, cost)

    def go_on(self) -> Found | None:
        """Search a stretch; a plan that is better than the ones before, if it comes upon one."""
        if self.run is None:
            self.run = self.begin(*self.stages[0])
        self.run.most_bytes = self.most_bytes
        if self.stages[0][1]:
            self.run.space.counts[native.LIMIT] = min(self.below - 1, ENDLESS)
        try:
            found = self.run.go_on()
        except Unfit:  # costs for which its queue has no room
            self.full = True
            return None
        self.full = self.run.full
        if found is None:
            return None
        if found.plan is None:
            self.least, self.full = self.below, True
            return found if self.below == ENDLESS else None
        found = found._replace(cost=found.cost + self.walked(found), cut=True)
        self.turn_to_next()
        if found.cost >= self.below:
            return None
        self.within(found.cost)
        return found

    def walked(self, found: Found) -> int:
        """What the steps of a plan cost that were not counted while it was looked for."""
        if self.stages[0][1] or found.plan is None or self.run is None:
            return 0
        space, pushes = self.run.space, 0
        state = int(space.counts[native.WINNER])
        while space.parent[state] >= 0:
            pushes, state = pushes + 1, int(space.parent[state])
        return self.of.step_cost * (len(found.plan.actions) - pushes)

    def turn_to_next(self) -> None:
        """Start again with what trusts the bound less; the last ones go on."""
        if len(self.stages) > 1:
            self.met, self.run = self.states, None
            del self.stages[0]
