"""Planners as solvers: they agree with what is known, keep to limits, and what is no answer is an error."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from ggp import api, registry
from ggp.engines import planning
from ggp.errors import SolverError, UnsupportedFeature
from ggp.language import levels
from ggp.model import Instance
from ggp.model.result import Clock, OutOfTime, Query, Want
from ggp.referee.trajectory import tidy
from ggp.tasks.questions import objective_of
from tests.slow import slow_unless

PLANNERS = [
    name for name in ("pyperplan", "fast-downward") if registry.load("solver", name).available() is None
]
pytestmark = pytest.mark.skipif(not PLANNERS, reason="no planner is installed")
ONE = PLANNERS[-1:]


def within(name: str, horizon: int | None) -> Instance:
    """A level with another horizon."""
    one = levels.load(name)
    return replace(one, level=replace(one.level, horizon=horizon))


@pytest.mark.parametrize("solver", slow_unless(ONE, PLANNERS))
def test_the_fewest_turns(solver: str) -> None:
    result = api.solve("sokoban/corner", solver)
    assert (result.stop, result.objective, result.bound, result.complete) == ("optimal", 10, 10, True)
    result = api.solve("sokoban/corner", solver, "first")
    assert result.stop == "satisfied" and len(result.plans) == 1


def test_what_a_planner_leaves_behind_goes_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One that is ended while it works leaves its task where it is."""
    monkeypatch.chdir(tmp_path)
    code = "import time; open('output.sas', 'w').close(); print('ready', flush=True); time.sleep(60)"
    monkeypatch.setattr(planning, "python", lambda module: ([sys.executable, "-c", code], {}))
    assert api.solve("sokoban/first", ONE[0], time_limit=0.5).stop == "time-limit"
    assert not list(tmp_path.iterdir())


def test_the_fewest_pushes_are_not_the_fewest_turns() -> None:
    if "fast-downward" not in PLANNERS:
        pytest.skip("fast-downward is not installed")
    result = api.solve("sokoban/crossing", "fast-downward", objective="pushes")
    assert (result.stop, result.objective, result.bound) == ("optimal", 9, 9)
    with pytest.raises(UnsupportedFeature, match="action costs"):
        api.solve("sokoban/crossing", "pyperplan", objective="pushes")


@pytest.mark.parametrize("solver", slow_unless(PLANNERS[:1], PLANNERS))
def test_a_plan_that_is_too_long_is_none(solver: str) -> None:
    result = api.solve(within("sokoban/first", 5), solver, "first")
    assert (result.stop, result.plans, result.complete) == ("horizon-exhausted", (), True)
    assert "the shortest plan takes 6 turns" in result.note


@pytest.mark.parametrize("solver", slow_unless(PLANNERS[:1], PLANNERS))
def test_what_cannot_be_solved_is_proved(solver: str) -> None:
    one = levels.load("sokoban/first")
    rows = [list(row) for row in one.level.board]
    rows[1][1], rows[2][2] = rows[2][2], frozenset()  # the crate in a corner
    cornered = Instance(one.game, replace(one.level, board=tuple(map(tuple, rows))))
    result = api.solve(cornered, solver, "first")  # asks for any plan, and then for a proof
    assert (result.stop, result.complete, result.plans) == ("unsolvable", True, ())


@pytest.mark.parametrize("solver", PLANNERS)
@pytest.mark.parametrize("want", ["all", "count"])
def test_how_many_plans_there_are_is_not_known(solver: str, want: str) -> None:
    with pytest.raises(UnsupportedFeature, match="finds one plan"):
        api.solve("sokoban/first", solver, want)  # type: ignore[arg-type]


# --- planners that misbehave


def answering(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run this instead of the worker."""
    monkeypatch.setattr(planning, "python", lambda module: ([sys.executable, "-c", code], {}))


def said(status: str, steps: object) -> str:
    """A worker that answers so."""
    answer = {"status": status, "steps": steps, "proves": True, "configuration": "fake", "note": "n"}
    return f"import json; print(json.dumps({answer!r}))"


@pytest.mark.parametrize("solver", ONE)
@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("raise SystemExit(3)", "status 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("print('no plan')", "ended with status 0"),
        ("print('[1]')", "ended with status 0"),
        (said("MAYBE", None), "MAYBE"),
        (said("SOLVED_OPTIMALLY", None), "SOLVED_OPTIMALLY"),
        (said("UNSOLVABLE_PROVEN", []), "UNSOLVABLE_PROVEN"),
        (said("SOLVED_SATISFICING", [["fly", "up"]]), "no step"),
        (said("SOLVED_SATISFICING", [["step", "up", "c_2_3", "c_1_3"]]), "does not win"),
        (said("SOLVED_OPTIMALLY", []), "does not win"),
    ],
)
def test_what_is_no_answer_is_an_error(
    solver: str, code: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(code, monkeypatch)
    with pytest.raises(Exception, match=message) as caught:
        api.solve("sokoban/first", solver)
    assert isinstance(caught.value, SolverError) or "no step" in message


@pytest.mark.parametrize("solver", ONE)
def test_one_that_hangs_is_ended(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answering("import time; time.sleep(60)", monkeypatch)
    started = time.monotonic()
    result = api.solve("sokoban/first", solver, time_limit=0.5)
    assert (result.stop, result.plans) == ("time-limit", ())
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("solver", ONE)
@pytest.mark.parametrize(("status", "stop"), [("TIMEOUT", "time-limit"), ("MEMOUT", "memory-limit")])
def test_limits_of_its_own(solver: str, status: str, stop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(said(status, None), monkeypatch)
    assert api.solve("sokoban/first", solver).stop == stop


@pytest.mark.parametrize("solver", ONE)
def test_giving_up_is_no_proof(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(said("UNSOLVABLE_INCOMPLETELY", None), monkeypatch)
    result = api.solve("sokoban/first", solver)
    assert (result.stop, result.complete) == ("error", False)


@pytest.mark.parametrize("solver", ONE)
def test_a_plan_is_cut_where_it_wins(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planner that looks for any plan may go on after the goal first held; the run does not."""
    win = levels.load("sokoban/first").level.known.wins[0]
    longer = tidy(levels.load("sokoban/first"), replace(win, actions=(*win.actions, "up", "up")))
    assert longer == win


@pytest.mark.parametrize("want", ["first", "best"])
@pytest.mark.parametrize("objective", [None, "pushes", "turns"])
def test_a_task_may_be_ended_while_it_is_written(want: Want, objective: str | None) -> None:
    """A game that counts far over the board took 16 seconds of a limit of 3."""
    instance = levels.load("sokoban/first")
    query = Query(want, None if objective is None else objective_of(instance, objective), clock=Clock(9.0))
    asked = []

    def write(*_: object) -> NoReturn:
        asked.append(query.clock.breakable)
        raise OutOfTime

    query.clock.breakable = False
    with pytest.raises(OutOfTime):
        next(planning.solve(planning.Planner("none", frozenset()), instance, query, write))
    assert asked == [True] and query.clock.unwritten and not query.clock.breakable
