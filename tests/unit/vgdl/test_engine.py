"""What effects do, and in which order: scenes in the built-in engine, and in py-vgdl where it is installed.

Where py-vgdl is missing its half of the tests is skipped, and says so; `tests/conformance/test_vgdl.py` then
still has the recordings.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ggp.engines import pyvgdl, vgdl
from ggp.engines.vgdl.faults import VgdlEndless
from ggp.errors import NotAvailable, PuzzleError
from tests.vgdl_scenes import KEYS, SCENES, Places, Scene, mapping_of, text_of


@pytest.fixture(params=["built in", "py-vgdl"])
def build(request: pytest.FixtureRequest) -> Any:
    """Both engines, behind one function."""
    if request.param == "built in":
        return lambda game, level: vgdl.build(vgdl.read(game), level)
    reason = pyvgdl.available()
    if reason is not None:
        pytest.skip(f"not run: {reason}")
    return pyvgdl.build


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
