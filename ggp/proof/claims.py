"""What an answer claims beyond its plans, and what a look at it may come to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from ggp.model import Instance, Objective, Plan
from ggp.model.result import Query, Result
from ggp.referee.semantics import ending
from ggp.referee.trajectory import plan_to_json, replay

Sort = Literal["none", "none-better", "no-more", "count"]


@dataclass(frozen=True)
class Claim:
    """`none`: no plan wins. `none-better`: none costs less than `below` by the objective (a high score costs
    little, `Objective.cost`). `no-more`: no plan in
    which each placement matters but the `known`. `count`: so many plans win, idle placements included.
    Of `none-better` the plan that is claimed to be a best one is `known`.

    All within the level's horizon; with `ever`, however long a run may be.
    """

    instance: Instance
    sort: Sort
    objective: Objective | None = None
    below: int | None = None
    known: tuple[Plan, ...] = ()
    count: int = 0
    ever: bool = False

    def better(self, plan: Plan) -> int | None:
        """What a plan has of the objective, if it wins and so breaks the claim `none` or `none-better`.

        None if it does neither; of `none`, 0 where the game has no objective.
        """
        verdict = replay(self.instance, plan)
        value = verdict.values[self.objective.name] if self.objective is not None else 0
        cost = self.objective.cost(value) if self.objective is not None else 0
        return value if verdict.won and (self.below is None or cost < self.below) else None


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one way of checking came to: the claim was proved, or refuted (`note` says how), or neither.

    `who` says in a few words what vouches, `steps` how many states or steps of a proof that took.
    """

    verdict: Literal["checked", "wrong"] | None
    who: str = ""
    steps: int = 0
    note: str = ""


def claim_of(instance: Instance, query: Query, result: Result) -> Claim | None:
    """What the answer claims; None where it says nothing negative."""
    if result.stop in ("unsolvable", "horizon-exhausted") and not result.plans:
        bounded = instance.level.horizon is not None and result.stop == "horizon-exhausted"
        ever = ending(instance) == "any-turn" and moves(instance) and not bounded
        return Claim(instance, "none", query.objective, ever=ever)
    if result.stop == "optimal" and query.objective is not None:
        ever = instance.level.horizon is None and moves(instance)
        below = None if result.objective is None else query.objective.cost(result.objective)
        return Claim(instance, "none-better", query.objective, below, result.plans, ever=ever)
    if not result.complete or query.want not in ("all", "count"):
        return None
    if query.want == "count":
        return Claim(instance, "count", count=result.count or 0)
    return Claim(instance, "no-more", known=result.plans)


def moves(instance: Instance) -> bool:
    """Is there more to it than a design?"""
    return instance.game.input is not None or bool(instance.game.physics)


def in_order(plan: Plan) -> Plan:
    """The plan with its placements in reading order."""
    return Plan(tuple(sorted(plan.design)), plan.actions)


def in_words(instance: Instance, plan: Plan) -> str:
    """A plan in one line, as plan files have it."""
    return json.dumps(plan_to_json(instance, plan))
