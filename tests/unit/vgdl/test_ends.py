"""How a level of VGDL ends: the first termination that holds says it, and what has left the map is gone."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from ggp.api import solve
from ggp.importers.vgdl import Look, look
from ggp.model import Instance
from ggp.model.board import Action
from ggp.referee.semantics import initial_state, is_goal, is_lost, step
from tests.slow import one_in
from tests.vgdl_beside import GAMES, play

TIE = """\
BasicGame
    SpriteSet
        goal > Door
        pit > Immovable
        avatar > {avatar}
        shot > Missile
        bee > Missile orientation=RIGHT
        wall > Immovable
    LevelMapping
        g > goal
        o > pit
        b > bee
    InteractionSet
        avatar wall > stepBack
        bee wall > reverseDirection
        avatar bee > killSprite
        {pit} avatar > killSprite
        goal avatar > killSprite
        avatar goal > killSprite
        avatar pit > killSprite
        shot pit > transformTo stype=goal
    TerminationSet
{ends}"""
WINS = "        SpriteCounter stype=goal win=True\n"
LOSES = "        SpriteCounter stype=avatar win=False\n"
PITS = "        SpriteCounter stype=pit win=True\n"
ROOM = "wwwww\nwA.gw\nw..ow\nwwwww\n"


def brought(folder: Path, room: str, *, avatar: str = "MovingAvatar", ends: str = WINS + LOSES) -> Look:
    """The game with a map, read."""
    path = folder / "some.txt"
    path.write_text(TIE.format(avatar=avatar, ends=ends, pit="pit" if PITS in ends else "bee"))
    (folder / "some_lvl0.txt").write_text(room)
    return look(path.read_bytes(), str(path))


@pytest.mark.parametrize(
    ("room", "ends"),
    one_in(
        2,
        product(
            [ROOM, ROOM.replace("w..ow", "w.gow"), "wwwww\nwA.gw\nwb..w\nwwwww\n"],
            [WINS + LOSES, LOSES + WINS, WINS + PITS + LOSES],
        ),
        1,
    ),
)
def test_a_turn_that_wins_and_loses_is_what_the_first_line_says(room: str, ends: str, tmp_path: Path) -> None:
    """In few rules, and pass by pass where a bee flies."""
    if PITS in ends:
        room = room.replace("w..ow", "w.oow").replace("wb..w", "wb.ow")
    found = brought(tmp_path, room, ends=ends)
    assert found.warnings == () and (found.lower.local is None) == ("b" in room)
    tally = play(found, 0, 400)
    assert tally.difference == "" and tally.stops == [] and tally.ends > 10


def test_who_takes_the_last_one_and_dies_of_it_has_won(tmp_path: Path) -> None:
    for ends, won in ((WINS + LOSES, True), (LOSES + WINS, False)):
        found = brought(tmp_path, ROOM, ends=ends)
        instance = Instance(found.game, found.levels[0])
        state = initial_state(instance)
        for _ in range(2):
            state = step(instance, state, Action("right"))
        assert (is_goal(instance, state) and not is_lost(instance, state)) == won


def test_no_word_goes_round_where_no_way_does_both(tmp_path: Path) -> None:
    """Neither the pit nor what takes the avatar is counted with the other."""
    text = TIE.format(avatar="MovingAvatar", ends=WINS + LOSES, pit="bee").replace("avatar goal", "wall goal")
    path = tmp_path / "some.txt"
    path.write_text(text)
    (tmp_path / "some_lvl0.txt").write_text(ROOM)
    found = look(path.read_bytes(), str(path))
    assert found.lower.local is not None and found.lower.local.dies and found.warnings == ()
    assert [kind.name for kind in found.game.kinds if kind.marker or kind.name == "failed"] == []


def test_what_flies_off_the_map_is_gone(tmp_path: Path) -> None:
    """It is counted by nothing, and nothing asks for it; the engine lets it fly on."""
    room = "....o\n.A...\ng....\n"
    found = brought(tmp_path, room, avatar="ShootAvatar stype=shot", ends=LOSES + WINS)
    assert "shot" in found.lower.lost_outside
    tally = play(found, 0, 60)
    assert tally.difference == "" and all("avatar" in one or "lost" in one for one in tally.stops)
    instance = Instance(found.game, found.levels[0])
    state = initial_state(instance)
    for word in ("action", *["wait"] * 6):
        state = step(instance, state, Action(word))
    kinds = {piece.kind for here in state.board for piece in here}
    assert not any(kind.startswith("shot") for kind in kinds) and "impossible" not in kinds


@pytest.mark.parametrize("more", ["        SpriteCounterMore stype=shot limit=9 win=False\n"])
def test_what_is_counted_is_not_gone(more: str, tmp_path: Path) -> None:
    found = brought(tmp_path, ROOM, avatar="ShootAvatar stype=shot", ends=LOSES + WINS + more)
    assert "shot" not in found.lower.lost_outside


@pytest.mark.parametrize(("ends", "won"), [("{time}{wins}", False), ("{wins}{time}", True)])
def test_a_turn_in_which_time_is_up_is_what_the_first_line_says(ends: str, won: bool, tmp_path: Path) -> None:
    """The goal is three steps off, and the third is the last one there is."""
    text = ends.format(time="        Timeout limit=2 win=False\n", wins=WINS)
    found = brought(tmp_path, "wwwwww\nwA..gw\nw....w\nwwwwww\n", ends=text + LOSES)
    instance = Instance(found.game, found.levels[0])
    result = solve(instance, solver="search")
    assert bool(result.plans) == won
    assert play(found, 0, 400).difference == ""


@pytest.mark.parametrize(("row", "won"), one_in(2, [("wA..gw", True), ("wA..ow", False), ("wA.o.w", True)]))
def test_what_wins_behind_the_end_of_time_does_not_in_the_last_turn(
    row: str, won: bool, tmp_path: Path
) -> None:
    """The third turn is the last one; a goal stands before the line of the time, a pit behind it."""
    ends = WINS + "        Timeout limit=2 win=False\n" + PITS + LOSES
    spare = "wA...w" if "g" in row else "wg...w"
    room = f"wwwwww\n{row}\nwwwwww\n{spare.replace('A', 'o')}\nwwwwww\n"
    found = brought(tmp_path, room, ends=ends)
    assert found.warnings == ()
    assert bool(solve(Instance(found.game, found.levels[0]), solver="search").plans) == won
    tally = play(found, 0, 300)
    assert tally.difference == "" and tally.ends > 50


HEAP = """\
BasicGame
    SpriteSet
        tree > SpawnPoint stype=pear cooldown=1 total=2
        pear > Resource limit=3
        exit > Door
        avatar > MovingAvatar
    LevelMapping
        t > tree
        e > exit
    InteractionSet
        pear avatar > collectResource
        exit avatar > killIfOtherHasMore resource=pear limit=2
    TerminationSet
        SpriteCounter stype=exit win=True
        SpriteCounter stype=avatar win=False
