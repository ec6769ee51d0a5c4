"""The checker of proofs: right proofs are accepted, and no formula that has a solution is ever refuted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest
from pysat.solvers import Solver

from ggp.proof.checker import Judged, judge
from ggp.proof.solver import SOLVERS

Clauses = list[list[int]]
ENDLESS = "it ends without a contradiction"
ALL_FOUR = [[1, 2], [1, -2], [-1, 2], [-1, -2]]


def satisfiable(clauses: Sequence[Sequence[int]]) -> bool:
    """By trying all values."""
    highest = max((abs(lit) for clause in clauses for lit in clause), default=0)
    return any(
        all(any((lit > 0) == values[abs(lit) - 1] for lit in clause) for clause in clauses)
        for values in product((False, True), repeat=highest)
    )


def random_clauses(rng: Random, variables: int, number: int, widths: Sequence[int] = (1, 2, 3, 3)) -> Clauses:
    """Some clauses; a literal may stand in one twice, or with its opposite."""
    return [
        [rng.choice((1, -1)) * rng.randint(1, variables) for _ in range(rng.choice(widths))]
        for _ in range(number)
    ]


def solved(clauses: Clauses, name: str = SOLVERS[0]) -> tuple[bool, list[str]]:
    """Whether a solver finds a solution, and the lines of its proof."""
    with Solver(name=name, bootstrap_with=clauses, with_proof=True) as solver:
        return solver.solve(), list(solver.get_proof() or ())


def said(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def pigeons(holes: int) -> Clauses:
    """One pigeon more than holes."""
    number = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    apart = [[-number[p, h], -number[q, h]] for h in range(holes) for p in range(holes + 1) for q in range(p)]
    return [[number[p, h] for h in range(holes)] for p in range(holes + 1)] + apart


@pytest.mark.parametrize("name", SOLVERS)
def test_proofs_of_solvers_are_accepted_where_trying_all_finds_nothing(name: str) -> None:
    rng, refuted = Random(1), 0
    for _ in range(150):
        clauses = random_clauses(rng, rng.randint(2, 9), rng.randint(5, 40))
        found, lines = solved(clauses, name)
        assert found == satisfiable(clauses)
        assert judge(clauses, said(lines)).proved == (not found)
        refuted += not found
    assert refuted > 40


def test_long_proofs_are_accepted_by_plain_and_by_compiled_loops() -> None:
    clauses = pigeons(6)
    found, lines = solved(clauses)
    assert not found and len(lines) > 100 and any(line.startswith("d") for line in lines)
    plain = judge(clauses, said(lines), compile_loops=False)
    assert plain.proved and plain.steps > 50
    assert judge(clauses, said(lines), compile_loops=True) == plain


def test_a_formula_with_a_solution_is_never_refuted() -> None:
    """Proofs of one formula are read as proofs of others: with a clause less, or a literal changed."""
    rng, tried = Random(2), 0
    for _ in range(400):
        clauses = random_clauses(rng, rng.randint(3, 5), rng.randint(8, 20), (2, 3, 3))
        found, lines = solved(clauses)
        if found:
            continue
        for _ in range(8):
            other = [list(clause) for clause in clauses]
            place = rng.randrange(len(other))
            if rng.random() < 0.5:
                del other[place]
            else:
                other[place][0] *= -1
            if satisfiable(other):
                tried += 1
                assert not judge(other, said(lines)).proved
    assert tried > 100


def test_damaged_proofs_are_refused() -> None:
    clauses = pigeons(4)
    lines = solved(clauses)[1]
    assert judge(clauses, said(lines)).proved
    # A formula and a proof of which nothing is to spare: each step less is noticed.
    chain = [[-at, at + 1] for at in range(1, 5)] + [[-5, -1], [1, 5], [1, -5]]
    needed = ["1 0", "0"]
    assert judge(chain, said(needed)).proved
    # Nothing follows by propagation at first: the empty clause alone is no proof, nor is a truncated one.
    assert judge(clauses, b"0\n") == Judged(False, 0, "step 1 does not follow")
    assert judge(clauses, said(lines[:-1][: len(lines) // 2])).fault == ENDLESS
    assert not judge(clauses, b"").proved
    without = [judge(clauses, said(lines[:at] + lines[at + 1 :])) for at in range(len(lines))]
    assert any("does not follow" in one.fault for one in without)


def test_each_literal_that_is_changed_in_a_proof_without_slack_is_noticed() -> None:
    assert judge(ALL_FOUR, b"1 0\n0\n").proved
    assert judge(ALL_FOUR, b"2 0\n0\n").proved
    loose = [[1, 2], [1, -2], [-1, 3, 4], [-1, 3, -4], [-3, 5], [-5, -1]]
    assert judge(loose, b"1 0\n0\n").fault == ""  # all the rest is propagation
    satisfied = loose[:-1]
    for forged in (b"-1 0\n0\n", b"1 0\n-3 0\n0\n", b"1 0\n-5 0\n0\n", b"6 0\n-6 0\n0\n"):
        assert not judge(satisfied, forged).proved


def test_deleted_clauses_do_not_count_any_more() -> None:
    assert judge(ALL_FOUR, b"1 0\n0\n").proved
    assert not judge(ALL_FOUR, b"d -2 1 0\n1 0\n0\n").proved
    assert judge(ALL_FOUR, b"d 7 8 0\n1 0\n0\n").proved  # there is no such clause
    assert judge([*ALL_FOUR, [1, -2]], b"d 1 -2 0\n1 0\n0\n").proved  # it was there twice
    # What followed from a clause stays, as a step of its own: no more, and no less.
    assert not judge([[1], [-1, 2], [-2, 3, 4]], b"d 1 0\n-1 -5 0\n-1 0\n0\n").proved


def test_what_is_harmless_may_be_added() -> None:
    """A new name for "1 and 2": none of its clauses follows, and none can do any harm."""
    defined = b"3 -1 -2 0\n-3 1 0\n-3 2 0\n"
    assert judge(ALL_FOUR, defined).fault == ENDLESS
    assert judge(ALL_FOUR, defined + b"1 0\n0\n").proved
    assert not judge(ALL_FOUR, b"-1 3 -2 0\n3 0\n").proved  # the first literal is the one that counts
    assert judge([[-1, 2], [1, 3]], b"1 -2 0\n").fault == ENDLESS
    assert "step 1" in judge([[-1, 2], [1, 3]], b"1 -3 0\n").fault
    # Only clauses that are still there stand in the way.
    assert "step 1" in judge([[-1, 3], [2, 4]], b"1 2 0\n").fault
    assert judge([[-1, 3], [2, 4]], b"d -1 3 0\n1 2 0\n").fault == ENDLESS


def test_no_sequence_of_harmless_steps_refutes_a_formula_with_a_solution() -> None:
    """Steps by chance, those kept that are accepted: after them the formula can still be satisfied."""
    rng, kept = Random(3), 0
    for _ in range(250):
        variables = rng.randint(2, 5)
        clauses = random_clauses(rng, variables, rng.randint(2, 10), (1, 2, 2, 3))
        if not satisfiable(clauses):
            continue
        proof, here = b"", [list(clause) for clause in clauses]
        for _ in range(12):
            if here and rng.random() < 0.3:
                gone = here.pop(rng.randrange(len(here)))
                proof += said(["d " + " ".join(map(str, [*gone, 0]))])
                continue
            step = random_clauses(rng, variables + 1, 1, (0, 1, 1, 2, 3))[0]
            longer = proof + said([" ".join(map(str, [*step, 0]))])
            judged = judge(clauses, longer, compile_loops=False)
            assert not judged.proved
            if judged.fault == ENDLESS:
                proof, kept = longer, kept + 1
                here.append(step)
    assert kept > 300


@pytest.mark.parametrize(
    "text",
    [
        b"1 2",
        b"1 x 0\n",
        b"d d 1 0\n",
        b"1 d 2 0\n",
        b"1.5 0\n",
        b"\xff 0\n",
        b"99999999999 0\n",
        b"1--2 0\n",
    ],
)
def test_what_is_no_proof_is_refused(text: bytes) -> None:
    judged = judge(ALL_FOUR, text)
    assert not judged.proved and judged.fault


def test_a_clause_without_literals_needs_no_proof() -> None:
    assert judge([[1], []], b"").proved
    assert judge([[1], [-1]], b"").proved
    assert not judge([], b"").proved


def test_the_clock_is_looked_at() -> None:
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1

    clauses = pigeons(6)
    assert judge(clauses, said(solved(clauses)[1]), tick).proved
    assert ticks > 1
