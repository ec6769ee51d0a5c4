"""Values that nothing on the map has, put into one; what is drawn tells afterwards which each of them is.

A link to a puzzle whose clues are sizes of areas does not say how large an area can be, so it may be as
large as the board: hundreds of values a cell, of which the clues have nine. A goal word that can do with one
for all larger ones offers `merged(instance)`: a smaller instance, and what makes a plan of it one of the
level. Such a plan may stand for several of the level: where all are asked for, `plans` tells each of them.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from ggp.encoding.choices import Answering
from ggp.encoding.lowering.route import Backend
from ggp.encoding.unroll import Ask, Attempt, make
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
        return (yield from answers(merged, query, ask, backend))

    return answering


def answers(merged: Any, query: Query, ask: Ask, backend: Backend) -> Generator[Plan, None, Outcome]:
    """Plans of the smaller instance as plans of the level: one of each, or all where those are asked for."""
    smaller: Instance = merged.instance
    horizon = smaller.level.horizon or 0
    asked = ask(Attempt(make(smaller, query, horizon, backend), True), query)
    while True:
        try:
            plan = next(asked)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome if query.want != "all" else replace(outcome, count=None)
        if query.want == "all":
            yield from merged.plans(plan, query.clock.check)
        else:
            yield merged.plan(plan)
