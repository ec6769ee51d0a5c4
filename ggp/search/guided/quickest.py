"""Which way of making turns a guided search takes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from ggp.errors import Unfit
from ggp.model import DIRECTIONS, Game, Goal, Input, Instance, Kind, Level, Piece
from ggp.model.scan import Crowd, Scan, ScanGoal, ScanStage
from ggp.referee.scanning.turn import no_pause
from ggp.search.broad import Unsure
from ggp.search.guided.engines import ByTurns, Engine, InMachineCode
from ggp.search.guided.passes import InPasses


def engine_of(instance: Instance, pause: Callable[[], None], sure: bool = False) -> Engine:
    """The quickest that takes the rules; with `sure` one that can tell all turns of rules in scan order."""
    if instance.game.scan is None or not sure:
        with suppress(Unsure):
            return InPasses(instance, pause)
    try:
        return InMachineCode(instance, pause)
    except Unfit:
        return ByTurns(instance, pause)


def load() -> None:
    """Load the loops of both, or have them compiled, by a turn of the smallest game there is."""
    kinds = (Kind("player", layer="one"),)
    player = Crowd(("player",))
    scan = Scan(("one",), player, ScanStage(), ScanStage(), (ScanGoal("no", player),))
    game = Game("smallest", "The smallest game", kinds, Goal(()), input=Input(DIRECTIONS), scan=scan)
    instance = Instance(game, Level("one", ((frozenset([Piece("player")]), frozenset()),)))
    for engine in (InMachineCode, InPasses):
        made = engine(instance, no_pause)
        made.begin()
        made.expand([0])
        made.keep([0])
        made.look_wider()
        made.new(1, [0])
