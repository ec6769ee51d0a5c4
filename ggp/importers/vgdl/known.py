"""What is known of a game of VGDL before its first tick: what its types do, and the forms they can take."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.errors import Place
from ggp.importers.vgdl.dialects import BESIDE, COLLECTS, PY_VGDL
from ggp.importers.vgdl.facts import (
    WALKS,
    Kind,
    Line,
    chance_in,
    in_order,
    keys_below,
    limits,
    whole_number,
)
from ggp.importers.vgdl.forms import Form, Forms, safe, way_of
from ggp.importers.vgdl.game import VgdlGame
from ggp.importers.vgdl.outside import lost_outside
from ggp.importers.vgdl.refused import Refused
from ggp.model import Pattern

ALWAYS_ON = ("fly", "turn", "go on")  # avatars that go on whether or not a key is pressed
MAKES = ("spawn", "bomb", "spread")
SHOOTS = ("drop", "shoot")
MORE = frozenset({"spawn", "spawnBehind", "spawnIfHasMore", "spawnIfHasLess", "cloneSprite", *BESIDE})
"""Effects that make more of a type."""


def acts_itself(kinds: Iterable[Kind], lines: Iterable[Line]) -> bool:
    """Does anything but the avatar's own steps make, end or change something from afar?"""
    makes = any(kind.base.does in (*MAKES, *SHOOTS, "flicker") for kind in kinds)
    return makes or any(line.effect.name == "TransformOthersTo" for line in lines)


