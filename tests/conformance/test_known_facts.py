"""What the descriptions say is known of their levels, proved by the plain Python in `tests/oracles`."""

from __future__ import annotations

import functools

import pytest

from ggp import api
from ggp.encoding.debug import violations
from ggp.language import levels
from ggp.language.maps import symbols_of
from ggp.model import Cell, Instance
from ggp.referee.semantics import ending
from ggp.referee.trajectory import replay
from tests.oracles import lemmings, sokoban, sudoku
from tests.slow import one_in, slow_unless
from tests.solver_levels import LEVELS, QUICK, SHORT


def rows_of(one: Instance) -> list[str]:
    """The map of a level in the symbols of its game."""
    symbols = {pieces: symbol for symbol, pieces in reversed(symbols_of(one.game).items())}
    return ["".join(symbols[here] for here in row) for row in one.level.board]


@functools.cache
def bricks_that_win(name: str) -> list[frozenset[Cell]]:
    """Every set of bricks that wins a level of Lemmings, by plain Python."""
    one = levels.load(name)
    rows = [row.replace("L", "<").replace("R", ">") for row in rows_of(one)]
    budget = dict(one.level.numbers)["budget"]
    return lemmings.winning(lemmings.read(rows), budget, one.level.horizon or 0, ending(one))


@pytest.mark.parametrize("name", one_in(3, levels.levels("lemmings")))
def test_facts_of_lemmings_by_plain_python(name: str) -> None:
    known, found = levels.load(name).level.known, bricks_that_win(name)
    assert known.solvable == bool(found)
    assert {frozenset(cell for cell, _ in plan.design) for plan in known.wins} <= set(found)
    if found:
        assert dict(known.optimum)["bricks"] == min(map(len, found))
        assert known.solutions == len(found), "no level has spare bricks, so every one of them matters"


@pytest.mark.parametrize("name", levels.levels("sokoban"))
def test_facts_of_sokoban_by_plain_python(name: str) -> None:
    one = levels.load(name)
    level, known, horizon = sokoban.read(rows_of(one)), one.level.known, one.level.horizon or 0
    assert known.solvable == (sokoban.fewest(level, "turns", horizon) is not None)
    for objective, best in known.optimum:
        answer = sokoban.fewest(level, objective, horizon)
        assert answer is not None and answer[0] == best
    # The horizon cuts off no better plan.
    assert sokoban.fewest(level, "pushes", 3 * horizon) == sokoban.fewest(level, "pushes", horizon)


# Plain Python tries digits one after another, which takes too long for more than nine of them.
SUDOKUS = [name for name in levels.levels("sudoku") if len(levels.load(name).level.board) <= 9]


@pytest.mark.parametrize("name", slow_unless(lambda name: "hard" not in name, SUDOKUS))
def test_facts_of_sudoku_by_plain_python(name: str) -> None:
    one = levels.load(name)
    found = list(sudoku.solutions(sudoku.read(rows_of(one))))
    known = one.level.known
    assert known.solvable == bool(found) and known.solutions == len(found) == len(known.wins)
    for solution in found:
        assert any(
            all(solution[row][column] == piece.variant for (row, column), piece in win.design)
            for win in known.wins
        )


@pytest.mark.parametrize("name", LEVELS)
def test_known_plans_replay(name: str) -> None:
    one = levels.load(name)
    known = one.level.known
    assert known.solvable is not None and known.loses, f"{name} lacks known facts: see [level.known]"
    assert bool(known.wins) == known.solvable
    verdicts = [replay(one, plan) for plan in known.wins]
    assert all(verdict.won for verdict in verdicts)
    for objective, best in known.optimum:
        assert min(verdict.values[objective] for verdict in verdicts) == best
    assert not any(replay(one, plan).won for plan in known.loses)


@pytest.mark.parametrize("name", one_in(9, SHORT))
def test_known_plans_in_the_encoding(name: str) -> None:
    """What wins breaks nothing; what loses breaks something that the description speaks of."""
    one = levels.load(name)
    for plan in one.level.known.wins:
        assert violations(one, plan) == []
    for plan in one.level.known.loses:
        found = violations(one, plan)
        assert found and all(map(str, found))


SIX = {frozenset({a, b, (6, 6)}) for a in ((2, 1), (4, 1), (5, 1)) for b in ((5, 4), (6, 4))}


@pytest.mark.parametrize("solver", QUICK)
def test_the_six_plans_of_the_seed(solver: str) -> None:
    result = api.solve("lemmings/seed", solver, "all")
    found = [frozenset(cell for cell, _ in plan.design) for plan in result.plans]
    assert len(found) == 6 and set(found) == SIX
    assert (result.stop, result.complete, result.count) == ("satisfied", True, 6)
    assert set(bricks_that_win("lemmings/seed")) == SIX
