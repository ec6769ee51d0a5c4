"""Macro turns for the fewest turns, by name: judged by the Python of `tests/oracles`, and the referee."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from random import Random

import pytest

from ggp import api
from ggp.analysis.relaxed import FAR
from ggp.encoding.fewest import Fewest, timed_turns
from ggp.encoding.lowering.route import ANY
from ggp.encoding.unroll import Attempt
from ggp.errors import UnsupportedFeature
from ggp.language.maps import read_board, symbols_of
from ggp.model import Instance, Objective, Plan
from ggp.model.result import Clock, Outcome, Query, Result
from tests.oracles import sokoban
from tests.oracles.random_maps import sokoban_map
from tests.unit.test_macro_turns import PUSH, STEP, checked, described, endless


def by_turns(one: Instance) -> Instance:
    """The same level of a game whose turns are to be fewest."""
    return replace(one, game=replace(one.game, objectives=(Objective("turns", "turns"),)))


def asked(one: Instance, solver: str = "sat") -> Result:
    """The answer in macro turns."""
    result = api.solve(one, solver, objective="turns", encoding="macro")
    assert result.encoded == "macro"
    return result


@pytest.mark.parametrize("seed", range(12))
def test_random_levels_by_plain_python(seed: int) -> None:
    """With a horizon, which some plans do not keep, and without one."""
    rng = Random(seed)
    rows, horizon = sokoban_map(rng, most=5, crates=2), rng.randint(4, 14)
    level = sokoban.read(rows)
    best = sokoban.fewest(level, "turns", horizon)
    checked(endless(rows, horizon), asked(endless(rows, horizon)), None if best is None else best[0])
    if best is not None:
        checked(endless(rows), asked(endless(rows)), best[0])


ROUND = ["######", "#@$ .#", "#  # #", "#    #", "######"]
# In the plans of fewest turns there are more pushes than are needed.
PUSHED_MORE = [
    ["    ", "  . ", "    ", "  $+", "    "],
    ["+  ", " $ ", "   ", ".$ ", "  ."],
]


@pytest.mark.parametrize("solver", ["sat", "cp-sat", "cbc"])
def test_solvers_agree(solver: str) -> None:
    best = sokoban.fewest(sokoban.read(ROUND), "turns", 40)
    assert best is not None
    checked(endless(ROUND), asked(endless(ROUND), solver), best[0])


@pytest.mark.parametrize("rows", PUSHED_MORE)
def test_the_fewest_turns_may_take_more_pushes_than_are_needed(rows: list[str]) -> None:
    level = sokoban.read(rows)
    best = sokoban.fewest(level, "turns", 20)
    fewest = sokoban.fewest(level, "pushes", 20)
    assert best is not None and fewest is not None
    within = sokoban.fewest(level, "pushes", best[0])
    assert within is not None and within[0] > fewest[0]
    checked(endless(rows), asked(endless(rows)), best[0])


def test_the_walk_after_the_last_push_takes_its_turns() -> None:
    for goal in ('every crate on target", "no me on target', "some me on target"):
        level = by_turns(described(f"{PUSH}\n{STEP}", goal=goal))
        best = api.solve(level, "search").objective
        checked(level, asked(level), None if best is None else int(best))


STAIRS = ["@ ########", "#. #######", "##  ######", "###  .   #", "####   $ #", "####     #"]


@pytest.mark.parametrize("horizon", [None, 3])
def test_the_way_to_the_first_push_is_none_of_a_plan_without_pushes(horizon: int | None) -> None:
    """The goal is two steps away, and all that can be pushed further than the horizon."""
    level = by_turns(described(f"{PUSH}\n{STEP}", goal="some me on target"))
    board, _ = read_board(STAIRS, symbols_of(level.game), lambda row, column: level.game.place)  # type: ignore[arg-type, return-value]
    level = replace(level, level=replace(level.level, board=board, horizon=horizon))
    checked(level, asked(level), 2)


def ended(outcome: Outcome, one: Instance) -> Outcome:
    """What is known after a solver that finds nothing, and ends so."""

    def solver(attempt: Attempt, query: Query) -> Generator[Plan, None, Outcome]:
        yield from ()
        return outcome

    relaxed = timed_turns(one)
    assert relaxed is not None
    query = Query("best", Objective("turns", "turns"), None, Clock(None))
    with pytest.raises(StopIteration) as end:
        next(Fewest(relaxed, query, solver, ANY).plans())
    found: Outcome = end.value.value
    return found


def test_a_solver_that_fails_ends_the_search() -> None:
    """No answer about so many pushes is no proof that they are too few."""
    end = ended(Outcome("error", raw="no idea"), endless(ROUND, 8))
    assert (end.stop, end.complete) == ("error", False)


def test_what_is_lost_is_said_without_a_solver() -> None:
    one = endless(["$   ", "  . ", " @  "])
    relaxed = timed_turns(one)
    assert relaxed is not None and relaxed.matching[0] >= FAR
    result = asked(one)
    assert (result.stop, result.complete) == ("unsolvable", True)


def test_where_it_is_not_named_turns_are_told_one_by_one() -> None:
    one = endless(ROUND)
    assert api.solve(one, "sat", objective="turns").encoded == "layers"
    of_two = by_turns(described(f"{STEP}\nroll toward any: crate here, me ahead => stay"))
    with pytest.raises(UnsupportedFeature, match="not about one agent that walks and pushes"):
        asked(of_two)


def test_a_bound_is_told_where_time_is_up() -> None:
    """No plan has fewer turns than the pushes that are not gone through yet, and the walk to the first."""
    end = ended(Outcome("time-limit"), endless(ROUND, 8))
    best = sokoban.fewest(sokoban.read(ROUND), "turns", 8)
    assert best is not None and end.bound is not None and 1 < end.bound <= best[0]
    assert (end.stop, end.complete) == ("time-limit", False)
