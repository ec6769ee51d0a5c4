"""Sprites as GVGAI moves them, and the types that they are of."""

from __future__ import annotations

from typing import Protocol

from ggp.engines.vgdl.faults import VgdlFault
from ggp.engines.vgdl.luck import Luck
from ggp.importers.vgdl.facts import NOWHERE, Kind
from ggp.importers.vgdl.fixed import Vector
from ggp.importers.vgdl.game import Shield, VgdlGame
from ggp.model import Cell


class Sprite:
    """One sprite: where it stands, where it stood when the tick began, and what it has.

    `cell` and `last` count in pixels, of which `block` are a cell; where all moves by whole cells that is 1.
    """

    __slots__ = (
        "age", "block", "bound", "cell", "disabled", "facing", "first", "health", "held", "kind", "last",
        "made", "oriented", "since", "start",
    )  # fmt: skip

    def __init__(self, kind: Kind, cell: Cell, block: int = 1) -> None:
        self.kind, self.block = kind, block
        self.cell = self.last = cell
        self.facing: Vector = kind.facing
        self.oriented = kind.oriented
        self.held: dict[str, int] = {}
        self.health = kind.health
        self.since = self.age = self.made = 0
        self.start = -1
        self.bound: Vector = NOWHERE  # the way that it keeps to
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

    @property
    def anchor(self) -> Cell:
        """The cell in which its upper left corner is."""
        return self.cell[0] // self.block, self.cell[1] // self.block

    def overlaps(self, other: Sprite) -> bool:
        """Do the two share any place?"""
        down, right = self.cell[0] - other.cell[0], self.cell[1] - other.cell[1]
        return abs(down) < self.block and abs(right) < self.block

    def go(self, way: Vector, speed: float) -> bool:
        """Go so many cells (0: as many as its own speed), unless it rests; does it? Pixels are whole."""
        step = int(speed * self.block) or int(self.kind.speed)
        if step == 0 or way == NOWHERE or self.kind.cooldown > self.since:
            return False
        self.cell = self.cell[0] + way[0] * step, self.cell[1] + way[1] * step
        self.since = 0
        return True

    def drive(self, way: Vector, speed: float) -> str:
        """Go as something wills it: it may have to turn first. Says what became of it."""
        speed = speed or self.kind.speed or 1
        if way == NOWHERE:
            return "still"
        if self.kind.turns and self.oriented and self.facing != way:
            self.facing = way
            return "turn"
        return "move" if self.go(way, speed) else "still"


class Stage(Protocol):
    """What effects ask of the level that they are in."""

    game: VgdlGame
    height: int
    width: int
    block: int
    lists: dict[str, list[Sprite]]
    dead: dict[Sprite, None]
    limits: dict[str, int]
    avatar: Sprite
    below: dict[str, tuple[str, ...]]
    luck: Luck
    shields: set[Shield]
    score: int
    counts: bool  # set by effects that may come to nothing, and then count for nothing

    def create(self, key: str, cell: Cell, *, force: bool = False) -> Sprite | None: ...

    def kill(self, sprite: Sprite, *, transformed: bool = False) -> None: ...

    def drawn(self, sprite: Sprite, cell: Cell, what: Vector | bool) -> None: ...
