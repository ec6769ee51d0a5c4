"""Which sort of world a level is: the quickest that can play it.

- `Moving`: an input each turn, in machine code;
- `Designing`: first a design, then its release;
- `Ordered`: rules in scan order, by the referee;
- `Contest`: several players, who take turns;
- `Simultaneous`: several players, who move at the same time;
- `Lucky`: chance has a part, or something is hidden.
"""

from __future__ import annotations

from functools import lru_cache

from ggp.errors import PuzzleError, UnsupportedFeature
from ggp.model import Instance
from ggp.model.features import LUCK, needs, require_played_alone
from ggp.players.contest import Contest
from ggp.players.designing import Designing
from ggp.players.luck import luck_world
from ggp.players.moving import Moving
from ggp.players.ordered import Ordered
from ggp.players.simultaneous import Simultaneous
from ggp.players.world import World


@lru_cache(maxsize=64)
def world_of(instance: Instance) -> World:
    """The world of an instance. Raises UnsupportedFeature, with the place, for what is not played here."""
    require_played_alone(instance, "a world")
    if instance.game.simultaneous:
        return Simultaneous(instance)
    if instance.game.scan is not None:
        return Ordered(instance)
    lucky = LUCK & {need.feature for need in needs(instance)}
    if len(instance.game.players) > 1 and not lucky:
        return Contest(instance)
    if instance.game.design is not None and not lucky:
        return Designing(instance)
    if instance.game.input is None:
        raise PuzzleError(f"in {instance.game.name} there is nothing to decide", "take a game with inputs")
    if lucky:
        if instance.game.design is not None:
            raise UnsupportedFeature("no world has chance or hidden things after a design", "", None)
        return luck_world(instance)
    return Moving(instance)


def contest_of(instance: Instance, player: str) -> Contest:
    """The world of a game of two players, for a player who plays no other. Raises UnsupportedFeature."""
    world, players = world_of(instance), len(instance.game.players)
    if players != 2 or not isinstance(world, Contest):
        message = f"{player} plays games of two players, and {instance.game.name} has {players}"
        raise UnsupportedFeature(message, "take `mcts`", instance.game.place)
    return world
