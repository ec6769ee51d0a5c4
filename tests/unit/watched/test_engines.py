"""Engines that are watched: files as people write them, and engines that stop."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from ggp.cli.learning import address_of
from ggp.engines import puzzlescript, pyvgdl, vgdl
from ggp.engines.vgdl.insides import Inside
from ggp.errors import PuzzleError, UnknownName
from ggp.harness.worlds import world_of
from ggp.language import levels
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board
from ggp.watch import rollouts
from ggp.watch.puzzlescript import SPARE, PuzzleScriptWorld
from ggp.watch.vgdl import VgdlWorld
from ggp.watch.vgdl_names import names_of
from tests.commands import Ask
from tests.puzzlescript_games import text

TRENCH = """BasicGame block_size=1
    SpriteSet
        floor > Immovable
        trench > Immovable
        avatar > MovingAvatar
        stone > Passive
        wall > Immovable
    LevelMapping
        o > floor trench
        s > floor stone
        A > floor avatar
        . > floor
        w > floor wall
    InteractionSet
        avatar wall > stepBack
        stone avatar > bounceForward
        stone wall stone > undoAll
        stone trench > killSprite
    TerminationSet
        SpriteCounter stype=stone limit=0 win=True
---
wwwwww
wA.s.w
w.s.ow
wwwwww
"""
MOWERS = """BasicGame block_size=1
    SpriteSet
        wall > Immovable
        coin > Immovable
        raft > Missile orientation=RIGHT
        avatar > MovingAvatar
    LevelMapping
        r > raft
        c > coin
    InteractionSet
        coin raft > killSprite
        avatar wall > stepBack
    TerminationSet
        SpriteCounter stype=coin limit=0 win=True
---
wwwwwwww
wA    cw
w rc   w
w r c  w
wwwwwwww
"""
RANGE = """BasicGame block_size=1
    SpriteSet
        wall > Immovable
        shot > Missile
        avatar > ShootAvatar stype=shot
    LevelMapping
        A > avatar
    InteractionSet
        avatar wall > stepBack
        shot wall > killSprite
    TerminationSet
        SpriteCounter stype=avatar limit=0 win=False
---
wwwwww
wA   w
wwwwww
"""
GATES = """BasicGame block_size=1
    SpriteSet
        wall > Immovable
        gate > Immovable
        path > Immovable
        avatar > MovingAvatar
    LevelMapping
        g > gate
        p > path
    InteractionSet
        avatar wall > stepBack
        path avatar > TransformOthersTo target=gate stype=path
    TerminationSet
        SpriteCounter stype=gate limit=0 win=True
---
wwwwww
wAp gw
wwwwww
"""
CROSSING = """BasicGame block_size=10
    SpriteSet
        wall > Immovable
        coin > Resource limit=2
        car > Missile
            early > orientation=RIGHT
            late > orientation=LEFT
        avatar > MovingAvatar
    LevelMapping
        e > early
        l > late
        c > coin
    InteractionSet
        avatar wall > stepBack
        car wall > reverseDirection
        car wall > stepBack
        coin avatar > collectResource
        coin avatar > killSprite
    TerminationSet
        SpriteCounter stype=coin limit=0 win=True
---
wwwwww
wAcc.w
we.l.w
wwwwww
"""
BARNYARD = """title barnyard
author ggp

========
OBJECTS
========

Grass
green

Mud
brown

Player p
white

Bale
yellow

X
red

=======
LEGEND
=======

. = Grass
, = Mud
Background = Grass or Mud
b = Bale
# = X
S = Bale or X

=======
SOUNDS
=======

================
COLLISIONLAYERS
================

Background
Player, Bale, X

======
RULES
======

[ > P | Bale | no S ] -> [ > P | > Bale | ]
late [ P Mud ] -> [ P Grass ]

==============
WINCONDITIONS
==============

No Mud

=======
LEVELS
=======

