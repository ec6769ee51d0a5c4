"""Sums of different values as sets of values: the same assignments, and what solvers get of a kakuro."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from ggp import api
from ggp.encoding.constraints import AllDifferent, Encoding, Linear
from ggp.encoding.lowering import set_flows, sets
from ggp.encoding.lowering.protocol import Lowering
from tests.slow import one_in
from tests.tiny_encodings import WHY, assignments, tiny
from tests.ways import keeps


def drawn(rng: Random) -> Encoding:
    """Some variables that differ, but for a value perhaps, and sums of some of them, of any weights."""
    encoding = tiny([sorted(rng.sample(range(-1, 5), rng.randint(1, 4))) for _ in range(4)])
    free = rng.choice([(), (), (1,)])
    encoding.constraints = [AllDifferent(tuple(rng.sample(range(4), rng.randint(2, 4))), WHY, free)]
    for _ in range(rng.randint(1, 2)):
        chosen = rng.sample(range(4), rng.randint(2, 4))
        terms = tuple((rng.choice([1, 1, 1, 2]), v) for v in chosen)
        encoding.constraints.append(Linear(terms, rng.choice(["=", "=", "<="]), rng.randint(-1, 12), WHY))
    return encoding


@pytest.mark.parametrize("lowering", [sets, set_flows], ids=["clauses", "rows"])
@pytest.mark.parametrize("seed", one_in(3, range(75)))
def test_the_same_assignments_hold(seed: int, lowering: Lowering) -> None:
    encoding = drawn(Random(seed))
    done = lowering.lower(encoding)
    for values in assignments(encoding):
        lifted = done.forward(values)
        assert keeps(done.encoding, lifted) == keeps(encoding, values)
        assert done.back(lifted) == values


def test_sets_are_those_that_add_up() -> None:
    for count, total in product(range(1, 6), range(-3, 20)):
        values = [-2, 0, 1, 3, 4, 7, 8]
        every = [one for one in combinations(values, count) if sum(one) == total]
        assert list(sets.adding_up(values, count, total)) == every


def test_a_sum_with_many_sets_stays_a_sum() -> None:
    encoding = tiny([tuple(range(1, 17))] * 5)
    encoding.constraints = [AllDifferent(tuple(range(5)), WHY)]
    encoding.constraints.append(Linear(tuple((1, v) for v in range(5)), "=", 40, WHY))
    assert sets.lower(encoding).encoding.constraints == encoding.constraints


@pytest.mark.parametrize("solver", ["sat", "cp-sat", "cbc"])
@pytest.mark.parametrize("level", ["kakuro/ambiguous", "kakuro/contradiction", "killer-sudoku/ambiguous"])
def test_all_answers_are_the_known_ones(level: str, solver: str) -> None:
    result = api.solve(level, solver, "all")
    known = api.load(level).level.known
    assert result.complete
    assert len(result.plans) == known.solutions
