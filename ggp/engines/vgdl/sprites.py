"""Sprites, the lists they stand in, and what they do by themselves at the start of a tick."""

from __future__ import annotations

from typing import Protocol

from ggp.engines.vgdl.faults import VgdlFault
from ggp.engines.vgdl.luck import Luck
from ggp.errors import Place
from ggp.importers.vgdl.facts import share
from ggp.importers.vgdl.fixed import Vector
from ggp.importers.vgdl.game import Effect, SpriteType, VgdlGame
from ggp.importers.vgdl.ontology import DIRECTIONS, Base
from ggp.model import Cell

ARROWS = {name.lower(): vector for name, vector in DIRECTIONS.items()}


class Group:
    """The sprites of one type, in the order in which they were made, and by cell if they are ever met.

    `acts`, `meets` and `lists` are the sets of lines that its sprites bring into play (see `Program`).
    """

    __slots__ = (
        "acts", "ammo", "at", "base", "chance", "cooldown", "dead", "kind", "limit", "lists", "live", "meets",
        "number", "orientation", "restless", "rests", "singleton", "speed", "strength", "stype",
    )  # fmt: skip

    def __init__(self, kind: SpriteType, base: Base, number: int, sets: tuple[int, int, int]) -> None:
        args = kind.args
        self.acts, self.meets, self.lists = sets
        self.kind = kind
        self.base = base
        self.number = number
        self.live: list[Sprite] = []
        self.dead: list[Sprite] = []
        self.at: dict[Cell, list[Sprite]] = {}
        # A zero counts as not given.
        self.speed = _whole(args.get("speed")) or base.speed
        self.cooldown = _whole(args.get("cooldown")) or (1 if base.does == "spawn" else 0)
        self.chance = share(args.get("prob", 1))
        self.singleton = kind.singleton
        self.strength = args.get("strength", base.strength)
        self.stype = str(args["stype"]) if args.get("stype") else None
        self.ammo = str(args["ammo"]) if args.get("ammo") else None
        self.limit = args.get("limit", 1)
        given = args.get("orientation")
        self.orientation = (
            given if isinstance(given, tuple) else DIRECTIONS["RIGHT"] if base.oriented else None
        )
        # A spawn point's cooldown is a clock, and who waits for a tick moves in each.
        self.rests = self.cooldown if self.cooldown > 1 and base.does != "spawn" else 0
        self.restless = bool(base.does) or (not base.static and self.orientation is not None)


def _whole(value: object) -> int:
    """The number that an argument gives; 0 where there is none."""
    return value if isinstance(value, int) else 0


class Sprite:
    """One sprite. `last` is where it stood when the tick began; `since` when it last moved or was made."""

    __slots__ = (
        "age", "alive", "cell", "group", "last", "listed", "orientation", "pulled", "resources", "since",
    )  # fmt: skip

    def __init__(self, group: Group, cell: Cell, time: int) -> None:
        self.group = group
        self.cell = cell
        self.last = cell
        self.alive = True
        self.listed = False  # killed in this tick, and known to have been
        self.orientation = group.orientation
        self.resources: dict[str, int | float] | None = None
        self.since = time
        self.age = 0
        self.pulled = -1  # in which tick it was last pulled

    def holds(self, resource: str) -> int | float:
        """How much of a resource it has."""
        return self.resources.get(resource, 0) if self.resources is not None else 0

    def put(self, resource: str, amount: int | float) -> None:
        """Let it have so much of a resource."""
        if self.resources is None:
            self.resources = {}
        self.resources[resource] = amount

    def rest(self, time: int) -> int:
        """In how many ticks from the one after this time on it does not move, whatever moves it."""
        return max(0, self.group.rests - (time + 1 - self.since))

    def to_rest(self, time: int, ticks: int) -> None:
        """Let it rest in so many of the next ticks, if it ever rests."""
        if self.group.rests:
            self.since = time + 1 + ticks - self.group.rests

    @property
    def lastdirection(self) -> Vector:
        """How far it has come in this tick."""
        return self.cell[0] - self.last[0], self.cell[1] - self.last[1]

    def go(self, level: Stage, direction: Vector, speed: int | None = None, *, rested: bool = False) -> None:
        """Move by `speed` cells (its own where None), unless it has to rest. `rested`: it has rested."""
        if speed is None:
            speed = self.group.speed if self.group.speed is not None else 1
        if speed == 0 or (self.group.base.does == "spawn" and not rested):
            return  # a spawn point never gets over its cooldown by itself
        if self.group.base.frozen:
            raise VgdlFault(
                f"a {self.group.kind.key} is Immutable, and something moves it", "", level.place_of()
            )
        if self.group.cooldown > level.time - self.since:
            return
        self.since = level.time
        if direction != (0, 0):
            row, column = self.cell
            level.move(self, (row + direction[0] * speed, column + direction[1] * speed))


