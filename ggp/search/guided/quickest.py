"""Which way of making turns a guided search takes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from ggp.model import Instance
from ggp.search.broad import Unsure
from ggp.search.guided.engines import ByTurns, Engine, InMachineCode
from ggp.search.guided.passes import InPasses
from ggp.transition.in_order.stepper import Unfit


def engine_of(instance: Instance, pause: Callable[[], None], sure: bool = False) -> Engine:
    """The quickest that takes the rules; with `sure` one that can tell all turns of rules in scan order."""
    if instance.game.scan is None or not sure:
        with suppress(Unsure):
            return InPasses(instance, pause)
    try:
        return InMachineCode(instance, pause)
    except Unfit:
        return ByTurns(instance, pause)
