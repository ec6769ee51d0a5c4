"""Names in a VGDL game: each that is used must be the name of a sprite, and somebody must be the player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ggp.importers.vgdl.dialects import PY_VGDL
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
            raise self.text.error(message, line, near_or_known(name, known), name)

    def check_effect(self, effect: Effect) -> None:
        """Raise unless all that an effect speaks of is there, and what it makes is not what it is made of."""
        for name in (effect.actor, effect.partner, *targets(effect)):
            if name not in self.special or name == effect.actor:
                self.check(name, effect.line)
        for key in ("stype", "stypeTo"):
            if key in effect.args:
                self.check(str(effect.args[key]), effect.line, leaf=effect.name != "shieldFrom")
        made = effect.args.get("stype")
        if made is not None and made == effect.args.get("target"):
            raise self.text.error(f"`{made}` would be transformed into itself for ever", effect.line)


def targets(effect: Effect) -> Iterator[str]:
    """The sprites that an effect acts on from afar."""
    if effect.name in FROM_AFAR:
        yield str(effect.args["target"])
