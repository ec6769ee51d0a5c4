"""Names in a VGDL game: each that is used must be the name of a sprite, and somebody must be the player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ggp.importers.vgdl.dialects import COLLECTS, PY_VGDL
from ggp.importers.vgdl.game import Effect, SpriteType, VgdlGame
from ggp.importers.vgdl.ontology import SPECIAL, TIME
from ggp.importers.vgdl.reading.text import Text
from ggp.model.words import near_or_known

MADE = ("stype", "stype1", "stype2", "spawnBehind")  # what a sprite makes, or goes after
FROM_AFAR = ("KillOthers", "TransformOthersTo")  # effects that act on a target


def with_names_known(text: Text, game: VgdlGame, mapped_at: Mapping[str, int]) -> VgdlGame:
    """The game, without effects between what GVGAI knows and is not there; raises DescriptionError.

    `mapped_at`: the line that maps each sign.
    """
    names = Names(text, game.sprites)
    if game.dialect is not PY_VGDL:  # GVGAI knows these names, whether or not there are such sprites
        missing = {"wall", "avatar"} - names.all
        effects = tuple(one for one in game.effects if not {one.actor, one.partner} & missing)
        game = replace(game, effects=effects)
    for character, keys in game.mapping.items():
        for key in keys:
            names.check(key, mapped_at[character], leaf=True)
    between = any(isinstance(sprite.args.get("speed"), float) for sprite in game.sprites)
    for effect in game.effects:
        names.check_effect(effect)
        for word in ("pixelPerfect", "align"):
            if between and effect.args.get(word):
                text.refuse(f"`{word}` where something moves by parts of cells", effect.line, word)
    for end in game.terminations:
        if end.name != "ResourceCounter":
            for name in end.stypes:
                names.check(name, end.line)
    for sprite in game.sprites:
        for made in sprite.args.keys() & set(MADE):
            names.check(str(sprite.args[made]), sprite.line, leaf=True)
    Resources(text, game).check()
    if not any(game.dialect.bases[sprite.base].avatar for sprite in game.sprites):
        message = f"no sprite is an avatar, and without one {game.dialect.name} takes no input"
        raise text.error(message, 1, "add one, such as `avatar > MovingAvatar`")
    return game


class Names:
    """All names of sprites, and those of them that can be made (`leaves`)."""

    def __init__(self, text: Text, sprites: Sequence[SpriteType]) -> None:
        self.text = text
        self.leaves = {sprite.key for sprite in sprites}
        self.all = {name for sprite in sprites for name in sprite.stypes}
        self.special = SPECIAL if text.dialect is PY_VGDL else SPECIAL | {TIME}

    def check(self, name: str, line: int, *, leaf: bool = False) -> None:
        """Raise unless there are sprites of that name (`leaf`: one that can be made)."""
        known = self.leaves if leaf else self.all
        if name not in known:
            what = "a sprite that can be made" if leaf else "a sprite"
            message = f"{name[:40]!r} is not the name of {what}"
            raise self.text.error(message, line, near_or_known(name, sorted(known)), name)

    def check_effect(self, effect: Effect) -> None:
        """Raise unless all that an effect speaks of is there, and what it makes is not what it is made of."""
        for name in (effect.actor, effect.partner, *targets(effect)):
            if name not in self.special or name == effect.actor:
                self.check(name, effect.line)
        for key in ("stype", "stypeTo", "stypeCount", "estype"):
            if key in effect.args:
                leaf = key != "stypeCount" and effect.name not in ("shieldFrom", "removeScore")
                self.check(str(effect.args[key]), effect.line, leaf=leaf)
        made = effect.args.get("stype")
        if made is not None and made == effect.args.get("target"):
            raise self.text.error(f"`{made}` would be transformed into itself for ever", effect.line)


def targets(effect: Effect) -> Iterator[str]:
    """The sprites that an effect acts on from afar."""
    if effect.name in FROM_AFAR:
        yield str(effect.args["target"])


class Resources:
    """What can be had in a game, and which effects speak of what nobody has."""

    def __init__(self, text: Text, game: VgdlGame) -> None:
        self.text, self.game = text, game
        self.below: dict[str, list[SpriteType]] = {}
        for sprite in game.sprites:
            for name in sprite.stypes:
                self.below.setdefault(name, []).append(sprite)
        self.had = {str(one.args.get("res_type", one.key)) for one in game.sprites} | set(self.below)
        if game.dialect is PY_VGDL:  # there `changeResource` gives what is no sprite, too
            self.had |= {str(one.args["resource"]) for one in game.effects if one.name == "changeResource"}

    def check(self) -> None:
        """Warn of misspelt resources, and of what is collected and is none."""
        self.check_collected()
        asked = {
            (str(one.args[key]), one.line)
            for one in self.game.effects
            for key in ("resource", "heldResource")
            if key in one.args
        }
        for resource, line in sorted(asked, key=lambda one: one[1]):
            if resource not in self.had:
                message = f"nobody ever has `{resource[:40]}`: there is no such sprite"
                self.text.warn(message, near_or_known(resource, sorted(self.collectable())), line, resource)

    def check_collected(self) -> None:
        """Of effects that collect: can their first sprite be had?"""
        comes = "py-vgdl stops where they meet" if self.game.dialect is PY_VGDL else "nothing happens"
        for name, actor, line in self.uncollected():
            message = f"`{actor}` is collected here, and is no Resource: {comes}"
            self.text.warn(message, f"who collects comes last: `coin {actor} > {name}`", line, actor)

    def uncollected(self) -> Iterator[tuple[str, str, int]]:
        """The names, first sprites and lines of effects that collect what cannot be had."""
        for name, actor, line in dict.fromkeys((one.name, one.actor, one.line) for one in self.game.effects):
            if name in COLLECTS and not any(map(self.is_one, self.below.get(actor, ()))):
                yield name, actor, line

    def is_one(self, sprite: SpriteType) -> bool:
        """Is this a type that can be collected?"""
        return self.game.dialect.bases[sprite.base].resource

    def collectable(self) -> list[str]:
        """The types that can be collected."""
        return [sprite.key for sprite in self.game.sprites if self.is_one(sprite)]
