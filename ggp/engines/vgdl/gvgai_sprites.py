"""Sprites as GVGAI moves them, and the types that they are of."""

from __future__ import annotations

from typing import Protocol

from ggp.engines.vgdl.faults import VgdlFault
from ggp.importers.vgdl.game import SpriteType, Vector, VgdlGame
from ggp.importers.vgdl.ontology import Base
from ggp.model import Cell

NOWHERE = (0, 0)
HEALTH_LIMIT = 1000


class Sprite:
    """One sprite: where it stands, where it stood when the tick began, and what it has."""

    __slots__ = (
        "age", "cell", "disabled", "facing", "first", "health", "held", "kind", "last", "made", "oriented",
        "since", "start",
    )  # fmt: skip

    def __init__(self, kind: Kind, cell: Cell) -> None:
        self.kind = kind
        self.cell = self.last = cell
        self.facing: Vector = kind.facing
        self.oriented = kind.oriented
        self.held: dict[str, int] = {}
        self.health = kind.health
        self.since = self.age = self.made = 0
        self.start = -1
        self.first, self.disabled = True, False

    @property
    def came(self) -> Vector:
        """The direction in which it has come in this tick."""
        down, right = self.cell[0] - self.last[0], self.cell[1] - self.last[1]
        if down and right:
            raise VgdlFault(f"{self.kind.key} has been moved aslant, which leaves the grid", "")
        return (down > 0) - (down < 0), (right > 0) - (right < 0)

    def holds(self, resource: str) -> int:
        """How much of a resource it has."""
        return self.held.get(resource, 0)

    def gain(self, resource: str, amount: int) -> None:
        """Let it have more, or less; never less than nothing."""
        self.held[resource] = max(0, self.holds(resource) + amount)

    def go(self, way: Vector, speed: int) -> bool:
        """Go so many cells (0: as many as its own speed), unless it rests; does it?"""
        speed = speed or self.kind.speed
        if speed == 0 or way == NOWHERE or self.kind.cooldown > self.since:
            return False
        self.cell = self.cell[0] + way[0] * speed, self.cell[1] + way[1] * speed
        self.since = 0
        return True

    def drive(self, way: Vector, speed: int) -> str:
        """Go as something wills it: it may have to turn first. Says what became of it."""
        speed = speed or self.kind.speed or 1
        if way == NOWHERE:
            return "still"
        if self.kind.turns and self.oriented and self.facing != way:
            self.facing = way
            return "turn"
        return "move" if self.go(way, speed) else "still"


class Kind:
    """A leaf of the SpriteSet, with its numbers."""

    def __init__(self, sprite: SpriteType, base: Base) -> None:
        args = sprite.args

        def whole(key: str, default: int) -> int:
            value = args.get(key, default)
            return int(value) if isinstance(value, int | float) else default

        self.key, self.stypes, self.singles, self.base = sprite.key, sprite.stypes, sprite.singles, base
        given = args.get("orientation")
        self.facing: Vector = given if isinstance(given, tuple) else NOWHERE
        self.oriented = base.oriented or self.facing != NOWHERE
        self.turns = bool(args.get("rotateInPlace", base.does in ("face", "shoot")))
        self.speed = whole("speed", base.speed or 0)
        self.cooldown = max(1, whole("cooldown", 1))
        self.limit = whole("limit", 1)
        self.value = whole("value", 1)
        self.total = whole("total", 0)
        self.most = whole("limitHealthPoints", HEALTH_LIMIT)
        health, most = whole("healthPoints", 0), whole("maxHealthPoints", 0)
        self.health = min(health, most) if most else health
        self.stype = str(args["stype"]) if "stype" in args else None
        self.ammo = str(args["ammo"]) if "ammo" in args else None
        self.least, self.cost = whole("minAmmo", 0), whole("ammoCost", 1)
        spawned = args.get("spawnorientation")
        self.spawned: Vector = spawned if isinstance(spawned, tuple) else NOWHERE


class Stage(Protocol):
    """What effects ask of the level that they are in."""

    game: VgdlGame
    height: int
    width: int
    lists: dict[str, list[Sprite]]
    dead: list[Sprite]
    limits: dict[str, int]
    avatar: Sprite

    def create(self, key: str, cell: Cell) -> Sprite | None: ...

    def kill(self, sprite: Sprite, *, transformed: bool = False) -> None: ...
