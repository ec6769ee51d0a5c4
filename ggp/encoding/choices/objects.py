"""A variable for each piece that can change: where it stands after each turn, and what it is by then."""

from __future__ import annotations

from collections.abc import Generator

from ggp.analysis.firings import Firings
from ggp.encoding.choices import Answering
from ggp.encoding.constraints import Encoding
from ggp.encoding.lowering.route import Backend
from ggp.encoding.objects import countable, encode
from ggp.encoding.tables import Tables
from ggp.encoding.unroll import Ask, turn_by_turn
from ggp.errors import Unfit
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query
from ggp.referee.semantics import ending
from ggp.transition.compiler import compile_instance

NAME = "objects"


def offer(instance: Instance, query: Query, backend: Backend) -> Answering | str:
    """What answers the question object by object."""
    if "table" not in backend.takes and query.encoding != NAME:
        return "its solver has no tables"
    if query.passes is not None:
        return "passes rewrite what is said of cells"
    if query.want not in ("best", "first"):
        return "plans are listed and counted by what stands where"
    if instance.game.input is None or ending(instance) != "any-turn":
        return "its goal counts after the last turn only"
    objective = query.objective if query.want == "best" else None
    if objective is not None and objective.counts == "placements":
        return "nothing is placed"
    try:
        tables = Tables(Firings(instance, compile_instance(instance), query.clock.check), query.clock.check)
    except Unfit as error:
        return str(error)
    if tables.firings.points and query.encoding != NAME:
        return "its inputs point at cells, where it gains nothing"
    if not countable(objective, tables):
        return "what is to be fewest is moved by rules that may find none of it"

    def written(horizon: int, least: int) -> Encoding:
        return encode(tables, horizon, least, objective, query.clock.check)

    def answering(ask: Ask) -> Generator[Plan, None, Outcome]:
        return (yield from turn_by_turn(instance, query, ask, backend, written))

    return answering
