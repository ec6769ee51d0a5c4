"""Where each mover is after each turn, in a world that is static once it is designed."""

from __future__ import annotations

from collections.abc import Generator

from ggp.encoding.choices import Answering
from ggp.encoding.choices.path import graph_for
from ggp.encoding.lowering.route import Backend, lowered
from ggp.encoding.trajectory import encode
from ggp.encoding.unroll import Ask, Attempt
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query

NAME = "trajectory"


def offer(instance: Instance, query: Query, backend: Backend) -> Answering | str:
    """What answers the question by the states of the movers, turn by turn."""
    graph, objective = graph_for(instance, query), query.objective if query.want == "best" else None
    if isinstance(graph, str):
        return graph
    listing = query.want in ("all", "count")

    def answering(ask: Ask) -> Generator[Plan, None, Outcome]:
        with query.clock.writing():
            written = encode(graph, objective=objective, listing=listing, tick=query.clock.check)
            done = lowered(written, backend, query.clock.check)
        return (yield from ask(Attempt(done.encoding, True), query))

    return answering
