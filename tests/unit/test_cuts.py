"""What hangs together, told to solvers as solutions break it: the answers of encodings in full."""

from __future__ import annotations

import io
import json
from dataclasses import fields, replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from pysat.formula import CNFPlus
from pysat.solvers import Solver

from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.graphs import Areas, Joined
from ggp.encoding.judging import holds
from ggp.encoding.literals import Why
from ggp.encoding.lowering import linear_rows, linear_to_clauses
from ggp.encoding.lowering.protocol import EVERY, NATIVE
from ggp.encoding.lowering.route import Backend, routed
from ggp.encoding.unroll import attempts
from ggp.engines.cuts import graph_of
from ggp.engines.linear import adapter, worker
from ggp.engines.sat.looking import Looking, others, spelt_out
from ggp.errors import UnsupportedFeature
from ggp.language import levels
from ggp.language.maps import symbols_of
from ggp.model import Instance, Piece, Plan
from ggp.model.result import Query, Trace
from ggp.solvers import cpsat, sat
from ggp.solvers.cpsat.posted import Posted
from ggp.solvers.cpsat.runs import run_of
from ggp.tasks.solving import Run
from tests.slow import few_or_many, one_in

WHY = Why("made up")
PATH = """
name = "path"
[kinds]
stone = { layer = "a" }
wall = { layer = "a" }
[symbols]
"." = ""
"o" = "stone"
"#" = "wall"
[design]
place = "stone"
free-of = ["stone", "wall"]
[goal]
when = "horizon"
win = ["connected stone"]
[objectives]
stones = "placements"
[[level]]
name = "first"
map = '''
o.#o
....
#.o.
'''
"""


def booleans(number: int) -> tuple[Encoding, list[int]]:
    """An encoding of so many Booleans, all of them decisions, and their literals."""
    encoding = Encoding(levels.load("sudoku/paper-4x4"), 0)
    variables = [encoding.new("v", (index,), (0, 1)) for index in range(number)]
    encoding.decisions = dict.fromkeys(variables, lambda plan: 0)
    return encoding, [encoding.number(variable, 1) for variable in variables]


def random_graph(rng: Random) -> Encoding:
    """Some nodes and links, of which some are certain; areas of a size, or more, or with marks, or one."""
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
    marked = rng.sample(range(nodes), rng.randint(1, 2))
    marks = tuple((node, rng.choice([1, 2, 3, 4, None])) for node in marked)
    size = rng.choice([None, None, 1, 2, 3])
    least = size is not None and rng.random() < 0.5
    encoding.add(Areas(inside, links, size, () if size is not None else marks, WHY, least))
    return encoding


def listed(encoding: Encoding, solver: str = "cadical195") -> list[Values]:
    """The solutions of an encoding of Booleans, as the worker lists them."""
    clauses = linear_to_clauses.lower(encoding)
    given = {item.name: getattr(clauses, item.name) for item in fields(clauses)}
    with Solver(name=solver, bootstrap_with=clauses.clauses) as engine:
        engine.append_formula(spelt_out(clauses.cards, clauses.variables)[0])
        looking = Looking(engine, given["graphs"])
        return [clauses.values(ones) for ones in others(looking, clauses.decisions)]


@pytest.mark.parametrize("solver", ["cadical195", "glucose42"])
@pytest.mark.parametrize("seed", one_in(3, range(60)))
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


@pytest.mark.parametrize("seed", one_in(3, range(60)))
def test_cp_sat_lists_each_solution_of_a_graph_once(seed: int) -> None:
    encoding = random_graph(Random(seed))
    (constraint,) = encoding.constraints
    numbers = range(len(encoding.variables))
    wanted = [
        values
        for values in product((0, 1), repeat=len(numbers))
        if holds(encoding, constraint, dict(enumerate(values)))
    ]
    run = run_of(Posted(encoding, lambda: None), Query("all"))
    assert sorted(tuple(values[v] for v in numbers) for values in run) == wanted
    assert run.status() == ("OPTIMAL" if wanted else "INFEASIBLE")


@few_or_many("seeds", 12, 60)
def test_rows_have_the_best_solution_of_a_graph(seeds: int) -> None:
    """With weights for all that may be, and a first solution that breaks a graph more often than not."""
    for seed in range(seeds):
        rng = Random(seed)
        encoding = random_graph(rng)
        (constraint,) = encoding.constraints
        numbers = range(len(encoding.variables))
        weights = [rng.randint(-9, 9) for _ in numbers]
        costs = [
            sum(weight for weight, value in zip(weights, values, strict=True) if value)
            for values in product((0, 1), repeat=len(numbers))
            if holds(encoding, constraint, dict(enumerate(values)))
        ]
        program = linear_rows.lower(encoding)
        task = adapter.Task(
            len(program.columns),
            program.rows,
            list(zip(weights, numbers, strict=True)),
            graphs=program.graphs,
            want="best",
        )
        given = {item.name: getattr(task, item.name) for item in fields(task)}
        said = io.StringIO()
        worker.main({**given, "bounds": [], "seconds": None}, said)
        *found, end = map(json.loads, said.getvalue().splitlines())
        assert end["status"] == ("OPTIMAL" if costs else "INFEASIBLE")
        assert [sum(weights[one] for one in answer["ones"]) for answer in found] == (
            [min(costs)] if costs else []
        )


