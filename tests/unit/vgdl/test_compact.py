"""Where the avatar alone sets things going, a VGDL game becomes the few rules that a person would write."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.importers.vgdl import Look, look
from ggp.importers.vgdl.compact.knowledge import Together
from ggp.importers.vgdl.compact.ways import Way, fewer
from ggp.model import Group, Instance
from ggp.search.push.grounding import ground
from ggp.transition.compiler import compile_instance
from tests.slow import examples
from tests.vgdl_beside import GAMES, play

PUSHING = """\
BasicGame
    SpriteSet
        floor > Immovable
        hole > Immovable
        avatar > MovingAvatar
        box > Passive
        wall > Immovable
    LevelMapping
        o > floor hole
        $ > floor box
        A > floor avatar
        . > floor
    InteractionSet
        avatar wall > stepBack
        box avatar > bounceForward
        box wall box > undoAll
        box hole > killSprite
    TerminationSet
        SpriteCounter stype=box win=True
"""
ROOM = "wwwwwww\nwA$.o.w\nw.....w\nwwwwwww\n"


def brought(folder: Path, text: str, *maps: str) -> Look:
    """A game with its maps, read."""
    path = folder / "some.txt"
    path.write_text(text)
    for number, one in enumerate(maps):
        (folder / f"some_lvl{number}.txt").write_text(one)
    return look(path.read_bytes(), str(path))


@pytest.mark.parametrize("still", ["Immovable", "Immutable"])  # GVGAI's dialect, and py-vgdl's
def test_a_pushing_game_is_three_rules(still: str, tmp_path: Path) -> None:
    found = brought(tmp_path, PUSHING.replace("Immovable", still), ROOM)
    assert found.lower.python == (still == "Immutable")
    (group,) = found.game.turn
    assert isinstance(group, Group) and len(group.rules) == 3
    solid = {kind.layer for kind in found.game.kinds if kind.name in ("avatar", "box", "wall")}
    assert len(solid) == 1 and len(found.game.kinds) == 5
    assert not found.game.goal.lose  # nothing can be lost, so that the search for pushes takes it
    instance = Instance(found.game, found.levels[0])
    assert ground(instance, compile_instance(instance), None).operators
    assert not play(found, 0, 80).difference


def test_what_meets_at_rest_is_lowered_pass_by_pass(tmp_path: Path) -> None:
    with_one = ROOM.replace(".o", "*o")
    found = brought(
        tmp_path, PUSHING.replace("        A >", "        * > floor hole box\n        A >"), with_one
    )
    assert found.lower.local is None and len(found.game.turn) > 1


def test_where_there_is_no_wall_the_game_stops(tmp_path: Path) -> None:
    found = brought(tmp_path, PUSHING, "A$..o\n.....\n")
    assert found.lower.stops and found.lower.local is not None
    tally = play(found, 0, 60)
    assert tally.stops and not tally.difference


@pytest.mark.parametrize("seed", range(2))
def test_a_wrong_belief_is_noticed(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were it wrong what is never in one cell, the game would part from its engine."""
    text, room = (GAMES / "store.txt").read_text(), (GAMES / "store_lvl0.txt").read_text()

    def careless(ways: list[Way], together: Together) -> tuple[Way, ...]:
        return tuple(way._replace(literals=way.literals[:-1]) for way in fewer(ways, together))

    monkeypatch.setattr("ggp.importers.vgdl.compact.fewer", careless)
    assert play(brought(tmp_path, text, room), 0, 300, seed).difference


@settings(max_examples=examples(30), deadline=None)
@given(
    st.lists(st.text("....gpclo", min_size=5, max_size=5), min_size=3, max_size=5),
    st.integers(0, 14),
    st.integers(0, 99),
)
def test_any_map_steps_as_the_engine_does(
    tmp_path_factory: pytest.TempPathFactory, rows: list[str], at: int, seed: int
) -> None:
    row, column = divmod(at, 5)
    rows[row] = rows[row][:column] + "A" + rows[row][column + 1 :]
    room = "\n".join(["wwwwwww", *(f"w{line}w" for line in rows), "wwwwwww", ""])
    text = (GAMES / "store.txt").read_text()
    if not {"l", "o"} & set(room):
        text = text.replace("MultiSpriteCounter stype1=loose stype2=lock", "SpriteCounter stype=wall")
    found = brought(tmp_path_factory.mktemp("room"), text, room)
    tally = play(found, 0, 40, seed)
    assert not tally.difference and not tally.stops
