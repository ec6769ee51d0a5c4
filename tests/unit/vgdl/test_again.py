"""What `--to vgdl` has written comes in again as the game that it was made of.

In few words it is read as any VGDL; counted by what the player holds, its turns are those of the level: a
tick in which nothing changes is none. In many the description that it was made of stands in it.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ggp.analysis.random_walk import referee
from ggp.errors import IllegalAction, PuzzleError
from ggp.exporters import vgdl as exporter
from ggp.importers.vgdl import look
from ggp.language import carried, levels
from ggp.language.description import read_file
from ggp.model import Instance
from ggp.model.board import Action, State, width
from ggp.referee.semantics import initial_state, is_goal, is_lost
from tests.slow import slow_unless
from tests.vgdl_beside import ours, play

DATA = Path(__file__).parents[2] / "data" / "vgdl"
TURNS = 150


def level_of(name: str) -> Instance:
    """A built-in level, or the first one of a description beside the recordings."""
    if "/" in name:
        return levels.load(name)
    game, kept = read_file(DATA / f"{name}.toml")
    return Instance(game, kept[0])


def over(instance: Instance, state: State, made: int) -> str:
    """How a level has ended, "" where it has not."""
    if is_lost(instance, state):
        return "lost"
    return "won" if is_goal(instance, state) else "over" if made == instance.level.horizon else ""


@pytest.mark.parametrize(
    "name",
    slow_unless(
        lambda name: name != "marsh", ["sokoban/first", "psychopath-2/first", "digger", "marsh", "keys"]
    ),
)
def test_it_plays_as_the_level_and_as_the_engine(name: str) -> None:
    instance = level_of(name)
    written = exporter.layout(instance)
    found = look(written.text.encode(), "again.vgdl")
    again = Instance(found.game, found.levels[0])
    assert again.level.horizon == instance.level.horizon
    rng, step, step_again = random.Random(name), referee(instance).step, referee(again).step
    state, other, made = initial_state(instance), initial_state(again), 0
    for _ in range(TURNS):
        action = Action(rng.choice(("up", "right", "down", "left")))
        before = state
        try:
            state = step(instance, state, action)
            other = step_again(again, other, action)
            made += 1
        except IllegalAction:
            if instance.level.horizon is not None:
                with pytest.raises(IllegalAction):
                    step_again(again, other, action)
            assert state is before
        assert over(instance, state, made) == over(again, other, made)
        shown = {
            (written.pieces[key].kind, at)
            for key, cells in ours(found, again, other).items()
            if key in written.pieces
            for at in cells
        }
        assert shown == {
            (piece.kind, divmod(index, width(instance)))
            for index, here in enumerate(state.board)
            for piece in here
        }
        if over(instance, state, made):
            state, other, made = initial_state(instance), initial_state(again), 0
    assert play(found, 0, TURNS).difference == ""


@pytest.mark.parametrize("name", ["bouncers/first", "lights-out/first", "lemmings/seed", "polar-slide/first"])
def test_what_is_for_engines_alone_carries_its_description(name: str, tmp_path: Path) -> None:
    """With blanks in maps, and whatever lines end with; py-vgdl's two strings are as they were."""
    instance, path = levels.load(name), tmp_path / "again.vgdl"
    text = exporter.text(instance)
    for data in (text.encode(), text.replace("\n", "\r\n").encode()):
        path.write_bytes(data)
        assert levels.load(str(path)) == instance
        assert not [one for one in levels.check(str(path)) if one.severity == "error"]


@pytest.mark.parametrize("old, new", [("#| win = ", "#| lose = "), ("\n~", "\n~~"), ("#= ", "#= 0")])
def test_a_text_that_was_changed_is_not_what_it_was_made_of(old: str, new: str, tmp_path: Path) -> None:
    path, text = tmp_path / "again.vgdl", exporter.text(levels.load("bouncers/first"))
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(PuzzleError, match="py-vgdl|is listed before|characters|no avatar"):
        levels.load(str(path))


def test_with_a_design_placed_it_is_another_level(tmp_path: Path) -> None:
    instance = levels.load("lemmings/seed")
    assert not carried.belongs(exporter.text(instance, instance.level.known.wins[0]).encode())
    assert carried.belongs(exporter.text(instance).encode())


