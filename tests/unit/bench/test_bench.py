"""The benchmarks' baseline and their clockwork. What is fast is measured by `ggp bench`, never asserted."""

from __future__ import annotations

import functools
import json
import tomllib
from importlib import resources
from itertools import combinations

import pytest

from ggp import bench, registry
from ggp.bench import seed
from ggp.bench.baselines import cp as baseline_cp
from ggp.errors import UnknownName, UnsupportedFeature
from ggp.language.levels import load
from ggp.model import Cell, Design, Game, Goal, Instance, Kind, Level, Piece
from tests.slow import few_or_many

ROLES = baseline_cp.Roles(solid=("rock", "plank"), walker="ant", target="nest")
SYMBOLS = {"#": "rock", ">": Piece("ant", "right"), "<": Piece("ant", "left"), "O": "nest", " ": None}

PIT = """
#######
#>    #
# ##  #
#  #O #
#######
"""


def instance(drawing: str, horizon: int | None, budget: int) -> Instance:
    def pieces(symbol: str) -> frozenset[Piece]:
        piece = SYMBOLS[symbol]
        return (
            frozenset() if piece is None else frozenset({Piece(piece) if isinstance(piece, str) else piece})
        )

    kinds = (
        Kind("rock", "solid"),
        Kind("plank", "solid"),
        Kind("nest", "floor"),
        Kind("ant", "walker", ("left", "right")),
    )
    design = Design(("plank",), ("rock", "plank"), "budget")
    game = Game("ants", "Ants", kinds, Goal(()), design=design)
    board = tuple(tuple(pieces(symbol) for symbol in row) for row in drawing.strip("\n").split("\n"))
    return Instance(game, Level("pit", board, horizon, (("budget", budget),)))


def by_trying_all(drawing: str, horizon: int, budget: int) -> set[frozenset[Cell]]:
    """The same question answered by walking each walker past each set of planks; nobody stops."""
    rows = drawing.strip("\n").split("\n")
    at = {(r, c): symbol for r, row in enumerate(rows) for c, symbol in enumerate(row)}
    free = [cell for cell, symbol in at.items() if symbol != "#"]
    answers = set()
    for size in range(budget + 1):
        for planks in combinations(free, size):
            solid = {cell for cell, symbol in at.items() if symbol == "#"} | set(planks)
            arrived = True
            for (r, c), symbol in at.items():
                if symbol not in "<>":
                    continue
                d = 1 if symbol == ">" else -1
                for _ in range(horizon):
                    if (r + 1, c) not in solid:
                        r += 1
                    elif (r, c + d) not in solid:
                        c += d
                    else:
                        d = -d
                arrived = arrived and at[r, c] == "O"
            if arrived:
                answers.add(frozenset(planks))
    return answers


@pytest.mark.parametrize(("horizon", "budget"), [(6, 0), (7, 1), (8, 2), (5, 1), (3, 2)])
@pytest.mark.parametrize("walkers_first", [False, True])
def test_baseline_finds_what_trying_all_finds(horizon: int, budget: int, walkers_first: bool) -> None:
    found = baseline_cp.solve(instance(PIT, horizon, budget), ROLES, walkers_first)
    answers = [frozenset(cell for cell, _ in plan.design) for plan in found.plans]
    assert set(answers) == by_trying_all(PIT, horizon, budget)
    assert len(answers) == len(set(answers))


def test_some_of_those_have_answers() -> None:
    assert by_trying_all(PIT, 8, 2)
    assert not by_trying_all(PIT, 3, 2)


def test_baseline_places_the_games_own_piece() -> None:
    found = baseline_cp.solve(instance(PIT, 8, 2), ROLES)
    assert {piece for plan in found.plans for _, piece in plan.design} == {Piece("plank")}


def test_baseline_has_the_published_size() -> None:
    boxed_in = "\n".join(["#>" + "#" * 8, *["#" * 10] * 8, "#" * 9 + "O"])
    found = baseline_cp.solve(instance(boxed_in, 19, 0), ROLES)
    assert (found.plans, found.variables, found.constraints) == ((), 16_100, 16_100 + 2)


def test_baseline_refuses_what_it_cannot_take() -> None:
    with pytest.raises(UnsupportedFeature, match="horizon"):
        baseline_cp.solve(instance(PIT, None, 1), ROLES)


def test_unknown_benchmark_names_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="seed"):
        bench.run("sede")


def test_the_cases_name_levels_and_solvers_that_exist() -> None:
    cases = tomllib.loads((resources.files("ggp.bench") / "cases.toml").read_text(encoding="utf-8"))
    assert set(cases) == set(bench.BENCHES)
    for one in cases.values():
        for name in [one["level"]] if "level" in one else one.get("levels", []):
            load(name)
        assert set(one["solvers"]) <= set(registry.SOLVERS)


def test_best_of_empties_caches_and_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    @functools.cache
    def costly() -> int:
        calls.append(1)
        return 7

    monkeypatch.setattr(costly, "__module__", "ggp.something")
    _, made, answer = bench.best_of(3, costly)
    assert (made, answer, len(calls)) == (3, 7, 3)


def test_best_of_does_not_repeat_what_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PATIENCE", 0.0)
    assert bench.best_of(5, lambda: None)[1] == 1


@few_or_many("solvers", ["search", "sat"], None)
def test_the_seed_benchmark_finds_the_same_plans_every_way(
    solvers: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = bench.case("seed") | ({"solvers": solvers} if solvers else {})
    monkeypatch.setattr("ggp.bench.seed.case", lambda _: case)
    if solvers:  # what linear solvers make of the published program takes longest; its own order takes long
        found = baseline_cp.solve(load(case["level"]), baseline_cp.Roles.of(case["roles"]), True)
        monkeypatch.setattr(baseline_cp, "solve", lambda *asked, **first: found)
        monkeypatch.setattr(seed, "optimum", lambda *asked: [seed.relaxed(*asked)])
    said: list[str] = []
    records = bench.run("seed", repeats=1, say=said.append)
    solving = [record for record in records if record.solutions is not None and "best" not in record.what]
    assert [record.what for record in solving[:2]] == ["baseline", "baseline, walkers first"]
    assert {record.what for record in solving[2:]} == set(case["solvers"])
    assert all(record.solutions == 6 and record.complete for record in solving)
    assert all(record.agrees for record in solving[1:])
    best = [record for record in records if "best" in record.what]
    # The published program, and ours, both solved by the same solver.
    assert len(best) == (0 if solvers else 2)
    assert all(record.agrees is not False for record in best)
    others = [record for record in records if record.what.startswith(("baseline for linear", "gradient"))]
    assert [record.agrees for record in others] == [True, True]
    assert "-0.4833" in others[0].what
    assert len(said) == len(records)
    assert json.loads(json.dumps([record.to_json() for record in records]))[0]["bench"] == "seed"
