"""What is concluded from constraints, against trying everything; and smallest sets, against all subsets."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import chain, combinations, product

import pytest

from ggp.encoding.constraints import (
    AllDifferent,
    Automaton,
    Circuit,
    Clause,
    Constraint,
    DifferentLists,
    Distances,
    Encoding,
    Iff,
    Linear,
    Regular,
    Sum,
)
from ggp.encoding.judging import holds
from ggp.encoding.literals import Why
from ggp.explain.pairs import adding_up
from ggp.explain.sharper import Sharper
from ggp.explain.smallest import minimal, smallest
from ggp.language import levels
from ggp.model import Instance

WHY = Why("a test")


@pytest.fixture(scope="module")
def instance() -> Instance:
    return levels.load("sudoku/paper-4x4")


# --- conclusions are sound ------------------------------------------------------------------------------


def different(rng: random.Random, encoding: Encoding, lits: list[int]) -> Constraint:
    free = (0,) if rng.random() < 0.3 else ()
    return AllDifferent(tuple(rng.sample(range(4), 3)), WHY, free)


def linear(rng: random.Random, encoding: Encoding, lits: list[int]) -> Constraint:
    terms = tuple((rng.choice([-2, -1, 1, 2]), v) for v in rng.sample(range(4), 3))
    when = rng.choice([None, rng.choice(lits)])
    return Linear(terms, rng.choice(["<=", "=", ">="]), rng.randint(-2, 6), WHY, when)


def total(rng: random.Random, encoding: Encoding, lits: list[int]) -> Constraint:
    terms = tuple((rng.choice([-1, 1, 2]), lit) for lit in rng.sample(lits, 3))
    return Sum(terms, rng.choice(["<=", "=", ">="]), rng.randint(-1, 3), WHY, rng.choice([None, lits[0]]))


def clause(rng: random.Random, encoding: Encoding, lits: list[int]) -> Constraint:
    if rng.random() < 0.5:
        return Iff(lits[0], rng.choice(["and", "or"]), tuple(rng.sample(lits[2:], 2)), WHY)
    return Clause(tuple(rng.sample(lits, 2)), WHY)


def regular(rng: random.Random, encoding: Encoding, lits: list[int]) -> Constraint:
    ways = {
        (state, value): rng.randrange(3) for state in range(3) for value in range(4) if rng.random() < 0.7
    }
    transitions = tuple((state, value, after) for (state, value), after in ways.items())
    return Regular(tuple(range(4)), Automaton(transitions, (rng.randrange(3),)), WHY)


def lists(rng: random.Random, encoding: Encoding, lits: list[int]) -> Constraint:
    return DifferentLists(((0, 1), (2, 3), (1, 2)), WHY)


def circuit(rng: random.Random, encoding: Encoding, lits: list[int]) -> Constraint:
    return Circuit(tuple(rng.sample(range(4), 4)), WHY)


def distances(rng: random.Random, encoding: Encoding, lits: list[int]) -> Constraint:
    inside = tuple(rng.choice([True, *rng.sample(lits, 3)]) for _ in range(3))
    roots = tuple(rng.choice([True, False, rng.choice(lits)]) for _ in range(3))
    links = ((0, 1, rng.choice([True, rng.choice(lits)])), (1, 2, True))
    return Distances((0, 1, 2), inside, roots, links, WHY)


def sum_of_different(rng: random.Random, encoding: Encoding, lits: list[int]) -> Constraint:
    if not encoding.constraints:
        return AllDifferent((0, 1, 2, 3), WHY)
    return Linear(tuple((1, v) for v in rng.sample(range(4), 3)), "=", rng.randint(2, 7), WHY)


MAKERS = (sum_of_different, different, linear, total, clause, regular, lists, circuit, distances)


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_no_value_of_an_answer_is_ever_excluded(
    make: Callable[[random.Random, Encoding, list[int]], Constraint], instance: Instance
) -> None:
    drawn = 0
    for seed in range(150):
        rng = random.Random(seed)
        encoding = Encoding(instance, 0)
        domains = [sorted(rng.sample(range(4), rng.randint(1, 4))) for _ in range(4)]
        for number, domain in enumerate(domains):
            encoding.new("x", (number,), domain)
        lits = [
            rng.choice([1, -1]) * encoding.number(v, value)
            for v, domain in enumerate(domains)
            for value in domain
        ]
        rng.shuffle(lits)
        if len(lits) < 6:
            continue
        for _ in range(2):
            encoding.add(make(rng, encoding, lits))
        answers = [
            values
            for values in product(*domains)
            if all(holds(encoding, one, dict(enumerate(values))) for one in encoding.constraints)
        ]
        reasoner = Sharper(encoding)
        reasoner.subsets = rng.random() < 0.5
        consistent = reasoner.run(lambda: None)
        assert consistent or not answers, seed
        for variable in range(4) if consistent else ():
            possible = {values[variable] for values in answers}
            assert possible <= reasoner.domains[variable], (seed, variable)
            drawn += len(reasoner.domains[variable]) < len(domains[variable])
    assert drawn > 4  # and something is concluded


@pytest.mark.parametrize(
    ("domains", "constraint", "left"),
    [
        ([{1, 2}, {1, 2}, {1, 2, 3}], AllDifferent((0, 1, 2), WHY), [{1, 2}, {1, 2}, {3}]),
        ([{1, 2, 3}, {2, 3}, {2, 3}], AllDifferent((0, 1, 2), WHY), [{1}, {2, 3}, {2, 3}]),
        ([{1, 5}, {1, 2}], Linear(((1, 0), (1, 1)), "<=", 4, WHY), [{1}, {1, 2}]),
        ([{0, 1}, {1}], DifferentLists(((0,), (1,)), WHY), [{0}, {1}]),
        ([{1}, {0, 2}, {0, 1, 2}], Circuit((0, 1, 2), WHY), [{1}, {0, 2}, {0, 2}]),
        ([{1}, {0, 2}, {0, 1}], Circuit((0, 1, 2), WHY), [{1}, {2}, {0}]),
        (
            [{0, 1}, {0, 1}],
            Regular((0, 1), Automaton(((0, 0, 1), (0, 1, 2), (1, 1, 3)), (3,)), WHY),
            [{0}, {1}],
        ),
    ],
)
def test_what_a_person_would_see(
    domains: list[set[int]], constraint: Constraint, left: list[set[int]], instance: Instance
) -> None:
    encoding = Encoding(instance, 0)
    for number, domain in enumerate(domains):
        encoding.new("x", (number,), sorted(domain))
    encoding.add(constraint)
    reasoner = Sharper(encoding)
    reasoner.subsets = True
    assert reasoner.run(lambda: None)
    assert reasoner.domains == left


def test_two_sums_say_more_together(instance: Instance) -> None:
    encoding = Encoding(instance, 0)
    lits = [encoding.number(encoding.new("x", (number,), (0, 1)), 1) for number in range(5)]
    terms = [(1, lit) for lit in lits]
    encoding.add(Sum(tuple(terms[:4]), "=", 3, WHY))
    encoding.add(Sum(tuple(terms[1:]), "=", 2, WHY))
    reasoner = Sharper(encoding)
    assert reasoner.run(lambda: None) and {0, 1} in reasoner.domains
    reasoner = Sharper(encoding)
    reasoner.subsets = True
    assert reasoner.run(lambda: None)
    assert reasoner.domains == [{1}, {0, 1}, {0, 1}, {0, 1}, {0}]  # the first is one more than the last


@pytest.mark.parametrize("seed", range(20))
def test_different_values_that_add_up(seed: int) -> None:
    rng = random.Random(seed)
    domains = [set(rng.sample(range(1, 7), rng.randint(1, 5))) for _ in range(rng.randint(1, 4))]
    number = rng.randint(3, 14)
    answers = [
        values for values in product(*domains) if len(set(values)) == len(values) and sum(values) == number
    ]
    assert adding_up(domains, number) == [{values[i] for values in answers} for i in range(len(domains))]


# --- smallest sets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_minimal_and_smallest_sets_of_reasons(seed: int, instance: Instance) -> None:
    rng = random.Random(seed)
    reasons = list(range(8))
    conflicts = [frozenset(rng.sample(reasons, rng.randint(1, 5))) for _ in range(4)]

    def enough(chosen: frozenset[int]) -> bool:
        return any(conflict <= chosen for conflict in conflicts)

    subsets = chain.from_iterable(combinations(reasons, size) for size in range(9))
    fewest = next(len(chosen) for chosen in subsets if enough(frozenset(chosen)))
    found = minimal(reasons, enough)
    assert enough(found) and not any(enough(found - {one}) for one in found)
    best, proved = smallest(reasons, enough, found, instance, 1000)
    assert proved and enough(best) and len(best) == fewest


def test_without_questions_nothing_is_proved(instance: Instance) -> None:
    known = frozenset({1, 2})
    assert smallest([0, 1, 2], lambda chosen: 0 in chosen or known <= chosen, known, instance, 1) == (
        known,
        False,
    )
