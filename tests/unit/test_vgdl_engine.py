"""What effects do, and in which order: scenes in the built-in engine, and in py-vgdl where it is installed.

Where py-vgdl is missing its half of the tests is skipped, and says so; `tests/conformance/test_vgdl.py` then
still has the recordings.
"""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import pytest

from ggp.engines import pyvgdl, vgdl
from ggp.engines.vgdl.game import VgdlEndless
from ggp.errors import NotAvailable, PuzzleError

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


@pytest.fixture(params=["built in", "py-vgdl"])
def build(request: pytest.FixtureRequest) -> Any:
    """Both engines, behind one function."""
    if request.param == "built in":
        return lambda game, level: vgdl.build(vgdl.read(game), level)
    reason = pyvgdl.available()
    if reason is not None:
        pytest.skip(f"not run: {reason}")
    return pyvgdl.build


def mapping_of(scene: Scene) -> str:
    """The part of MAPPING whose sprites the scene has."""
    keys = {part.strip().lstrip("+").split()[0] for part in scene.sprites.split(";")} | {"me"}
    parts = (part.split(">") for part in MAPPING.split(";"))
    return ";".join(f"{left}>{right}" for left, right in parts if set(right.split()) <= keys)


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_goes_as_it_should(name: str, build: Any) -> None:
    scene = SCENES[name]
    # The scenes call the avatar `m`, like its character.
    effects = scene.effects.replace("m ", "me ")
    scene = scene._replace(effects=" ".join("me" if word == "m" else word for word in effects.split(" ")))
    level = build(text_of(scene, mapping_of(scene)), scene.level.replace(";", "\n"))
    for key in scene.keys:
        level.tick(KEYS[key])
    places: Places = level.sprites()
    for key, cells in scene.after.items():
        assert places.get({"m": "me"}.get(key, key), ()) == tuple(cells), key


# --- avatars --------------------------------------------------------------------------------------------

AVATARS = {
    # class and arguments, keys, where it stands, where its shots stand
    "HorizontalAvatar": ("", "rrl", (2, 3), []),
    "VerticalAvatar": ("", "ddu", (3, 2), []),
    "OrientedAvatar": ("", "ru", (1, 3), []),
    "FlakAvatar": ("stype=shot", "rs", (2, 3), [(2, 3)]),
    "ShootAvatar": ("stype=shot", "sus", (1, 2), [(0, 2), (2, 3)]),
    "ShootEverywhereAvatar": ("stype=shot", "s", (2, 2), [(1, 2), (2, 1), (2, 3), (3, 2)]),
}


def shooting(name: str, more: str = "") -> str:
    """A game with one avatar."""
    return (
        f"BasicGame\n  SpriteSet\n    me > {name} {AVATARS[name][0]} {more}\n    shot > Immovable\n"
        "    only > Immovable singleton=True\n"
        "  LevelMapping\n    m > me\n  InteractionSet\n  TerminationSet\n    Timeout limit=99 win=False\n"
    )


BOARD = ".....\n.....\n..m..\n.....\n....."


@pytest.mark.parametrize("name", AVATARS)
def test_avatars_walk_and_shoot(name: str, build: Any) -> None:
    level = build(shooting(name), BOARD)
    _, keys, cell, shots = AVATARS[name]
    for key in keys:
        level.tick(KEYS[key])
    assert level.sprites()["me"] == (cell,)
    assert level.sprites().get("shot", ()) == tuple(shots)


def test_of_shots_in_all_directions_there_may_be_one(build: Any) -> None:
    level = build(shooting("ShootEverywhereAvatar").replace("stype=shot", "stype=only"), BOARD)
    level.tick("space")
    level.tick("down")
    level.tick("space")
    assert level.sprites() == {"me": ((3, 2),), "only": ((1, 2),)}


def test_without_ammunition_there_is_no_shot(build: Any) -> None:
    level = build(shooting("ShootAvatar", "ammo=gold"), BOARD)
    level.tick("space")
    assert "shot" not in level.sprites()


def test_a_key_that_the_game_does_not_take_is_an_error() -> None:
    level = vgdl.build(vgdl.read(shooting("HorizontalAvatar")), BOARD)
    with pytest.raises(vgdl.VgdlFault, match="this game takes no key 'up'"):
        level.tick("up")
    assert level.keys == ("left", "right") and level.time == 0


# --- how it ends ----------------------------------------------------------------------------------------