@pytest.mark.parametrize("seed", one_in(3, range(60)))
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
    assert all(held & {*clause} for held in right for clause in [*cuts, *graph.first()])


# --- boards: each word, with nothing in common but the description

SMALL = {  # levels that are changed a little, and what may stand there instead of a symbol
    "fillomino": ("tiny", ".1234"),
    "nurikabe": ("small", ".134o"),
    "hitori": ("small", "1234"),
    "hashiwokakero": ("ambiguous", ".123o"),
    "slitherlink": ("tiny", ".0123"),
    "masyu": ("small", ".o*"),
}


def changed(game: str, rng: Random) -> Instance:
    """A small level of a game with another clue or two: often they contradict others, or leave much open."""
    name, signs = SMALL[game]
    instance = levels.load(f"{game}/{name}")
    pieces = [symbols_of(instance.game)[sign] for sign in signs]
    board = [list(row) for row in instance.level.board]
    spots = [(r, c) for r, row in enumerate(board) for c, here in enumerate(row) if here in pieces]
    for row, column in rng.sample(spots, rng.choice([1, 1, 2])):
        board[row][column] = rng.choice(pieces)
    level = replace(instance.level, board=tuple(map(tuple, board)), name="changed")
    return Instance(instance.game, level)


def plans(encoding: Encoding) -> set[Plan]:
    return {encoding.decode(values) for values in listed(encoding)}


@pytest.mark.parametrize("game", one_in(3, SMALL))
def test_random_boards_have_the_answers_that_another_solver_finds(game: str) -> None:
    """CP-SAT is given distances, successors and counts instead, and then what a SAT solver gets."""
    some = none = 0
    query = Query("all")
    for seed in range(30):
        instance = changed(game, Random(f"{game} {seed}"))
        (native,) = attempts(instance, query, sat.BACKEND)
        (full,) = attempts(instance, query, cpsat.FULL)
        (also,) = attempts(instance, query, cpsat.BACKEND)
        wanted = {
            full.encoding.decode(values) for values in run_of(Posted(full.encoding, lambda: None), query)
        }
        run = run_of(Posted(also.encoding, lambda: None), query)
        told = [also.encoding.decode(values) for values in run]
        assert set(told) == wanted and len(told) == len(wanted), seed
        assert run.status() == ("OPTIMAL" if wanted else "INFEASIBLE")
        found = plans(native.encoding)
        assert found == wanted, seed
        some += bool(wanted)
        none += not wanted
    assert some >= 2 and none >= 2, (some, none)


def test_whose_each_cell_is_settles_what_no_clue_reaches() -> None:
    """Before any solution was looked at: what is too far away from each clue, and what an area needs."""
    instance = levels.load("nurikabe/4x4")
    (two,) = symbols_of(instance.game)["2"]
    row = (frozenset({two}), *[frozenset[Piece]()] * 4)
    level = replace(instance.level, board=(row,), name="far")
    (attempt,) = attempts(Instance(instance.game, level), Query("all"), sat.BACKEND)
    assert not attempt.encoding.constraints
    assert [cell for cell, _ in attempt.encoding.decode({}).design] == [(0, 2), (0, 3), (0, 4)]


def test_what_is_written_for_one_solver_is_refused_by_another() -> None:
    (attempt,) = attempts(
        levels.load("fillomino/tiny"), Query("all"), Backend("constraint", EVERY, native=NATIVE)
    )
    with pytest.raises(UnsupportedFeature, match="no lowering leads from areas"):
        routed(attempt.encoding, replace(sat.BACKEND, native=frozenset()))


@pytest.mark.parametrize("solver", ["sat", "sat:glucose42", "sat:minicard", "sat:rc2"])
@pytest.mark.parametrize("level", ["slitherlink/5x5", "nurikabe/4x4", "masyu/contradiction"])
def test_the_kept_file_holds_what_solutions_had_to_be_told(solver: str, level: str, tmp_path: Path) -> None:
    """A solver that knows of no graph finds the answer in it, or that there is none."""
    instance = levels.load(level)
    found = list(Run(instance, solver, "first", trace=Trace(keep=tmp_path)))
    assert bool(found) == instance.level.known.solvable
    kept = CNFPlus(from_file=str(tmp_path / "level-1.cnf"))
    with Solver(name="minicard", bootstrap_with=kept) as plain:
        assert plain.solve() == bool(found)


def test_what_is_best_hangs_together(tmp_path: Path) -> None:
    """Fewest shades that leave one area: by a totalizer, by RC2, and by rounds of what is best so far."""
    path = tmp_path / "path.toml"
    path.write_text(PATH)
    instance = levels.load(f"{path}#1")
    best = {}
    for solver in ("cp-sat", "sat", "sat:glucose42", "sat:rc2", "cbc"):
        run = Run(instance, solver, "best")
        plans = list(run)
        assert run.result is not None and run.result.stop == "optimal"
        best[solver] = len(plans[-1].design)
        assert run.result.bound == 4
    assert set(best.values()) == {4}, best
