"""From system to system by play alone: a VGDL game is watched, what is learned is played in PuzzleScript."""

from __future__ import annotations

import random
from importlib import resources
from itertools import islice
from pathlib import Path

import pytest

from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode
from ggp.model import Game, Level
from ggp.tasks import exporting
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from ggp.watch.puzzlescript import PuzzleScriptWorld
from ggp.watch.vgdl import VgdlWorld
from tests.in_one_pass import learn_in_one_pass
from tests.slow import slow_unless

FILES = Path(str(resources.files("ggp.bench") / "worlds")) / "vgdl"


def learned_from(world: VgdlWorld, number: int) -> tuple[Game, tuple[Level, ...]]:
    """What was learned from so many roll-outs, written and read again."""
    learned = learn_in_one_pass(list(islice(rollouts(world, random.Random(1)), number)), world.name)
    game, kept = read_game(write_game(learned.game, learned.levels).encode(), f"{world.name}.toml")
    return game, tuple(kept)


def in_puzzlescript(start: Board, words: list[str], game: Game, folder: Path) -> list[Board]:
    """What the PuzzleScript engine shows of the text that is exported for a start."""
    instance = DescribedWorld(game, (), go_on=True).instance(start)
    file = folder / "game.txt"
    file.write_text(exporting.export(instance, "puzzlescript").text, "utf-8")
    world = PuzzleScriptWorld(file)
    (run,) = world.play([(world.levels()[0], words)])
    assert run is not None
    kinds = {kind.name for kind in game.kinds}
    return [
        Board(one.height, one.width, tuple(frozenset(stack & kinds) for stack in one.cells))
        for one in run.boards()
    ]


def in_vgdl(run: Episode, game: Game) -> tuple[list[str], list[Board]]:
    """The inputs of a run that the learned game has, and the boards from one to the next.

    None of these games goes on by itself, so that what is no input changes nothing.
    """
    assert game.input is not None
    steps = [step for step in run.steps if step.word in game.input.moves]
    return [str(step.word) for step in steps], [run.start, *(step.after for step in steps)]


@pytest.mark.parametrize(
    ("name", "number"), slow_unless([("painter", 60)], [("painter", 60), ("crates", 400)])
)
def test_a_vgdl_game_learned_from_play_is_the_same_in_puzzlescript(
    name: str, number: int, tmp_path: Path
) -> None:
    world = VgdlWorld(FILES / f"{name}.txt")
    game, _ = learned_from(world, number)
    for run in islice(rollouts(world, random.Random(2)), 4):
        words, boards = in_vgdl(run, game)
        assert len(set(boards)) > 1
        assert in_puzzlescript(run.start, words, game, tmp_path) == boards
