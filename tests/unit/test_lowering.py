"""Each rewrite of encodings: the same solutions before and after, by trying every assignment of tiny ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from ggp.encoding.constraints import AllDifferent, Clause, Encoding, Global, Iff, Linear, Regular, Sum
from ggp.encoding.judging import holds
from ggp.encoding.literals import Why
from ggp.encoding.lowering import (
    cumulative_to_linear,
    different_to_linear,
    flows,
    globals_to_simple,
    linear_rows,
    propagate,
)
from ggp.model import Plan
from tests.slow import examples
from tests.tiny_encodings import WHY, assignments, encodings, in_booleans, solutions, tiny, worth


@settings(deadline=None, max_examples=examples(150))
@given(encodings(whole=True))
def test_propagation_keeps_the_solutions(encoding: Encoding) -> None:
    assert solutions(propagate.propagated(encoding)) == solutions(encoding)


def test_a_sum_that_the_domains_see_to_is_left_out() -> None:
    encoding = tiny([(1, 2, 3)] * 3)
    encoding.constraints = [
        Linear(((-1, 0),), "<=", -2, WHY),  # the first domain becomes 2, 3, and that is all it says
        Linear(((1, 1), (-1, 2)), ">=", -2, WHY),
        Linear(((1, 1), (-1, 2)), ">=", 1, WHY),
    ]
    after = propagate.propagated(encoding)
    assert [variable.domain for variable in after.variables] == [(2, 3), (2, 3), (1, 2)]
    assert after.constraints == [encoding.constraints[2]]


def test_what_stands_twice_among_different_ones_has_one_of_the_free_values() -> None:
    encoding = tiny([(0, 1), (0, 1)])
    encoding.constraints = [AllDifferent((0, 0), WHY, (1, 4))]
    assert propagate.propagated(encoding).fixed == {0: 1}
    zero = encoding.atom(0, 0)
    assert not isinstance(zero, bool)
    encoding.constraints.append(Clause((zero,), WHY))
    assert completed(propagate.propagated(encoding)) == solutions(encoding) == []


@settings(deadline=None, max_examples=examples(80))
@given(encodings(whole=True))
def test_globals_to_simple_keeps_the_solutions(encoding: Encoding) -> None:
    """Each solution can be completed, in one way."""
    after = globals_to_simple.lower(cumulative_to_linear.lower(encoding).encoding).encoding
    assert not any(isinstance(one, Global) for one in after.constraints)
    assert completed(after) == solutions(encoding)


@settings(deadline=None, max_examples=examples(60))
@given(encodings(whole=True))
def test_words_as_flows_have_the_same_solutions(encoding: Encoding) -> None:
    """Each can be completed in one way, and the way forward completes it."""
    done = flows.lower(encoding)
    assert not any(isinstance(one, Regular) for one in done.encoding.constraints)
    assert completed(globals_to_simple.lower(done.encoding).encoding) == solutions(encoding)
    for values in assignments(encoding):
        if all(holds(encoding, one, values) for one in encoding.constraints):
            after = done.forward(values)
            assert all(holds(done.encoding, one, after) for one in done.encoding.constraints)


@settings(deadline=None, max_examples=examples(60))
@given(encodings(whole=True))
def test_globals_to_simple_after_propagation(encoding: Encoding) -> None:
    propagated = propagate.propagated(encoding)
    after = globals_to_simple.lower(propagated).encoding
    assert completed(after) == solutions(propagated)


def completed(encoding: Encoding) -> list[Plan]:
    """As `solutions`, by a solver: what a rewrite added is too much to be tried."""
    from ortools.sat.python import cp_model

    from ggp.solvers.cpsat.posted import Posted

    posted = Posted(replace(encoding, minimise=()), lambda: None)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    plans: list[Plan] = []

    class Hand(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            plans.append(encoding.decode({n: self.value(v) for n, v in posted.variables.items()}))

    solver.solve(posted.model, Hand())
    return sorted(plans, key=lambda plan: plan.actions)


@settings(deadline=None, max_examples=examples(60))
@given(encodings(whole=True))
def test_booleans_say_what_whole_numbers_said(encoding: Encoding) -> None:
    after = in_booleans(encoding)
    assert all(variable.domain == (0, 1) for variable in after.variables)
    assert completed(after) == solutions(encoding)


@settings(deadline=None, max_examples=examples(150))
@given(encodings())
def test_different_to_linear_keeps_the_solutions(encoding: Encoding) -> None:
    after = different_to_linear.lower(encoding).encoding
    assert not any(isinstance(one, AllDifferent) for one in after.constraints)
    assert solutions(after) == solutions(encoding)


@settings(deadline=None, max_examples=examples(150))
@given(encodings())
def test_different_to_linear_after_propagation(encoding: Encoding) -> None:
    """Where some variables are certain by then."""
    propagated = propagate.propagated(encoding)
    assert solutions(different_to_linear.lower(propagated).encoding) == solutions(propagated)


@settings(deadline=None, max_examples=examples(150))
@given(encodings())
def test_integers_to_booleans_keeps_the_solutions(encoding: Encoding) -> None:
    after = in_booleans(encoding)
    assert all(variable.domain == (0, 1) for variable in after.variables)
    assert solutions(after) == solutions(encoding)


@settings(deadline=None, max_examples=examples(100))
@given(encodings())
def test_integers_to_booleans_knows_the_decisions(encoding: Encoding) -> None:
    """A plan gives each Boolean the value that brings the plan back."""
    after = in_booleans(encoding)
    for plan in solutions(encoding):
        values = {variable: value(plan) for variable, value in after.decisions.items()}
        assert after.decode(values) == plan
        assert all(holds(after, constraint, values) for constraint in after.constraints)


@settings(deadline=None, max_examples=examples(150))
@given(encodings())
def test_rows_hold_exactly_where_the_constraints_do(encoding: Encoding) -> None:
    booleans = in_booleans(encoding)
    program = linear_rows.lower(booleans)
    assert len(program.columns) == len(booleans.variables)
    for values in assignments(booleans):
        column = [values[number] for number in program.columns]
        kept = all(
            (low is None or low <= total) and (high is None or total <= high)
            for low, high, terms in program.rows
            for total in [sum(weight * column[at] for weight, at in terms)]
        )
        assert kept == all(holds(booleans, constraint, values) for constraint in booleans.constraints)
        total = program.offset + sum(weight * column[at] for weight, at in program.objective)
        assert total == worth(booleans, values)


def test_rows_are_those_of_the_docstring() -> None:
    encoding = tiny([(0, 1)] * 4)
    a, b, c, d = (encoding.number(variable, 1) for variable in range(4))
    encoding.constraints = [
        Clause((a, -b), WHY),
        Iff(d, "and", (a, b), WHY),
        Iff(d, "or", (a, b), WHY),
        Sum(((1, a), (2, b)), "<=", 1, WHY, c),
        Sum(((1, a), (2, -b)), "=", 1, WHY),
        Sum(((1, a),), "=", 1, WHY, c),
    ]
    rows = [
        (low, high, {at: weight for weight, at in terms})
        for low, high, terms in linear_rows.lower(encoding).rows
    ]
    assert rows == [
        (0, None, {0: 1, 1: -1}),
        (None, 0, {3: 1, 0: -1}),
        (None, 0, {3: 1, 1: -1}),
        (-1, None, {3: 1, 0: -1, 1: -1}),
        (None, 0, {3: -1, 0: 1}),
        (None, 0, {3: -1, 1: 1}),
        (0, None, {3: -1, 0: 1, 1: 1}),
        (None, 3, {0: 1, 1: 2, 2: 2}),
        (-1, -1, {0: 1, 1: -2}),
        (None, 1, {0: 1}),
        (None, 0, {0: -1, 2: 1}),
    ]


def test_rows_want_booleans() -> None:
    with pytest.raises(ValueError, match="not Boolean"):
        linear_rows.lower(tiny([(1, 2)]))
    encoding = tiny([(0, 1), (0, 1)])
    encoding.constraints = [AllDifferent((0, 1), WHY)]
    with pytest.raises(ValueError, match="all-different"):
        linear_rows.lower(encoding)


def test_as_many_values_as_variables_are_all_used() -> None:
    encoding = tiny([(1, 2, 3)] * 3)
    encoding.constraints = [AllDifferent((0, 1, 2), Why("they differ"))]
    sums = different_to_linear.lower(encoding).encoding.constraints
    assert [(one.comparison, one.number, len(one.terms)) for one in sums if isinstance(one, Sum)] == [
        ("=", 1, 3)
    ] * 3
    assert [one.why.text for one in sums] == [f"they differ: {value}" for value in (1, 2, 3)]
