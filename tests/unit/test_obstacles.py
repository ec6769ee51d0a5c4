"""What stands in the way of a level that cannot be won: taking it away is tried, piece by piece."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from ggp.explain import text
from ggp.explain.obstacles import Obstacles, lasting, obstacles_or_none, without
from ggp.explain.unique import unique
from ggp.language import levels
from ggp.model import Instance, Plan
from ggp.model.result import Clock
from ggp.referee.trajectory import replay
from ggp.tasks.asking import asked
from ggp.tasks.solving import Run
from tests.commands import Ask
from tests.slow import slowly

SOKOBAN = """
game = "sokoban"

[[level]]
name = "stuck"
horizon = {}
map = \"""
{}
\"""
"""
WALKER = """
game = "lemmings"

[[level]]
name = "shut"
horizon = 12
budget = 0
map = \"""
XXXXXX
X>   X
XXXXXX
X    X
X  XTX
XXXXXX
\"""
"""
ONE = ["#######", "#@$#. #", "#     #", "#######"]
TWO = ["########", "#@$##. #", "########"]


def level(written: str, folder: Path) -> Instance:
    file = folder / "level.toml"
    file.write_text(written)
    return levels.load(str(file))


def sokoban(rows: list[str], folder: Path, horizon: int = 20) -> Instance:
    return level(SOKOBAN.format(horizon, "\n".join(rows)), folder)


def winnable(instance: Instance) -> bool:
    run = Run(instance, "search", "first", time_limit=20.0)
    found = next(iter(run), None)
    assert found is not None or run.result is not None and run.result.stop != "time-limit"
    return found is not None


def told(instance: Instance, solver: str = "search") -> Obstacles:
    found = obstacles_or_none(instance, solver, None, Clock(60.0))
    assert found is not None
    return found


def held_against_trying(instance: Instance, found: Obstacles) -> None:
    """The plan wins, each set opens the level, nothing of it can stay, and no fewer pieces do."""
    assert replay(without(instance, frozenset(found.sets[0])), found.plan).won
    every = lasting(instance)
    for one in found.sets:
        assert winnable(without(instance, frozenset(one)))
        assert not any(winnable(without(instance, frozenset(one) - {piece})) for piece in one)
    if found.proved:
        size = len(found.sets[0])
        opening = {few for few in combinations(every, size) if winnable(without(instance, frozenset(few)))}
        assert opening >= set(found.sets) and (size > 1 or opening == set(found.sets))
        fewer = (few for less in range(size) for few in combinations(every, less))
        assert not any(winnable(without(instance, frozenset(few))) for few in fewer)


@pytest.mark.parametrize(("rows", "size"), [(ONE, 1), slowly((TWO, 2))])
def test_the_walls_in_front_of_a_crate(rows: list[str], size: int, tmp_path: Path) -> None:
    instance = sokoban(rows, tmp_path)
    found = told(instance)
    assert found.proved and {len(one) for one in found.sets} == {size}
    held_against_trying(instance, found)


def test_walls_that_one_walks_on_are_kept(tmp_path: Path) -> None:
    """Without its floor the walker falls, so less is not easier there."""
    instance = level(WALKER, tmp_path)
    found = told(instance)
    assert found.proved and {(one.cell) for (one,) in found.sets} >= {(2, 3), (2, 4)}
    held_against_trying(instance, found)


def test_a_question_about_designs_that_has_no_answer() -> None:
    instance = asked(levels.load("lemmings/seed"), 2)
    found = told(instance)
    assert found.proved and len(found.plan.design) == 2
    held_against_trying(instance, found)


def test_two_walls_where_all_of_them_at_once_are_no_help() -> None:
    """With one brick no wall is enough, and without any the walker falls."""
    instance = asked(levels.load("lemmings/seed"), 1)
    found = told(instance)
    assert found.proved and [len(one) for one in found.sets] == [2]
    assert not winnable(without(instance, frozenset(lasting(instance))))
    (two,) = found.sets
    assert replay(without(instance, frozenset(two)), found.plan).won and len(found.plan.design) == 1
    assert not any(winnable(without(instance, frozenset({one}))) for one in lasting(instance))


def test_another_solver_tells_the_same(tmp_path: Path) -> None:
    instance = sokoban(ONE, tmp_path)
    assert told(instance, "sat").sets == told(instance).sets


def test_what_the_goal_names_and_what_moves_stays(tmp_path: Path) -> None:
    kinds = {clue.piece.kind for clue in lasting(sokoban(ONE, tmp_path)) if clue.piece is not None}
    assert kinds == {"wall"}


def test_where_nothing_helps_nothing_is_said(tmp_path: Path) -> None:
    """One turn is too few whatever is taken away; nothing moves; there is no time."""
    assert obstacles_or_none(sokoban(TWO, tmp_path, 1), "search", None, Clock(20.0)) is None
    assert obstacles_or_none(levels.load("sudoku/paper-4x4"), "search", None, Clock(20.0)) is None
    assert obstacles_or_none(sokoban(TWO, tmp_path), "search", None, Clock(0.0)) is None


def test_it_is_told_and_drawn(tmp_path: Path, ask: Ask) -> None:
    file = tmp_path / "stuck.toml"
    file.write_text(SOKOBAN.format(20, "\n".join(ONE)))
    said = ask("solve", str(file), "--unique").out
    assert "it can be won without the wall at (1, 3)\nplan without the wall at (1, 3): right right" in said
    data = json.loads(ask("solve", str(file), "--unique", "--json").out)
    assert data["answers"] == "none" and data["obstacles"]["smallest"]
    assert data["obstacles"]["sets"] == [[{"cell": [1, 3], "piece": "wall"}]]
    stuck = levels.load(str(file))
    found = unique(stuck, "search").obstacles
    assert found is not None
    _, drawn, _ = text.obstacles_text(stuck, found, colour=True)
    plain = text.board(stuck, Plan(), [], colour=True)
    assert str(drawn) == str(plain) and drawn.spans != plain.spans, "the wall is marked"
