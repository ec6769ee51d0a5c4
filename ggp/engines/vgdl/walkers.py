"""Sprites that walk by chance, as GVGAI has them: at random, towards the nearest of a type, or away from it.

What is drawn is asked of `Stage.luck` in the order in which GVGAI asks its generator, so that the same
numbers lead to the same boards.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.engines.vgdl.gvgai_sprites import Sprite, Stage
from ggp.importers.vgdl.facts import NOWHERE
from ggp.importers.vgdl.fixed import Vector
from ggp.importers.vgdl.ontology import DIRECTIONS
from ggp.model import Cell

BASE_WAYS = (DIRECTIONS["UP"], DIRECTIONS["LEFT"], DIRECTIONS["DOWN"], DIRECTIONS["RIGHT"])


def walk(level: Stage, sprite: Sprite) -> None:
    """What a sprite that walks by chance does in a tick."""
    strays = sprite.kind.base.does == "stray" and level.luck.double() < sprite.kind.strays
    ways = [] if strays or sprite.kind.base.does == "wander" else nearing(level, sprite)
    begun = sprite.anchor
    way = ways[level.luck.below(len(ways))] if ways else at_random(level, sprite)
    moves = sprite.drive(way, sprite.kind.speed) == "move"
    if moves or (sprite.kind.keeps and sprite.age == 0):
        if 0 < sprite.kind.strays < 1:
            level.drawn(sprite, begun, strays)
        level.drawn(sprite, begun, way)


def at_random(level: Stage, sprite: Sprite) -> Vector:
    """A way at random, which is then kept for as many ticks as the type says; at first, none is."""
    if sprite.age < sprite.kind.keeps:
        sprite.age += 1
        return sprite.bound
    sprite.age, sprite.bound = 0, BASE_WAYS[level.luck.below(4)]
    return sprite.bound


def nearing(level: Stage, sprite: Sprite) -> list[Vector]:
    """The ways to (or from) each of the nearest sprites of a type, one by one: a way can come up twice."""
    stype = str(sprite.kind.stype)
    targets = [one.cell for key in level.below[stype] for one in level.lists[key]]
    found = nearer(sprite.cell, targets, away=sprite.kind.base.does == "flee")
    return found * (1 + ("stype1" in sprite.kind.base.takes))  # such go through their targets twice


def nearer(cell: Cell, targets: Sequence[Cell], *, away: bool) -> list[Vector]:
    """The ways from a cell to each of the nearest targets, one by one, or away from them."""
    nearest = min((distance(cell, one) for one in targets), default=0)
    found = []
    for one in targets:
        if distance(cell, one) == nearest:
            for way in BASE_WAYS:
                after = distance((cell[0] + way[0], cell[1] + way[1]), one)
                if after > nearest if away else after < nearest:
                    found.append(way)
    return found


def distance(one: Cell, other: Cell) -> int:
    """How many steps lie between two cells."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def bomb_about(level: Stage, sprite: Sprite) -> None:
    """One that goes at random, before it makes what it makes."""
    way = BASE_WAYS[level.luck.below(4)]
    level.drawn(sprite, sprite.anchor, way)
    sprite.drive(way, sprite.kind.speed)


def set_off(level: Stage, sprite: Sprite) -> None:
    """A missile that does not know where to go yet."""
    if sprite.facing == NOWHERE:
        sprite.facing = BASE_WAYS[level.luck.below(4)]
        level.drawn(sprite, sprite.anchor, sprite.facing)


def spread(level: Stage, sprite: Sprite) -> None:
    """What has burnt for two ticks may make its like in each of the four cells beside it."""
    for way in (DIRECTIONS["UP"], DIRECTIONS["LEFT"], DIRECTIONS["DOWN"], DIRECTIONS["RIGHT"]):
        comes = level.luck.double() < sprite.kind.spreads
        if comes:
            level.drawn(sprite, sprite.anchor, way)
            cell = sprite.last[0] + way[0] * level.block, sprite.last[1] + way[1] * level.block
            level.create(sprite.kind.stype or sprite.kind.key, cell)
