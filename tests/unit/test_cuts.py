"""What hangs together, told to SAT solvers as solutions break it: the same answers as from encodings in full."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from itertools import product
from random import Random

import pytest

from ggp.encoding.constraints import Encoding, Values, Why, holds
from ggp.encoding.graphs import Areas, Graph, Joined
from ggp.encoding.lowering import linear_to_clauses
from ggp.encoding.lowering.route import Backend, routed
from ggp.encoding.unroll import attempts
from ggp.engines import sat_worker
from ggp.engines.cuts import graph_of
from ggp.errors import Place, UnsupportedFeature
from ggp.language import levels
from ggp.language.maps import read_board, symbols_of
from ggp.model import Instance, Level, Plan
from ggp.model.result import Query
from ggp.solvers import cpsat, sat
from ggp.tasks.solving import Run

WHY = Why("made up")


def booleans(number: int) -> tuple[Encoding, list[int]]:
    """An encoding of so many Booleans, all of them decisions, and their literals."""
    encoding = Encoding(levels.load("sudoku/paper-4x4"), 0)
    variables = [encoding.new("v", (index,), (0, 1)) for index in range(number)]
    encoding.decisions = dict.fromkeys(variables, lambda plan: 0)
    return encoding, [encoding.number(variable, 1) for variable in variables]


def random_graph(rng: Random) -> Encoding:
    """Some nodes and links, of which some are certain; areas of a size, or with marks, or one."""
    nodes = rng.randint(2, 5)
    pairs = [(a, b) for b in range(nodes) for a in range(b) if rng.random() < 0.7][:5]
    encoding, lits = booleans(nodes + len(pairs))

    def truth(lit: int) -> int | bool:
        return rng.choice([lit, lit, lit, -lit, True, False] if rng.random() < 0.3 else [lit])

    inside = tuple(map(truth, lits[:nodes]))
    links = tuple((a, b, truth(lit)) for (a, b), lit in zip(pairs, lits[nodes:], strict=True))
    if rng.random() < 0.4:
        encoding.add(Joined(inside, links, WHY))
        return encoding
    marks = tuple((node, rng.randint(1, 4)) for node in rng.sample(range(nodes), rng.randint(1, 2)))
    size = rng.choice([None, None, 1, 2, 3])
    encoding.add(Areas(inside, links, size, () if size is not None else marks, WHY))
    return encoding


def listed(encoding: Encoding, solver: str = "cadical195") -> list[Values]:
    """The solutions of an encoding of Booleans, as the worker lists them."""
    clauses = linear_to_clauses.lower(encoding)
    given = {item.name: getattr(clauses, item.name) for item in fields(clauses)}
    from pysat.solvers import Solver

    with Solver(name=solver, bootstrap_with=clauses.clauses) as engine:
        engine.append_formula(sat_worker.spelt_out(clauses.cards, clauses.variables)[0])
        looking = sat_worker.Looking(engine, given["graphs"])
        return [clauses.values(ones) for ones in sat_worker.others(looking, given)]


@pytest.mark.parametrize("solver", ["cadical195", "glucose42"])
@pytest.mark.parametrize("seed", range(60))
def test_graphs_have_the_solutions_that_trying_everything_finds(seed: int, solver: str) -> None:
    encoding = random_graph(Random(seed))
    (constraint,) = encoding.constraints
    numbers = range(len(encoding.variables))
    wanted = {
        values
        for values in product((0, 1), repeat=len(numbers))
        if holds(encoding, constraint, dict(enumerate(values)))
    }
    found = [tuple(values[v] for v in numbers) for values in listed(encoding, solver)]
    assert len(found) == len(set(found))
    assert set(found) == wanted


@pytest.mark.parametrize("seed", range(60))
def test_each_cut_follows_from_its_graph_and_is_broken_by_what_it_was_made_for(seed: int) -> None:
    encoding = random_graph(Random(seed))
    (constraint,) = encoding.constraints
    (told,) = linear_to_clauses.lower(encoding).graphs
    graph, numbers, cuts, broken = graph_of(told), range(1, len(encoding.variables) + 1), [], 0
    right, sure = [], len(encoding.variables) + 1
    for values in product((0, 1), repeat=len(numbers)):
        held = {n if values[n - 1] else -n for n in numbers} | {sure}
        new = list(graph.cuts(held))
        assert not any(held & {*clause} for clause in new)
        assert bool(new) != holds(encoding, constraint, dict(enumerate(values)))
        cuts += new
        broken += bool(new)
        right += [] if new else [held]
    assert all(held & {*clause} for held in right for clause in cuts)


# --- boards: each word, with nothing in common but the description

GAMES: dict[str, tuple[str, int, int]] = {  # symbols that a random map is made of, rows and columns
    "fillomino": (".....1223", 3, 3),
    "nurikabe": ("......123", 4, 3),
    "hitori": ("1234", 4, 4),
    "hashiwokakero": ("....123", 4, 5),
}


def random_board(game: str, rng: Random) -> Instance:
    """A small board with random clues, most of which contradict each other or leave much open."""
    described = levels.builtin(game)[0]
    if game in ("slitherlink", "masyu"):
        rows = drawn(game, rng)
    else:
        symbols, height, width = GAMES[game]
        rows = ["".join(rng.choice(symbols) for _ in range(width)) for _ in range(height)]
    board, findings = read_board(rows, symbols_of(described), lambda row, column: Place("here"))
    assert not findings, findings
    numbers = (("largest", rng.randint(3, 9)),) if game == "fillomino" else ()
    return Instance(described, Level("made-up", board, 0, numbers))


def drawn(game: str, rng: Random) -> list[str]:
    """Rooms between corners and sides, or spots between gaps."""
    if game == "slitherlink":
        height, width = rng.randint(2, 3), 3
        inner = [" " + " ".join(rng.choice("....0123") for _ in range(width)) + " " for _ in range(height)]
        corners = "+ " * width + "+"
        return [row for line in inner for row in (corners, line)] + [corners]
    spots = [" ".join(rng.choice("....o*") for _ in range(4)) for _ in range(4)]
    gaps = " + + + "
    return [row for line in spots for row in (line, gaps)][:-1]


def plans(encoding: Encoding) -> set[Plan]:
    return {encoding.decode(values) for values in listed(encoding)}


@pytest.mark.parametrize("game", [*GAMES, "slitherlink", "masyu"])
def test_random_boards_have_the_answers_that_another_solver_finds(game: str) -> None:
    """CP-SAT is given distances, successors and counts instead."""
    some = none = 0
    query = Query("all")
    for seed in range(25):
        instance = random_board(game, Random(f"{game} {seed}"))
        (native,) = attempts(instance, query, sat.BACKEND)
        (full,) = attempts(instance, query, cpsat.BACKEND)
        wanted = {full.encoding.decode(values) for values in cpsat.Run(cpsat.Posted(full.encoding, lambda: None), query)}
        found = plans(native.encoding)
        assert found == wanted, seed
        some += bool(wanted)
        none += not wanted
    assert some >= 3 and none >= 1, (some, none)
