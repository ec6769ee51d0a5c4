"""What a search says of the best plan before it has it: what is proved of it, and plans on the way."""

from __future__ import annotations

from random import Random

import pytest

from ggp.language.levels import builtin, load
from ggp.model import Instance
from ggp.model.result import Clock, Outcome, OutOfTime, Query
from ggp.referee.trajectory import replay
from ggp.search.moving import MovingSearch
from ggp.search.push import space, sweeps
from ggp.search.push.compiled.first import NEVER
from ggp.search.push.macro import MacroSearch
from ggp.search.push.runs.proving import ArcSearch
from ggp.search.push.runs.seeking import SweepSearch
from ggp.solvers import search
from ggp.tasks.questions import objective_of
from ggp.transition.compiler import compile_instance
from tests.slow import one_in
from tests.unit.test_first_entries import State, drawn, true_costs
from tests.unit.test_nogoods import instance_of, runs_of


def nothing() -> None:
    """Stands for a look at the clock."""


class Ends(Clock):
    """A clock by which time is up after so many looks."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.looks = looks

    def check(self) -> None:
        self.looks -= 1
        if self.looks < 0:
            raise OutOfTime


def outcome_of(name: str, query: Query) -> Outcome:
    answers = search.solve(load(name), query, "astar")
    while True:
        try:
            next(answers)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome


@pytest.mark.parametrize("name, counted", [("psychopath/two-walls", "turns"), ("sokoban/crossing", "pushes")])
def test_what_was_proved_is_told_when_time_is_up(
    name: str, counted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space, "STRETCH", 2)
    objective = objective_of(load(name), counted)
    best = MovingSearch(load(name), objective).best(nothing).cost
    bounds = [outcome_of(name, Query("best", objective, clock=Ends(looks))).bound or 0 for looks in (2, 3, 4)]
    assert 0 < bounds[0] <= bounds[1] <= bounds[2] <= best
    some = outcome_of(name, Query("first", objective, clock=Ends(0)))
    assert (some.stop, some.bound) == ("time-limit", None)


@pytest.mark.parametrize("seed", one_in(4, range(40)))
def test_sweeps_prove_no_more_than_is_true(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each plan on the way wins at its price, and what is proved on the way is so: by trying everything."""
    monkeypatch.setattr(sweeps, "FIRST_WIDTH", 1)
    monkeypatch.setattr(SweepSearch, "stretch", 3)
    one = instance_of(drawn(Random(seed)))
    arcs, _ = runs_of(one)
    run = SweepSearch(arcs)
    run.most_bytes = 1 << 28
    start: State = (arcs.of.node, int(arcs.of.words[0]))
    best, least, cheapest = true_costs(arcs.arcs, start)[start], 0, NEVER
    while not run.full:
        found = run.go_on()
        assert least <= run.ruled_out and run.ruled_out <= max(best, sweeps.native.MOST * (best == NEVER))
        least = run.ruled_out
        if found is not None and found.plan is not None:
            assert best <= found.cost < cheapest and found.cut
            assert replay(one, found.plan).won and len(found.plan.actions) == found.cost
            cheapest = found.cost
    assert cheapest == best
    assert best == NEVER or least == best


def test_plans_on_the_way_are_better_and_better() -> None:
    search_ = MacroSearch(one := load("psychopath/two-walls"), None, compile_instance(one))
    told: list[int] = []
    going, costs = search_.going(nothing, "astar", 1 << 30, told.append), [NEVER]
    while True:
        try:
            costs.append(len(next(going).actions))
        except StopIteration as end:
            assert end.value.cost == 15 and not end.value.cut
            break
    assert costs == sorted(set(costs), reverse=True) and costs[-1] >= 15
    assert all(least <= 15 for least in told)


def test_sweeps_prove_no_more_than_the_optimum_of_shipped_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """On boards that are large enough for narrow sweeps to miss what is best."""
    monkeypatch.setattr(sweeps, "FIRST_WIDTH", 1)
    monkeypatch.setattr(SweepSearch, "stretch", 20)
    missed = 0
    for level in builtin("psychopath")[1]:
        one = Instance(builtin("psychopath")[0], level)
        best = dict(level.known.optimum).get("turns")
        if best is None:
            continue
        run = SweepSearch(ArcSearch(MacroSearch(one, None, compile_instance(one))))
        run.most_bytes = 1 << 28
        while not run.full:
            found = run.go_on()
            assert run.ruled_out <= best, level.name
            missed += found is not None and found.cost > best
        assert run.ruled_out == run.how.ceiling == best
    assert missed
