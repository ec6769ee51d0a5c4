"""Macro turns, for one agent that walks freely and pushes: a walk and a push each, deepened from a bound."""

from __future__ import annotations

from ggp.encoding.choices import Answering
from ggp.encoding.fewest import Fewest, counts_turns, timed_turns
from ggp.encoding.lowering.route import Backend
from ggp.encoding.unroll import deepened, macro_turns
from ggp.model import Instance
from ggp.model.result import Query
from ggp.transition.compiler import compile_instance
from ggp.transition.macros import find_agent

NAME = "macro"


def offer(instance: Instance, query: Query, backend: Backend) -> Answering | str:
    """What answers the question in macro turns."""
    if query.want not in ("best", "first"):
        return "macro turns leave open how the agent walks, so plans cannot be listed or counted in them"
    if query.encoding == NAME and query.want == "best" and counts_turns(query):
        timed = timed_turns(instance)
        if timed is not None:
            return lambda ask: Fewest(timed, query, ask, backend).plans()
    relaxed = macro_turns(instance, query)
    if relaxed is None:
        if find_agent(instance, compile_instance(instance)) is None:
            return "its rules are not about one agent that walks and pushes"
        if timed_turns(instance) is not None and counts_turns(query):
            return "the fewest turns are found sooner turn by turn, so for these it has to be named"
        return "what is to be fewest is not the pushes, or the agent cannot walk freely between them"

    return lambda ask: deepened(relaxed, query, ask, backend)