class Stage(Protocol):
    """What sprites and effects ask of the level that they are in."""

    game: VgdlGame
    height: int
    width: int
    time: int
    moved: list[Sprite]
    luck: Luck
    draws: list[tuple[str, Cell, Vector | bool]]  # what luck has come to in this tick
    limits: dict[str, int | float]  # how much of a resource one sprite can hold

    def create(self, key: str, cell: Cell) -> Sprite | None: ...

    def kill(self, sprite: Sprite, *, listed: bool = True) -> None: ...

    def move(self, sprite: Sprite, cell: Cell) -> None: ...

    def named(self, name: str) -> list[Sprite]: ...

    def each(self, name: str) -> list[Sprite]: ...

    def avatars(self) -> list[Sprite]: ...

    def place_of(self, effect: Effect | None = None) -> Place: ...


def unit(vector: Vector, level: Stage) -> Vector:
    """The direction of a movement; one that goes nowhere counts as to the right."""
    row, column = vector
    if row and column:
        raise VgdlFault("something is moved aslant, which leaves the grid", "", level.place_of())
    if row:
        return (1, 0) if row > 0 else (-1, 0)
    return (0, -1) if column < 0 else (0, 1)


def update(level: Stage, sprite: Sprite, key: str) -> None:
    """What a sprite does by itself in a tick."""
    group = sprite.group
    does = group.base.does
    if does == "spawn":
        spawn(level, sprite)
        return
    turns = does in ("face", "shoot", "shoot-all")
    facing = sprite.orientation
    if turns:
        # While it moves it faces nowhere, so nothing carries it along; the cooldown begins anew all the same.
        sprite.orientation = (0, 0)
    if not group.base.static and sprite.orientation is not None:
        sprite.go(level, sprite.orientation)
    if does == "flicker":
        sprite.age += 1
        if isinstance(group.limit, int | float) and sprite.age >= group.limit:
            level.kill(sprite)
    elif key in group.base.keys:
        if key in ARROWS:
            sprite.go(level, ARROWS[key])
        elif turns:
            sprite.go(level, (0, 0))
    if turns:
        # It faces where it went, as far as it went in py-vgdl's units: a type that is carried along by where
        # it faces, and gets that from an avatar, goes that far.
        down, right = (part * level.game.block_size for part in sprite.lastdirection)
        sprite.orientation = (down, right) if down or right else facing
    if key == "space" and group.base.avatar and group.stype is not None:
        shoot(level, sprite, does)


def spawn(level: Stage, sprite: Sprite) -> None:
    """Make a sprite every so many ticks, up to a total."""
    group = sprite.group
    if level.time % group.cooldown == 0 and group.stype is not None and comes(level, sprite):
        level.create(group.stype, sprite.cell)
        sprite.age += 1
    total = _whole(group.kind.args.get("total"))
    if total and sprite.age >= total:
        level.kill(sprite)


def comes(level: Stage, sprite: Sprite) -> bool:
    """Does chance let a spawn point make something? It is asked even where it can only say yes."""
    chance = sprite.group.chance
    done = level.luck.double() < chance
    if chance < 1:
        level.draws.append((sprite.group.kind.key, sprite.cell, done))
    return done


def shoot(level: Stage, sprite: Sprite, does: str) -> None:
    """What the space key does: leave something here, or send it to a neighbouring cell or to all four."""
    group = sprite.group
    assert group.stype is not None
    if does == "drop":
        level.create(group.stype, sprite.cell)
        return
    if does not in ("shoot", "shoot-all") or (group.ammo is not None and sprite.holds(group.ammo) <= 0):
        return
    facing = sprite.orientation or DIRECTIONS["RIGHT"]
    row, column = sprite.last
    for down, right in DIRECTIONS.values() if does == "shoot-all" else (unit(facing, level),):
        made = level.create(group.stype, (row + down, column + right))
        if made is not None and made.group.base.oriented:
            made.orientation = (down, right)
    if group.ammo is not None:
        sprite.put(group.ammo, sprite.holds(group.ammo) - 1)