class Known:
    """What a game's types are: who moves, who is pushed, of whom there can be many, who holds what."""

    def __init__(self, game: VgdlGame) -> None:
        self.game = game
        self.kinds = {one.key: Kind(one, game.dialect.bases[one.base]) for one in game.sprites}
        self.lines = in_order(game)
        self.order = tuple(self.kinds)
        self.below = keys_below(game)
        self.players = frozenset(key for key, kind in self.kinds.items() if kind.base.avatar)
        self.faces = frozenset(key for key, kind in self.kinds.items() if kind.oriented)
        self.python = game.dialect is PY_VGDL
        self.limits = limits(game)
        self.resources = self.resources_held()
        self.pushed = frozenset(
            key
            for line in self.lines
            if line.effect.name in ("bounceForward", "pullWithIt")
            for key in line.actors
        )
        self.movers = frozenset(key for key, kind in self.kinds.items() if self.moves_itself(kind))
        self.walkers = frozenset(
            key for key, kind in self.kinds.items() if kind.base.does in (*WALKS, "bomb")
        )
        self.lively = bool(self.movers | self.walkers) or acts_itself(self.kinds.values(), self.lines)
        self.gains = self.points_gained()
        self.lost_outside = lost_outside(game, self.kinds, self.lines)
        self.chance = chance_in(game, self.kinds.values())
        self.many = self.can_be_many()
        plain = {key: self.begun(key) for key in self.kinds}
        self.forms = Forms(plain, self.faces, self.players)
        self.strikes = tuple(line.timer for line in self.lines if line.timer is not None)
        self.block = 1  # pixels that a cell is wide, where something moves by parts of cells

    def moves_itself(self, kind: Kind) -> bool:
        """Does a sprite of the type go on by itself?"""
        itself = not (
            kind.base.static
            or (kind.base.avatar and kind.base.does not in ALWAYS_ON)
            or kind.base.does == "bomb"
        )
        # In py-vgdl no speed is 1, but for a class that stands.
        return itself and kind.oriented and (kind.speed > 0 or (self.python and kind.base.speed != 0))

    def can_be_many(self) -> frozenset[str]:
        """The types of which several can come to be in one cell: what goes by itself or is made by types.

        What comes of such is, too; of what there can be one only is not, nor is anything in games of py-vgdl
        in which nothing acts by itself.
        """
        if self.python and not self.lively:
            return frozenset()
        found = set(self.walkers | self.movers)
        makes = (*MAKES, *SHOOTS) if self.python else MAKES
        found |= {str(kind.stype) for kind in self.kinds.values() if kind.base.does in makes and kind.stype}
        found |= {made for line in self.lines if line.effect.name in MORE for made in line.leaves()}
        while True:
            made = {made for line in self.lines for made, of in line.makes() if found & self.keys_below(of)}
            if made <= found:
                forced = {str(line.effect.args.get("stypeTo")) for line in self.lines}
                alone = {key for key, kind in self.kinds.items() if kind.singles} - forced
                return frozenset(found - self.players - alone)
            found |= made

    def begun(self, key: str) -> Form:
        """A sprite of the type before the first tick."""
        kind = self.kinds[key]
        facing = way_of(kind.facing) or ("right" if self.python and kind.base.oriented else None)
        rests = kind.cooldown - 1 if self.can_rest(key) else 0
        fresh = key in self.movers and not self.python
        # py-vgdl's clock is the game's, and its first tick is 1.
        age = 1 % kind.cooldown if self.python and kind.base.does == "spawn" else 0
        return Form(key, facing, rest=rests, fresh=fresh, age=age, health=kind.health)

    def keys_below(self, names: Iterable[str]) -> set[str]:
        """The types that go by these names."""
        return {key for name in names for key in self.below.get(name, ())}

    def born(self, key: str, facing: str | None = None) -> Form:
        """A sprite of the type that is made within a tick: it cannot move in it any more."""
        form = self.begun(key)
        rest = self.kinds[key].cooldown if self.can_rest(key) else 0
        towards = facing if form.facing is None and facing else form.facing
        itself = key in self.movers | self.walkers or self.kinds[key].base.does in ("spawn", "flicker")
        acts = self.python and itself
        return form._replace(rest=rest, facing=towards, born=acts or key in self.many)

    def can_rest(self, key: str) -> bool:
        """Is there a time in which a sprite of the type cannot be moved?"""
        if self.python:
            return key in self.movers | self.walkers and self.kinds[key].cooldown > 1
        return key in self.pushed | self.movers | self.players | self.walkers

    def moved(self, form: Form, way: str, speed: float = 0) -> Form:
        """The form after a move, by a cell or by a part of it (`speed`; 0: its own)."""
        kind = self.kinds[form.key]
        pixels = self.pixels(speed or kind.speed)
        by = pixels if pixels != self.block else 0
        return form._replace(went=way, by=by, rest=kind.cooldown if self.can_rest(form.key) else 0)

    def pixels(self, speed: float) -> int:
        """How far it is at this speed in a tick; 0 is as good as 1."""
        return int((speed or 1) * self.block)

    @property
    def between(self) -> frozenset[str]:
        """The types that go on by themselves, where something stands between cells."""
        return self.movers if self.block > 1 else frozenset()

    def steps(self, kind: Kind) -> bool:
        """Does the type move by a cell or a part of it, at most?"""
        return 1 <= self.pixels(kind.speed) <= self.block

    def resources_held(self) -> dict[str, int]:
        """The resources that effects speak of, with the most that an avatar can have."""
        found = {}
        for line in self.lines:
            keys = [line.effect.args[one] for one in ("resource", "heldResource") if one in line.effect.args]
            if line.effect.name in COLLECTS:
                keys += [self.named(key) for key in line.actors if self.kinds[key].base.resource]
            for key in keys:
                if self.limits.get(str(key), 0) > 0:
                    found[str(key)] = self.limits[str(key)]
        for kind in self.kinds.values():
            if kind.ammo is not None and self.limits.get(kind.ammo, 0) > 0:
                found[kind.ammo] = self.limits[kind.ammo]
        return found

    def points_gained(self) -> dict[str, set[int]]:
        """How many points of health each type can gain at once."""
        found: dict[str, set[int]] = {}
        for line in self.lines:
            for key in line.actors if line.effect.name == "addHealthPoints" else ():
                found.setdefault(key, set()).add(whole_number(line.effect, "value", 1))
        return found

    def named(self, key: str) -> str:
        """The resource that a type is worth."""
        return self.kinds[key].resource if self.python else key

    def held(self, resource: str, amount: int | None = None) -> Pattern:
        """What the avatar has of a resource, as a piece that goes along with it."""
        return Pattern(f"has-{safe(resource)}", amount)

    @property
    def carried(self) -> Pattern | None:
        """Everything that goes along with the avatar."""
        names = [self.held(resource).name for resource in self.resources]
        return self.forms.group(names) if names else None

    def place(self, line: int) -> Place:
        """A line of the game's text."""
        return Place(self.game.file, line, 1)

    def refuse_type(self, key: str, message: str, remedy: str = "") -> Refused:
        """What cannot be said of a type."""
        return Refused(message, remedy, self.line_of(key))

    def line_of(self, key: str) -> int:
        """The line of a type, or of the first of a parent's."""
        return next(one.line for one in self.game.sprites if key in one.stypes)
