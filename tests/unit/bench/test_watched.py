"""Games that nobody described, learned in their engines: what the learned rules get wrong is counted."""

from __future__ import annotations

import random
from dataclasses import replace
from importlib import resources
from itertools import islice
from pathlib import Path

import pytest

from ggp import bench
from ggp.bench.watched import WORLDS, differing, row
from ggp.errors import PuzzleError
from ggp.language.description import read_game
from ggp.learn.goal.aims import never
from ggp.learn.whole import learn_whole
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from ggp.watch.vgdl import VgdlWorld
from tests.in_one_pass import learn_in_one_pass

FILES = Path(str(resources.files("ggp.bench") / "worlds"))
FEW = {"first_seed": 1, "rollouts": 40, "turns": 300}


def nothing(line: str) -> None:
    """Stands for a line of progress."""


def test_a_game_is_learned_and_held_against_fresh_play() -> None:
    record = row("vgdl", FILES / "vgdl" / "painter.txt", FEW, 60, nothing)
    assert record.agrees and (record.solutions or 0) >= 300
    assert "0 of" in record.what


def test_a_rule_or_a_goal_that_is_wanting_is_noticed() -> None:
    digger = VgdlWorld(FILES / "vgdl" / "digger.txt")
    learned = learn_in_one_pass(list(islice(rollouts(digger, random.Random(1)), 40)), "digger")
    rules, goal, no_goal = learned.game.turn[0].rules, learned.game.goal, never(learned.pieces)
    for kept, terms, right in (
        (rules, goal.terms, (True, True)),
        (rules[1:], goal.terms, (False, True)),
        (rules, no_goal, (True, False)),
    ):
        turn = (replace(learned.game.turn[0], rules=kept),)
        game = replace(learned.game, turn=turn, goal=replace(goal, terms=terms))
        described = DescribedWorld(game, learned.levels, go_on=True)
        found = differing(described, rollouts(digger, random.Random(2)), 200, 60)
        assert found.turns >= 200 and (found.wrong == 0, found.goals == 0) == right


LAMP = """
name = "lamp"
[kinds]
lamp = { layer = "solid", values = [1, 3] }
[symbols]
"1" = "lamp:1"
"2" = "lamp:2"
"3" = "lamp:3"
[input]
verbs = ["dim"]
[[turn]]
rules = "dim: lamp:$n here => turn lamp here $n - 1"
[goal]
win = ["no lamp:3 on lamp"]
[[level]]
horizon = 9
map = "132"
"""


def test_what_is_learned_is_asked_by_its_own_names() -> None:
    """A kind with values is several kinds of what was learned."""
    lamp = DescribedWorld(*read_game(LAMP.encode(), "lamp.toml"), go_on=True)
    learned = learn_whole(list(islice(rollouts(lamp, random.Random(1)), 20)), "lamp")
    again = DescribedWorld(learned.game, learned.levels, go_on=True)
    found = differing(again, rollouts(lamp, random.Random(2)), 50, 60, learned.pieces)
    assert found.turns >= 50 and found.wrong == 0
    names = {token: piece for token, piece in learned.pieces.items() if token != "lamp:2"}
    found = differing(again, rollouts(lamp, random.Random(2)), 50, 60, names)
    assert found.wrong > 0  # of what has no name nothing is foreseen


def test_what_is_not_learned_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*more: object, **named: object) -> None:
        raise PuzzleError("no rules explain it")

    monkeypatch.setattr("ggp.bench.watched.learner_for", lambda *_: refuse)
    record = row("vgdl", FILES / "vgdl" / "painter.txt", FEW, 60, nothing)
    assert record.agrees is False and "no rules explain it" in record.what


def test_a_folder_without_games_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="nothing to watch"):
        bench.run("watched", folder=tmp_path)
    assert all((FILES / engine).is_dir() for engine in WORLDS)
