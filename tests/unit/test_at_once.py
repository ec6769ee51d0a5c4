"""What is solved in this process has the answers that a worker has, also where it is given up on the way."""

from __future__ import annotations

import pytest

from ggp import api
from ggp.engines.sat import at_once
from ggp.model import Plan
from ggp.model.result import OutOfTime
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


@pytest.mark.parametrize("rounds", [0, 2, 10_000])
def test_that_there_is_none_is_said_either_way(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_once, "ROUNDS", rounds)
    result = api.solve("slitherlink/contradiction", "sat", "first")
    assert result.stop == "unsolvable"
    assert result.complete


def given(clauses: list[list[int]]) -> dict[str, object]:
    """What a worker would get."""
    told = {"clauses": clauses, "cards": [], "graphs": [], "variables": 3, "decisions": [1, 2, 3]}
    return {**told, "solver": "cadical195", "want": "all", "keep": None, "log": None}


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
    assert not at_once.AtOnce({**given([[1, 2]]), "want": "best"}, lambda: None).fits
    monkeypatch.setattr(at_once, "SMALL", 1)
    assert not at_once.AtOnce(given([[1, 2]]), lambda: None).fits


def test_what_costs_nothing_costs_nought() -> None:
    """A level that is won as it stands: nothing is left to make small, and its cost is known all the same."""
    one = level_of("sokoban", ["@*"], 0)
    result = api.solve(one, "sat", objective="turns", encoding="occupancy")
    assert (result.stop, result.objective, result.bound) == ("optimal", 0, 0)
