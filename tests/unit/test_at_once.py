"""What is solved in this process has the answers that a worker has, also where it is given up on the way."""

from __future__ import annotations

import pytest

from ggp import api
from ggp.engines.sat import at_once
from ggp.language import levels
from ggp.model import Instance, Plan
from ggp.model.result import OutOfTime
from ggp.solvers import sat
from ggp.tasks.solving import Run
from tests.solver_levels import level_of

SEVERAL = ["slitherlink/ambiguous", "nurikabe/ambiguous", "fillomino/ambiguous"]


def listed(level: str) -> set[Plan]:
    """All answers, none of which comes twice (that would be an error)."""
    result = api.solve(level, "sat", "all")
    assert result.complete
    return set(result.plans)


@pytest.mark.parametrize("level", SEVERAL)
def test_a_list_goes_on_where_it_was_given_up(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_once, "SMALL", -1)
    by_worker = listed(level)
    monkeypatch.setattr(at_once, "SMALL", 200_000)
    for rounds in (0, 1, 3, 6, 10_000):
        monkeypatch.setattr(at_once, "ROUNDS", rounds)
        assert listed(level) == by_worker
    assert len(by_worker) > 1


@pytest.mark.parametrize(
    "level", ["lemmings/seed", "lemmings/reach", "lights-out/small", "lights-out/square"]
)
def test_what_is_best_is_found_where_it_was_given_up(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker begins anew, and what is no better than what was found before is not told again."""
    here = levels.load(level)
    best = api.solve(here, "search").objective
    for rounds in (0, 1, 2, 3, 4, 10_000):
        monkeypatch.setattr(at_once, "ROUNDS", rounds)
        run = Run(here, "sat", "best")
        worth = [cost(here, plan) for plan in run]
        assert run.result is not None and run.result.stop == "optimal"
        assert run.result.objective == run.result.bound == best == worth[-1]
        assert worth == sorted(set(worth), reverse=True)


def test_a_best_plan_of_small_clauses_needs_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sat, "Answering", None)
    assert api.solve("lemmings/seed", "sat").objective == 3


def cost(instance: Instance, plan: Plan) -> int:
    """What the plan costs: what it places, or else its turns."""
    return len(plan.design) if instance.game.design is not None else len(plan.actions)


@pytest.mark.parametrize("rounds", [0, 2, 10_000])
def test_that_there_is_none_is_said_either_way(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_once, "ROUNDS", rounds)
    result = api.solve("slitherlink/contradiction", "sat", "first")
    assert result.stop == "unsolvable"
    assert result.complete


def given(clauses: list[list[int]]) -> dict[str, object]:
    """What a worker would get."""
    told = {"clauses": clauses, "cards": [], "graphs": [], "variables": 3, "decisions": [1, 2, 3]}
    return {**told, "minimise": [], "solver": "cadical195", "want": "all", "keep": None, "log": None}


def test_what_was_found_is_told_to_who_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_once, "ROUNDS", 2)
    trying = at_once.AtOnce(given([[1, 2]]), lambda: None)
    found = list(trying)
    assert trying.status is None
    assert len(found) == 2
    passed = [[-lit if lit in ones else lit for lit in (1, 2, 3)] for ones in found]
    assert trying.given["clauses"] == [[1, 2], *passed]


def test_it_stops_when_time_is_up() -> None:
    def late() -> None:
        raise OutOfTime

    with pytest.raises(OutOfTime):
        list(at_once.AtOnce(given([[1, 2]]), late))


def test_what_is_large_or_to_be_kept_is_not_tried_here(monkeypatch: pytest.MonkeyPatch) -> None:
    assert at_once.AtOnce(given([[1, 2]]), lambda: None).fits
    assert not at_once.AtOnce({**given([[1, 2]]), "keep": "file.cnf"}, lambda: None).fits
    best = {**given([[1, 2]]), "want": "best"}
    assert at_once.AtOnce({**best, "minimise": [(3, 1), (-2, 2)]}, lambda: None).fits
    assert not at_once.AtOnce({**best, "minimise": [(300, 1), (-300, 2)]}, lambda: None).fits
    monkeypatch.setattr(at_once, "SMALL", 1)
    assert not at_once.AtOnce(given([[1, 2]]), lambda: None).fits


def test_what_costs_nothing_costs_nought() -> None:
    """A level that is won as it stands: nothing is left to make small, and its cost is known all the same."""
    one = level_of("sokoban", ["@*"], 0)
    result = api.solve(one, "sat", objective="turns", encoding="occupancy")
    assert (result.stop, result.objective, result.bound) == ("optimal", 0, 0)
