"""The benchmark's baseline for linear solvers: its published size, and its optimum by trying everything."""

from __future__ import annotations

import pytest

from ggp.bench import case
from ggp.bench.baselines import cp as baseline_cp
from ggp.bench.baselines import mip as baseline_mip
from ggp.errors import SolverError
from ggp.language import levels
from ggp.model import Cell, Instance
from tests.unit.bench.test_bench import PIT, ROLES, by_trying_all, instance


def test_it_has_the_published_size() -> None:
    posted = baseline_mip.Posted(levels.load("lemmings/seed"), baseline_cp.Roles.of(case("seed")["roles"]))
    assert (posted.columns, len(posted.rows)) == (20_100, 41_820)


def winning(drawing: str, horizon: int, budget: int) -> set[frozenset[Cell]]:
    """In this program a walker may stay on the target, so it is enough to be there at some turn."""
    return {planks for turns in range(1, horizon + 1) for planks in by_trying_all(drawing, turns, budget)}


def fewest(drawing: str, horizon: int, budget: int) -> int | None:
    return min(map(len, winning(drawing, horizon, budget)), default=None)


@pytest.mark.parametrize(("horizon", "budget"), [(6, 0), (7, 1), (8, 2), (9, 2), (5, 1), (3, 2)])
def test_it_finds_as_few_as_trying_all_does(horizon: int, budget: int) -> None:
    level: Instance = instance(PIT, horizon, budget)
    least = fewest(PIT, horizon, budget)
    if least is None:
        with pytest.raises(SolverError, match="INFEASIBLE"):
            baseline_mip.solve(level, ROLES)
        return
    best = baseline_mip.solve(level, ROLES)
    placed = frozenset(cell for cell, _ in best.plan.design)
    assert len(placed) == least and placed in winning(PIT, horizon, budget)


def test_some_of_those_have_answers() -> None:
    found = [fewest(PIT, *numbers) for numbers in [(6, 0), (7, 1), (8, 2), (5, 1), (3, 2)]]
    assert None in found and any(found)
