"""Paths and trajectories through the state graph: the same designs as trying everything with the referee."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from pysat.solvers import Solver

from ggp import api
from ggp.analysis.state_graph.graph import StateGraph
from ggp.encoding import path, trajectory
from ggp.encoding.constraints import Encoding
from ggp.encoding.lowering import linear_to_clauses
from ggp.encoding.lowering.route import lowered
from ggp.engines.sat.looking import spelt_out
from ggp.errors import PuzzleError, Unfit, UnknownName, UnsupportedFeature
from ggp.lab import oracle
from ggp.lab.oracle import Truth, designs
from ggp.language import levels
from ggp.model import Cell, Group, Instance, Objective, Plan
from ggp.model.board import number_of
from ggp.model.result import Query
from ggp.referee.designs import free_cells
from ggp.referee.semantics import ending
from ggp.solvers import cpsat
from ggp.solvers.cpsat.posted import Posted
from ggp.solvers.cpsat.runs import run_of
from ggp.tasks.asking import asked
from tests.changed_rules import changed
from tests.oracles.random_maps import scattered
from tests.slow import one_in
from tests.solver_levels import checked, level_of

LEMMINGS = levels.load_game("lemmings")[0]
(GROUP,) = LEMMINGS.physics
assert isinstance(GROUP, Group)
REST, FALL, WALK, TURN = GROUP.rules
JUMP = replace(WALK, conditions=(*FALL.conditions, *WALK.conditions[1:]), effects=FALL.effects)
IN_TWO = replace(  # who falls, where he could go on as well, then goes on
    LEMMINGS, physics=(replace(GROUP, rules=(REST, JUMP)), replace(GROUP, rules=(REST, WALK, TURN)))
)
GAMES = [("lemmings", LEMMINGS)]  # without freezing, in other orders, ...
GAMES += [*changed(LEMMINGS), ("in two passes", IN_TWO), *changed(IN_TWO)]
OBJECTIVES = (Objective("bricks", "placements"), Objective("turns", "turns"))


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the referee play as long as these levels take."""
    monkeypatch.setattr(oracle, "MOST_STEPS", 20_000)


def drawn(seed: int) -> tuple[str, Instance]:
    """A random small level of a game like Lemmings, with what was changed in its rules."""
    rng = Random(seed)
    what, game = GAMES[0] if seed % 3 == 0 else rng.choice(GAMES)
    height, width, marks = (
        rng.randint(4, 5),
        rng.randint(4, 5),
        rng.choice(["<TT", ">TT", "<TTT", "<>TT", "<<TT"]),
    )
    rows = scattered(
        rng, height, width, "X", marks, border=rng.random() < 0.3, density=rng.choice([0.2, 0.4])
    )
    when, budget = rng.choice(["horizon", "any-turn"]), rng.randint(0, 2)
    one = level_of("lemmings", rows, rng.randint(1, 14), when, budget=budget)
    return what, replace(one, game=replace(game, objectives=OBJECTIVES))


def satisfiable(encoding: Encoding) -> Iterator[frozenset[Cell]]:
    """Which designs, of those that the encoding has variables for, can be completed to a solution."""
    clauses = linear_to_clauses.lower(encoding)
    more, _ = spelt_out(clauses.cards, clauses.variables)
    cells = {cell: encoding.atoms[lits[0]][0] + 1 for cell, lits in encoding.placements.items()}
    with Solver(name="cadical153", bootstrap_with=clauses.clauses + more) as solver:
        for design in designs(encoding.instance):
            placed = frozenset(cell for cell, _ in design)
            if solver.solve([number if cell in placed else -number for cell, number in cells.items()]):
                yield placed


def listed_raw(encoding: Encoding) -> list[Plan]:
    """Every solution that CP-SAT enumerates, as often as it does."""
    done = lowered(encoding, cpsat.BACKEND).encoding
    return [done.decode(values) for values in run_of(Posted(done, lambda: None), Query("all"))]


