"""What a game says of its types, as numbers, and the order in which its effects are gone through."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ggp.importers.vgdl.dialects import PY_VGDL
from ggp.importers.vgdl.fixed import Vector
from ggp.importers.vgdl.game import Effect, SpriteType, Termination, VgdlGame
from ggp.importers.vgdl.ontology import DIRECTIONS, TIME, Base

NOWHERE = (0, 0)
HEALTH_LIMIT = 1000
COMPARED = {"SpriteCounter": "<=", "SpriteCounterMore": ">=", "MultiSpriteCounter": "="}
"""Terminations that compare a number of sprites with their limit, and how."""
RESOURCE_LIMIT = 2
WINDOW, LEAST_PIXELS = 800, 2  # how large GVGAI draws a map that does not say how large a cell is
WALKS = ("wander", "chase", "flee", "stray")
BY_CHANCE = (*WALKS, "set off", "bomb")


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
        if (base.avatar or base.does in ("spawn", "bomb")) and base.oriented and self.facing == NOWHERE:
            self.facing = DIRECTIONS["RIGHT"]
        self.oriented = base.oriented or self.facing != NOWHERE
        self.turns = bool(args.get("rotateInPlace", base.does in ("face", "shoot")))
        speed = args.get("speed", base.speed or 0)
        self.speed: int | float = speed if isinstance(speed, int | float) else 0
        self.cooldown = max(1, whole("cooldown", 1))
        self.limit = whole("limit", 1)
        # For how many ticks more it keeps to a way.
        self.keeps = whole("cons", 0) if base.does != "stray" else 0
        self.chance = share(args.get("prob", 1))
        self.spreads = share(args.get("spreadprob", 1))
        self.value = whole("value", 1)
        self.resource = str(args.get("res_type", sprite.key))  # what it is worth to who collects it
        self.total = max(0, whole("total", 0))
        self.most = whole("limitHealthPoints", HEALTH_LIMIT)
        health, most = whole("healthPoints", 0), whole("maxHealthPoints", 0)
        self.health = min(health, most) if most else health
        # What has two types never flees: GVGAI reads its first type for both.
        given_type = args.get("stype1" if "stype1" in base.takes else "stype")
        self.stype = str(given_type) if given_type is not None else None
        self.strays = share(args.get("epsilon", 0))
        self.behind = str(args["spawnBehind"]) if "spawnBehind" in args else None
        self.ammo = str(args["ammo"]) if "ammo" in args else None
        self.least, self.cost = whole("minAmmo", 0), whole("ammoCost", 1)
        spawned = args.get("spawnorientation")
        self.spawned: Vector = spawned if isinstance(spawned, tuple) else NOWHERE


def pixels(game: VgdlGame, height: int, width: int) -> int:
    """How many steps of GVGAI's a cell of a map is wide: pixels, or 1 where all moves by whole cells."""
    if not parts_of_cells(game):
        return 1
    return game.square_size or max(LEAST_PIXELS, WINDOW // max(height, width))


def parts_of_cells(game: VgdlGame) -> bool:
    """Does anything move by parts of cells?"""
    return any(isinstance(one.args.get("speed"), float) for one in game.sprites)


@lru_cache
def share(value: object) -> Fraction:
    """A probability as it was written: what is below 0 never happens, what is above 1 always does."""
    return min(Fraction(1), max(Fraction(0), Fraction(str(value))))


def chance_in(game: VgdlGame, kinds: Iterable[Kind]) -> bool:
    """Does chance have a say in a game?"""
    by_type = any(
        kind.base.does in BY_CHANCE or 0 < kind.chance < 1 or 0 < kind.spreads < 1 for kind in kinds
    )
    shares = (share(effect.args.get("prob", 1)) for effect in game.effects)
    return (
        by_type or any(0 < one < 1 for one in shares) or any(e.name == "flipDirection" for e in game.effects)
    )


class Line(NamedTuple):
    """An effect with the keys of its actors and partners (None: off the map, or by the clock)."""

    effect: Effect
    actors: tuple[str, ...]
    partners: tuple[str, ...] | None

    @property
    def timer(self) -> int | None:
        """It comes in the first tick and then every so many (0: never again), wherever its actors are.

        None: it does not come by the clock.
        """
        if self.effect.partner != TIME:
            return None
        return int(str(self.effect.args["timer"])) if self.effect.args.get("repeating") else 0

    def strikes(self, time: int) -> bool:
        """Does the clock bring it in this tick? The first one is 0."""
        return time % self.timer == 0 if self.timer else time == 0

    def makes(self) -> Iterator[tuple[str, set[str]]]:
        """The types that it makes, each with those that it comes of or meets."""
        args = self.effect.args
        if "stypeTo" in args:
            yield str(args["stypeTo"]), {str(args["stype"])}
        elif "target" in args and "stype" in args:
            yield str(args["stype"]), {str(args["target"])}
        elif "stype" in args and self.effect.name not in ("shieldFrom", "removeScore"):
            yield str(args["stype"]), {*self.actors, *(self.partners or ())}
        if "estype" in args:
            yield str(args["estype"]), {*self.actors}

    def leaves(self) -> Iterator[str]:
        """The types of which there is more where it makes them, rather than others."""
        if "stype" in self.effect.args:
            yield str(self.effect.args["stype"])
        else:
            yield from self.actors


def in_order(game: VgdlGame) -> list[Line]:
    """The effects as they are gone through.

    In GVGAI those come first that the clock brings, the last one first (in later ticks the one with the
    shorter timer, and the reader sees to it that this is the same), then those off the map, then each pair's
    together.
    """
    below = keys_below(game)
    if game.dialect is PY_VGDL:
        return [Line(e, below[e.actor], below.get(e.partner)) for e in game.effects]
    timed = [effect for effect in reversed(game.effects) if effect.partner == TIME]
    off = [effect for effect in game.effects if effect.partner == "EOS"]
    pairs: dict[tuple[str, str], list[Effect]] = {}
    for effect in game.effects:
        if effect.partner not in ("EOS", TIME):
            pairs.setdefault((effect.actor, effect.partner), []).append(effect)
    lines = [Line(effect, below[effect.actor], None) for effect in timed]
    lines += [
        Line(effect, below[effect.actor], None)
        for first in off
        for effect in off
        if effect.actor == first.actor
    ]
    return lines + [
        Line(effect, below[actor], below[partner])
        for (actor, partner), effects in pairs.items()
        for effect in effects
        for _ in range(int(str(effect.args.get("repeat", 1))))
    ]


def keys_below(game: VgdlGame) -> dict[str, tuple[str, ...]]:
    """The types that go by each name."""
    found: dict[str, list[str]] = {}
    for sprite in game.sprites:
        for name in sprite.stypes:
            found.setdefault(name, []).append(sprite.key)
    return {name: tuple(keys) for name, keys in found.items()}


def limits(game: VgdlGame) -> dict[str, int]:
    """How much of each resource one sprite can hold."""
    if game.dialect is PY_VGDL:
        return most_that_shows(game)
    # GVGAI knows limits of plain resources alone.
    return {
        one.key: int(float(str(one.args.get("limit", RESOURCE_LIMIT))))
        for one in game.sprites
        if one.base == "Resource"
    }


def most_that_shows(game: VgdlGame) -> dict[str, int]:
    """The same in py-vgdl, as far as anything in the game asks; without a limit, and spent, it is left out.

    What only grows need not be counted beyond what is asked for. What is worth less than nothing spends, too.
    """
    declared = {
        str(one.args.get("res_type", one.key)): int(limit)
        for one in game.sprites
        if isinstance(limit := one.args.get("limit"), int | float)
    }
    worth = [
        (str(one.args.get("res_type", one.key)), one.args.get("value", 1))
        for one in game.sprites
        if game.dialect.bases[one.base].resource
    ]
    asked = {resource: 0 for resource, _ in worth}
    spent = {resource for resource, value in worth if isinstance(value, int | float) and value < 0}
    spent |= {str(one.args["ammo"]) for one in game.sprites if "ammo" in one.args}
    for effect in game.effects:
        if "resource" not in effect.args:
            continue
        resource = str(effect.args["resource"])
        if effect.name == "changeResource":
            asked.setdefault(resource, 0)
            spent |= {resource} if whole_number(effect, "value", 1) < 0 else set()
            continue
        most = whole_number(effect, "limit", 1) + (effect.name in ("killIfHasLess", "killIfOtherHasLess"))
        asked[resource] = max(asked.get(resource, 0), most)
    for end in game.terminations:
        if end.name == "ResourceCounter":
            asked[end.stypes[0]] = max(asked.get(end.stypes[0], 0), int(end.limit))
    found = {key: min(most, declared.get(key, most)) for key, most in asked.items() if key not in spent}
    return found | {key: declared[key] for key in spent & declared.keys()}


def tally_of(game: VgdlGame) -> str | None:
    """What is counted and never asked for, and ends the game as a loss when it has come to some number."""
    ends = [end for end in game.terminations if end.name == "ResourceCounter"]
    if len(ends) != 1 or ends[0].win or ends[0].limit < 1:
        return None
    (tally,) = ends[0].stypes
    held = any(tally in (one.key, str(one.args.get("res_type"))) for one in game.sprites)
    asked = any(tally in map(str, e.args.values()) for e in game.effects if e.name != "changeResource")
    return None if held or asked else tally


def ends_without(game: VgdlGame, players: Collection[str]) -> Iterator[Termination]:
    """The terminations that hold at the latest when there is no avatar any more: one stands on each map."""
    below = {name: {one.key for one in game.sprites if name in one.stypes} for name in game.names}
    for end in game.terminations:
        lone = COMPARED.get(end.name) == "<=" and end.limit >= 0
        none = COMPARED.get(end.name) == "=" and end.limit == 0
        if (lone or none) and all(below[name] <= set(players) for name in end.stypes):
            yield end


def whole_number(effect: Effect, key: str, default: int) -> int:
    """A number among the arguments of an effect."""
    return int(float(str(effect.args.get(key, default))))
