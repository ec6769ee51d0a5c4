"""What is learned does not depend on the order in which Python goes through sets."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from ggp.language import levels
from ggp.language.description import write_game
from ggp.learn.record import write_episodes
from ggp.watch import rollouts
from ggp.watch.environments import GymWorld
from tests.commands import ROOT
from tests.slow import SLOW, more_of
from tests.unit.learn.test_blind import Corridor
from tests.unit.learn.test_hidden import seed_setting

HASH_SEEDS = ("0", "1")  # with sets in the way these two learned different rules
SMALL = "small.toml"  # sokoban, and no other level than a small one: boards that are made are as large


def learned(folder: Path, *options: str | Path) -> set[tuple[bytes, ...]]:
    """What `ggp learn` writes under each hash seed: the model, and what was watched."""
    found = set()
    for seed in HASH_SEEDS:
        model, record = folder / f"model-{seed}.toml", folder / f"play-{seed}.jsonl"
        more = ["--record", record, "--fresh", "3"] if "--watch" in options else []
        command = [sys.executable, "-m", "ggp", "learn", *options, *more, "-o", model]
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, capture_output=True, env=environment, cwd=folder, check=False)
        assert done.returncode == 0, done.stderr.decode()
        found.add(tuple(path.read_bytes() for path in (model, record) if path.exists()))
    return found


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("game:sokoban", "--rollouts", "20"), id="roll-outs", marks=SLOW),
        pytest.param(("game:lemmings", "--active", "--rollouts", "2"), id="active", marks=SLOW),
        pytest.param((f"game:{SMALL}", "--active", "--rollouts", "1"), id="active-pushes"),
        pytest.param((f"game:{SMALL}", "--active", "--rollouts", "2"), id="active-more", marks=SLOW),
        pytest.param(("game:sokoban", "--active", "--rollouts", "4"), id="active-longer", marks=SLOW),
    ],
)
def test_the_same_is_watched_and_learned_in_every_process(tmp_path: Path, options: tuple[str, ...]) -> None:
    game, kept = levels.load_game("sokoban")
    least = min(kept, key=lambda level: len(level.board) * len(level.board[0]))
    (tmp_path / SMALL).write_text(write_game(game, [least]), encoding="utf-8")
    ((model, record),) = learned(tmp_path, "--watch", *options)
    assert b"=>" in model and record.count(b"\n") >= 2  # a line a run


@more_of(test_the_same_is_watched_and_learned_in_every_process)
def test_an_environment_has_one_rule_in_every_process(tmp_path: Path) -> None:
    runs = list(islice(rollouts(GymWorld(Corridor(), "corridor"), random.Random(0)), 10))
    play = tmp_path / "play.jsonl"
    write_episodes(play, runs)
    ((model,),) = learned(tmp_path, "--from", play)
    assert b"here, input action-1 => " in model and model.count(b"=>") == 1


def test_facings_that_are_not_shown_are_invented_alike_in_every_process(tmp_path: Path) -> None:
    play = tmp_path / "play.jsonl"
    write_episodes(play, seed_setting(20, 2)[1])
    ((model,),) = learned(tmp_path, "--from", play, "--observe", "positions")
    assert b"not shown, but invented" in model and b"=>" in model
