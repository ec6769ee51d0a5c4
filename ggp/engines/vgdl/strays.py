"""Sprites that walk by chance, as py-vgdl has them: at random, towards the nearest of a type, or away.

`Stage.luck` is asked as py-vgdl asks its generator, so the same numbers lead to the same boards.
"""

from __future__ import annotations

from ggp.engines.vgdl.sprites import Sprite, Stage
from ggp.engines.vgdl.walkers import BASE_WAYS, nearer
from ggp.importers.vgdl.fixed import Vector


def stray(level: Stage, sprite: Sprite) -> None:
    """What a sprite that walks by chance does in a tick: it draws a way even where it has to rest."""
    ways = towards(level, sprite) or BASE_WAYS
    way, begun = ways[level.luck.below(len(ways))], sprite.cell
    sprite.go(level, way)
    if sprite.cell != begun:
        level.draws.append((sprite.group.kind.key, begun, way))


def towards(level: Stage, sprite: Sprite) -> list[Vector]:
    """The ways to (or from) each of the nearest sprites of a type, one by one: a way can come up twice."""
    group = sprite.group
    if group.base.does == "wander" or group.stype is None:
        return []
    targets = [one.cell for one in level.named(group.stype)]
    return nearer(sprite.cell, targets, away=group.base.does == "flee")
