"""Answers are distinct: each solver lists and counts exactly what trying everything finds, each answer once.

First each constraint of the Encoding on random encodings, then boards of the games that use them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from ggp import registry
from ggp.encoding.constraints import (
    AllDifferent,
    Automaton,
    Circuit,
    Clause,
    Constraint,
    Cumulative,
    DifferentLists,
    Distances,
    Encoding,
    Iff,
    Linear,
    Regular,
    Sum,
)
from ggp.encoding.lowering.route import lowered
from ggp.encoding.unroll import Attempt, attempts
from ggp.engines.csp import tools as xcsp_tools
from ggp.engines.csp.run import CORE
from ggp.engines.csp.run import solve_one as by_file
from ggp.engines.linear.adapter import BACKEND, Mip
from ggp.exporters import xcsp3
from ggp.language import levels
from ggp.model import Instance, Level, Plan
from ggp.model.result import Clock, Once, Query
from ggp.referee.trajectory import replay
from ggp.solvers import ace, cpsat, sat
from ggp.tasks.solving import Run
from tests.slow import few_or_many, slow_unless
from tests.tiny_encodings import WHY, solutions, tiny

Make = Callable[[Random, Encoding], Constraint]


def atom(rng: Random, encoding: Encoding) -> int:
    """A literal of some variable."""
    variable = rng.randrange(len(encoding.variables))
    lit = encoding.atom(variable, rng.choice(encoding.variables[variable].domain))
    assert not isinstance(lit, bool)
    return rng.choice([lit, -lit])


def some(rng: Random, encoding: Encoding, least: int = 2) -> tuple[int, ...]:
    """A few variables, in some order."""
    numbers = range(len(encoding.variables))
    return tuple(rng.sample(numbers, rng.randint(least, len(numbers))))


def clause(rng: Random, encoding: Encoding) -> Constraint:
    return Clause(tuple(atom(rng, encoding) for _ in range(rng.randint(1, 3))), WHY)


def definition(rng: Random, encoding: Encoding) -> Constraint:
    parts = tuple(atom(rng, encoding) for _ in range(rng.randint(1, 3)))
    return Iff(atom(rng, encoding), rng.choice(["and", "or"]), parts, WHY)  # type: ignore[arg-type]


def when(rng: Random, encoding: Encoding) -> int | None:
    return atom(rng, encoding) if rng.random() < 0.6 else None


def total(rng: Random, encoding: Encoding) -> Constraint:
    terms = tuple((rng.choice([-1, 1, 2]), atom(rng, encoding)) for _ in range(rng.randint(2, 4)))
    return Sum(terms, rng.choice(["<=", "=", ">="]), rng.randint(0, 2), WHY, when(rng, encoding))  # type: ignore[arg-type]


def linear(rng: Random, encoding: Encoding) -> Constraint:
    terms = tuple((rng.choice([-1, 1, 2]), variable) for variable in some(rng, encoding)[:3])
    return Linear(terms, rng.choice(["<=", "=", ">="]), rng.randint(0, 4), WHY, when(rng, encoding))  # type: ignore[arg-type]


def different(rng: Random, encoding: Encoding) -> Constraint:
    return AllDifferent(some(rng, encoding), WHY)


def different_but(rng: Random, encoding: Encoding) -> Constraint:
    return AllDifferent(some(rng, encoding), WHY, tuple(rng.sample([0, 1, 2, 3], rng.randint(1, 2))))


def regular(rng: Random, encoding: Encoding) -> Constraint:
    """An automaton of some states; often a value leads to where it started, so that many words pass."""
    states = rng.randint(2, 4)
    ways = {(s, v): rng.randrange(states) for s in range(states) for v in range(4) if rng.random() < 0.8}
    finals = tuple(rng.sample(range(states), rng.randint(1, states)))
    return Regular(some(rng, encoding), Automaton(tuple((*k, t) for k, t in ways.items()), finals), WHY)


def different_lists(rng: Random, encoding: Encoding) -> Constraint:
    """Lists that share no variable, as the rows of a board do not."""
    numbers = list(range(len(encoding.variables)))
    rng.shuffle(numbers)
    return DifferentLists((tuple(numbers[:2]), tuple(numbers[2:4])), WHY)


def circuit(rng: Random, encoding: Encoding) -> Constraint:
    """Over all variables: each is a node, and its value another one, or its own."""
    return Circuit(tuple(range(len(encoding.variables))), WHY)


def distances(rng: Random, encoding: Encoding) -> Constraint:
    nodes = some(rng, encoding)
    inside, roots = (
        tuple(rng.choice([True, atom(rng, encoding)]) for _ in nodes),
        tuple(rng.choice([False, True, atom(rng, encoding)]) for _ in nodes),
    )
    pairs = [(a, b) for b in range(len(nodes)) for a in range(b) if rng.random() < 0.8]
    links = tuple((a, b, rng.choice([True, atom(rng, encoding)])) for a, b in pairs)
    return Distances(nodes, inside, roots, links, WHY)


def cumulative(rng: Random, encoding: Encoding) -> Constraint:
    """Tasks of which two or three fit beside one another, or none do."""
    starts = some(rng, encoding)
    lengths, heights = (tuple(rng.randint(1, 3) for _ in starts) for _ in range(2))
    return Cumulative(starts, lengths, heights, rng.randint(3, 5), WHY)


def not_empty(encoding: Encoding) -> Constraint:
    """Some node is on a circuit: readers of XCSP3 differ on that, so goals that post one say it, too."""
    return Clause(tuple(-encoding.number(variable, variable) for variable in range(4)), WHY)


MAKERS: dict[str, Make] = {
    "clause": clause,
    "iff": definition,
    "sum": total,
    "linear": linear,
    "all-different": different,
    "all-different-but": different_but,
    "regular": regular,
    "different-lists": different_lists,
    "circuit": circuit,
    "distances": distances,
    "cumulative": cumulative,
}


def random_encoding(rng: Random, make: Make) -> Encoding:
    """A few variables, constraints of one kind over them, and sometimes another constraint."""
    whole = make in (circuit, different_lists)  # over all of them, two lists of two
    domains = [(0, 1, 2, 3)] if make is circuit else [(0, 1), (0, 1, 2), (0, 1, 2, 3), (1, 3), (2,)]
    encoding = tiny([rng.choice(domains) for _ in range(4 if whole else rng.randint(3, 5))])
    encoding.constraints = [make(rng, encoding) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.5:
        encoding.constraints.append(rng.choice([clause, different_but])(rng, encoding))
    return encoding


def by_cpsat(encoding: Encoding, query: Query) -> Iterator[Plan]:
    return cpsat.solve_one(Attempt(lowered(encoding, cpsat.BACKEND).encoding, True), query)


def by_cbc(encoding: Encoding, query: Query) -> Iterator[Plan]:
    return Mip("cbc", "CBC").ask(Attempt(lowered(encoding, BACKEND).encoding, True), query)


def by_sat(encoding: Encoding, query: Query) -> Iterator[Plan]:
    return sat.Sat(sat.SOLVERS[0]).ask(Attempt(lowered(encoding, sat.BACKEND).encoding, True), query)


def by_ace(encoding: Encoding, query: Query) -> Iterator[Plan]:
    return by_file(xcsp_tools.ACE, Attempt(lowered(encoding, CORE).encoding, True), query, ace.write)


def by_choco(encoding: Encoding, query: Query) -> Iterator[Plan]:
    return by_file(xcsp_tools.CHOCO, Attempt(lowered(encoding, CORE).encoding, True), query, xcsp3.write)


def by_cpmpy(encoding: Encoding, query: Query) -> Iterator[Plan]:
    return by_file(xcsp_tools.CPMPY, Attempt(lowered(encoding, CORE).encoding, True), query, xcsp3.write)


QUICK = {"cp-sat": (by_cpsat, 20), "sat": (by_sat, 2), "cbc": (by_cbc, 1)}
READERS = {"ace": (by_ace, 1), "choco": (by_choco, 1), "cpmpy": (by_cpmpy, 1)}  # a second or more to start
PAIRS = [(solver, kind) for solver in (*QUICK, *READERS) for kind in MAKERS]
# All read the same file: every fourth constraint is read by one of them at once, and slowly by the others. Of
# the quick ones each is asked about one constraint of three.
AT_ONCE = [pair for at, pair in enumerate(PAIRS) if pair[0] in QUICK and at % 3 == 1] + [
    (solver, kind) for at, solver in enumerate(READERS) for kind in list(MAKERS)[at :: 4 * len(READERS)]
]


@pytest.mark.parametrize(("solver", "kind"), slow_unless(AT_ONCE, PAIRS))
def test_each_constraint_has_each_answer_once(solver: str, kind: str) -> None:
    ask, seeds = (QUICK | READERS)[solver]
    wanted_some = 0
    for seed in range(100, 100 + seeds):
        encoding = random_encoding(Random(seed), MAKERS[kind])
        if kind == "circuit" and solver in READERS:
            encoding.constraints.append(not_empty(encoding))
        wanted = solutions(encoding)
        assert len(set(wanted)) == len(wanted)
        found = sorted(ask(encoding, Query("all", clock=Clock(60))), key=lambda plan: plan.actions)
        assert found == wanted, f"seed {seed}: {len(found)} answers, and there are {len(wanted)}"
        wanted_some += bool(wanted)
    assert wanted_some or seeds < 4


@few_or_many("seeds", 5, 20)
@pytest.mark.parametrize("kind", MAKERS)
def test_what_cp_sat_adds_follows_from_what_is_decided(kind: str, seeds: int) -> None:
    """All its variables are enumerated: if one were open, each answer would come again and again."""
    for seed in range(100, 100 + seeds):
        encoding = lowered(random_encoding(Random(seed), MAKERS[kind]), cpsat.BACKEND).encoding
        raw = cpsat.run_of(cpsat.Posted(encoding, lambda: None), Query("all"))
        assert sorted(encoding.decode(one).actions for one in raw) == [p.actions for p in solutions(encoding)]


# --- boards


def latin_squares(size: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every square in which each row and column holds 1 to `size`."""

    def below(rows: tuple[tuple[int, ...], ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
        if len(rows) == size:
            yield rows
            return
        for row in permutations(range(1, size + 1)):
            if all(a != b for above in rows for a, b in zip(above, row, strict=True)):
                yield from below((*rows, row))

    return below(())


def seen(towers: Sequence[int]) -> int:
    """How many towers are seen from the start of a row."""
    return sum(tower > max(towers[:at], default=0) for at, tower in enumerate(towers))


def edges(square: Sequence[Sequence[int]]) -> dict[str, list[int]]:
    """What is seen from each side."""
    columns = list(zip(*square, strict=True))
    return {
        "rows": [seen(row) for row in square],
        "rows-reversed": [seen(row[::-1]) for row in square],
        "columns": [seen(column) for column in columns],
        "columns-reversed": [seen(column[::-1]) for column in columns],
    }


SQUARES = {size: list(latin_squares(size)) for size in (4,)}


def skyscrapers(rng: Random, size: int, square: Sequence[Sequence[int]], keep: float) -> Instance:
    """An empty board with some of the numbers at the edges of a square."""
    clues = {
        name: tuple((number,) if rng.random() < keep else None for number in numbers)
        for name, numbers in edges(square).items()
    }
    like = levels.load("skyscrapers/5x5")
    board = tuple(tuple(frozenset() for _ in range(size)) for _ in range(size))
    level = Level("random", board, 0, clues=tuple(clues.items()))
    return Instance(like.game, level)


def fits(square: Sequence[Sequence[int]], instance: Instance) -> bool:
    told = edges(square)
    return all(
        clue is None or clue == (told[name][at],)
        for name, clues in instance.level.clues
        for at, clue in enumerate(clues)
    )


def square_of(plan: Plan, size: int) -> tuple[tuple[int, ...], ...]:
    placed = {cell: int(str(piece.variant)) for cell, piece in plan.design}
    return tuple(tuple(placed[row, column] for column in range(size)) for row in range(size))


@pytest.mark.parametrize(
    "solver",
    slow_unless(["cp-sat", "cbc", "sat", "choco"], ["cp-sat", "sat", "cbc", "ace", "choco", "cpmpy"]),
)
def test_random_skyscrapers(solver: str) -> None:
    """Against every Latin square: listed and counted."""
    for seed in range(6 if solver == "cp-sat" else 1):
        rng = Random(seed)
        one = skyscrapers(rng, 4, rng.choice(SQUARES[4]), 0.7)
        wanted = sorted(square for square in SQUARES[4] if fits(square, one))
        run = Run(one, solver, "all", time_limit=60)
        assert sorted(square_of(plan, 4) for plan in run) == wanted, f"seed {seed}"
        assert run.result is not None and run.result.count == len(wanted) and run.result.complete


FIVE = {
    "rows": ("?", 3, 3, 2, 2),
    "rows-reversed": (3, 2, 1, 2, "?"),
    "columns": ("?", 3, 2, 4, 3),
    "columns-reversed": (2, 2, "?", 1, 3),
}


def test_automata_of_five() -> None:
    """The automaton of the library gave its one answer four times."""
    rng = Random(0)
    one = skyscrapers(rng, 5, [[1] * 5] * 5, 0)
    clues = tuple(
        (name, tuple(None if clue == "?" else (int(clue),) for clue in told)) for name, told in FIVE.items()
    )
    one = replace(one, level=replace(one.level, clues=clues))
    run = Run(one, "cp-sat", "count")
    assert list(run) and run.result is not None and run.result.count == 1
    (attempt,) = attempts(one, Query("all"), cpsat.BACKEND)
    assert len([*cpsat.run_of(cpsat.Posted(attempt.encoding, lambda: None), Query("all"))]) == 1


# --- the one place that refuses an equal plan


def twice(name: str, again: Callable[[Plan], Plan]) -> Callable[..., Iterator[Plan]]:
    def solve(instance: Instance, query: Query) -> Iterator[Plan]:
        (plan, *_) = instance.level.known.wins
        yield plan
        yield again(plan)

    return solve


@pytest.mark.parametrize("want", ["all", "count"])
@pytest.mark.parametrize("level", ["lemmings/seed", "sokoban/first"])
def test_an_equal_plan_is_an_error_of_the_solver(
    level: str, want: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is written in another order, or with blanks."""
    from ggp.errors import SolverError

    module = registry.load("solver", "null")
    mixed = lambda plan: Plan(plan.design[::-1], tuple(f" {text}" for text in plan.actions))  # noqa: E731
    instance = levels.load(level)
    assert replay(instance, mixed(instance.level.known.wins[0])).won
    for again in (lambda plan: plan, mixed):
        monkeypatch.setattr(module, "solve", twice("null", again))
        with pytest.raises(SolverError, match="the same plan for .* twice"):
            list(Run(instance, "null", want))  # type: ignore[arg-type]


def test_once() -> None:
    once = Once()
    assert [once.first(1, 2), once.first(1, 2), once.first(12), once.first((1, 2))] == [
        True,
        False,
        True,
        True,
    ]
