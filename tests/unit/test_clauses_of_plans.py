"""Plans looked for by clauses: each wins at its price, and what is proved is so, by trying everything."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from ggp.engines.sat.looking import Portions
from ggp.errors import Unfit
from ggp.language.levels import load
from ggp.model import Instance
from ggp.referee.trajectory import replay
from ggp.search.push import clauses, layers, macro, space
from ggp.search.push.compiled.first import NEVER
from ggp.search.push.layers import Graph
from ggp.search.push.macro import MacroSearch
from ggp.search.push.runs import shares
from ggp.search.push.runs.proving import ArcSearch
from ggp.search.push.runs.seeking import ClauseSearch
from ggp.search.push.runs.shares import hopeful
from ggp.transition.compiler import compile_instance
from tests.slow import one_in
from tests.unit.search.test_anytime import nothing
from tests.unit.test_first_entries import State, drawn, true_costs
from tests.unit.test_nogoods import instance_of, runs_of

UNTIL = 40  # plans that cost more are not waited for, where there is none


def asking(one: Instance, most_bytes: int = 1 << 28) -> ClauseSearch:
    run = ClauseSearch(ArcSearch(MacroSearch(one, None, compile_instance(one))), Portions)
    run.most_bytes = most_bytes
    return run


@pytest.mark.parametrize("seed", one_in(6, range(60)))
def test_plans_win_and_what_is_proved_is_so(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(seed)
    if seed % 2:  # in the smallest portions
        monkeypatch.setattr(clauses, "WRITTEN", 1)
        monkeypatch.setattr(clauses, "CONFLICTS", 1)
        monkeypatch.setattr(layers, "SOME", 2)
    one = instance_of(drawn(rng))
    arcs, _ = runs_of(one)
    start: State = (arcs.of.node, int(arcs.of.words[0]))
    best, cheapest, run = true_costs(arcs.arcs, start)[start], NEVER, asking(one)
    if best < NEVER and rng.random() < 0.3:
        run.within(best + 2 * rng.randint(0, 3))  # somebody else has a plan
        best, cheapest = min(best, run.how.ceiling), run.how.ceiling
    while not run.full and run.ruled_out < UNTIL:
        found = run.go_on()
        assert run.ruled_out <= best
        if found is not None and found.plan is not None:
            assert best <= found.cost < cheapest and found.cut
            assert replay(one, found.plan).won and len(found.plan.actions) == found.cost
            cheapest = found.cost
    run.close()
    assert cheapest == best
    assert run.ruled_out == best or best == NEVER


def test_an_answer_of_all_searches_says_what_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clauses alone: whatever else looks for plans or proofs is left out from the first round on."""
    alone = lambda runs, number, planned: [run for run in runs if isinstance(run, ClauseSearch)]  # noqa: E731
    monkeypatch.setattr(macro, "on_turn", alone)
    monkeypatch.setattr(space, "STRETCH", 1)
    one = load("psychopath/vault")
    told: list[int] = []
    search = MacroSearch(one, None, compile_instance(one), Portions)
    going = search.going(nothing, "astar", 1 << 28, told.append)
    while True:
        try:
            next(going)
        except StopIteration as end:
            found = end.value
            break
    assert found.cost == dict(one.level.known.optimum)["turns"] == told[-1] and not found.cut
    assert told == sorted(told)


def test_what_has_ruled_out_most_goes_on_beside_clauses() -> None:
    one = load("psychopath/vault")
    search = MacroSearch(one, None, compile_instance(one), Portions)
    runs = search.runs("astar")
    names = [type(run).__name__ for run in runs]
    assert names == ["NogoodSearch", "ArcSearch", "SweepSearch", "NoveltySearch", "ClauseSearch"]
    next(run for run in runs if isinstance(run, ClauseSearch)).how.least = 99
    assert [type(run).__name__ for run in hopeful(runs)] == ["NoveltySearch", "ClauseSearch"]
    without = MacroSearch(one, None, compile_instance(one)).runs("astar")
    assert [type(run).__name__ for run in without] == names[:-1]


def test_what_is_behind_goes_on_now_and_then() -> None:
    """At first all in every round; then the hopeful, and each of the others in one of so many rounds."""
    one = load("psychopath/vault")
    runs = MacroSearch(one, None, compile_instance(one), Portions).runs("astar")
    next(run for run in runs if isinstance(run, ClauseSearch)).how.least = 99

    def rounds(planned: bool) -> list[list[str]]:
        numbers = range(shares.SOON + 1, shares.SOON + 1 + shares.OTHERS)
        return [[type(run).__name__ for run in shares.on_turn(runs, n, planned)] for n in numbers]

    assert shares.on_turn(runs, shares.SOON, False) == runs
    told = rounds(planned=False)
    assert sorted(map(len, told)) == [2] * (shares.OTHERS - 1) + [len(runs)]
    assert all({"NoveltySearch", "ClauseSearch"} <= set(names) for names in told)
    assert sum("NoveltySearch" in names for names in rounds(planned=True)) == shares.OTHERS // shares.PLANNED
    assert shares.left(runs, shares.LATE - 1, 1 << 20, planned=False) == runs
    kept = shares.left(runs, shares.LATE, 1 << 20, planned=False)
    assert kept == hopeful(runs) and [run.most_bytes for run in kept] == [1 << 19] * 2
    assert not hopeful([])


def test_where_there_is_no_room_it_ends() -> None:
    run = asking(load("psychopath/vault"), most_bytes=1)
    assert run.go_on() is None and run.full
    assert run.go_on() is None and run.ruled_out <= 64
    run.close()


def test_cells_must_tell_what_a_plan_does() -> None:
    tables = ArcSearch(
        MacroSearch(load("psychopath/vault"), None, compile_instance(load("psychopath/vault")))
    ).arcs
    Graph(tables)
    pushing = int(np.flatnonzero(tables.pushes & (tables.to >= 0))[0])
    source = pushing // tables.inputs
    other = next(
        arc for arc in range(source * tables.inputs, (source + 1) * tables.inputs)
        if arc != pushing and tables.to[arc] >= 0
    )  # fmt: skip
    bits = {name: int(getattr(tables, name)[pushing]) for name in ("to", "bit")}
    for arc, values in (
        (pushing, {"to": source, "bit": int(tables.own[source])}),  # it stays where it is
        (other, bits),  # two inputs lead to one cell
        (pushing, {"bit": -1}),  # a cell is entered and what stands there stays
    ):
        changed = {name: getattr(tables, name).copy() for name in values}
        for name, value in values.items():
            changed[name][arc] = value
        with pytest.raises(Unfit):
            Graph(tables._replace(**changed))


def test_a_plan_that_is_shorter_stays_on_the_goal() -> None:
    run = asking(instance_of(["@E"]))
    run.how.layers = run.how.begun(3)
    found = [run.go_on() for _ in range(3)]
    run.close()
    assert [one.cost for one in found if one is not None] == [1]


@pytest.mark.parametrize(
    ("lines", "cost"),
    [
        (["o  o# ", "@ o Eo", "o oo  ", "o #   "], 8),
        ([" #  @ ", "o#   o", " E#oo ", "o   o#", "   # o"], 13),
    ],
)
def test_what_was_pushed_away_is_gone_when_the_cell_is_entered_again(lines: list[str], cost: int) -> None:
    run = asking(instance_of(lines))
    plans = []
    while not run.full and run.ruled_out < UNTIL:
        found = run.go_on()
        plans += [] if found is None else [found.cost]
    run.close()
    assert plans[-1] == cost == run.ruled_out