@pytest.mark.parametrize("start", one_in(8, range(0, 400, 50)))
def test_designs_are_those_that_win(start: int) -> None:
    """In each form; and a circuit has one solution for each design, whatever cycles lie beside the path."""
    seen = Counter[str]()
    for seed in range(start, start + 50):
        what, one = drawn(seed)
        try:
            graph = StateGraph(one)
        except Unfit as error:
            seen[str(error).partition(" at ")[0]] += 1
            continue
        won = {frozenset(cell for cell, _ in design) for design in Truth(one).won}
        for form in ("flow", "clauses"):
            assert set(satisfiable(path.encode(graph, form=form))) == won, (seed, what, form)  # type: ignore[arg-type]
        for listing in (
            path.encode(graph, form="circuit", listing=True),
            trajectory.encode(graph, listing=True),
        ):
            plans = Counter(listed_raw(listing))
            assert max(plans.values(), default=1) == 1, (seed, what)
            assert {frozenset(cell for cell, _ in plan.design) for plan in plans} <= won, (seed, what)
        seen["won" if won else "lost"] += 1
    assert seen["won"] > 5 and seen["lost"] > 5, seen


@pytest.mark.parametrize("encoding", ["path", "trajectory"])
@pytest.mark.parametrize("start", one_in(4, range(0, 120, 30)))
def test_answers_are_those_of_trying_everything(start: int, encoding: str) -> None:
    """All, count, and the best by each objective, by a solver that gets paths, or where movers are."""
    tried = Counter[tuple[str, bool]]()
    for seed in range(start, start + 30):
        what, one = drawn(seed)
        truth = Truth(one)
        try:
            counted = api.solve(one, "cp-sat", "count", encoding=encoding)
        except UnsupportedFeature:
            continue
        assert counted.encoded == encoding and counted.complete and counted.count == truth.count, (seed, what)
        every = checked(one, api.solve(one, "cp-sat", "all", encoding=encoding))
        assert set(every.plans) == set(truth.listed or ()), (seed, what)
        for objective in OBJECTIVES:
            last = objective.counts == "turns" and len(StateGraph(one).starts) > 1
            if last and ending(one) == "any-turn" and encoding == "path":
                with pytest.raises(UnsupportedFeature, match="until the last of several movers"):
                    api.solve(one, "cp-sat", objective=objective.name, encoding=encoding)
                continue
            best = checked(one, api.solve(one, "cp-sat", objective=objective.name, encoding=encoding))
            assert best.objective == truth.best.get(objective.name), (seed, what, objective)
            assert best.bound == best.objective and best.complete, (seed, what, objective)
            tried[objective.name, best.stop == "optimal"] += 1
    assert min(tried["bricks", True], tried["turns", True], tried["bricks", False]) > 2, tried


def test_so_many_placements_are_those_of_trying_everything() -> None:
    """The number is a term of the goal about the design, and may be met where no run looks."""
    seen = Counter[tuple[int, bool]]()
    for seed in range(30):
        what, one = drawn(seed)
        try:
            StateGraph(one)
        except Unfit:
            continue
        won = [frozenset(cell for cell, _ in design) for design in Truth(one).won]
        for number in range(min(number_of(one, "budget"), len(free_cells(one))) + 1):
            graph = StateGraph(asked(one, exactly=number))
            for form in ("flow", "clauses"):
                found = set(satisfiable(path.encode(graph, form=form)))  # type: ignore[arg-type]
                assert found == {each for each in won if len(each) == number}, (seed, what, number)
            seen[number, bool(found)] += 1
    assert min(seen[number, there] for number in (0, 1, 2) for there in (True, False)) > 0, seen


