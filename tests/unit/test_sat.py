"""Encodings as clauses: the same solutions, held against trying everything; and what SAT solvers answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random

import pytest
from pysat.solvers import Solver

from ggp import api
from ggp.encoding.constraints import AllDifferent, Clause, Encoding, Iff, Sum, Values
from ggp.encoding.judging import holds
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering import linear_rows, linear_to_clauses
from ggp.encoding.lowering.protocol import Line
from ggp.encoding.lowering.route import lowered
from ggp.engines.sat.looking import Looking, improving, others, spelt_out
from ggp.errors import PuzzleError, SolverError
from ggp.language import levels
from ggp.solvers import sat
from tests.slow import one_in

WHY = Why("made up")
Broken = Callable[[Encoding, Values], Iterator[Line]]


def booleans(number: int) -> tuple[Encoding, list[Lit]]:
    """An encoding of so many Booleans, all of them decisions, and their literals."""
    encoding = Encoding(levels.load("sudoku/paper-4x4"), 0)
    lits = []
    for index in range(number):
        variable = encoding.new("v", (index,), (0, 1))
        encoding.decisions[variable] = lambda plan: 0
        lits.append(encoding.number(variable, 1))
    return encoding, lits


def random_encoding(rng: Random) -> Encoding:
    """A few clauses, definitions and sums, with weights of both signs, with conditions and without."""
    encoding, lits = booleans(rng.randint(2, 8))

    def some(most: int) -> list[Lit]:
        return [lit * rng.choice([1, -1]) for lit in rng.sample(lits, rng.randint(1, min(most, len(lits))))]

    for _ in range(rng.randint(1, 3)):
        kind = rng.randrange(4)
        if kind == 0:
            encoding.add(Clause(tuple(some(3)), WHY))
        elif kind == 1:
            encoding.add(Iff(some(1)[0], rng.choice(["and", "or"]), tuple(some(3)), WHY))
        else:
            heavy = rng.random() < 0.5
            terms = tuple((rng.choice([-3, -1, 1, 2, 5]) if heavy else 1, lit) for lit in some(8))
            when = rng.choice([None, None, some(1)[0]])
            encoding.add(Sum(terms, rng.choice(["<=", "=", ">="]), rng.randint(-2, 6), WHY, when))
    if rng.random() < 0.3:
        encoding.fixed = {0: 1}
        encoding.constraints = [one for one in encoding.constraints if not speaks(encoding, one, 0)]
    return encoding


def speaks(encoding: Encoding, constraint: object, variable: int) -> bool:
    """Does a constraint speak of a variable?"""
    from ggp.encoding.scopes import scope

    return variable in scope(encoding, constraint)  # type: ignore[arg-type]


def solutions(encoding: Encoding) -> set[tuple[int, ...]]:
    """Every solution, by trying everything."""
    domains = [
        (encoding.fixed[v],) if v in encoding.fixed else (0, 1) for v in range(len(encoding.variables))
    ]
    return {
        values
        for values in product(*domains)
        if all(holds(encoding, one, dict(enumerate(values))) for one in encoding.constraints)
    }


def solving(clauses: linear_to_clauses.Clauses, solver: str) -> Solver:
    """A solver that has the clauses, as the worker makes it."""
    engine = Solver(name=solver, bootstrap_with=clauses.clauses)
    engine.append_formula(spelt_out(clauses.cards, clauses.variables)[0])
    return engine


@pytest.mark.parametrize("solver", ["cadical195", "glucose42"])
@pytest.mark.parametrize("seed", one_in(4, range(80)))
def test_clauses_have_the_same_solutions(seed: int, solver: str) -> None:
    """What the worker lists over the decisions is what trying everything finds, each once."""
    encoding = random_encoding(Random(seed))
    clauses = linear_to_clauses.lower(encoding)
    with solving(clauses, solver) as engine:
        found = [clauses.values(ones) | encoding.fixed for ones in others(Looking(engine), clauses.decisions)]
    listed = [tuple(values[v] for v in range(len(encoding.variables))) for values in found]
    assert len(listed) == len(set(listed)) and set(listed) == solutions(encoding)


@pytest.mark.parametrize("broken", [linear_to_clauses.broken, linear_rows.broken])
@pytest.mark.parametrize("seed", range(20))
def test_a_line_breaks_exactly_where_a_constraint_does(seed: int, broken: Broken) -> None:
    """Counted and weighed sums among them, with conditions and without."""
    encoding = random_encoding(Random(seed))
    encoding.fixed = {}
    for values in product((0, 1), repeat=len(encoding.variables)):
        given = dict(enumerate(values))
        breaks = list(broken(encoding, given))
        assert bool(breaks) != all(holds(encoding, one, given) for one in encoding.constraints)
        assert all(1 <= line.number <= line.of and line.text for line in breaks)


@pytest.mark.parametrize("seed", range(40))
def test_each_solution_is_better_than_the_one_before_and_the_last_is_best(seed: int) -> None:
    rng = Random(seed)
    encoding = random_encoding(rng)
    free = [encoding.number(v, 1) for v in range(len(encoding.variables)) if v not in encoding.fixed]
    encoding.minimise = tuple((rng.choice([-2, 1, 1, 3]), lit * rng.choice([1, -1])) for lit in free)
    encoding.offset = 7
    clauses = linear_to_clauses.lower(encoding)
    with solving(clauses, "cadical195") as engine:
        costs = [clauses.cost(ones) for ones in improving(Looking(engine), clauses.minimise, 10_000)]
    assert costs == sorted(set(costs), reverse=True)

    def cost(values: tuple[int, ...]) -> int:
        held = (
            (weight, values[encoding.atoms[abs(lit)][0]] == (lit > 0)) for weight, lit in encoding.minimise
        )
        return 7 + sum(weight for weight, one in held if one)

    every = [cost(values) for values in solutions(encoding)]
    assert costs[-1:] == ([min(every)] if every else [])


def test_what_is_certain_is_neither_copied_nor_counted() -> None:
    """Boolean encodings keep their variables; those that are settled have numbers that nothing speaks of."""
    encoding, (one, two, three) = booleans(3)
    encoding.constraints += [Clause((one,), WHY), Clause((-one, two, three), WHY)]
    done = lowered(encoding, sat.BACKEND).encoding
    assert done.variables is not encoding.variables and len(done.variables) == 3 and done.fixed == {0: 1}
    clauses = linear_to_clauses.lower(done)
    assert clauses.clauses == [[2, 3]] and clauses.sizes == {"variables": 2, "constraints": 1}
    assert clauses.values([3]) == {1: 0, 2: 1} and clauses.decisions == [2, 3]


def test_many_of_many() -> None:
    """Counters beyond pairs: 3 of 40, and 20 of 40."""
    for number in (1, 3, 20, 39):
        encoding, lits = booleans(40)
        encoding.add(Sum(tuple((1, lit) for lit in lits), "<=", number, WHY))
        clauses = linear_to_clauses.lower(encoding)
        with solving(clauses, "cadical195") as engine:
            assert engine.solve(assumptions=list(range(1, number + 1)))
            assert not engine.solve(assumptions=list(range(1, number + 2)))


def test_thousands_that_do_not_weigh_alike() -> None:
    encoding, lits = booleans(3000)
    encoding.add(Sum(tuple((1 + n % 2, lit) for n, lit in enumerate(lits)), "<=", 3, WHY))
    clauses = linear_to_clauses.lower(encoding)
    with solving(clauses, "cadical195") as engine:
        assert engine.solve(assumptions=[1, 2]) and engine.solve(assumptions=[1, 3, 2999])
        assert not engine.solve(assumptions=[2, 2000]) and not engine.solve(assumptions=[1, 3, 5, 7])


def test_what_is_no_boolean_is_refused() -> None:
    encoding, _ = booleans(1)
    encoding.add(AllDifferent((0,), WHY))
    with pytest.raises(ValueError, match="all-different"):
        linear_to_clauses.lower(encoding)
    encoding.new("digit", (0,), (1, 2, 3))
    with pytest.raises(ValueError, match="not Boolean"):
        linear_to_clauses.lower(encoding)


def test_another_solver_by_name() -> None:
    result = api.solve("sudoku/paper-4x4", "sat:glucose42", "all")
    assert (result.solver, result.stop, result.count) == ("sat:glucose42", "satisfied", 1)
    with pytest.raises(PuzzleError, match="no SAT solver 'nonsense'"):
        api.solve("sudoku/paper-4x4", "sat:nonsense")


@pytest.mark.parametrize("solver", ["sat", "sat:minisat22", "cp-sat", "cbc", "search"])
def test_who_is_asked_for_one_plan_says_nothing_of_others(solver: str) -> None:
    for name in ("queens/5x5", "sokoban/first"):
        result = api.solve(name, solver, "first")
        assert len(result.plans) == 1 and not result.complete and result.proof is None


def test_a_status_without_meaning_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sat, "STATUS", {})
    with pytest.raises(SolverError, match="no meaning"):
        api.solve("sudoku/paper-4x4", "sat")
