"""How often each cell is picked, without turns, where it does not matter in which order."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from ggp.analysis.presses import Presses
from ggp.encoding.choices import Answering
from ggp.encoding.lowering.route import Backend, lowered
from ggp.encoding.presses import encode
from ggp.encoding.unroll import Ask, Attempt
from ggp.errors import Unfit
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query
from ggp.transition.compiler import compile_instance

NAME = "presses"
NEVER = "no number of inputs leads to the goal, in whatever order"


def offer(instance: Instance, query: Query, backend: Backend) -> Answering | str:
    """What answers the question without turns."""
    if query.passes is not None:
        return "passes rewrite what is said turn by turn"
    if query.want not in ("best", "first"):
        return "plans that differ in the order of their inputs are listed and counted one by one"
    objective = query.objective if query.want == "best" else None
    if objective is not None and objective.counts != "turns":
        return f"{objective.name} counts something else than inputs"
    try:
        presses = Presses(instance, compile_instance(instance), query.clock.check)
    except Unfit as error:
        return str(error)
    fewest = objective is not None

    def attempt(most: int | None) -> Attempt:
        with query.clock.writing():
            written = encode(presses, most, fewest=fewest)
            done = lowered(written, backend, query.clock.check)
        return Attempt(done.encoding, True, never=NEVER if most is None else "")

    def answering(ask: Ask) -> Generator[Plan, None, Outcome]:
        outcome = yield from ask(attempt(instance.level.horizon), query)
        if outcome.stop != "horizon-exhausted":
            return outcome
        anyway = ask(attempt(None), replace(query, want="first", objective=None))
        try:
            next(anyway)
        except StopIteration as end:
            other: Outcome = end.value
            return other if other.stop == "unsolvable" else outcome
        finally:
            anyway.close()
        return outcome

    return answering
