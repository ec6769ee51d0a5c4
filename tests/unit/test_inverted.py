"""Values that each stand once, as who has them: the same assignments hold, and tours are few variables."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from ggp import api, registry
from ggp.encoding.constraints import AllDifferent, Claim, Clause, Encoding, Linear, Table, Values
from ggp.encoding.literals import Why
from ggp.encoding.lowering import inverted
from ggp.encoding.lowering.protocol import FEW_STEPS, RuledOut
from ggp.encoding.lowering.route import lowered
from ggp.encoding.occupancy import encode
from ggp.solvers import ace
from tests.slow import slow_unless
from tests.tiny_encodings import WHY, tiny
from tests.unit.test_tours import board, listed
from tests.ways import faults, keeps


def permuted(rng: Random) -> Encoding:
    """A few variables that differ, and clauses about one or two values; some are spoilt."""
    size = rng.choice([3, 4])
    values = list(range(size)) if rng.random() < 0.5 else [2, 3, 5, 8][:size]
    domains = [tuple(v for v in values if rng.random() < 0.9) or (values[0],) for _ in range(size)]
    encoding = tiny(domains)
    encoding.constraints = [AllDifferent(tuple(range(size)), WHY)]
    for _ in range(rng.randrange(6)):
        few = rng.sample(values, 3 if rng.random() < 0.05 else rng.choice([1, 2]))
        lits = [encoding.atom(v, value) for v in rng.sample(range(size), 2) for value in few]
        signed = [lit * rng.choice([1, -1]) for lit in lits if not isinstance(lit, bool)]
        if signed:
            clause = rng.sample(signed, rng.randint(1, len(signed)))
            encoding.add(Clause(tuple(clause), WHY))
    if rng.random() < 0.05:
        encoding.add(Linear(((1, 0), (1, 1)), "<=", 9, WHY))
    rng.shuffle(encoding.constraints)
    return encoding


def test_the_same_assignments_hold() -> None:
    rewritten = 0
    for seed in range(200):
        encoding = permuted(Random(seed))
        rewritten += inverted.lower(encoding).encoding is not encoding
        assert [*faults(encoding, inverted)] == [], seed
    assert 100 < rewritten < 200


@pytest.mark.parametrize("size", slow_unless([5, 6], [5, 6, 8]))
def test_a_small_tour_is_a_variable_a_number(size: int) -> None:
    instance = api.load(f"knights-tour/{size}")
    done = lowered(encode(instance, native=FEW_STEPS), ace.BACKEND)
    assert done.encoding.sizes["variables"] <= size * size
    assert done.encoding.notes["number"].startswith("who has the value")


def test_a_large_tour_keeps_its_circuit() -> None:
    encoding = encode(board(None, 5, 13), native=FEW_STEPS)
    assert len(encoding.variables) == 2 * 65 + 1
    assert inverted.lower(encoding).encoding is encoding


def test_cells_with_few_ways_on_come_first() -> None:
    """A corner of 5x5 has two, the middle eight; numbers are counted up from the former."""
    encoding = encode(board(None, 5, 5), native=FEW_STEPS)
    every = {v: value for value, v in enumerate(encoding.decisions, start=1)}
    numbers = inverted.lower(encoding).forward(every)  # cell after cell, row by row
    at = {one.index: numbers[v] for v, one in enumerate(encoding.variables)}
    assert sorted(at[cell] for cell in ((0, 0), (0, 4), (4, 0), (4, 4))) == [1, 2, 3, 4]
    assert at[2, 2] == 25


@pytest.mark.parametrize("solver", slow_unless(["choco"], ["ace", "choco", "cpmpy"]))
def test_all_tours_are_those_that_search_finds(solver: str) -> None:
    if (reason := registry.load("solver", solver).available()) is not None:
        pytest.skip(reason)
    instance = board(None, 3, 4)
    expected = listed(instance, "search")
    assert len(expected) > 1
    assert listed(instance, solver) == expected


NO_TOUR = {
    "a square": (("right", "down"), 2, 2),
    "one way": (("right",), 2, 3),
    "two apart": (("right.right", "down"), 2, 3),
}


@pytest.mark.parametrize("name", NO_TOUR)
def test_no_two_may_have_a_pair_of_values_is_said_at_once(name: str) -> None:
    """Readers of XCSP3 take no table without rows."""
    encoding = encode(board(*NO_TOUR[name]), native=FEW_STEPS)
    done = lowered(encoding, ace.BACKEND).encoding
    assert done.notes["number"].startswith("who has the value")
    assert all(one.rows for one in done.constraints if isinstance(one, Table))
    assert any(isinstance(one, Clause) and not one.lits for one in done.constraints)


@pytest.mark.parametrize("solver", ["ace", "choco", "cpmpy"])
@pytest.mark.parametrize("name", NO_TOUR)
def test_where_there_is_no_tour_solvers_say_so(name: str, solver: str) -> None:
    if (reason := registry.load("solver", solver).available()) is not None:
        pytest.skip(reason)
    instance = board(*NO_TOUR[name])
    assert listed(instance, "search") == set()
    for query in ("first", "all"):
        result = api.solve(instance, solver, query)
        assert result.complete and not result.plans, query


def test_the_reason_is_of_the_clause_that_denies() -> None:
    """One clause denies the value 1 to nobody, one to the second, one to the third."""
    encoding = tiny([(0, 1, 2)] * 3)
    encoding.constraints = [AllDifferent((0, 1, 2), WHY)]
    one = [encoding.number(v, 1) for v in range(3)]
    for lits, text in (
        ((one[0], -one[0]), "nobody"),
        ((one[0], one[2]), "second"),
        ((one[0], one[1]), "third"),
    ):
        encoding.add(Clause(lits, Why(text)))
    done = inverted.lower(encoding)
    for values, text in (((0, 1, 2), "second"), ((0, 2, 1), "third")):
        with pytest.raises(RuledOut) as caught:
            done.forward(dict(enumerate(values)))
        assert caught.value.why == Why(text)


def test_what_is_claimed_holds_as_before() -> None:
    """Of those that differ, of one that is certain, and of values that nobody can have."""
    encoding = tiny([(0, 1, 2)] * 3 + [(4, 5)])
    encoding.fixed[3] = 5
    encoding.constraints = [AllDifferent((0, 1, 2), WHY), Clause((-encoding.number(2, 2),), WHY)]
    lits = [encoding.number(v, value) for v in range(3) for value in range(3)]
    lits += [encoding.number(3, 4), encoding.number(3, 5)]
    row = [*lits, *(-lit for lit in lits), True, False]
    encoding.claims = [Claim(0, {("piece", None): row})]
    done = inverted.lower(encoding)
    assert done.encoding is not encoding
    ((_, pieces),) = done.encoding.claims
    (told,) = pieces.values()
    for some in permutations(range(3)):
        values = {**dict(enumerate(some)), 3: 5}
        if keeps(encoding, values):
            turned = done.forward(values)
            before = [true(encoding, lit, values) for lit in row]
            assert [true(done.encoding, lit, turned) for lit in told] == before


def true(encoding: Encoding, lit: int | bool, values: Values) -> bool:
    """Does a literal of a claim hold?"""
    if isinstance(lit, bool):
        return lit
    variable, value = encoding.atoms[abs(lit)]
    return (values[variable] == value) == (lit > 0)


def test_nobody_may_have_a_value_is_said_at_once() -> None:
    encoding = tiny([(0, 1, 2)] * 3)
    encoding.constraints = [AllDifferent((0, 1, 2), WHY)]
    encoding.constraints += [Clause((-encoding.number(v, 2),), WHY) for v in range(3)]
    done = inverted.lower(encoding)
    assert Clause((), WHY) in done.encoding.constraints
    for values in permutations(range(3)):
        assert not keeps(done.encoding, done.forward(dict(enumerate(values))))
