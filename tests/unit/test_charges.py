"""What paths need at least: never more than they do, and enough to leave most of a graph out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from ggp import api
from ggp.analysis.charges import Charges, Edge, regions
from ggp.analysis.design import DesignSearch
from ggp.analysis.state_graph.graph import StateGraph
from ggp.encoding.choices import path
from ggp.lab import oracle
from ggp.lab.oracle import Truth
from ggp.model import Piece, Plan
from ggp.model.result import Outcome, Query, Stop
from ggp.referee import improving
from ggp.solvers import sat
from tests.unit.test_path import drawn

NO_NEEDS = frozenset[int]()
BRICK = Piece("brick")


def simple_paths(edges: list[Edge], end: int) -> Iterator[tuple[set[tuple[int, int]], set[int]]]:
    """The steps of each simple path from 0 to the end, and the cells that it needs."""
    stack: list[tuple[list[int], set[int]]] = [([0], set())]
    while stack:
        states, needed = stack.pop()
        if states[-1] == end:
            yield set(zip(states, states[1:], strict=False)), needed
            continue
        for source, target, needs in edges:
            if source == states[-1] and target not in states:
                stack.append(([*states, target], needed | needs))


def kept(edges: list[Edge], end: int, most: int) -> set[tuple[int, int]]:
    """The steps that are left."""
    return Charges(edges, 0, [end], most, lambda: None).kept()


def test_regions_are_what_is_joined_both_ways() -> None:
    """Random graphs: two states share a region where each can be reached from the other."""
    sizes = set[int]()
    for seed in range(200):
        rng = Random(seed)
        states = range(rng.randint(1, 9))
        edges = [(rng.choice(states), rng.choice(states), NO_NEEDS) for _ in range(rng.randint(0, 14))]
        region_of, empty = regions(edges)
        reach = {(state, state) for state in range(len(region_of))}
        for _ in states:
            reach |= {(a, c) for a, b in reach for source, c, _ in edges if source == b}
        both = [
            [(b, a) in reach and (a, b) in reach for b in range(len(region_of))]
            for a in range(len(region_of))
        ]
        assert both == [[one == other for other in region_of] for one in region_of]
        assert {*region_of} == {*range(len(empty))}
        sizes.add(len(empty))
    assert len(sizes) > 5


def test_no_path_that_can_be_paid_for_is_lost() -> None:
    """Random graphs, with cells that several states need, in one region and in several."""
    cut = 0
    for seed in range(150):
        rng = Random(seed)
        size, end = rng.randint(4, 7), 3
        pairs = [(a, b) for a in range(size) for b in range(size) if a not in (b, end) and b]
        edges = [
            (a, b, frozenset(rng.sample(range(4), rng.choice([0, 0, 1, 1, 2]))))
            for a, b in rng.sample(pairs, min(len(pairs), 2 * size))
        ]
        for most in range(3):
            wanted = set[tuple[int, int]]()
            for steps, needed in simple_paths(edges, end):
                wanted |= steps if len(needed) <= most else set()
            found = kept(edges, end, most)
            assert wanted <= found, (seed, most)
            cut += len(edges) - len(found)
    assert cut > 1000, cut


def test_to_and_fro_is_paid_for_once_and_in_full() -> None:
    """Over a gap of three cells, back again, and out where it began: it takes three, not six."""
    there = [(at, at + 1, frozenset({at + 10})) for at in range(3)]
    back = [(4 + at, 5 + at, frozenset({12 - at})) for at in range(3)]
    edges = [*there, (3, 4, NO_NEEDS), *back, (7, 0, NO_NEEDS), (7, 8, NO_NEEDS)]
    assert not kept(edges, 8, 2)
    assert len(kept(edges, 8, 3)) >= 8


def test_without_a_limit_on_the_turns_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answers as with it."""
    monkeypatch.setattr(oracle, "MOST_STEPS", 20_000)
    monkeypatch.setattr(path, "LARGE", 0)
    solvable = Counter[bool]()
    for seed in range(0, 18, 3):
        _, one = drawn(seed)
        truth, result = Truth(one), api.solve(one, "sat", encoding="path", objective="bricks")
        assert bool(result.plans) == bool(truth.won), seed
        assert result.objective == truth.best.get("bricks"), seed
        solvable[bool(truth.won)] += 1
    assert min(solvable.values()) > 0


def test_where_the_question_is_asked_again_plans_only_get_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a limit of the turns that forbids the plan with fewest bricks, which is what is found first."""
    one = api.load("lemmings/seed")
    fewer, more = Plan((((0, 0), BRICK),)), Plan((((0, 0), BRICK), ((0, 1), BRICK)))
    both = iter([[more, fewer], [more, more]])

    def ask(attempt: Any, query: Query) -> Generator[Plan, None, Outcome]:
        yield from next(both)
        return Outcome("optimal", True, bound=2)

    def values(instance: Any, plan: Plan) -> Any:
        return SimpleNamespace(values={"bricks": len(plan.design)})

    monkeypatch.setattr(improving, "replay", values)
    monkeypatch.setattr(path, "LARGE", 0)
    monkeypatch.setattr(DesignSearch, "run", lambda self, design: iter([None, len(design) > 1]))
    answering = path.offer(one, Query("best", one.game.objectives[0]), sat.BACKEND)
    assert not isinstance(answering, str)
    assert list(answering(ask)) == [more]


def test_plans_that_take_too_long_are_no_answers() -> None:
    """They are passed over; and if the last is one the question is still open."""
    one = api.load("lemmings/seed")  # which nobody wins without a brick
    good = api.solve(one, "search").plans[0]
    graph, late = StateGraph(one), Plan((), ())

    def heard(plans: list[Plan], stop: Stop) -> tuple[list[Plan], bool]:
        def answers() -> Generator[Plan, None, Outcome]:
            yield from plans
            return Outcome(stop)

        taken, outcome = list[Plan](), list[Outcome | None]()

        def listening() -> Generator[Plan, None, None]:
            outcome.append((yield from path.in_time(graph, answers())))

        taken.extend(listening())
        return taken, outcome[0] is not None

    assert heard([late, good], "optimal") == ([good], True)
    assert heard([good, late], "optimal") == ([good], False)
    assert heard([late], "satisfied") == ([], False)
    assert heard([late], "time-limit") == ([], True)
    assert heard([], "unsolvable") == ([], True)