def test_so_many_placements_keep_the_path() -> None:
    one = levels.load("lemmings/seed")
    best = api.solve(one, "cp-sat", exactly=3)
    assert best.encoded == "path" and best.objective == 3 and best.stop == "optimal"
    assert api.solve(one, "cp-sat", "first", exactly=2).stop == "unsolvable"
    with pytest.raises(UnsupportedFeature, match="cells that no run looks at"):
        api.solve(one, "cp-sat", "all", exactly=3, encoding="path")


def level(rows: str, horizon: int = 9, **numbers: int) -> Instance:
    """A level of Lemmings, its rows parted by slashes."""
    return level_of("lemmings", rows.split("/"), horizon, **{"budget": 1, **numbers})


def test_a_cycle_beside_the_path_is_no_second_answer() -> None:
    """A corridor in which a lemming would go to and fro is on or off as one likes in a flow."""
    one = level("XXXXXXXX/X  <   X/XXXX  XX/X      X/XXT  X X/XXXXXXXX", 30, budget=2)
    graph = StateGraph(one)
    raw = listed_raw(path.encode(graph, form="flow", listing=True))
    assert len(raw) > len(set(raw)), "there is a cycle beside the path"
    exact = listed_raw(path.encode(graph, form="circuit", listing=True))
    assert len(exact) == len(set(exact)) and set(exact) <= set(raw)
    assert set(api.solve(one, "cp-sat", "all").plans) == set(Truth(one).listed or ())


@pytest.mark.parametrize("name", ["flow", "clauses"])
def test_detours_count_turns(name: path.Form) -> None:
    """With one turn less than the shortest way there is no path, with just as many there is one."""
    rows = "XXXXXXXX/X     <X/XXXXXX X/XT     X/XXXXXXXX"
    for horizon in range(3, 30):
        one = level(rows, horizon, budget=0)
        won = {frozenset(cell for cell, _ in design) for design in Truth(one).won}
        assert set(satisfiable(path.encode(StateGraph(one), form=name))) == won, horizon


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("sokoban/first", "inputs"),
        ("sudoku/paper-4x4", "nothing moves in it"),
    ],
)
def test_where_there_is_no_path(name: str, why: str) -> None:
    with pytest.raises(UnsupportedFeature, match=why):
        api.solve(name, "cp-sat", encoding="path")


def test_why_there_is_no_path_is_said_in_the_words_of_the_rules() -> None:
    """No game is known by name: what was changed in the rules decides."""
    refused = set()
    for _, game in GAMES:
        one = level("XXXXXX/X<T  X/X  X X/XXXXXX")
        try:
            StateGraph(replace(one, game=game))
        except Unfit as error:
            refused.add(str(error))
    assert any("may leave again" in why for why in refused)
    assert any("takes a piece away" in why for why in refused)


def test_turns_of_several_passes_have_a_path_and_those_with_loops_have_none() -> None:
    one = replace(level("XXXXXX/X>   X/X  T X/XXXXXX", 3), game=IN_TWO)
    won = {frozenset(cell for cell, _ in design) for design in Truth(one).won}
    assert won and set(satisfiable(path.encode(StateGraph(one)))) == won
    falls_on = replace(GROUP, rules=(FALL,), bound=9)
    with pytest.raises(Unfit, match="loops"):
        StateGraph(replace(one, game=replace(IN_TWO, physics=(falls_on, GROUP))))


def test_names_of_encodings() -> None:
    with pytest.raises(UnknownName, match="paht"):
        api.solve("lemmings/seed", encoding="paht")
    with pytest.raises(PuzzleError, match="search gets no encoding"):
        api.solve("lemmings/seed", "search", encoding="path")
    for name in ("path", "trajectory", "occupancy"):
        answer = api.solve("lemmings/seed", "cp-sat", "all", encoding=name)
        assert answer.encoded == name and len(answer.plans) == 6 and answer.complete
    assert api.solve("lemmings/seed", "cp-sat").encoded == "path"
    assert api.solve("sokoban/first", "cp-sat", objective="pushes").encoded == "macro"
    assert api.solve("lemmings/seed", "search").encoded == ""
