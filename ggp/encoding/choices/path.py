"""A path without time, for movers that walk by themselves in a world that is static once it is designed."""

from __future__ import annotations

from collections.abc import Generator

from ggp.analysis.state_graph import StateGraph, Unfit
from ggp.encoding.choices import Answering
from ggp.encoding.lowering.route import Backend, lowered
from ggp.encoding.path import Form, encode
from ggp.encoding.unroll import Ask, Attempt
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query

NAME = "path"


def offer(instance: Instance, query: Query, backend: Backend) -> Answering | str:
    """What answers the question by paths through the state graph."""
    if query.passes is not None:
        return "passes rewrite what is said turn by turn"
    try:
        graph = StateGraph(instance, query.clock.check)
    except Unfit as error:
        return str(error)
    objective = query.objective if query.want == "best" else None
    if objective is not None and objective.counts == "moves":
        return f"{objective.name} counts moves, and a path does not say how long its end goes on"
    if objective is not None and objective.counts == "turns" and graph.any_turn and len(graph.starts) > 1:
        return f"{objective.name} counts the turns until the last of several movers has arrived"

    def answering(ask: Ask) -> Generator[Plan, None, Outcome]:
        started, listing = query.clock.seconds, query.want in ("all", "count")
        written = encode(
            graph,
            form=form(backend, listing),
            objective=objective,
            listing=listing,
            tick=query.clock.check,
        )
        done = lowered(written, backend, query.clock.check)
        query.clock.encoding += query.clock.seconds - started
        return (yield from ask(Attempt(done.encoding, True), query))

    return answering


def form(backend: Backend, listing: bool) -> Form:
    """How a path is best said to a solver."""
    if listing and "circuit" in backend.takes:
        return "circuit"
    return "flow" if backend.adds else "clauses"
