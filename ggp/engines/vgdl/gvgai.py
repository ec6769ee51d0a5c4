"""GVGAI's own way through a tick: the same texts, played as the framework of the competitions plays them.

What differs from py-vgdl, in short: the avatar moves first, then the types from the last to the first;
effects off the map come before all others, and those of one pair together; what is killed is met until the
tick is over; avatars that are killed stay, disabled; what faces somewhere else turns before it goes;
something new rests in its first tick. Where something moves by parts of cells all counts in pixels. The
reader refuses several players.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ggp.engines.vgdl.faults import VgdlEndless, VgdlFault
from ggp.engines.vgdl.gvgai_effects import ACTS, Act, number
from ggp.engines.vgdl.gvgai_sprites import Sprite
from ggp.engines.vgdl.insides import VECTORS, Inside, facing_of
from ggp.engines.vgdl.level import MOST_BIRTHS, NOOP, Holding, rows_of
from ggp.engines.vgdl.luck import Luck, Seeded
from ggp.engines.vgdl.walkers import bomb_about, set_off, spread, walk
from ggp.errors import DescriptionError, Place
from ggp.importers.vgdl.facts import (
    COMPARED,
    NOWHERE,
    WALKS,
    Kind,
    Line,
    in_order,
    keys_below,
    limits,
    pixels,
)
from ggp.importers.vgdl.fixed import Vector
from ggp.importers.vgdl.game import Effect, Shield, Termination, VgdlGame
from ggp.importers.vgdl.ontology import DIRECTIONS
from ggp.model import Cell
from ggp.model.board import COMPARE

UNMOVED = frozenset(
    """killSprite killIfHasMore killIfHasLess killIfOtherHasMore transformTo transformToAll transformIfCount
    spawn spawnAbove spawnBelow spawnLeft spawnRight spawnIfHasMore spawnIfHasLess changeResource""".split()
)
"""Effects of which there are many on a board, and that move nothing."""
HEALTH = "health"  # among what a sprite holds, where effects change it
HEALING = frozenset({"subtractHealthPoints", "addHealthPoints", "addHealthPointsToMax"})
ARROWS = {name.lower(): vector for name, vector in DIRECTIONS.items()}


class Said(NamedTuple):
    """What a game says of all its levels."""

    kinds: dict[str, Kind]
    below: dict[str, tuple[str, ...]]
    limits: dict[str, int]
    lines: list[Line]


@lru_cache(maxsize=8)
def said(game: VgdlGame) -> Said:
    """What a game says, worked out once for all levels of it that are played."""
    kinds = {one.key: Kind(one, game.dialect.bases[one.base]) for one in game.sprites}
    return Said(kinds, keys_below(game), limits(game), in_order(game))


def shows_health(game: VgdlGame) -> bool:
    """Does health change, and is what lives with it never below nothing, as no amount that is held is?"""
    changing = [one for one in game.effects if one.name in HEALING]
    return bool(changing) and all(number(one, "limit", 0) >= 0 for one in changing)


class GvgaiLevel:
    """The state of a level. `ended` and `won` tell how it went; `tick` plays one step.

    `luck` draws where chance decides; `draws` says what it came to in the last tick: the type of a sprite,
    its cell then, and a way, or whether something came of it. What cannot be seen of a draw is left out.
    """

    def __init__(self, game: VgdlGame, level_map: str, luck: Luck | None = None) -> None:
        self.luck: Luck = luck or Seeded()
        self.draws: list[tuple[str, Cell, Vector | bool]] = []
        rows = [row for row in level_map.split("\n") if row]
        rows = rows_of(game, [row[: len(rows[0])].ljust(len(rows[0])) for row in rows])
        self.game = game
        self.height, self.width = len(rows), len(rows[0])
        self.block = pixels(game, self.height, self.width)
        self.time = 0
        self.ended = False
        self.won: bool | None = None
        self.kinds, self.below, self.limits, self.lines = said(game)
        self.healing = HEALTH not in self.kinds and shows_health(game)
        self.lists: dict[str, list[Sprite]] = {key: [] for key in self.kinds}
        self.dead: dict[Sprite, None] = {}  # in the order of their ends
        self.shields: set[Shield] = set()
        self.births = 0
        self.score = 0
        self.counts = True  # does the effect at hand count, so that what it is worth is added to the score?
        for row, text in enumerate(rows):
            for column, sign in enumerate(text):
                for key in game.mapping.get(sign, {"w": ("wall",), "A": ("avatar",)}.get(sign, ())):
                    if key in self.kinds:
                        self.create(key, (row * self.block, column * self.block))
        avatars = [one for key in self.kinds for one in self.lists[key] if one.kind.base.avatar]
        if len(avatars) != 1:
            message = f"the map has {len(avatars)} avatars, and one plays"
            raise DescriptionError(message, "put exactly one on it", Place(game.file))
        self.avatar = avatars[0]

    # --- sprites ------------------------------------------------------------------------------------------

    def create(self, key: str, cell: Cell, *, force: bool = False) -> Sprite | None:
        """Make a sprite; None where there may be only one and it is there (unless with `force`)."""
        kind = self.kinds[key]
        if not force and any(self.lists[other] for name in kind.singles for other in self.below[name]):
            return None
        self.births += 1
        if self.births > MOST_BIRTHS:
            raise VgdlEndless(f"a tick makes more than {MOST_BIRTHS:,} sprites", "", Place(self.game.file))
        sprite = Sprite(kind, cell, self.block)
        self.lists[key].append(sprite)
        return sprite

    def kill(self, sprite: Sprite, *, transformed: bool = False) -> None:
        """Take a sprite out when the tick is over; an avatar is only disabled."""
        if sprite.kind.base.avatar and not transformed:
            sprite.disabled = True
        else:
            self.dead[sprite] = None

    def inside(self, cell: Cell) -> bool:
        """Is the cell on the map?"""
        down, right = (size * self.block - self.block for size in (self.height, self.width))
        return 0 <= cell[0] <= down and 0 <= cell[1] <= right

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that the game takes, `noop` apart."""
        return self.avatar.kind.base.keys

    def count(self, name: str) -> int:
        """How many sprites go by a name; disabled avatars do not count."""
        return sum(not one.disabled for key in self.below[name] for one in self.lists[key])

    def sprites(self, keys: Iterable[str] | None = None) -> dict[str, tuple[Cell, ...]]:
        """Where the sprites of each type (or of these) stand, in reading order; empty types are left out."""
        chosen = self.kinds if keys is None else keys
        return {key: tuple(sorted(s.anchor for s in self.lists[key])) for key in chosen if self.lists[key]}

    def resources(self, keys: Iterable[str] | None = None) -> dict[str, tuple[Holding, ...]]:
        """What the sprites of each type (or of these) hold: cell, resource, amount; zeros are left out."""
        found: dict[str, tuple[Holding, ...]] = {}
        for key in self.kinds if keys is None else keys:
            held: list[Holding] = [
                (s.anchor, name, n) for s in self.lists[key] for name, n in s.held.items() if n
            ]
            if held:
                found[key] = tuple(sorted(held))
        return found

    @property
    def holders(self) -> frozenset[str]:
        """The types that collect, or have health that changes."""
        healthy = self.kinds.values() if self.healing else ()
        return frozenset(key for key, kind in self.kinds.items() if kind.base.avatar).union(
            kind.key for kind in healthy if kind.health
        )

    @property
    def collected(self) -> frozenset[str]:
        """The resources that lie about in the game; each goes by its type. Health is like one."""
        own = frozenset(key for key, kind in self.kinds.items() if kind.base.resource)
        return own | {HEALTH} if self.healing else own

    def insides(self) -> list[Inside]:
        """Every sprite that is there at the end of a tick, with what it has inside and can be seen."""
        return [
            Inside(
                key,
                s.anchor,
                facing_of(*s.facing) if s.oriented else None,
                self.amounts(s),
            )
            for key, some in self.lists.items()
            for s in some
            if not s.disabled
        ]

    def amounts(self, sprite: Sprite) -> dict[str, int]:
        """What a sprite holds that can be seen, and its health."""
        own = sprite.held | {HEALTH: sprite.health} if self.healing else sprite.held
        return {name: amount for name, amount in own.items() if amount}

    def put(self, inside: Inside) -> None:
        """Let the sprites of a type in a cell have this inside."""
        for one in self.lists[inside.key]:
            if one.anchor == inside.cell:
                one.facing = VECTORS.get(inside.facing or "", one.facing)
                one.held = {name: int(number) for name, number in inside.held.items()}
                if self.healing:
                    one.health = one.held.pop(HEALTH, 0)

    def drawn(self, sprite: Sprite, cell: Cell, what: Vector | bool) -> None:
        """Note what chance came to for a sprite, and where this was."""
        self.draws.append((sprite.kind.key, cell, what))

    # --- a tick -------------------------------------------------------------------------------------------

    def tick(self, key: str = NOOP) -> None:
        """Play one step with one key (`up`, `down`, `left`, `right`, `space`) or none (`noop`)."""
        if key != NOOP and key not in (*ARROWS, "space"):
            raise VgdlFault(f"there is no key {key[:20]!r}", "", Place(self.game.file))
        if self.ended:
            return
        self.births = 0
        self.draws.clear()
        if not self.avatar.disabled:
            self.begin(self.avatar)
            self.play(self.avatar, key if key in self.keys else NOOP)
        for kind in reversed(self.kinds.values()):
            if not kind.base.avatar:
                for sprite in self.lists[kind.key]:  # what a type makes of itself is reached, too
                    self.begin(sprite)
                    self.update(sprite)
        self.shields.clear()
        self.run_effects()
        for key in {sprite.kind.key for sprite in self.dead}:
            self.lists[key] = [one for one in self.lists[key] if one not in self.dead]
        self.dead.clear()
        self.check_ends()
        self.time += 1

    def begin(self, sprite: Sprite) -> None:
        """Before it moves."""
        sprite.last = sprite.cell
        sprite.since += 1

    def play(self, avatar: Sprite, key: str) -> None:
        """What the player does."""
        if avatar.kind.base.does in ("turn", "go on"):
            self.turn(avatar, ARROWS.get(key, NOWHERE))
            return
        if avatar.kind.base.does == "fly":
            self.fly(avatar)
        done = avatar.drive(ARROWS.get(key, NOWHERE), avatar.kind.speed)
        if avatar.kind.base.oriented and done == "move":
            avatar.facing = avatar.came
        if key == "space" and avatar.kind.stype is not None and done == "still":
            self.shoot(avatar, avatar.kind.stype)

    def turn(self, avatar: Sprite, way: Vector) -> None:
        """An avatar that always goes on can turn; or aside alone, and leaves something wherever it was."""
        aside = way[0] * avatar.facing[0] + way[1] * avatar.facing[1] == 0
        if way != NOWHERE and (aside or avatar.kind.base.does == "go on"):
            avatar.facing = way
        self.fly(avatar)
        if avatar.kind.behind is not None and avatar.cell != avatar.last:
            self.create(avatar.kind.behind, avatar.last)

    def shoot(self, avatar: Sprite, stype: str) -> None:
        """Make something here, or before the avatar."""
        kind = avatar.kind
        if kind.ammo is not None and avatar.holds(kind.ammo) <= kind.least:
            return
        ahead = avatar.facing if kind.base.does == "shoot" else NOWHERE
        made = self.create(
            stype, (avatar.cell[0] + ahead[0] * self.block, avatar.cell[1] + ahead[1] * self.block)
        )
        if made is None:
            return
        if made.oriented and kind.base.does == "shoot":
            made.facing = ahead
        if kind.ammo is not None:
            avatar.held[kind.ammo] = avatar.holds(kind.ammo) - kind.cost

    def update(self, sprite: Sprite) -> None:
        """What a sprite does by itself."""
        kind, does = sprite.kind, sprite.kind.base.does
        if does == "bomb":
            bomb_about(self, sprite)
        if does == "set off":
            set_off(self, sprite)
        if does in ("spawn", "bomb"):
            self.spawn(sprite)
        if not kind.base.static:
            self.fly(sprite)
        if does in WALKS:
            walk(self, sprite)
        if does in ("flicker", "spread"):
            if sprite.age > kind.limit:
                self.kill(sprite)
            sprite.age += 1
            if does == "spread" and sprite.age == 2:
                spread(self, sprite)

    def fly(self, sprite: Sprite) -> None:
        """What faces somewhere and has a speed goes on, but not in the tick in which it comes."""
        if sprite.first:
            sprite.first = False
        elif sprite.kind.speed and sprite.oriented:
            sprite.go(sprite.facing, sprite.kind.speed)

    def spawn(self, sprite: Sprite) -> None:
        """Make a sprite every so many ticks, up to a total."""
        kind = sprite.kind
        if sprite.start < 0:
            sprite.start = self.time
        comes = self.luck.single() < kind.chance
        if (sprite.start + self.time) % kind.cooldown == 0 and kind.stype is not None:
            if 0 < kind.chance < 1:
                self.drawn(sprite, sprite.anchor, comes)
            if not comes:
                return
            made = self.create(kind.stype, sprite.cell)
            if made is not None:
                sprite.made += 1
                if kind.spawned != NOWHERE:
                    made.facing = kind.spawned
                elif made.facing == NOWHERE and made.kind.base.does != "set off":
                    made.facing = sprite.facing
        if kind.total > 0 and sprite.made >= kind.total:
            self.kill(sprite)

    def run_effects(self) -> None:
        """Go through all effects."""
        for line in self.lines:
            act = ACTS[line.effect.name]
            actors = [one for key in line.actors for one in self.lists[key]]
            if not actors:
                continue
            if line.timer is not None:
                for one in actors if line.strikes(self.time) else ():
                    if one not in self.dead and not one.disabled:
                        self.take_effect(act, line.effect, one, None)
                continue
            if line.partners is None:
                for one in actors:
                    if not self.inside(one.cell) and one not in self.dead and not one.disabled:
                        self.take_effect(act, line.effect, one, None)
                continue
            if line.effect.shield in self.shields:
                continue
            partners = [one for key in line.partners for one in self.lists[key]]
            if partners and self.block == 1 and line.effect.name in UNMOVED:
                self.run_unmoved(line.effect, actors, partners)
                continue
            for one in actors:
                for other in [p for p in partners if p is not one and one.overlaps(p)]:
                    if one not in self.dead and one.overlaps(other):
                        self.take_effect(act, line.effect, one, other)

    def take_effect(self, act: Act, effect: Effect, one: Sprite, other: Sprite | None) -> None:
        """Let an effect come about, and add what it is worth, if it counts."""
        self.counts, worth = True, effect.score
        act(self, effect, one, other)
        if effect.name == "subtractHealthPoints" and one.health <= number(effect, "limit", 0):
            worth = number(effect, "scoreChangeIfKilled", 0)
        if self.counts:
            self.score += int(worth)

    def run_unmoved(self, effect: Effect, actors: list[Sprite], partners: list[Sprite]) -> None:
        """Go through an effect that moves nothing; all stand in whole cells, so who meets whom is known."""
        act = ACTS[effect.name]
        there: dict[Cell, list[Sprite]] = {}
        for other in partners:
            there.setdefault(other.cell, []).append(other)
        for one in actors:
            for other in there.get(one.cell, ()):
                if other is not one and one not in self.dead:
                    self.take_effect(act, effect, one, other)

    def check_ends(self) -> None:
        """Look whether the game has ended: the first termination that says so tells how."""
        for end in self.game.terminations:
            if self.over(end):
                self.ended, self.won = True, end.win
                return

    def over(self, end: Termination) -> bool:
        """Does a termination say that the game is over?"""
        if end.name == "Timeout":
            return self.time >= end.limit
        counted = sum(self.count(name) for name in end.stypes)
        return COMPARE[COMPARED[end.name]](counted, int(end.limit))