######
#p.b.#
#,b.,#
######
"""


def written(folder: Path, name: str, text: str) -> Path:
    """A file of a game."""
    (folder / name).write_text(text, "utf-8")
    return folder / name


def having(board: Board, old: str, new: str) -> Board:
    """The board with one thing more wherever another stands."""
    return board._replace(cells=tuple(stack | {new} if old in stack else stack for stack in board.cells))


def strict(stops_at: str) -> Any:
    """The built-in engine as py-vgdl is: it stops at some key with an error that is none of ours."""

    def build(text: str, level_map: str) -> Any:
        level = vgdl.build(vgdl.read(text), level_map)
        play = level.tick

        def tick(key: str = "noop") -> None:
            assert key != stops_at, "Illegal action space"
            play(key)

        level.tick = tick
        return level

    return build


def test_an_engine_that_stops_refuses_the_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyvgdl, "mapping", lambda text: dict(vgdl.read(text).mapping))
    monkeypatch.setattr(pyvgdl, "build", strict("left"))
    world = VgdlWorld(written(tmp_path, "trench.txt", TRENCH), stock=True)
    (board,) = world.levels()
    assert {*world.inputs(board)} == {"up", "left", "down", "right", "noop"}
    assert world.play([(board, ["left"])]) == [None]
    (run,) = world.play([(board, ["right"])])
    assert run is not None and run.steps
    monkeypatch.setattr(pyvgdl, "build", strict("noop"))
    with pytest.raises(PuzzleError, match="stops in trench with AssertionError: Illegal action"):
        world.tick(world.built(world.maps[0]), "noop")


def test_a_board_to_which_no_play_leads_is_refused(tmp_path: Path) -> None:
    world = VgdlWorld(written(tmp_path, "trench.txt", TRENCH))
    (board,) = world.levels()
    walled, drowned = having(board, "wall", "stone"), having(board, "trench", "avatar")
    assert world.play([(walled, ["up"]), (drowned, ["up"])]) == [None, None]
    (run,) = world.play([(board, ["down", "right", "right", "right"])])
    assert run is not None and run.won is None
    (after,) = world.play([(drowned, ["up"])])
    assert after is not None


def test_where_sprites_face_and_what_they_hold_is_shown_and_set_up(tmp_path: Path) -> None:
    world = VgdlWorld(written(tmp_path, "crossing.txt", CROSSING))
    (board,) = world.levels()
    assert {"avatar:0", "early:right", "late:left"} <= frozenset().union(*board.cells)
    (run,) = world.play([(board, ["right", "noop", "noop", "noop"])])
    assert run is not None
    halfway = run.steps[1].after
    assert frozenset({"avatar:1"}) in halfway.cells
    # What goes on from there does so as if the game had been played up to there.
    (again,) = world.play([(halfway, ["noop", "noop"])])
    assert again is not None and again.start == halfway
    assert [step.after for step in again.steps] == [step.after for step in run.steps[2:]]
    assert any("early:left" in stack for stack in again.steps[-1].after.cells)


BRIARS = """BasicGame
    SpriteSet
        briar > Immovable
        berry > Immovable
        sled > Passive healthPoints=2
        avatar > MovingAvatar healthPoints=3 limitHealthPoints=6
        wall > Immovable
    InteractionSet
        avatar wall > stepBack
        avatar berry > addHealthPoints value=1
        berry avatar > killSprite
        avatar briar > subtractHealthPoints value=1
        sled avatar > bounceForward
        sled briar > subtractHealthPoints value=1
    TerminationSet
        SpriteCounter stype=avatar limit=0 win=False
        SpriteCounter stype=berry limit=0 win=True
    LevelMapping
        t > briar
        b > berry
        s > sled
