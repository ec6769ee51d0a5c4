"""Turn by turn: does this piece stand on this cell after this turn? It applies to everything."""

from __future__ import annotations

from collections.abc import Generator

from ggp.encoding.choices import Answering
from ggp.encoding.lowering.route import Backend
from ggp.encoding.unroll import Ask, turn_by_turn
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query

NAME = "occupancy"
SCORES = True


def offer(instance: Instance, query: Query, backend: Backend) -> Answering | str:
    """What answers the question turn by turn."""

    def answering(ask: Ask) -> Generator[Plan, None, Outcome]:
        return (yield from turn_by_turn(instance, query, ask, backend))

    return answering
