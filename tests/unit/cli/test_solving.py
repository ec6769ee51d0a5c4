"""Commands that solve and judge: solve and replay, what they print, and their exit statuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ggp
from ggp.model import Plan
from ggp.model.result import Outcome
from ggp.solvers import search
from tests.commands import (
    DESIGN_KEYS,
    EMPTY_SUDOKU,
    MORE_KEYS,
    SEED_PLANS,
    SOLVERS,
    Answer,
    Ask,
    error_only,
    placed,
)

# --- solve ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    ["solve sokoban/first --time-limit", "compare sokoban/first --time-limit", "lab --minutes"],
)
def test_what_is_no_number_is_no_time(ask: Ask, command: str) -> None:
    answer = ask(*command.split(), "nan")
    assert answer.status == 2 and "no number" in answer.err


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("want", ["", "--first", "--all", "--count"])
@pytest.mark.parametrize("level", ["lemmings/seed", "sokoban/first", "sudoku/paper-4x4"])
def test_the_object_that_solve_prints(ask: Ask, solver: str, want: str, level: str) -> None:
    horizon = ["--horizon", "7"] if level == "sokoban/first" else []
    answer = ask("solve", level, "--solver", solver, *want.split(), *horizon, "--json")
    assert answer.status == 0 and answer.err == ""
    data = answer.data
    assert set(data) == DESIGN_KEYS | MORE_KEYS
    assert (data["level"], data["solver"]) == (level, solver)
    assert data["stop"] in ("optimal", "satisfied")
    assert data["complete"] is (want in ("--all", "--count")) or want in ("", "--first")
    assert (data["count"] is None) == (want in ("", "--first"))
    assert all(set(plan) == {"design", "actions"} for plan in data["plans"])
    assert len(data["plans"]) == {"--count": 0, "--all": data["count"]}.get(want, 1)
    assert data["versions"]["ggp"] == ggp.__version__
    assert data["seconds"] > 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_all_solutions_of_the_seed(ask: Ask, solver: str) -> None:
    answer = ask("solve", "lemmings/seed", "--solver", solver, "--all", "--json")
    data = answer.data
    assert (data["stop"], data["complete"], data["count"]) == ("satisfied", True, 6)
    assert placed(answer) == SEED_PLANS
    assert all(kind == "brick" for plan in data["plans"] for _, _, kind in plan["design"])


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_best_plan(ask: Ask, solver: str) -> None:
    data = ask("solve", "sokoban/first", "--solver", solver, "--objective", "pushes", "--json").data
    assert (data["stop"], data["objective"], data["bound"]) == ("optimal", 2, 2)
    data = ask("solve", "sokoban/first", "--solver", solver, "--json").data
    assert (data["stop"], data["objective"], data["bound"]) == ("optimal", 6, 6)
    assert data["plans"][0]["actions"] == "up left down left down right".split()


def test_the_text_that_solve_prints(ask: Ask) -> None:
    answer = ask("solve", "lemmings/seed", "--solver", "search", "--all")
    first, *plans = answer.out.splitlines()
    assert first.startswith("lemmings/seed, search: satisfied, 6 plans, no more, ")
    assert len(plans) == 6 and plans[0] == "   1  brick (2,1)  brick (5,4)  brick (6,6)"
    answer = ask("solve", "sudoku/paper-4x4", "--solver", "search")
    assert answer.out.splitlines()[1:] == ["3412", "2143", "1234", "4321"]
    answer = ask("solve", "sokoban/first", "--solver", "search", "--horizon", "6", "--all")
    assert ", 1 plan, no more, " in answer.out
    assert answer.out.endswith("plan: up left down left down right\n")
    answer = ask("solve", "sokoban/first", "--solver", "search", "--horizon", "10", "--all")
    assert len(answer.out.splitlines()) == 22
    assert answer.out.endswith("and 157 more: --json or -o has them all\n")


@pytest.mark.parametrize("solver", SOLVERS)
def test_stopping_after_some_is_no_proof(ask: Ask, solver: str) -> None:
    answer = ask("solve", "lemmings/seed", "--solver", solver, "--all", "--limit", "2", "--json")
    assert answer.status == 0
    assert (answer.data["stop"], answer.data["complete"]) == ("satisfied", False)
    assert len(placed(answer)) == 2 and placed(answer) < SEED_PLANS


@pytest.mark.parametrize("solver", SOLVERS)
def test_none_within_the_horizon_is_no_answer(ask: Ask, solver: str) -> None:
    answer = ask("solve", "sokoban/first", "--solver", solver, "--horizon", "5", "--json")
    assert answer.status == 1
    assert (answer.data["stop"], answer.data["plans"]) == ("horizon-exhausted", [])


@pytest.mark.parametrize("solver", SOLVERS)
def test_that_there_is_none_is_an_answer(ask: Ask, solver: str, level_file: Callable[[str], Path]) -> None:
    # Only a 9 is left for the end of the first row, and its column has one.
    text = EMPTY_SUDOKU.replace(".........", "12345678.", 1).replace(".........\n'''", "........9\n'''")
    file = level_file(text)
    answer = ask("solve", file, "--solver", solver, "--json")
    assert answer.status == 0
    assert (answer.data["stop"], answer.data["plans"]) == ("unsolvable", [])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("want", ["--all", "--count"])
def test_no_time_is_no_answer(ask: Ask, solver: str, want: str, level_file: Callable[[str], Path]) -> None:
    answer = ask("solve", level_file(EMPTY_SUDOKU), "--solver", solver, want, "--time-limit", "0", "--json")
    assert answer.status == 1
    assert (answer.data["stop"], answer.data["complete"]) == ("time-limit", False)


def test_all_plans_need_a_horizon(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "a.xsb"
    file.write_text("######\n#@ $.#\n######\n")
    for solver in SOLVERS:
        error_only(ask("solve", file, "--solver", solver, "--all"), "has no horizon", "give it a horizon")
        assert ask("solve", file, "--solver", solver, "--all", "--horizon", "2").status == 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_best_plan_where_propagation_alone_finds_it(ask: Ask, solver: str, tmp_path: Path) -> None:
    file = tmp_path / "a.xsb"
    file.write_text("######\n#@ $.#\n######\n")
    for horizon in ([], ["--horizon", "2"], ["--horizon", "5"]):
        data = ask("solve", file, "--solver", solver, *horizon, "--json").data
        assert (data["stop"], data["objective"], data["bound"]) == ("optimal", 2, 2)
        assert data["plans"][0]["actions"] == ["right", "right"]


def test_a_refusal_names_what_is_missing_and_where(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "FEATURES", search.FEATURES - {"merging", "physics"})
    answer = ask("solve", "lemmings/seed", "--solver", "search", "--json")
    assert answer.status == 1
    assert (answer.data["stop"], answer.data["plans"]) == ("unsupported", [])
    for missing in ("things that happen by themselves", "pieces that merge when they meet"):
        assert f"search does not support {missing}" in answer.err
        assert missing in answer.data["note"]
    assert "descriptions/lemmings.toml:" in answer.err
    text = ask("solve", "lemmings/seed", "--solver", "search")
    assert text.status == 1 and text.out == ""


def test_a_solver_that_is_not_installed(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "available", lambda: "install it with `apt install luck`")
    answer = ask("solve", "lemmings/seed", "--solver", "search", "--json")
    assert (answer.status, answer.data["stop"]) == (1, "unsupported")
    assert "search cannot run here" in answer.err and "apt install luck" in answer.err


def test_a_solver_that_is_wrong_is_not_believed(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(instance: Any, query: Any) -> Iterator[Plan]:
        yield Plan()
        return Outcome("satisfied", True)  # type: ignore[return-value]

    monkeypatch.setattr(search, "solve", wrong)
    answer = ask("solve", "lemmings/seed", "--solver", "search", "--json")
    assert (answer.status, answer.data["stop"], answer.data["plans"]) == (1, "error", [])
    assert "search answered a plan for lemmings/seed that does not win" in answer.err
    assert "docs/debugging.md" in answer.err


def test_the_plan_is_written_and_replays(ask: Ask, plan: Path, tmp_path: Path) -> None:
    data = json.loads(plan.read_text())
    assert set(data) == {"level", "design", "actions"}
    assert ask("replay", "lemmings/seed", plan).status == 0
    several = tmp_path / "several.json"
    ask("solve", "lemmings/seed", "--solver", "search", "--all", "-o", several)
    assert len(json.loads(several.read_text())["plans"]) == 6
    assert ask("replay", "lemmings/seed", several).status == 0, "the first of them is meant"


def test_nothing_is_written_without_a_plan(ask: Ask, tmp_path: Path) -> None:
    out = tmp_path / "plan.json"
    assert ask("solve", "sokoban/first", "--horizon", "1", "-o", out).status == 1
    assert not out.exists()


# --- replay -----------------------------------------------------------------------------------------------


def test_replay_of_a_win(ask: Ask, plan: Path) -> None:
    assert ask("replay", "lemmings/seed", plan) == Answer(0, "WIN: won at turn 19, bricks 3\n", "")
    data = ask("replay", "lemmings/seed", plan, "--json").data
    assert data == {
        "level": "lemmings/seed",
        "won": True,
        "turn": 19,
        "reason": "won at turn 19",
        "values": {"bricks": 3},
    }


def test_replay_of_a_loss(ask: Ask, lost: Path) -> None:
    answer = ask("replay", "lemmings/seed", lost)
    assert answer == Answer(1, "no win: the goal does not hold at turn 19, bricks 1\n", "")
    answer = ask("replay", "lemmings/seed", lost, "--json")
    assert answer.status == 1 and answer.data["won"] is False


def test_replay_against_the_encoding(ask: Ask, plan: Path, lost: Path) -> None:
    answer = ask("replay", "lemmings/seed", plan, "--encoding")
    assert answer.status == 0 and answer.out.endswith("the encoding agrees: every constraint holds\n")
    assert ask("replay", "lemmings/seed", plan, "--encoding", "--json").data["violations"] == []
    answer = ask("replay", "lemmings/seed", lost, "--encoding")
    assert answer.status == 1 and "the encoding says no: " in answer.out
    assert ask("replay", "lemmings/seed", lost, "--encoding", "--json").data["violations"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"level": "sokoban/first", "actions": []}',
            "this plan is for sokoban/first, not for lemmings/seed",
        ),
        ('{"design": [[0, 0, "brick"]]}', "not a free cell"),
        ('{"design": [[1, 2, "wall"]]}', "cannot be placed"),
        ('{"design": [[1, 2]]}', "is not a placement"),
        ('{"design": [[2, 1, "brick"], [2, 1, "brick"]]}', "two things"),
        (
            '{"design": [[2, 1, "brick"], [2, 3, "brick"], [2, 4, "brick"], [2, 5, "brick"]]}',
            "the budget is 3",
        ),
        ('{"actions": ["u p"]}', "is not an action"),
        ('{"plans": []}', "holds no plan"),
        ("[", "is not JSON"),
        ("[" + "9" * 6000 + "]", "a number of 6,000 digits"),
        ("[" * 100_000, "nested more than 20 levels deep"),
        ("\xff", "is not JSON"),
        ("[]", ""),
        ('{"moves": []}', "its keys are level, design, actions"),
    ],
)
def test_a_plan_that_is_none(ask: Ask, tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(text.encode("latin-1"))
    error_only(ask("replay", "lemmings/seed", file), message)


def test_a_plan_that_cannot_be_read_is_told_with_its_file(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    for text in ('{"design": [[1, 2]]}', '{"moves": []}', '{"plans": []}', '{"level": "sokoban/first"}'):
        file.write_text(text)
        answer = ask("replay", "lemmings/seed", file, "--json")
        assert answer.err.startswith(f"{file}: error: ") and answer.data["file"] == str(file)


def test_an_illegal_move_is_a_verdict(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text('{"actions": "down down"}')
    answer = ask("replay", "sokoban/first", file)
    assert answer.status == 1 and "no win: turn 2: " in answer.out
