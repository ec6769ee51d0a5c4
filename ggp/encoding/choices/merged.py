"""Values that nothing on the map has, put into one; what is drawn tells afterwards which each of them is.

A link to a puzzle whose clues are sizes of areas does not say how large an area can be, so it may be as
large as the board: hundreds of values a cell, of which the clues have nine. A goal word that can do with one
for all larger ones offers `merged(instance)`: a smaller instance, and what makes a plan of it one of the
level. A plan for which there may be others is told by `several`; only where one such is found, and all are
asked for, the level is encoded as it is, too.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from ggp.encoding.choices import Answering
from ggp.encoding.lowering.route import Backend
from ggp.encoding.unroll import Ask, Attempt, make, turn_by_turn
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query

NAME = "merged"


def offer(instance: Instance, query: Query, backend: Backend) -> Answering | str:
    """What answers the question with larger values put into one."""
    goal, told = instance.game.goal, instance.game.goal.terms
    merging = getattr(told[0], "merged", None) if len(told) == 1 and not goal.lose else None
    if merging is None or instance.game.input is not None or instance.game.physics:
        return "its goal is not about values alone that can be told from what is drawn"
    if query.passes is not None:
        return "passes rewrite what is said of every value"
    if query.want == "count" or (query.want == "best" and query.objective is not None):
        return "plans are counted and weighed by the values that they really have"
    merged = merging(instance)
    if merged is None:
        return "there are no values that could be put into one"

    def answering(ask: Ask) -> Generator[Plan, None, Outcome]:
        return (yield from answers(merged, instance, query, ask, backend))

    return answering


def answers(
    merged: Any, instance: Instance, query: Query, ask: Ask, backend: Backend
) -> Generator[Plan, None, Outcome]:
    """The plans of the smaller instance as plans of the level, and the others where they are asked for."""
    smaller: Instance = merged.instance
    horizon = smaller.level.horizon or 0
    found, several = set[Plan](), False
    asked = ask(Attempt(make(smaller, query, horizon, backend), True), query)
    while True:
        try:
            plan = merged.plan(next(asked))
        except StopIteration as end:
            outcome: Outcome = end.value
            break
        found.add(plan)
        several = several or merged.several(plan)
        yield plan
    if query.want != "all" or not several or not outcome.complete:
        return outcome
    query.clock.encoded = "occupancy"
    asked = turn_by_turn(instance, query, ask, backend)
    while True:
        try:
            plan = next(asked)
        except StopIteration as end:
            outcome = end.value
            return outcome
        if plan not in found:
            yield plan
