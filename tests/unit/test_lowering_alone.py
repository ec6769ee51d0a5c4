"""Each sort of constraint alone, under every rewrite: all are tried, where random ones seldom get to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from ggp.encoding.constraints import (
    AllDifferent,
    Clause,
    Constraint,
    Cumulative,
    Distances,
    Encoding,
    Iff,
    Linear,
    Sum,
)
from ggp.encoding.judging import holds, one_circuit
from ggp.encoding.lowering import (
    cumulative_to_linear,
    different_to_linear,
    flows,
    globals_to_simple,
    propagate,
)
from ggp.encoding.lowering.protocol import Lowered
from tests.tiny_encodings import WHY, assignments, in_booleans, solutions, tiny, worth
from tests.unit.test_lowering import completed

DOMAINS = [(0, 1), (0, 1, 2), (0, 1)]


def lit_of(encoding: Encoding, number: int, value: int) -> int:
    """The literal that a variable has a value."""
    lit = encoding.atom(number, value)
    assert not isinstance(lit, bool)
    return lit


def conditional() -> Iterator[tuple[Encoding, Constraint]]:
    """Sums under a condition and without one, which can, must or cannot hold."""
    for comparison, number, sign in product(("<=", "=", ">="), range(-1, 5), (1, -1, 0)):
        for linear in (True, False):
            encoding = tiny(DOMAINS)
            when = sign * lit_of(encoding, 2, 1) or None
            if linear:
                yield encoding, Linear(((1, 0), (1, 1)), comparison, number, WHY, when)
            else:
                terms = (2, lit_of(encoding, 0, 1)), (1, -lit_of(encoding, 1, 2))
                yield encoding, Sum(terms, comparison, number, WHY, when)


def global_ones() -> Iterator[tuple[Encoding, Constraint]]:
    """Values that differ, two of two included; and distances whose ranges differ."""
    for domains in product([(0, 1), (1, 2), (0, 1, 2), (1,)], repeat=2):
        yield tiny(list(domains)), AllDifferent((0, 1), WHY, ())
        yield tiny(list(domains)), AllDifferent((0, 1), WHY, (1,))
    for ranges in product([(0,), (0, 1), (0, 1, 2), (1, 2)], repeat=3):
        for roots, link in product([(True, False, False), (False, True, False)], [True, False]):
            links = (0, 1, True), (1, 2, link)
            yield tiny(list(ranges)), Distances((0, 1, 2), (True, True, True), roots, links, WHY)


ALONE = [*conditional(), *global_ones()]


def test_propagation_of_each() -> None:
    for encoding, constraint in ALONE:
        encoding.constraints = [constraint]
        assert solutions(propagate.propagated(encoding)) == solutions(encoding), constraint


def test_what_is_certain_leaves_clauses() -> None:
    """A clause that holds is gone, one that holds whatever comes too, and of another what does not hold."""
    encoding = tiny([(0, 1)] * 4)
    a, b, c, d = (lit_of(encoding, number, 1) for number in range(4))
    clauses = [(a,), (a, b), (-a, b, c), (-d, c, d), (-b, c)]
    encoding.constraints = [Clause(lits, WHY) for lits in clauses]
    left = propagate.propagated(encoding).constraints
    assert left == [Clause((b, c), WHY), Clause((-b, c), WHY)]


REWRITES = [different_to_linear.lower, flows.lower, globals_to_simple.lower, in_booleans]


@pytest.mark.parametrize("rewrite", REWRITES)
def test_rewrites_of_each(rewrite: Callable[[Encoding], Lowered | Encoding]) -> None:
    for encoding, constraint in ALONE[::3]:
        encoding.constraints = [constraint]
        after = rewrite(encoding)
        after = after.encoding if isinstance(after, Lowered) else after
        assert completed(after) == solutions(encoding), constraint


def test_the_clock_is_asked_within_a_long_constraint() -> None:
    """Two variables of many values are many clauses, and more than a time limit may leave time for."""
    encoding = tiny([range(500)] * 2)
    encoding.constraints = [Linear(((1, 0), (-1, 1)), "<=", 0, WHY)]
    ticks: list[None] = []
    globals_to_simple.lower(encoding, lambda: ticks.append(None))
    assert len(ticks) > 500


def test_tasks_one_of_which_needs_more_than_there_is() -> None:
    """Starts below 0, one that stands twice, and no room for two or for one."""
    for starts, heights, most in product([(0, 1), (0, 0), (1,)], [(1, 1), (1, 2), (3, 1)], [1, 2, 3]):
        encoding = tiny([(-2, -1, 0, 1), (-1, 0, 2)])
        encoding.constraints = [Cumulative(starts, (2, 1)[: len(starts)], heights[: len(starts)], most, WHY)]
        assert completed(cumulative_to_linear.lower(encoding).encoding) == solutions(encoding)


def test_what_is_counted_stays_what_it_was() -> None:
    """With what is certain taken out: its part stands in the offset."""
    for sign, certain in product((1, -1), (0, 1)):
        encoding = tiny(DOMAINS)
        first, second = lit_of(encoding, 0, 1), lit_of(encoding, 1, 2)
        encoding.constraints = [Linear(((1, 0),), "=", certain, WHY)]
        encoding.minimise, encoding.offset = ((3, sign * first), (-2, second)), 5
        after = propagate.propagated(encoding)
        assert len(after.minimise) == 1
        told = {encoding.decode(values): worth(after, values) for values in assignments(after)}
        kept = [v for v in assignments(encoding) if holds(encoding, encoding.constraints[0], v)]
        assert told == {encoding.decode(values): worth(encoding, values) for values in kept}


def test_definitions_that_nothing_uses_are_left_out_again_and_again() -> None:
    encoding = tiny([(0, 1), (0, 1)])
    inputs = lit_of(encoding, 0, 1), lit_of(encoding, 1, 1)
    first = encoding.number(encoding.new("a", (0,), (0, 1)), 1)
    second = encoding.number(encoding.new("b", (0,), (0, 1)), 1)
    encoding.constraints = [Iff(first, "and", inputs, WHY), Iff(second, "or", (first, inputs[0]), WHY)]
    assert propagate.propagated(encoding).constraints == []


@pytest.mark.parametrize(
    ("successors", "one"),
    [([1, 2, 0], True), ([1, 0, 2], True), ([1, 0, 3, 2], False), ([1, 2, 1], False), ([1, 5, 0], False)],
)
def test_one_circuit(successors: list[int], one: bool) -> None:
    """Of those that are not their own successor: neither two circuits, nor a way that leads into one."""
    assert one_circuit(successors) == one
