"""A path without time, for movers that walk by themselves in a world that is static once it is designed."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

from ggp.analysis.state_graph.graph import StateGraph
from ggp.encoding.choices import Answering
from ggp.encoding.lowering.route import Backend, lowered
from ggp.encoding.path import Form, encode
from ggp.encoding.unroll import Ask, Attempt
from ggp.errors import Unfit
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query
from ggp.referee.improving import Improving

End = TypeVar("End")
NAME = "path"
LARGE = 1_000_000  # arcs times turns: from here on it is quicker to try first without a limit on the turns


def offer(instance: Instance, query: Query, backend: Backend) -> Answering | str:
    """What answers the question by paths through the state graph."""
    graph, objective = graph_for(instance, query), query.objective if query.want == "best" else None
    if isinstance(graph, str):
        return graph
    if objective is not None and objective.counts == "turns" and graph.any_turn and len(graph.starts) > 1:
        return f"{objective.name} counts the turns until the last of several movers has arrived"

    listing = query.want in ("all", "count")

    def attempt(timed: bool) -> Attempt:
        with query.clock.writing():
            written = encode(
                graph,
                form=form(backend, listing),
                objective=objective,
                listing=listing,
                timed=timed,
                tick=query.clock.check,
            )
            return Attempt(lowered(written, backend, query.clock.check).encoding, True)

    def answering(ask: Ask) -> Generator[Plan, None, Outcome]:
        by_turns = objective is not None and objective.counts == "turns"
        if listing or by_turns or not large(graph):
            return (yield from ask(attempt(True), query))
        improved = Improving(instance, query)
        outcome = yield from only(improved.by, in_time(graph, ask(attempt(False), query)))
        if outcome is None:
            outcome = yield from only(improved.by, ask(attempt(True), query))
        return outcome

    return answering


def graph_for(instance: Instance, query: Query) -> StateGraph | str:
    """The graph of an instance where it tells all that is asked, or a sentence that says why it does not."""
    if query.passes is not None:
        return "passes rewrite what is said of cells, turn by turn"
    try:
        graph = StateGraph(instance, query.clock.check)
    except Unfit as error:
        return str(error)
    objective = query.objective if query.want == "best" else None
    if objective is not None and objective.counts == "moves":
        return f"{objective.name} counts moves, and what goes on where a mover has arrived is left out"
    if query.want in ("all", "count") and graph.of_design:
        return "its goal asks what was placed, and of cells that no run looks at nothing is said"
    return graph


def large(graph: StateGraph) -> bool:
    """Would it cost much to say that there are no more arcs than turns?"""
    arcs = sum(len(found) for walk in graph.walks for found in walk.arcs.values())
    return arcs * graph.horizon > LARGE


def only(good: Callable[[Plan], bool], answers: Generator[Plan, None, End]) -> Generator[Plan, None, End]:
    """The answers that are good, and how they ended."""
    try:
        while True:
            try:
                plan = next(answers)
            except StopIteration as end:
                outcome: End = end.value
                return outcome
            if good(plan):
                yield plan
    finally:
        answers.close()


def in_time(
    graph: StateGraph, answers: Generator[Plan, None, Outcome]
) -> Generator[Plan, None, Outcome | None]:
    """Of answers without a limit on the turns those that keep it; None if the last of them does not.

    What is not there without the limit is not there with it; what is best without it and keeps it is best.
    """
    late = False

    def keeps(plan: Plan) -> bool:
        nonlocal late
        *_, won = graph.search.run(dict(plan.design))
        late = won is not True
        return not late

    outcome = yield from only(keeps, answers)
    return None if late and outcome.stop != "time-limit" else outcome


def form(backend: Backend, listing: bool) -> Form:
    """How a path is best said to a solver."""
    if listing and "circuit" in backend.takes:
        return "circuit"
    return "flow" if backend.adds else "clauses"
