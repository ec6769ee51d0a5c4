"""Every solver of the registry on the built-in levels: known facts, and time limits.

Nothing here trusts a solver, nor two solvers that agree: the facts are proved in `test_known_facts.py`.
"""

from __future__ import annotations

import time
from itertools import product

import pytest

from ggp import api, registry
from ggp.engines.csp.tools import TOOLS
from ggp.errors import NotAvailable, UnsupportedFeature
from ggp.language import levels
from ggp.model import Instance
from ggp.model.features import missing
from ggp.model.result import Facts, facts_of
from ggp.transition.native.compiling import COMPILING
from tests.slow import one_in, slow_unless
from tests.solver_levels import (
    AVAILABLE,
    FACTS,
    FIRST,
    LEVELS,
    NOTHING,
    PROVING,
    QUICK,
    asked,
    asked_at_once,
    checked,
    level_of,
    takes,
)


@pytest.mark.parametrize("solver", AVAILABLE)
def test_what_is_known_of_a_solver_stands_on_it(solver: str) -> None:
    """Whether it proves and lists is seen on the levels below; here, whether what it names is there."""
    facts = FACTS[solver]
    assert isinstance(registry.load("solver", solver).FACTS, Facts)
    assert facts.engine in {None, "", *registry.SOLVERS}
    for variant in facts.variants:
        module = registry.load("solver", f"{solver}:{variant}")
        assert facts_of(module) == facts, "what answers under a variant is the same engine"
    taken = [name for name in FIRST if takes(solver, name)]
    if not facts.lists:
        with pytest.raises(UnsupportedFeature, match="finds one plan"):
            api.solve(taken[0], solver, "all")


@pytest.mark.parametrize("solver", sorted(set(registry.SOLVERS) - set(AVAILABLE)))
def test_what_cannot_run_here_says_why(solver: str) -> None:
    with pytest.raises(NotAvailable, match=solver) as error:
        api.solve(FIRST[0], solver)
    assert error.value.findings[0].remedy


ASKED = [(name, solver) for solver in PROVING for name in asked(solver)]


@pytest.mark.parametrize(
    ("name", "solver"), slow_unless(lambda pair: pair[0] in asked_at_once(pair[1]), ASKED)
)
def test_known_facts_hold(name: str, solver: str) -> None:
    one = levels.load(name)
    known = one.level.known
    objectives = one.game.objectives if solver in QUICK else one.game.objectives[:1]
    for objective in objectives:
        result = checked(one, api.solve(one, solver, objective=objective.name))
        if known.solvable:
            assert objective.name in dict(known.optimum), f"write what `ggp solve {name}` says into `optimum`"
            best = dict(known.optimum)[objective.name]
            assert (result.stop, result.objective, result.bound) == ("optimal", best, best)
            assert result.complete
        else:
            assert result.stop in NOTHING and not result.plans and result.complete
    if name in FIRST:
        result = checked(one, api.solve(one, solver, "first"))
        assert len(result.plans) == bool(known.solvable)
        # That one was asked for says nothing of others: no more is claimed, and nobody has to vouch for it.
        assert result.complete is not known.solvable and (result.proof is None) is known.solvable
    if one.game.input is None:
        result = checked(one, api.solve(one, solver, "all"))
        assert result.stop == ("satisfied" if known.solvable else "unsolvable")
        assert result.complete and result.count == len(result.plans) == (known.solutions or 0)
        wins = {frozenset(plan.design) for plan in known.wins}
        found = {frozenset(plan.design) for plan in result.plans}
        assert wins == found, (
            f"`wins` has {len(wins)} answers of {len(found)}: see `ggp solve {name} --all --json`"
        )


@pytest.mark.parametrize("name", one_in(3, LEVELS))
def test_the_null_solver_answers_what_is_known(name: str) -> None:
    one = levels.load(name)
    result = checked(one, api.solve(one, "null", "all"))
    assert set(result.plans) == set(one.level.known.wins) and not result.complete
    assert result.stop == ("satisfied" if one.level.known.wins else "error")
    assert len(api.solve(one, "null").plans) == bool(one.level.known.wins)


# --- limits -----------------------------------------------------------------------------------------------


def hard_sokoban() -> Instance:
    """Six crates in a hall."""
    hall = ["#" * 14, *["#" + " " * 12 + "#"] * 12, "#" * 14]
    rows = [list(row) for row in hall]
    for column in range(2, 8):
        rows[4][column], rows[9][column + 4] = "$", "."
    rows[11][2] = "@"
    return level_of("sokoban", ["".join(row) for row in rows], 90)


def hard_lemmings() -> Instance:
    """Many bricks in a high shaft: more designs than anyone can look at."""
    shaft = [list("X" + " " * 14 + "X") for _ in range(18)]
    shaft[0] = shaft[-1] = list("X" * 16)
    shaft[1][7], shaft[16][2] = ">", "T"
    for row in range(3, 16, 2):
        for column in range(1 + row % 4, 15, 4):
            shaft[row][column] = "X"
    return level_of("lemmings", ["".join(row) for row in shaft], 60, budget=12)


@pytest.mark.parametrize(
    ("solver", "question"),
    # Half of the solvers are asked one of the two at once.
    slow_unless(
        lambda pair: PROVING.index(pair[0]) % 4 == (0 if pair[1] == "sokoban" else 3),
        product(PROVING, ["sokoban", "lemmings"]),
    ),
)
def test_a_time_limit_holds(solver: str, question: str) -> None:
    """One second, and two more at most to notice. The only assertion here that looks at a clock."""
    one = hard_sokoban() if question == "sokoban" else hard_lemmings()
    if missing(one, registry.load("solver", solver).FEATURES):
        with pytest.raises(UnsupportedFeature):
            api.solve(one, solver)
        return
    for tool in TOOLS:
        tool.prepare()  # what is made once a machine counts against no limit, and takes its time
    started = time.monotonic() - COMPILING.seconds  # nor does the compiler, which is at work once a machine
    result = api.solve(one, solver, "best" if question == "sokoban" else "count", time_limit=1)
    assert result.stop == "time-limit" and not result.complete
    assert time.monotonic() - COMPILING.seconds - started < 3
