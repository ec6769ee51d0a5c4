"""A VGDL game in which carts fly and a blocked push takes back the turn, and turns of any such game."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from ggp.learn.boards import Turn, turns_of
from ggp.watch import rollouts
from ggp.watch.vgdl import VgdlWorld

# Who pushes a box into a hole loses it; a push against a wall is taken back, and carts stay for that turn.
QUAY = """
BasicGame
    SpriteSet
        wall > Immovable
        hole > Immovable
        box > Passive
        cart > Missile orientation=RIGHT speed=1
        avatar > MovingAvatar
    LevelMapping
        h > hole
        b > box
        c > cart
    InteractionSet
        avatar wall > stepBack
        box avatar > bounceForward
        box wall > undoAll
        box box > undoAll
        cart wall > reverseDirection
        cart wall > stepBack
        box hole > killSprite
    TerminationSet
        SpriteCounter stype=box limit=0 win=True
"""
PIER = "wwwwww\nwA.b.w\nwb.h.w\nw..b.w\nwc...w\nwwwwww\n"


@cache
def played(game: str, level: str, seed: int, runs: int) -> tuple[Turn, ...]:
    """Different turns of some runs of a VGDL game."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.txt"
        path.write_text(game)
        (Path(folder) / "game_lvl0.txt").write_text(level)
        return tuple(dict.fromkeys(turns_of(islice(rollouts(VgdlWorld(path), random.Random(seed)), runs))))
