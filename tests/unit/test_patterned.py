"""Clauses that are kept from board to board are those that would be written anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from ggp import api
from ggp.encoding.connectives import Connectives
from ggp.encoding.constraints import Clause, Encoding, Variable
from ggp.encoding.formula import Formula, Or
from ggp.encoding.literals import Why
from ggp.encoding.lowering import linear_to_clauses
from ggp.encoding.lowering.propagate import propagated
from ggp.encoding.patterned import KEPT, patterned
from ggp.goals.loop import onward, parted, unbranched

WHY = Why("as the test says")


def algebra(booleans: int, before: int = 0) -> tuple[Connectives, list[int]]:
    """What writes formulas, and so many literals to write them with, after so many other variables."""
    encoding = Encoding(api.load("slitherlink/tiny"), 0)
    for at in range(before):
        encoding.new("other", (at,), (0, 1))
    lits = [encoding.number(encoding.new("spot", (at,), (0, 1)), 1) for at in range(booleans)]
    return Connectives(encoding, booleans, lambda: None), lits


def groups(lits: list[int], rng: Random) -> tuple[tuple[Formula, ...], ...]:
    """Three formulas each, now and then a constant, none of them beside its opposite."""
    some = [rng.sample(lits, 3) for _ in range(6)]
    return tuple(tuple(rng.choice([lit, lit, -lit, True, False]) for lit in each) for each in some)


@pytest.mark.parametrize("write", [onward, unbranched, parted])
@pytest.mark.parametrize("seed", range(20))
def test_what_is_kept_is_what_would_be_written(write: object, seed: int) -> None:
    (one, lits), (other, _) = algebra(8), algebra(8)
    asked = groups(lits, Random(seed))
    for _ in range(2):  # written, and taken from what was kept
        one.require_patterned(write, asked, WHY)  # type: ignore[arg-type]
        for group in write(asked, lambda f: not f if isinstance(f, bool) else -f):  # type: ignore[operator]
            other.require_one(group, WHY)
    assert sorted(map(str, one.encoding.constraints)) == sorted(map(str, other.encoding.constraints))
    assert one.encoding.constraints


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_what_follows_hangs_on_no_sheet(seed: int, moved: bool) -> None:
    """Clauses on sheets are watched, shortened and renumbered as the same ones are that stand on none."""
    for before in (0, 1):  # the same clauses of other variables
        rng, (one, lits) = Random(seed), algebra(40, before)
        sure = one.encoding.atoms[lits[0]][0]
        one.encoding.variables[sure] = Variable("spot", (), (rng.randrange(2),), "derived")
        for write in (onward, parted, unbranched):
            told = [tuple(rng.sample(lits, 3)) for _ in range(8)]
            told += [(lits[0], False, lits[1]), (rng.choice(lits), False, False)]
            one.require_patterned(write, tuple(told), WHY)
            one.require_one(rng.sample(lits, 2), WHY)
        encoding = replace(one.encoding, constraints=one.encoding.constraints[moved:])
        after, plain = propagated(encoding), propagated(replace(encoding, sheets=[]))
        assert (after.constraints, after.fixed, after.idle) == (plain.constraints, plain.fixed, plain.idle)
        assert after.fixed, "it is not contradictory"
        clauses = [linear_to_clauses.lower(each).clauses for each in (after, replace(plain, sheets=[]))]
        assert clauses[0] == clauses[1]


def test_an_empty_sheet_that_stood_behind_what_is_left_says_nothing() -> None:
    """The fewer constraints may be propagated again, where what is added speaks of them."""
    one, lits = algebra(4)
    for lit in lits:
        one.encoding.add(Clause((lit,), WHY))
    one.require_patterned(unbranched, (tuple(lits[:2]),), WHY)  # no three lines end there
    once = propagated(one.encoding)
    assert once.constraints == propagated(once).constraints == []


def test_a_literal_that_is_settled_before_its_variable_leaves_the_sheet() -> None:
    one, lits = algebra(3)
    lit = one.encoding.number(one.encoding.new("many", (), (0, 1, 2)), 1)
    one.require_patterned(onward, ((-lits[0], lits[1], lit),), WHY)
    one.encoding.add(Clause((-lit,), WHY))
    assert one.encoding.sheets
    plain = propagated(replace(one.encoding, sheets=[]))
    assert propagated(one.encoding).constraints == plain.constraints


def pairs(given: tuple[tuple[Formula, ...], ...], denied: object) -> Iterator[tuple[Formula, ...]]:
    for group in given:
        yield from combinations(group, 2)


def test_formulas_that_say_something_of_one_another_are_put_together_as_ever() -> None:
    one, (a, b, c, d) = algebra(4)
    named = one.literal(Or(frozenset({a, b})))
    one.require_patterned(pairs, ((named, a),), WHY)
    one.require_patterned(pairs, ((c, -c),), WHY)
    one.require_patterned(pairs, ((d, d),), WHY)
    told = [each.lits for each in one.encoding.constraints if isinstance(each, Clause)]
    assert told == [(named,), (d,)]  # one follows from the other, one holds anyway, one says it twice


def test_no_more_is_kept_than_is_said() -> None:
    one, lits = algebra(2 * KEPT + 2)
    for at in range(0, len(lits), 2):
        one.require_patterned(pairs, (tuple(lits[at : at + 2]),), WHY)
    assert patterned.cache_info().currsize <= KEPT
    assert len(one.encoding.constraints) == KEPT + 1
