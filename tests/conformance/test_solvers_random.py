"""Every solver on random levels, which plain Python solves from scratch: no solver is trusted."""

from __future__ import annotations

from random import Random

import pytest

from ggp import api, registry
from ggp.errors import UnsupportedFeature
from ggp.language.description import read_game
from ggp.language.levels import builtin
from ggp.model import Instance, Level, Piece
from ggp.model.features import missing
from tests.oracles import lemmings, sokoban, sudoku
from tests.oracles.random_maps import scattered, sokoban_map
from tests.slow import one_in
from tests.solver_levels import NOTHING, PROVING, QUICK, checked, level_of


def random_lemmings(rng: Random) -> tuple[list[str], int, str]:
    """A map for Lemmings with few free cells, a horizon and an ending."""
    border = rng.random() < 0.5
    height, width = rng.randint(5, 7) - 2 * (not border), rng.randint(5, 7) - 2 * (not border)
    marks = "".join(rng.choice("<>") for _ in range(rng.choice([1, 1, 2, 3]))) + "T" * rng.choice([1, 1, 2])
    rows = scattered(rng, height, width, "X", marks, border=border, density=rng.choice([0.2, 0.4]))
    return rows, rng.randint(2, 9), rng.choice(["horizon", "any-turn"])


@pytest.mark.parametrize("seed", one_in(3, range(40)))
def test_random_lemmings(seed: int) -> None:
    rng = Random(seed)
    rows, horizon, when = random_lemmings(rng)
    level = lemmings.read(rows)
    budget = rng.randint(0, 3 if len(level.free) > 12 else 5)  # now and then more than anyone needs
    one = level_of("lemmings", rows, horizon, when, budget=budget)
    won = lemmings.winning(level, budget, horizon, when)
    listed = {bricks for bricks in won if lemmings.every_brick_matters(level, bricks, horizon, when)}
    for solver in QUICK:
        result = checked(one, api.solve(one, solver, "all"))
        found = [frozenset(cell for cell, _ in plan.design) for plan in result.plans]
        assert len(found) == len(set(found)) and set(found) == listed, solver
        assert result.complete and result.count == len(won), solver
        counted = api.solve(one, solver, "count")
        assert counted.complete and counted.count == len(won), solver
        best = checked(one, api.solve(one, solver))
        if won:
            fewest = min(map(len, won))
            assert (best.stop, best.objective, best.bound) == ("optimal", fewest, fewest), solver
        else:
            assert best.stop in NOTHING and best.complete, solver


@pytest.mark.parametrize("seed", one_in(3, range(16)))
def test_random_sokoban(seed: int) -> None:
    rng = Random(seed)
    rows = sokoban_map(rng, most=5, crates=2)
    level, horizon = sokoban.read(rows), rng.randint(3, 9)
    one = level_of("sokoban", rows, horizon)
    few = level_of("sokoban", rows, min(horizon, 6))
    plans = set(sokoban.plans(level, min(horizon, 6)))
    for solver in QUICK:
        for objective in ("turns", "pushes"):
            best = sokoban.fewest(level, objective, horizon)
            result = api.solve(one, solver, objective=objective)
            checked(one, result)
            if best is None:
                assert result.stop in NOTHING and not result.plans, (solver, objective)
            else:
                assert (result.stop, result.objective, result.bound) == ("optimal", best[0], best[0]), solver
        result = checked(few, api.solve(few, solver, "all"))
        assert {plan.actions for plan in result.plans} == plans, solver
        assert result.complete and result.count == len(result.plans) == len(plans), solver
        assert api.solve(few, solver, "count").count == len(plans), solver


@pytest.mark.parametrize("solver", one_in(2, PROVING))
def test_without_a_horizon(solver: str) -> None:
    """The fewest turns of all, although nothing says how many to look at."""
    one = level_of("sokoban", ["@ $ .", "     "], 0)
    one = Instance(one.game, Level("endless", one.level.board, None))
    if missing(one, registry.load("solver", solver).FEATURES):
        with pytest.raises(UnsupportedFeature):
            api.solve(one, solver)
        return
    result = checked(one, api.solve(one, solver, objective="turns"))
    assert (result.stop, result.objective) == ("optimal", 3)


LATIN = """
name = "latin"
[kinds]
digit = { layer = "digit", values = [1, "width"] }
[symbols]
"." = ""
"1234" = "digit:1.."
[design]
place = "digit"
free-of = ["digit"]
fill = true
[goal]
win = ["different digit in rows, columns"]
"""


@pytest.mark.parametrize("boxes", [True, False], ids=["sudoku", "latin"])
@pytest.mark.parametrize("seed", one_in(2, range(8)))
def test_random_squares(seed: int, boxes: bool) -> None:
    """With one solution, with several, and, where a given digit is changed, often with none."""
    rng = Random(seed)
    grids = list(sudoku.solutions([[0] * 4 for _ in range(4)], boxes))
    keep, grid = rng.choice([0.35, 0.5]), rng.choice(grids)
    given = [[digit if rng.random() < keep else 0 for digit in row] for row in grid]
    if seed % 2:
        given[rng.randrange(4)][rng.randrange(4)] = rng.randint(1, 4)
    game = builtin("sudoku")[0] if boxes else read_game(LATIN.encode(), "latin")[0]
    one = level_of(game, ["".join(str(digit or ".") for digit in row) for row in given], 0)
    expected = {
        frozenset(
            ((row, column), Piece("digit", solution[row][column]))
            for row in range(4)
            for column in range(4)
            if not given[row][column]
        )
        for solution in sudoku.solutions(given, boxes)
    }
    for solver in QUICK:
        result = checked(one, api.solve(one, solver, "all"))
        assert {frozenset(plan.design) for plan in result.plans} == expected, solver
        assert result.complete and result.count == len(result.plans) == len(expected), solver
        assert result.stop in (("satisfied",) if expected else NOTHING), solver
        assert len(checked(one, api.solve(one, solver)).plans) == bool(expected), solver