TEXT = """\
BasicGame block_size=10
    SpriteSet
        coin > Resource res_type=purse limit={limit}
        toll > Immovable
        avatar > MovingAvatar
    LevelMapping
        c > coin
        t > toll
    InteractionSet
        avatar EOS > stepBack
        toll avatar > killIfOtherHasMore resource=purse limit=2
        coin avatar > collectResource
        coin avatar > killSprite
        avatar toll > {pays}
        avatar toll > stepBack
    TerminationSet
        {end}
"""


@pytest.mark.parametrize("limit", [2, 9])
def test_a_purse_of_py_vgdl_is_filled_by_what_says_so(limit: int, tmp_path: Path) -> None:
    """`res_type` names what is held, and a limit of effects that is not given is 1."""
    (tmp_path / "some_lvl0.txt").write_text("Accct\n.....\n")
    for pays, end in (
        ("NullEffect", "SpriteCounter stype=toll limit=0 win=True"),
        ("NullEffect", "ResourceCounter stype=purse limit=2 win=True"),
    ):
        path = tmp_path / "some.txt"
        path.write_text(
            TEXT.format(limit=limit, pays=pays, end=end).replace("        avatar toll > NullEffect\n", "")
        )
        found = look(path.read_bytes(), str(path))
        tally = play(found, 0, 300)
        assert tally.difference == "" and tally.ends > 0


HATS = """\
BasicGame block_size=10
    SpriteSet
        coin > Resource limit=2
        rust > Resource res_type=coin value=-1
        dart > Immovable
        hat > Immovable
        toll > Immovable
        avatar > MovingAvatar
        hatted > MovingAvatar
    LevelMapping
        c > coin
        r > rust
        d > dart
        h > hat
        t > toll
    InteractionSet
        avatar EOS > stepBack
        hatted EOS > stepBack
        dart EOS > killSprite
        coin avatar > collectResource
        coin avatar > killSprite
        toll avatar > killIfOtherHasMore resource=coin
        toll hatted > killIfOtherHasMore resource=coin
        avatar hat > transformTo stype=hatted
    TerminationSet
        SpriteCounter stype=toll win=True
"""


def test_who_becomes_another_one_in_py_vgdl_has_nothing(tmp_path: Path) -> None:
    """So in few rules as in passes, which something that flies asks for."""
    (tmp_path / "some_lvl0.txt").write_text("Ach.t\n....d\n")
    for dart in ("Immovable", "Missile orientation=LEFT"):
        path = tmp_path / "some.txt"
        path.write_text(HATS.replace("dart > Immovable", f"dart > {dart}"))
        found = look(path.read_bytes(), str(path))
        tally = play(found, 0, 300)
        assert tally.difference == "" and not tally.stops
        assert (found.lower.local is None) == (dart != "Immovable")


def test_what_is_worth_less_than_nothing_spends(tmp_path: Path) -> None:
    """So more must be counted than is asked for."""
    (tmp_path / "some_lvl0.txt").write_text("Accrt\n")
    path = tmp_path / "some.txt"
    lines = "        rust avatar > collectResource\n        rust avatar > killSprite\n"
    rusts = HATS.replace("        toll avatar", f"{lines}        toll avatar")
    path.write_text(rusts.replace("coin > Resource limit=2", "coin > Resource"))
    with pytest.raises(PuzzleError, match="spent, and has no limit"):
        look(path.read_bytes(), str(path))
    path.write_text(rusts)
    tally = play(look(path.read_bytes(), str(path)), 0, 300)
    assert tally.difference == "" and tally.ends > 0


def test_what_is_spent_needs_a_limit(tmp_path: Path) -> None:
    (tmp_path / "some_lvl0.txt").write_text("Accct\n.....\n")
    path = tmp_path / "some.txt"
    text = TEXT.format(limit=2, pays="changeResource resource=purse value=-1", end="Timeout limit=9 win=True")
    path.write_text(text.replace(" limit=2\n", "\n", 1))
    with pytest.raises(PuzzleError, match="spent, and has no limit"):
        look(path.read_bytes(), str(path))
