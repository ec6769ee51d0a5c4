"""Tours told step by step, as solvers of clauses and rows get them: the same as by search and by circuits."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import pytest

from ggp import api
from ggp.encoding.lowering.protocol import NATIVE, STEPS
from ggp.encoding.lowering.route import Backend
from ggp.encoding.occupancy import encode
from ggp.engines.csp.run import CORE, Write
from ggp.engines.csp.tools import Tool
from ggp.goals.tour import Tour
from ggp.language import levels
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query
from ggp.solvers import ace, choco

Asked = Generator[Plan, None, Outcome]

STEP_WORDS = {
    "knights": None,
    "one way": ("right", "down", "down.left", "up.left"),
    "kings": ("right", "down", "left", "up", "down.right", "up.left"),
}


def board(steps: tuple[str, ...] | None, rows: int, columns: int) -> Instance:
    """A board without clues, of a tour by these steps."""
    given = levels.load("knights-tour/5")
    (term,) = given.game.goal.terms
    assert isinstance(term, Tour)
    term = term if steps is None else replace(term, steps=steps)
    game = replace(given.game, goal=replace(given.game.goal, terms=(term,)))
    level = replace(given.level, board=((frozenset(),) * columns,) * rows)
    return replace(given, game=game, level=level)


def listed(instance: Instance, solver: str) -> set[Plan]:
    result = api.solve(instance, solver, "all")
    assert result.complete
    return set(result.plans)


@pytest.mark.parametrize("words", STEP_WORDS)
def test_all_tours_are_those_that_search_and_circuits_find(words: str) -> None:
    instance = board(STEP_WORDS[words], *((3, 4) if words == "knights" else (2, 3)))
    expected = listed(instance, "search")
    assert len(expected) > 1
    for solver in ("sat", "cp-sat"):  # (the first is told step by step)
        assert listed(instance, solver) == expected, solver


def test_steps_need_no_variables_but_the_values() -> None:
    instance = board(None, 5, 6)
    assert len(encode(instance, native=NATIVE | STEPS).variables) == 30
    assert len(encode(instance, native=NATIVE).variables) == 61


def test_choco_is_told_steps_on_large_boards_too_and_ace_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {}

    def run(tool: Tool, instance: Instance, query: Query, write: Write, backend: Backend = CORE) -> Asked:
        asked[tool.name] = backend
        yield from ()
        return Outcome("time-limit", False)

    instance = board(None, 9, 9)
    for solver in (ace, choco):
        monkeypatch.setattr(solver, "run", run)
        list(solver.solve(instance, Query()))
    assert len(encode(instance, native=asked["choco"].native).variables) == 81
    assert len(encode(instance, native=asked["ace"].native).variables) > 81
