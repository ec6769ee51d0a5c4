"""Writing the encoding, and handing it over, are part of the run: a limit holds for all of it."""

from __future__ import annotations

import time
from collections.abc import Generator
from types import SimpleNamespace
from typing import Any

import pytest

from ggp import api
from ggp.encoding.fields import Field
from ggp.encoding.lowering import linear_rows
from ggp.encoding.lowering.route import lowered
from ggp.encoding.occupancy import encode
from ggp.encoding.symbolic import Formulas
from ggp.engines import answers
from ggp.engines.linear.adapter import BACKEND, Solving, Task
from ggp.language import levels
from ggp.model import Plan
from ggp.model.result import Clock, Facts, Outcome, OutOfTime, Query
from ggp.solvers import cpsat
from ggp.solvers.cpsat import runs
from ggp.solvers.cpsat.posted import Posted
from ggp.tasks.questions import with_horizon
from ggp.tasks.solving import UNWRITTEN, Run, ranges
from ggp.transition.compiler import compile_instance
from ggp.transition.scanned import cut_passes
from tests.puzzlescript_games import instance

LEVEL = "sudoku-x/ambiguous"  # two answers


class Ticking:
    """A clock's check that says so when it has been asked so often."""

    def __init__(self, most: int) -> None:
        self.left = most

    def __call__(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise OutOfTime


def test_writing_the_rows_of_cbc_looks_at_the_clock() -> None:
    encoding = encode(levels.load(LEVEL))
    asked = Ticking(1_000_000)
    booleans = lowered(encoding, BACKEND, asked).encoding
    assert 1_000_000 - asked.left > len(booleans.constraints)
    linear_rows.lower(booleans, asked)
    often = 1_000_000 - asked.left
    assert often > 2 * len(booleans.constraints)
    again = Ticking(often - 1)
    with pytest.raises(OutOfTime):  # in the rows, the last that is written
        linear_rows.lower(lowered(encoding, BACKEND, again).encoding, again)


def test_unions_of_what_is_shared_look_at_the_clock() -> None:
    """They make no new part: a hundred rules about values went on for twice their limit."""
    instance, heard = levels.load("sokoban/first"), list[bool]()
    formulas = Formulas(encode(instance), compile_instance(instance), lambda: heard.append(True))
    both = Field(formulas, {0: True}) | Field(formulas, {1: True})
    assert heard and both.at(0) is both.at(1) is True


def test_what_it_takes_to_write_a_task_is_not_given_to_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    class Child:
        def __init__(self, command: list[str], **options: Any) -> None:
            given.update(options)

    def slowly(what: Any, **options: Any) -> str:
        time.sleep(0.05)
        return "{}"

    monkeypatch.setattr(answers, "Child", Child)
    monkeypatch.setattr(answers.json, "dumps", slowly)
    Solving("cbc", Task(1, []), 10.0)
    assert 9.0 < given["seconds"] <= 9.95
    Solving("cbc", Task(1, []), 0.01)
    assert given["seconds"] == 0.0


def test_cp_sat_apart_answers_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MANY_VALUES", 0)
    started = []
    monkeypatch.setattr(runs, "Answering", lambda *given: started.append(1) or answers.Answering(*given))
    result = api.solve(LEVEL, "cp-sat", "all", time_limit=60)
    assert (result.stop, result.complete, result.count) == ("satisfied", True, 2)
    assert set(result.plans) == set(levels.load(LEVEL).level.known.wins)
    assert api.solve(LEVEL, "cp-sat", "first", time_limit=60).stop == "satisfied"
    assert len(started) == 2
    api.solve(LEVEL, "cp-sat", "first")  # no limit, so nothing that it could overrun
    assert len(started) == 2


def test_cp_sat_apart_is_ended_when_time_is_up() -> None:
    """The twentieth part of a second is over before the process has started."""
    encoding = lowered(encode(levels.load("latin-square/9x9")), cpsat.BACKEND).encoding
    run = runs.Apart(Posted(encoding, lambda: None), Query("first", clock=Clock(0.05)))
    assert list(run) == [] and run.answering is not None and run.answering.ended.timed_out
    assert cpsat.STATUS[run.status()] == "time-limit"


def test_what_cp_sat_may_overrun(monkeypatch: pytest.MonkeyPatch) -> None:
    limited, free = Query("first", clock=Clock(60)), Query("first")
    encoding = encode(levels.load("latin-square/20"))  # 400 cells of 20 values
    monkeypatch.setattr(runs, "MANY_VALUES", 7_999)
    assert runs.may_overrun(encoding, limited) and not runs.may_overrun(encoding, free)
    monkeypatch.setattr(runs, "MANY_VALUES", 8_000)
    assert not runs.may_overrun(encoding, limited)


# --- while a question is written down -----------------------------------------------------------------------


def busy(*given: Any, **options: Any) -> Any:
    """Go on for a second, and look at no clock."""
    start = time.perf_counter()
    while time.perf_counter() < start + 1.0:
        pass


@pytest.mark.parametrize("ours", [True, False])
@pytest.mark.parametrize(
    ("module", "name"), [("ggp.encoding.unroll", "encode"), ("ggp.encoding.choices.layers", "soonest")]
)
def test_writing_is_ended_wherever_it_is(
    module: str, name: str, ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And that nothing is known then is said."""
    monkeypatch.setattr(f"{module}.{name}", busy)
    one = levels.load("sokoban/first") if name == "soonest" else levels.load("sudoku/paper-4x4")
    start = time.perf_counter()
    run = Run(one, "sat", time_limit=0.1, rings=ours)
    assert list(run) == [] and time.perf_counter() - start < 0.8
    assert run.result is not None and run.result.stop == "time-limit" and run.result.note == UNWRITTEN
    assert run.clock.encoding > 0 and not run.clock.breakable


@pytest.mark.parametrize("ours", [True, False])
def test_making_passes_is_ended_too(ours: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    one = with_horizon(instance(), 4)
    monkeypatch.setattr("ggp.tasks.taking.cut_passes", busy)
    run = Run(one, "sat", time_limit=0.1, rings=ours)
    assert run.clock.seconds < 0.8
    assert list(run) == [] and run.result is not None
    assert (run.result.stop, run.result.note) == ("time-limit", UNWRITTEN)


def test_whoever_has_no_alarm_stops_after_making_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    one = with_horizon(instance(), 4)
    made = cut_passes(one)
    monkeypatch.setattr("ggp.tasks.taking.cut_passes", lambda given: (time.sleep(0.05), made)[1])
    run = Run(one, "sat", time_limit=0.01)
    assert list(run) == [] and run.result is not None and run.result.note == UNWRITTEN


def test_lines_that_follow_one_another_are_told_together() -> None:
    assert ranges([5, 3, 6, 7, 9, 1]) == "1, 3, 5 to 7, 9" and ranges([]) == ""


def test_a_plan_of_a_list_that_comes_as_the_time_is_up_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """And those after it are not waited for."""
    level = levels.load("latin-square/4")
    first, second, *_ = Run(level, "search", "all", limit=2)

    def slowly(asked: Any, query: Query) -> Generator[Plan, None, Outcome]:
        query.clock.start -= 100.0
        yield first
        yield second
        return Outcome("satisfied", True)

    run = Run(level, "search", "all", time_limit=60.0)
    monkeypatch.setattr(run, "module", SimpleNamespace(solve=slowly, FACTS=Facts(), versions=dict))
    assert list(run) == [first]
    assert run.result is not None and run.result.stop == "time-limit" and len(run.result.plans) == 1


def test_a_solver_is_told_how_many_plans_are_enough_where_each_is_listed() -> None:
    """Where a placement may be idle some plans are only counted, and the solver cannot know which."""
    latin, walks = levels.load("latin-square/4"), levels.load("lemmings/seed")
    assert Run(latin, "search", "all", limit=2).query.limit == 2
    assert Run(walks, "search", "all", limit=2).query.limit is None
