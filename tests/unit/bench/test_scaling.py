"""The benchmark of encodings: a row for each that applies, and whether it proves what the search proves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ggp import bench
from ggp.bench import hard_walks, scaling
from ggp.bench.baselines.layered import fewest_turns
from ggp.bench.baselines.push import Roles
from ggp.language.levels import load
from ggp.model import Instance
from ggp.model.result import Result, Want

LEVELS = """
game = "lemmings"

[[level]]
name = "step"
horizon = 9
budget = 1
map = '''
XXXXXX
X<   X
X    X
X  T X
XXXXXX
'''
"""


def test_each_encoding_that_applies_has_a_row(tmp_path: Path) -> None:
    (tmp_path / "levels.toml").write_text(LEVELS)
    folder = tmp_path / "levels.toml"
    found = bench.run("scaling", 1, folder=folder, time_limit=30.0, solvers=("search", "cp-sat"))
    rows = {row.what: row for row in found}
    asked = [what.partition(":")[0] for what in rows]
    assert asked == [
        "lemmings/step, no encoding, search",
        "lemmings/step, path, cp-sat",
        "lemmings/step, trajectory, cp-sat",
        "lemmings/step, occupancy, cp-sat",
    ]
    assert all(row.complete and row.agrees and row.seconds > 0 for row in found)
    assert all("variables" in what for what in rows if "cp-sat" in what)


@pytest.mark.parametrize(("value", "agrees"), [(3, True), (2, False)])
def test_a_row_that_proves_another_value_disagrees(value: int, agrees: bool) -> None:
    row = scaling.measured(load("lemmings/seed"), "search", None, value, 30.0, 1)
    assert row is not None and row.complete and row.agrees is agrees


def test_what_comes_to_no_end_agrees_with_nothing() -> None:
    row = scaling.measured(load("lemmings/seed"), "search", None, 3, 0.0, 1)
    assert row is not None and not row.complete and row.agrees is None


@pytest.mark.parametrize(("value", "agrees"), [(None, True), (3, False)])
def test_that_there_is_no_plan_is_a_proof_too(value: int | None, agrees: bool) -> None:
    row = scaling.measured(load("sokoban/stuck"), "sat", None, value, 30.0, 1)
    assert row is not None and row.complete and row.agrees is agrees


def test_an_encoding_that_does_not_apply_has_no_row() -> None:
    assert scaling.measured(load("sokoban/first"), "cp-sat", "path", 6, 30.0, 1) is None


def test_the_shipped_levels_are_walks_and_one_with_inputs() -> None:
    kept = list(scaling.instances(None, "sokoban/first"))
    assert [one.name for one in kept[-1:]] == ["sokoban/first"]
    assert all(one.game.input is None and len(one.level.board) == 30 for one in kept[:-1]) and len(kept) > 1


SMALL = {"side": 8, "horizon": 16, "budget": 2, "seeds": 3, "solvers": ["search", "cp-sat", "sat", "nobody"]}


def test_boards_of_seeds_have_a_median_for_each_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    known = hard_walks.available
    monkeypatch.setattr(hard_walks, "available", lambda name: name != "nobody" and known(name))
    data = bench.case("scaling")["walks"] | {"boards": [SMALL], "first": ["sat"]}
    found = hard_walks.rows("scaling", data, None, 30.0, lambda line: None)
    assert [row.what.partition(":")[0] for row in found] == [
        "8x8, 16 turns, budget 2, fewest, search",
        "8x8, 16 turns, budget 2, fewest, cp-sat",
        "8x8, 16 turns, budget 2, a plan, sat",
    ]
    assert all(row.complete and row.agrees and row.seconds > 0 for row in found)
    late = hard_walks.rows("scaling", data, ["search"], 0.0, lambda line: None)
    assert [(row.complete, row.agrees) for row in late] == [(False, None)]


def test_who_proves_another_value_on_a_board_of_a_seed_disagrees(monkeypatch: pytest.MonkeyPatch) -> None:
    real = hard_walks.asked

    def other(one: Instance, solver: str, want: Want, limit: float) -> tuple[float, Result]:
        spent, result = real(one, "search", want, limit)
        return spent, result if solver == "search" else replace(result, objective=7)

    monkeypatch.setattr(hard_walks, "asked", other)
    boards = [hard_walks.board(bench.case("scaling")["walks"], SMALL, seed) for seed in range(2)]
    one, two = hard_walks.of_size("scaling", boards, ["search", "cp-sat"], [], 30.0, lambda line: None)
    assert one.agrees and two.agrees is False


@pytest.mark.parametrize(("level", "turns"), [("sokoban/corner", 10), ("sokoban/two-crates", 24)])
def test_what_is_written_by_hand_finds_the_fewest_turns(level: str, turns: int) -> None:
    roles = Roles.of(bench.case("moving")["games"]["sokoban"])
    assert fewest_turns(load(level), roles, 60).best == turns
    by_hand, ours = scaling.beside(load(level), roles, ("sat",), 60.0, 1, lambda line: None)
    assert by_hand.complete and ours.complete and ours.agrees
    assert ours.ratio == pytest.approx(by_hand.seconds / ours.seconds)


def test_what_is_written_by_hand_ends_at_the_horizon() -> None:
    roles = Roles.of(bench.case("moving")["games"]["sokoban"])
    short = load("sokoban/corner")
    short = replace(short, level=replace(short.level, horizon=9))
    answer = fewest_turns(short, roles, 60)
    assert answer.best is None and answer.proved