"""
HEDGE = "wwwwwwww\nwAtb.stw\nw......w\nwwwwwwbw"


def test_health_that_changes_is_shown_and_set_up(tmp_path: Path) -> None:
    """What no board shows cannot be learned: who has one point left is gone on the next briar."""
    path = tmp_path / "briars.txt"
    path.write_text(BRIARS)
    (tmp_path / "briars_lvl0.txt").write_text(HEDGE)
    world = VgdlWorld(path)
    (board,) = world.levels()
    assert board.at((1, 1)) == {"avatar:3"} and board.at((1, 5)) == {"sled:2"}
    (run,) = world.play([(board, ["right", "right", "right", "down"])])
    assert run is not None
    healths = [
        sorted(token for stack in step.after.cells for token in stack if ":" in token) for step in run.steps
    ]
    assert healths == [
        ["avatar:2", "sled:2"],
        ["avatar:3", "sled:2"],
        ["avatar:3", "sled:2"],
        ["avatar:3", "sled:2"],
    ]
    # What goes on from there does so as if the game had been played up to there.
    (again,) = world.play([(run.steps[0].after, ["left", "right", "right"])])
    assert again is not None and again.start == run.steps[0].after
    assert frozenset({"avatar:1", "briar"}) in again.steps[1].after.cells


@pytest.mark.parametrize(
    "change",
    [
        ("value=1\n        sled", "value=1 limit=-2\n        sled"),  # health below nothing is no amount
        ("HealthPoints value=1", "Score value=1"),  # nothing changes it
        ("briar", "health"),  # another thing has that name
    ],
)
def test_health_that_is_no_amount_is_not_shown(tmp_path: Path, change: tuple[str, str]) -> None:
    game = BRIARS.replace(*change).replace("addScore", "stepBack").replace("subtractScore", "stepBack")
    assert game != BRIARS
    path = tmp_path / "briars.txt"
    path.write_text(game.replace("stepBack value=1", "stepBack"))
    (tmp_path / "briars_lvl0.txt").write_text(HEDGE)
    (board,) = VgdlWorld(path).levels()
    assert board.at((1, 1)) == {"avatar"}


def test_a_turn_that_hangs_on_the_order_of_the_engines_list_is_left_out_and_counted(tmp_path: Path) -> None:
    world = VgdlWorld(written(tmp_path, "mowers.txt", MOWERS))
    (board,) = world.levels()
    (run,) = world.play([(board, ["noop"] * 4)])
    # One coin is gone after the first turn, and one after the second: nobody comes next in the list.
    assert run is not None and len(run.steps) == 4 and not world.left_out
    cells = list(board.cells)
    cells[3 * 8 + 3], cells[3 * 8 + 4] = frozenset({"coin"}), frozenset()
    (both,) = world.play([(board._replace(cells=tuple(cells)), ["noop"] * 4)])
    assert both is not None and both.steps == ()
    assert world.left_out.startswith("1 of 5 turns")


def test_so_is_a_turn_in_which_as_many_are_made_as_are_gone(tmp_path: Path) -> None:
    world = VgdlWorld(written(tmp_path, "range.txt", RANGE))
    (board,) = world.levels()
    (run,) = world.play([(board, ["right", "space", "down", "space", "noop"])])
    # The first shot is gone in the wall on the right, and the second, made in that below, is passed over.
    assert run is not None and len(run.steps) == 3
    assert world.left_out.startswith("1 of 4 turns")


def test_so_is_a_turn_in_which_the_first_of_two_counts(tmp_path: Path) -> None:
    text = MOWERS.replace("coin raft > killSprite", "raft coin > killBoth")
    assert text != MOWERS
    world = VgdlWorld(written(tmp_path, "mowers.txt", text))
    board = Board(1, 5, tuple(map(frozenset, ({"raft:right"}, {"coin"}, {"raft:left"}, (), {"avatar"}))))
    world.led_to.update(board.cells)
    (run,) = world.play([(board, ["noop"])])
    # Both come to the coin: one is gone with it, and no board shows which one.
    assert run is not None and run.steps == ()
    assert world.left_out.startswith("1 of 1 turns") and "raft:left" in world.left_out
    assert world.share_left_out == 1


@pytest.mark.parametrize("effect", ["TransformOthersTo target=gate stype=path", "KillOthers target=gate"])
def test_so_is_a_turn_in_which_all_of_a_type_are_changed_and_some_are_passed_over(
    effect: str, tmp_path: Path
) -> None:
    text = GATES.replace("TransformOthersTo target=gate stype=path", effect)
    world = VgdlWorld(written(tmp_path, "gates.txt", text))
    (board,) = world.levels()
    (run,) = world.play([(board, ["right"])])
    assert run is not None and run.steps[0].won and not world.left_out
    cells = list(board.cells)
    cells[1 * 6 + 3] = frozenset({"gate"})
    (both,) = world.play([(board._replace(cells=tuple(cells)), ["noop", "right"])])
    assert both is not None and len(both.steps) == 1
    assert world.left_out.startswith("1 of 3 turns")


def test_names_say_what_sprites_have_inside() -> None:
    two = names_of(frozenset({"hero"}), frozenset({"key", "gold"}))
    one = names_of(frozenset({"hero"}), frozenset({"gold"}))
    hero = Inside("hero", (1, 2), None, {"gold": 2})
    assert two.token(hero._replace(held={"gold": 2, "key": 1})) == "hero+2gold+key"
    assert (one.token(hero), one.token(hero._replace(held={}))) == ("hero:2", "hero:0")
    assert one.token(hero._replace(facing="up")) == "hero+2gold:up"
    for names in (one, two):
        for inside in (
            hero,
            hero._replace(facing="up"),
            hero._replace(held={"key": 3}),
            hero._replace(held={}),
        ):
            assert names.inside(names.token(inside), (1, 2)) == inside


def test_what_is_held_of_several_things_is_one_value_where_there_are_limits() -> None:
    """A key counts one and gold, of which one key at most is held, two: six of both are two keys too many."""
    names = names_of(frozenset({"hero"}), frozenset({"key", "gold"}), {"key": 1})
    hero = Inside("hero", (1, 2), None, {"gold": 2, "key": 1})
    assert names.token(hero) == "hero(key+2gold):5"
    for held in ({}, {"key": 1}, {"gold": 9}, {"gold": 2, "key": 1}, {"gold": 1, "fish": 4}):
        inside = hero._replace(held=held)
        assert names.inside(names.token(inside), (1, 2)) == inside
    for held in ({"key": 2}, {"gold": 0.5}, {"gold": -1}):  # what is no such number is named
        assert ":" not in names.token(hero._replace(held=held))
    assert names.token(hero._replace(facing="up")) == "hero+2gold+key:up"
    unbounded = names_of(frozenset({"hero"}), frozenset({"key", "gold", "fish"}), {"key": 1})
    assert unbounded.token(hero) == "hero+2gold+key"
    endless = names_of(frozenset({"hero"}), frozenset({"key", "gold"}), {"key": float("inf")})
    assert endless.token(hero) == "hero+2gold+key"


def test_levels_are_made_of_files_as_people_write_them(tmp_path: Path) -> None:
    if puzzlescript.available() is not None:
        pytest.skip(str(puzzlescript.available()))
    world = PuzzleScriptWorld(written(tmp_path, "barnyard.txt", BARNYARD))
    (board,) = world.levels()
    assert any("mud" in stack for stack in board.cells)
    runs = list(islice(rollouts(world, random.Random(0)), 15))
    made = [run for run in runs if run.start != board]
    assert len(made) > 3 and any(step.after != run.start for run in made for step in run.steps)
    assert not {"p", "x", "s", "b"} & set(world.spare) and set(world.spare) < set(SPARE)
    # More sorts of cells than characters are no level.
    cells = tuple(frozenset({f"thing-{number}"}) for number in range(len(SPARE) + 1))
    assert world.job(Board(1, len(cells), cells), ["up"]) is None


def test_a_turn_in_which_nothing_changes_does_not_say_that_puzzlescript_has_not_won(tmp_path: Path) -> None:
    if puzzlescript.available() is not None:
        pytest.skip(str(puzzlescript.available()))
    text = BARNYARD.replace("author ggp", "author ggp\nrequire_player_movement")
    world = PuzzleScriptWorld(written(tmp_path, "barnyard.txt", text))
    home = Board(1, 3, (frozenset({"player", "grass"}), frozenset({"grass"}), frozenset({"grass"})))
    (run,) = world.play([(home, ["left", "right", "left"])])
    assert run is not None
    assert [(step.after == home, step.won) for step in run.steps] == [(True, None), (False, True)]
    # Where no turn is undone it does.
    away = Board(1, 3, (frozenset({"player", "grass"}), frozenset({"bale", "grass"}), frozenset({"mud"})))
    (run,) = PuzzleScriptWorld(written(tmp_path, "plain.txt", BARNYARD)).play([(away, ["left"])])
    assert run is not None and [(step.after == away, step.won) for step in run.steps] == [(True, False)]


def test_one_level_of_a_file_can_be_watched(tmp_path: Path) -> None:
    """`FILE#2`, in any engine; its maps are counted as the importers count them."""
    path = tmp_path / "game.txt"
    path.write_text(TRENCH.split("---")[0])
    for number in range(12):
        (tmp_path / f"game_lvl{number}.txt").write_text(f"wA{'.' * number}w\n")
    assert [board.width for board in world_of(f"vgdl:{path}#3").levels()] == [5]
    world = world_of(f"vgdl:{path}#11")
    assert isinstance(world, VgdlWorld) and world.maps == ["wA..........w\n"]
    with pytest.raises(UnknownName, match="no level 13"):
        world_of(f"vgdl:{path}#13")


def test_all_levels_are_learned_of_a_file_whose_name_has_a_number_sign(tmp_path: Path) -> None:
    game, kept = levels.load_game("sokoban")
    (tmp_path / "mine#2.toml").write_text(write_game(game, kept))
    assert levels.load_shown(str(tmp_path / "mine#2.toml")) == levels.load_game(str(tmp_path / "mine#2.toml"))


def test_a_file_of_puzzlescript_is_learned_from_its_own_engine(ask: Ask, tmp_path: Path) -> None:
    """Its rules go in scan order, which the VGDL engine does not play: `ggp learn FILE#2`."""
    path = tmp_path / "push.txt"
    path.write_text(text(maps="#p#//#p*.o#"))
    assert address_of(str(path)) == f"puzzlescript:{path}"
    assert address_of("sokoban") is None
    unknown = ask("learn", f"{path}#3")
    assert unknown.status == 2 and "there is no level '3'" in unknown.err
    watched = ask("learn", f"{path}#2", "--learner", "events")  # an option for games that are described
    assert watched.status == 2 and "does not go with --watch" in watched.err
