"""The fewest turns in macro turns: a plan, then a shorter one of as many pushes or more, while there is one.

A plan of the fewest turns may take more pushes than are needed. So each number of pushes is asked about, up
to the one that leaves no turn for the walk to the first of them.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from functools import cached_property

from ggp.analysis.relaxed import FAR, Relaxed, breadth_first
from ggp.encoding import macro, timed
from ggp.encoding.lowering.route import Backend
from ggp.encoding.unroll import LOST, Ask, Attempt, contradiction, pushed
from ggp.model import Instance, Objective, Plan
from ggp.model.result import Outcome, OutOfTime, Query
from ggp.transition.compiler import compile_instance
from ggp.transition.macros import find_agent, single_cost

ANSWERS = ("optimal", "satisfied", "horizon-exhausted")  # whatever else a solver stops with is no answer


def counts_turns(query: Query) -> bool:
    """Are the turns to be fewest?"""
    return query.objective is not None and query.objective.counts == "turns"


def timed_turns(instance: Instance) -> Relaxed | None:
    """The instance for macro turns, where one agent walks freely; else None.

    Where each push moves just one piece of a kind, moves of that kind bound how many pushes there are.
    """
    found = find_agent(instance, compile_instance(instance))
    if found is None:
        return None
    wanted = [getattr(term, "ground_required", lambda: None)() for term in instance.game.goal.terms]
    kinds = [Objective("moves", "moves", required[0].name) for required in wanted if required is not None]
    counted = (one for one in (*instance.game.objectives, *kinds) if single_cost(found, instance, one))
    relaxed = Relaxed(instance, found, next(counted, Objective("turns", "turns")))
    return relaxed if macro.supported(relaxed) else None


class Fewest:
    """One question: of more and more pushes, plans that are shorter than the shortest so far."""

    def __init__(self, relaxed: Relaxed, query: Query, ask: Ask, backend: Backend) -> None:
        self.relaxed, self.query, self.ask, self.backend = relaxed, query, ask, backend
        self.pushes = relaxed.matching[0]
        self.found: int | None = None  # turns of the shortest plan so far
        self.last = Outcome("horizon-exhausted")

    def plans(self) -> Generator[Plan, None, Outcome]:
        """Shorter and shorter plans, and what is known in the end."""
        if self.pushes >= FAR:
            lost = Attempt(contradiction(self.relaxed.instance), True, never=LOST)
            return (yield from self.ask(lost, self.query))
        try:
            while self.least < FAR and (self.most is None or self.least <= self.most):
                shorter = yield from self.shorter()
                if self.last.stop not in ANSWERS:
                    break
                if not shorter:
                    self.pushes += self.relaxed.stride
        except OutOfTime:
            self.last = replace(self.last, stop="time-limit", complete=False)
        return self.outcome()

    @property
    def least(self) -> int:
        """No plan of so many pushes or more has fewer turns; without pushes there is no walk to the first."""
        return self.pushes + self.first_walk if self.pushes else 0

    @property
    def most(self) -> int | None:
        """The most turns that a plan may have which is asked for; None where nothing bounds them."""
        horizon = self.relaxed.instance.level.horizon
        if self.found is None:
            return horizon
        return self.found - 1 if horizon is None else min(horizon, self.found - 1)

    @cached_property
    def first_walk(self) -> int:
        """The fewest steps before the first push, as if nothing were in the way; FAR where there is none."""
        agent, relaxed = self.relaxed.agent, self.relaxed
        back: dict[tuple[int, int], set[tuple[int, int]]] = {}
        for _, rules in agent.plans:
            for rule in rules:
                offset = agent.moved_to(rule)
                for cell in relaxed.ground:
                    to = relaxed.at(cell, offset) if offset is not None and agent.stepping(rule) else None
                    if to is not None:
                        back.setdefault((0, cell), set()).add((0, to))
        steps = breadth_first(back, [(0, agent.start)])
        return min((steps.get((0, push.anchor), FAR) for push in relaxed.pushes), default=FAR)

    def shorter(self) -> Generator[Plan, None, bool]:
        """Ask for a plan of so many pushes that is shorter than all so far; was there one?"""
        before, most = self.found, self.most
        encoding = pushed(self.relaxed, self.pushes, self.query, self.backend, most)
        answers = self.ask(Attempt(encoding, False, self.pushes), self.query)
        try:
            while True:
                plan = next(answers)
                if most is not None and len(plan.actions) > most:
                    raise timed.longer(most)
                self.found = len(plan.actions)
                yield plan
        except StopIteration as end:
            self.last = end.value
        finally:
            answers.close()
        return self.found != before

    def outcome(self) -> Outcome:
        """What is known, and of turns that were not gone through, how many any plan has at least."""
        sizes, horizon = self.last.sizes, self.relaxed.instance.level.horizon
        if self.last.stop not in ANSWERS:
            note = f"any plan has {self.least} or more turns"
            return replace(self.last, complete=False, bound=self.least, note=note)
        if self.found is not None:
            return Outcome("optimal", True, None, self.found, sizes)
        if horizon is None:
            return Outcome("unsolvable", True, sizes=sizes, note="the agent gets to nothing that it can push")
        return Outcome("horizon-exhausted", True, sizes=sizes, note=f"no plan within {horizon} turns")
