"""A session that is told turn after turn: the fewest turns, by plain Python; and how it ends."""

from __future__ import annotations

import sys
from dataclasses import replace
from random import Random

import pytest

from ggp import api
from ggp.engines import sat_session
from ggp.errors import SolverError, UnsupportedFeature
from ggp.model import Instance
from ggp.model.result import Clock, OutOfTime
from tests.oracles import sokoban
from tests.oracles.random_maps import sokoban_map
from tests.slow import one_in
from tests.solver_levels import NOTHING, checked, level_of


def drawn(seed: int) -> tuple[Instance, tuple[list[str], int]]:
    """A random level of Sokoban, with its rows and its horizon."""
    rng = Random(seed)
    rows, horizon = sokoban_map(rng, most=5, crates=rng.choice([1, 1, 2])), rng.randint(3, 30)
    return level_of("sokoban", rows, horizon), (rows, horizon)


@pytest.mark.parametrize("seed", one_in(2, range(24)))
def test_the_fewest_turns_of_random_levels(seed: int) -> None:
    one, (rows, horizon) = drawn(seed)
    best = sokoban.fewest(sokoban.read(rows), "turns", horizon)
    result = checked(one, api.solve(one, "sat", objective="turns", encoding="layers"))
    assert result.encoded == "layers"
    if best is None:
        assert result.stop in NOTHING and result.complete and not result.plans
    else:
        assert (result.stop, result.objective, result.bound) == ("optimal", best[0], best[0])


def test_both_ends_come_up() -> None:
    """Of the levels above some can be won and some cannot."""
    found = [sokoban.fewest(sokoban.read(rows), "turns", turns) for _, (rows, turns) in map(drawn, range(24))]
    assert 4 < sum(one is not None for one in found) < 20


def test_without_a_horizon_it_goes_on_until_there_is_a_plan() -> None:
    one = api.load("sokoban/first")
    free = replace(one, level=replace(one.level, horizon=None))
    result = checked(free, api.solve(free, "sat", objective="turns", encoding="layers"))
    assert result.stop == "optimal"
    assert result.objective == api.solve(one, "search", objective="turns").objective


def test_out_of_time_says_how_many_turns_are_ruled_out() -> None:
    result = api.solve("sokoban/crossing", "sat", objective="turns", encoding="layers", time_limit=0.6)
    assert result.stop == "time-limit" and (result.bound or 0) > 0
    assert result.note == f"any plan has {result.bound} or more turns"


@pytest.mark.parametrize(
    ("solver", "want", "objective", "why"),
    [
        ("cp-sat", "best", "turns", "cannot be told more turns"),
        ("sat", "best", "pushes", "not the turns"),
        ("sat", "all", "turns", "listed and counted"),
    ],
)
def test_where_turns_are_not_told_one_by_one(solver: str, want: str, objective: str, why: str) -> None:
    with pytest.raises(UnsupportedFeature, match=why):
        api.solve("sokoban/first", solver, want, objective=objective, encoding="layers")  # type: ignore[arg-type]


def session_of(monkeypatch: pytest.MonkeyPatch, program: str, seconds: float | None = None) -> None:
    """Ask a program that is none of ours."""
    monkeypatch.setattr(sat_session, "python", lambda worker: ([sys.executable, "-c", program], {}))
    with sat_session.SatSession("cadical195", Clock(seconds)) as session:
        session.solve(sat_session.Added([[1]], []), [])


def test_a_session_that_ends_or_lies_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SolverError, match="sat"):
        session_of(monkeypatch, "raise SystemExit(3)")
    with pytest.raises(SolverError, match="no answer"):
        session_of(monkeypatch, "input(); input(); print('maybe')")
    with pytest.raises(SolverError, match="no meaning"):
        session_of(monkeypatch, 'input(); input(); print(\'{"status": "PERHAPS"}\')')
    with pytest.raises(MemoryError):
        session_of(monkeypatch, "input(); input(); raise MemoryError")
    with pytest.raises(OutOfTime):
        session_of(monkeypatch, "import time; time.sleep(60)", 0.5)
