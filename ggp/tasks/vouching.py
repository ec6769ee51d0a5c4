"""Who vouches for what an answer says of plans that are not there: none, no better one, no more.

A plan is replayed; this cannot be. What contradicts it can: a plan that wins, and what is known of a level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import inf

from ggp.errors import PuzzleError
from ggp.model import Instance, Objective, Plan
from ggp.model.result import Result, Want
from ggp.referee.trajectory import Verdict, played, replay

WRONG = "wrong: "
NONE = ("unsolvable", "horizon-exhausted")


def vouched(
    instance: Instance,
    result: Result,
    want: Want,
    objective: Objective | None,
    listed: Callable[[Plan], bool],
) -> Result:
    """The result with its `proof`: `claimed`, or `wrong` with the reason in its note; None if it needs none.

    `objective` is what was to be best; `listed` tells whether `all` lists a plan.
    """
    if not result.negative:
        return result
    reason = next(contradictions(instance, result, want, objective, listed), "")
    if not reason:
        return replace(result, proof="claimed")
    note = "\n".join(part for part in (result.note, WRONG + reason) if part)
    return replace(result, proof="wrong", note=note)


def contradictions(
    instance: Instance,
    result: Result,
    want: Want,
    objective: Objective | None,
    listed: Callable[[Plan], bool],
) -> Iterator[str]:
    """Sentences that say what contradicts what a result says of plans that are not there."""
    if result.stop in NONE:
        # "None within so many turns" that is not complete is about fewer turns than the level has.
        if result.complete or result.stop == "unsolvable":
            yield from against_none(instance)
    elif want in ("best", "first") and objective is not None and result.bound is not None:
        yield from against_bound(instance, result.bound, objective)
    elif want in ("all", "count") and result.complete:
        yield from against_whole(instance, result, want, listed)


def winners(instance: Instance, plans: Iterable[Plan]) -> Iterator[tuple[Plan, Verdict]]:
    """The plans that win here, of those that are known: the horizon, or the rules, may be others."""
    for plan in plans:
        try:
            verdict = replay(instance, plan)
        except PuzzleError:
            continue
        if verdict.won:
            yield plan, verdict


def against_none(instance: Instance) -> Iterator[str]:
    """That there is no plan."""
    known = instance.level.known
    if any(True for _ in winners(instance, known.wins)):
        yield "the level's file has a plan that wins when it is replayed"
    elif known.solvable or known.solutions or known.optimum:
        yield "the level's file says that there is a plan"


def against_bound(instance: Instance, bound: int, objective: Objective) -> Iterator[str]:
    """That no plan has less than the bound, or more of what is to be highest."""
    name, limit = objective.name, objective.cost(bound)
    fewer = [plan for plan in instance.level.known.wins if told(instance, objective, plan) < limit]
    costs = (objective.cost(verdict.values[name]) for _, verdict in winners(instance, fewer))
    best = min(costs, default=limit)
    if best < limit:
        found = objective.cost(best)
        yield f"the level's file has a plan of {found} {name} that wins when it is replayed"
    known = dict(instance.level.known.optimum).get(name, bound)
    if objective.cost(known) < limit:
        enough = "can be had" if objective.highest else "are enough"
        yield f"the level's file says that {known} {name} {enough}"


def told(instance: Instance, objective: Objective, plan: Plan) -> float:
    """What a plan costs by an objective at the least, without a replay."""
    if objective.counts == "placements":
        return len(plan.design)
    return len(plan.actions) if objective.counts == "turns" and instance.game.input is not None else -inf


def against_whole(
    instance: Instance, result: Result, want: Want, listed: Callable[[Plan], bool]
) -> Iterator[str]:
    """That what is listed, or counted, is all there is."""
    found = [played(plan) for plan in result.plans]
    known = [plan for plan in instance.level.known.wins if listed(plan)]
    missing = [plan for plan in known if played(plan) not in found] if want == "all" else []
    if any(True for _ in winners(instance, missing)):
        yield "the level's file has a plan that wins when it is replayed and is not among these"
    number = len(found) if want == "all" else result.count or 0
    wanted = instance.level.known.solutions or 0
    if len(known) > max(number, wanted):
        wanted = max(wanted, sum(1 for _ in winners(instance, known)))
    if number < wanted:  # more than are known are no contradiction: each was replayed
        yield f"the level's file knows {wanted} plans, and here are {number}"
