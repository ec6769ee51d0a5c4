"""Small VGDL games, what is done in them, and what stands where afterwards: what effects do, and when."""

from __future__ import annotations

from typing import Any, NamedTuple

Places = dict[str, tuple[tuple[int, int], ...]]


class Scene(NamedTuple):
    """A small game: its sections (lines with `;` between), a map, keys, and what stands where afterwards."""

    sprites: str
    effects: str
    level: str
    keys: str
    after: dict[str, Any]
    ends: str = "Timeout limit=100 win=False"


def text_of(scene: Scene, mapping: str) -> str:
    """The game part of a scene. A leading `+` indents a sprite below the one before."""
    lines = ["BasicGame", "  SpriteSet", "    me > MovingAvatar"]
    for part in scene.sprites.split(";"):
        depth = len(part.strip()) - len(part.strip().lstrip("+"))
        lines.append("    " + "  " * depth + part.strip().lstrip("+"))
    for section, parts in (
        ("LevelMapping", mapping),
        ("InteractionSet", scene.effects),
        ("TerminationSet", scene.ends),
    ):
        lines += [f"  {section}", *(f"    {part.strip()}" for part in parts.split(";") if part.strip())]
    return "\n".join(lines)


KEYS = {"u": "up", "d": "down", "l": "left", "r": "right", "s": "space", ".": "noop"}
# Characters of the maps: a letter is the sprite type of that name, a capital two of it.
SCENES = {
    "the avatar walks, and off the map": Scene("a > Passive", "", "m.", "rrd", {"m": [(1, 2)]}),
    "a tick without a key changes nothing": Scene("a > Passive", "", "m.", "...", {"m": [(0, 0)]}),
    "stepBack": Scene("a > Immovable", "m a > stepBack", "ma", "r", {"m": [(0, 0)], "a": [(0, 1)]}),
    "stepBack off the map": Scene("a > Immovable", "m EOS > stepBack", "m.", "lur", {"m": [(0, 1)]}),
    "bounceForward goes where the partner came from": Scene(
        "a > Passive", "a m > bounceForward", "ma.", "r", {"m": [(0, 1)], "a": [(0, 2)]}
    ),
    "bounceForward from one that stands goes right": Scene(
        "a > Passive; b > Immovable", "a b > bounceForward", "x.m", ".", {"a": [(0, 1)]}
    ),
    "undoAll puts all back": Scene(
        "a > Passive; b > Immovable; c > Missile orientation=RIGHT",
        "a m > bounceForward; a b > undoAll",
        "mabc...",
        "r",
        {"m": [(0, 0)], "a": [(0, 1)], "c": [(0, 3)]},
    ),
    "conveyors carry, as far as they are strong": Scene(
        "a > Passive; b > Conveyor orientation=DOWN strength=2",
        "a b > conveySprite",
        "x.m;...;...",
        ".",
        {"a": [(2, 0)], "b": [(0, 0)]},
    ),
    "what is conveyed still steps back to where it began": Scene(
        "a > Passive; b > Conveyor orientation=RIGHT; c > Immovable",
        "a b > conveySprite; a c > stepBack",
        "xcm",
        ".",
        {"a": [(0, 0)]},
    ),
    "anything with an orientation and a strength conveys": Scene(
        "a > Passive; b > Immutable orientation=RIGHT strength=1",
        "a b > conveySprite",
        "x.m",
        ".",
        {"a": [(0, 1)]},
    ),
    "a missile flies": Scene("a > Missile orientation=LEFT speed=2", "", "m....a", "..", {"a": [(0, 1)]}),
    "a cooldown makes it wait": Scene(
        "a > Missile orientation=LEFT cooldown=2", "", "ma", "....", {"a": [(0, -1)]}
    ),
    "reverseDirection": Scene(
        "a > Missile orientation=LEFT; b > Immovable",
        "a b > reverseDirection",
        "mb.a",
        "....",
        {"a": [(0, 3)]},
    ),
    "transformTo": Scene(
        "a > Passive; b > Immovable; c > Missile orientation=RIGHT",
        "a b > transformTo stype=c",
        "x.m",
        "..",
        {"c": [(0, 1)]},
    ),
    "what is transformed keeps its orientation": Scene(
        "a > OrientedSprite orientation=UP cooldown=9; b > Immovable; c > Missile orientation=RIGHT",
        "a b > transformTo stype=c",
        "m.;x.",
        "..",
        {"c": [(0, 0)]},
    ),
    "an effect that kills makes the list skip one": Scene(
        "a > Passive; b > Immovable", "a b > killSprite", "xxxxxm", ".", {"a": [(0, 1), (0, 3)]}
    ),
    "and a second line takes half of the rest": Scene(
        "a > Passive; b > Immovable", "a b > killSprite; a b > killSprite", "xxxxxm", ".", {"a": [(0, 3)]}
    ),
    "a parent's list skips none": Scene(
        "p >; +a > Passive; b > Immovable", "p b > killSprite", "xxxxxm", ".", {"a": []}
    ),
    "but it is made once a tick": Scene(
        "p >; +a > Passive; b > Immovable; c > Passive",
        "p b > killSprite; c m > transformTo stype=a; p m > killSprite",
        "xcm",
        "l",
        {"a": [(0, 1)]},
    ),
    "an effect that kills both takes a pair": Scene(
        "p >; +a > Passive; b > Passive", "p b > killBoth", "xxam", ".", {"a": [(0, 2)], "b": []}
    ),
    "killIfAlive spares those whose partner has just died": Scene(
        "p >; +a > Passive; q >; +b > Passive; c > Immovable",
        "q c > killSprite; p q > killIfAlive",
        "ym",
        ".",
        {"a": [(0, 0)], "b": []},
    ),
    "effects come in the order of their lines": Scene(
        "a > Passive; b > Passive; c > Passive",
        "a m > transformTo stype=b; b m > transformTo stype=c",
        "am",
        "l",
        {"c": [(0, 0)]},
    ),
    "and not again": Scene(
        "a > Passive; b > Passive; c > Passive",
        "b m > transformTo stype=c; a m > transformTo stype=b",
        "am",
        "l",
        {"b": [(0, 0)]},
    ),
    "on any cell": Scene("p >; +a > Passive", "p ANY > killSprite", "aam", ".", {"a": []}),
    "TransformOthersTo reaches everywhere": Scene(
        "p >; +a > Passive; b > Passive",
        "m ANY > TransformOthersTo target=p stype=b",
        "aaam",
        ".",
        {"b": [(0, 0), (0, 1), (0, 2)]},
    ),
    "TransformOthersTo of a type itself takes every other one": Scene(
        "a > Passive; b > Passive",
        "m ANY > TransformOthersTo target=a stype=b",
        "aaam",
        ".",
        {"b": [(0, 0), (0, 2)]},
    ),
    "turnAround goes down before it stumbles over what faces nowhere, be it a spawn point": Scene(
        "a > Passive; s > SpawnPoint stype=a cooldown=9",
        "a ANY > turnAround; s ANY > turnAround",
        "mas;...;...",
        ".",
        {"a": [(2, 1)], "s": [(2, 2)]},
    ),
    "KillOthers": Scene("p >; +a > Passive", "m ANY > KillOthers target=p", "a.am", ".", {"a": []}),
    "resources are counted": Scene(
        "a > Passive; b > Passive",
        "a m > changeResource resource=gold value=2; a ANY > spawnIfHasMore resource=gold stype=b limit=3",
        "am",
        "l.",
        {"b": [(0, 0)]},
    ),
    "a resource that was never given is none": Scene(
        "a > Passive; b > Passive",
        "a m > spawnIfHasMore resource=gold stype=b limit=0",
        "am",
        "l",
        {"b": [(0, 0)]},
    ),
    "a limit holds": Scene(
        "a > Resource limit=2 value=5; b > Passive; p >; +c > Passive",
        "a m > collectResource; c m > killIfOtherHasMore resource=a limit=3",
        "acm",
        "ll",
        {"c": [(0, 1)]},
    ),
    "killIfHasLess and more": Scene(
        "p >; +a > Passive; q >; +b > Passive; c > Immovable",
        "p c > killIfHasLess resource=gold limit=0; q c > killIfHasMore resource=gold limit=1",
        "z.m",
        ".",
        {"a": [], "b": [(0, 0)]},
    ),
    "what the avatar holds decides elsewhere": Scene(
        "o > Resource res_type=gold; p >; +a > Passive; q >; +b > Passive",
        "o ANY > AvatarCollectResource; m ANY > SpendAvatarResource target=gold amount=1;"
        "p ANY > KillIfAvatarWithoutResource target=gold; m ANY > SpendResource target=gold amount=9;"
        "q ANY > KillIfAvatarWithoutResource target=gold",
        "ooam.b",
        ".",
        {"a": [(0, 2)], "b": []},
    ),
    "off the map": Scene("a > Missile orientation=UP", "a EOS > killSprite", "a.m", ".", {"a": []}),
    "there can be only one": Scene(
        "a > Passive singleton=True; b > Immovable",
        "b ANY > spawnIfHasMore resource=x stype=a limit=0",
        "b.bm",
        "..",
        {"a": [(0, 0)]},
    ),
    "a spawn point, up to a total": Scene(
        "s > SpawnPoint stype=a cooldown=2 total=2; a > Missile orientation=RIGHT",
        "",
        "s.....m",
        "......",
        {"a": [(0, 2), (0, 4)], "s": []},
    ),
}
MAPPING = "m > me; a > a; b > b; c > c; x > a b; y > a b c; z > a b c; o > o; s > s"


def mapping_of(scene: Scene) -> str:
    """The part of MAPPING whose sprites the scene has."""
    keys = {part.strip().lstrip("+").split()[0] for part in scene.sprites.split(";")} | {"me"}
    parts = (part.split(">") for part in MAPPING.split(";"))
    return ";".join(f"{left}>{right}" for left, right in parts if set(right.split()) <= keys)
