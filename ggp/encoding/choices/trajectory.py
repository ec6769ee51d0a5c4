"""Where each mover is after each turn, in a world that is static once it is designed."""

from __future__ import annotations

from collections.abc import Generator

from ggp.analysis.state_graph import StateGraph, Unfit
from ggp.encoding.choices import Answering
from ggp.encoding.lowering.route import Backend, lowered
from ggp.encoding.trajectory import encode
from ggp.encoding.unroll import Ask, Attempt
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query

NAME = "trajectory"


def offer(instance: Instance, query: Query, backend: Backend) -> Answering | str:
    """What answers the question by the states of the movers, turn by turn."""
    if query.passes is not None:
        return "passes look for symmetry of cells, and here states have numbers"
    try:
        graph = StateGraph(instance, query.clock.check)
    except Unfit as error:
        return str(error)
    objective = query.objective if query.want == "best" else None
    if objective is not None and objective.counts == "moves":
        return f"{objective.name} counts moves, and what a mover does after its end is left out"
    listing = query.want in ("all", "count")
    if listing and graph.of_design:
        return "its goal asks what was placed, and cells that no run looks at are left out"

    def answering(ask: Ask) -> Generator[Plan, None, Outcome]:
        started = query.clock.seconds
        written = encode(graph, objective=objective, listing=listing, tick=query.clock.check)
        done = lowered(written, backend, query.clock.check)
        query.clock.encoding += query.clock.seconds - started
        return (yield from ask(Attempt(done.encoding, True), query))

    return answering