ENDS = {
    # terminations, ticks (all to the right), ended at, won
    "timeout": ("Timeout limit=3 win=True", 3, True),
    "counter": ("SpriteCounter stype=a limit=1 win=True", 2, True),
    "counts a parent": ("SpriteCounter stype=p limit=1 win=False", 2, False),
    "exactly": ("MultiSpriteCounter stype1=a stype2=b limit=2 win=True", 1, True),
    "the first that says so": ("Timeout limit=2 win=False; SpriteCounter stype=a limit=1 win=True", 2, False),
    "resource": ("ResourceCounter stype=gold limit=4 win=True", 4, True),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_level_ends(name: str, build: Any) -> None:
    ends, at, won = ENDS[name]
    effects = "p m > killSprite; m ANY > changeResource resource=gold value=1 scoreChange=2"
    scene = Scene("p >; +a > Passive; b > Immovable", effects.replace("m ", "me "), "", "", {}, ends)
    level = build(text_of(scene, mapping_of(scene)), "m.aa....")
    for tick in range(1, 7):
        level.tick("right")
        assert level.ended == (tick >= at), tick
        assert level.won is (won if tick >= at else None)
    before = level.sprites()
    level.tick("right")
    assert level.sprites() == before, "after the end nothing moves"


def test_the_score_counts_effects_and_how_it_ends() -> None:
    scene = Scene(
        "a > Passive",
        "me ANY > NullEffect scoreChange=2",
        "",
        "",
        {},
        "Timeout limit=3 win=True scoreChange=10",
    )
    level = vgdl.build(vgdl.read(text_of(scene, mapping_of(scene))), "m...")
    for _ in range(5):
        level.tick()
    assert level.score == 16 and level.time == 5


# --- where py-vgdl would stop ---------------------------------------------------------------------------

FAULTS = {
    "moving what is Immutable": ("a > Immutable; b > Conveyor", "a b > conveySprite", "x.m"),
    "conveying without a strength": (
        "a > Passive; b > Immovable orientation=UP",
        "a b > conveySprite",
        "x.m",
    ),
    "killing what is dead": (
        "p >; +a > Passive; b > Immovable",
        "p b > NullEffect; me ANY > KillOthers target=p; p b > killSprite",
        "x.m.",
    ),
    "collecting what is no resource": ("a > Passive", "a me > collectResource", "ma"),
    "more than one of which there is one": (
        "a > Passive; b > Immovable; c > Passive singleton=True",
        "a b > transformTo stype=c; a b > transformTo stype=c",
        "xxm",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_stops_py_vgdl_is_a_fault_with_its_line(name: str, build: Any) -> None:
    sprites, effects, board = FAULTS[name]
    scene = Scene(sprites, effects, board, "", {})
    text = text_of(scene, mapping_of(scene))
    level = build(text, board)
    with pytest.raises(Exception) as caught:
        level.tick("right")
    if isinstance(caught.value, PuzzleError):
        place = caught.value.findings[0].place
        last = effects.split(";")[-1].strip()
        assert place is not None and text.splitlines()[place.line - 1].strip() == last


def test_an_effect_that_feeds_itself_is_stopped() -> None:
    scene = Scene("a > Passive", "a me > spawnIfHasMore resource=x stype=a limit=0", "", "", {})
    level = vgdl.build(vgdl.read(text_of(scene, mapping_of(scene))), "ma")
    with pytest.raises(VgdlEndless, match="a tick makes more than"):
        level.tick("right")


def test_moving_aslant_is_a_fault() -> None:
    scene = Scene(
        "a > Passive; b > Passive; c > Conveyor orientation=DOWN; p >; +d > Passive",
        "me c > conveySprite; d me > bounceForward",
        "",
        "",
        {},
    )
    level = vgdl.build(vgdl.read(text_of(scene, "m > me; c > c; d > d")), "mc\n.d")
    with pytest.raises(vgdl.VgdlFault, match="aslant"):
        level.tick("right")


# --- copies, and the adapter ----------------------------------------------------------------------------


def test_a_copy_goes_its_own_way() -> None:
    level = vgdl.build(vgdl.read(shooting("OrientedAvatar")), BOARD)
    level.tick("right")
    other = copy.deepcopy(level)
    other.tick("right")
    assert (level.sprites()["me"], other.sprites()["me"]) == (((2, 3),), ((2, 4),))


def test_without_py_vgdl_its_adapter_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyvgdl, "find_spec", lambda name: None)
    reason = pyvgdl.available()
    assert reason is not None and "git clone https://github.com/rubenvereecken/py-vgdl" in reason
    with pytest.raises(NotAvailable) as caught:
        pyvgdl.build("", "")
    assert caught.value.findings[0].remedy == reason