"""


def test_all_that_lies_in_a_cell_is_collected_in_one_tick(tmp_path: Path) -> None:
    """Two pears are a piece each; each of them is added to what the avatar has by then."""
    path = tmp_path / "heap.txt"
    path.write_text(HEAP)
    (tmp_path / "heap_lvl0.txt").write_text("A..te\n")
    found = look(path.read_bytes(), str(path))
    one = Instance(found.game, found.levels[0])
    state = initial_state(one)
    for _ in range(4):
        state = step(one, state, Action("right"))
    assert is_goal(one, state)
    assert not play(found, 0, 100).difference


def test_a_shield_goes_along_with_the_avatar_where_something_flies(tmp_path: Path) -> None:
    """So the tick is written pass by pass, and the shield is a form."""
    text = (GAMES / "raft.txt").read_text().replace("exit > Door", "exit > Door\n        bee > Missile")
    path = tmp_path / "raft.txt"
    path.write_text(text.replace("x > exit", "x > exit\n        b > bee"))
    (tmp_path / "raft_lvl0.txt").write_text((GAMES / "raft_lvl0.txt").read_text().replace("===  ", "=== b"))
    found = look(path.read_bytes(), str(path))
    tally = play(found, 0, 150)
    assert found.lower.local is None and not tally.difference and tally.turns == 150 and not tally.stops
