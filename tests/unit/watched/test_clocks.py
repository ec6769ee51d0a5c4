"""How long ago a spawn point could strike is seen, and for how long others rest: so neither is chance."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.learn.boards import Board
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.evidence.clocks import clocks
from ggp.learn.turn.in_parts.unbarred import learn_unbarred
from ggp.watch.vgdl import VgdlWorld
from tests.vgdl_flying import played

DRIP = """
BasicGame
    SpriteSet
        wall > Immovable
        pipe > SpawnPoint stype=drop cooldown=3
        pot > Immovable
        full > Immovable
        drop > Missile orientation=DOWN speed=1
        avatar > MovingAvatar
    LevelMapping
        p > pipe
        o > pot
    InteractionSet
        avatar wall > stepBack
        avatar pipe > stepBack
        drop wall > killSprite
        drop avatar > killSprite
        pot drop > transformTo stype=full
        drop full > killSprite
    TerminationSet
        SpriteCounter stype=pot limit=0 win=True
"""
# Only GVGAI knows doors; there a clock strikes in the first turn.
DOOR = DRIP.replace("full > Immovable", "full > Door")
CELLAR = "wwwwww\nwp..pw\nw....w\nwA..ow\nw.o..w\nwwwwww\n"


def world_of(tmp_path: Path, text: str, level: str = CELLAR) -> VgdlWorld:
    (tmp_path / "drip.txt").write_text(text)
    (tmp_path / "drip_lvl0.txt").write_text(level)
    return VgdlWorld(tmp_path / "drip.txt")


@pytest.mark.parametrize(("text", "strikes"), [(DRIP, 2), (DOOR, 0)], ids=["py-vgdl", "gvgai"])
def test_a_run_goes_on_from_any_board_as_it_was_played(text: str, strikes: int, tmp_path: Path) -> None:
    world = world_of(tmp_path, text)
    (run,) = world.play([(world.levels()[0], ["right", "noop", "down", "noop", "left", "noop", "up"])])
    assert run is not None and len(run.steps) == 7
    boards = [run.start, *(step.after for step in run.steps)]
    told = [next(token for token in board.cells[7] if token.startswith("pipe")) for board in boards]
    assert told == [f"pipe:{n % 3}" for n in range(8)]
    for number, step in enumerate(run.steps):
        if number % 3 == strikes:
            assert any("drop:down" in step.after.cells[index] for index in (7, 10))
        if text is DRIP:  # in GVGAI what has just come rests for a turn, which is not seen
            (again,) = world.play([(boards[number], [one.word for one in run.steps[number:]])])
            assert again is not None and [one.after for one in again.steps] == boards[number + 1 :]


def test_clocks_of_one_game_go_together(tmp_path: Path) -> None:
    world = world_of(tmp_path, DRIP)
    (run,) = world.play([(world.levels()[0], ["noop"] * 3)])
    assert run is not None
    cells = list(run.start.cells)
    cells[7] = frozenset({"pipe:1"})
    assert world.play([(Board(6, 6, tuple(cells)), ["noop"])]) == [None]


RESTING = """
BasicGame
    SpriteSet
        wall > Immovable
        cat > Missile orientation=RIGHT cooldown=3
        dog > Missile orientation=LEFT
        cheese > Immovable
        avatar > MovingAvatar
    LevelMapping
        c > cat
        d > dog
        e > cheese
    InteractionSet
        avatar wall > stepBack
        dog wall > reverseDirection
        dog wall > stepBack
        cat wall > reverseDirection
        cat wall > stepBack
        cheese avatar > killSprite
        avatar cat > killSprite
    TerminationSet
        SpriteCounter stype=cheese limit=0 win=True
"""
YARD = "wwwwwww\nwc....w\nw..A..w\nw....dw\nw.e..ew\nwwwwwww\n"


def test_for_how_long_something_rests_is_seen_and_a_run_goes_on_from_there(tmp_path: Path) -> None:
    world = world_of(tmp_path, RESTING, YARD)
    words = ["left", "noop", "down", "noop", "right", "noop", "up", "noop"]
    (run,) = world.play([(world.levels()[0], words)])
    assert run is not None and len(run.steps) == 8
    boards = [run.start, *(step.after for step in run.steps)]
    shown = {token for board in boards for stack in board.cells for token in stack}
    assert {"cat:right", "cat~1:right", "cat~2:right", "dog:left"} <= shown and "dog~1:left" not in shown
    for number, board in enumerate(boards[:-1]):
        (again,) = world.play([(board, [one.word for one in run.steps[number:]])])
        assert again is not None and [one.after for one in again.steps] == boards[number + 1 :]


def test_what_keeps_time_and_what_it_makes_is_learned() -> None:
    turns = played(DRIP, CELLAR, 0, 30)
    structure = structure_of(turns)
    (part,) = clocks(turns, structure, ["avatar"])
    assert part.subject == "pipe" and len(part.decisions.decisions) == 2
    changed = {one.thing.name for decision in part.decisions.decisions for one in decision.outcome}
    assert changed == {"pipe", "drop:down"}
    assert not clocks(turns, structure, ["pipe"])
    learned = learn_unbarred(turns, structure)
    fresh = played(DRIP, CELLAR, 1, 20)
    assert {*fresh} - {*turns} and sum(map(learned.wrong, fresh)) <= 1  # what was not seen by then
