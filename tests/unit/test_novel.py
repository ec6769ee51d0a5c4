"""The search for plans by what is new: its plans, what it proves when nothing is left, what new means."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from ggp.language.levels import builtin, load
from ggp.model import Instance
from ggp.model.result import Query
from ggp.referee.trajectory import replay
from ggp.search.push import novel, space
from ggp.search.push.compiled import novel as native
from ggp.search.push.compiled.first import NEVER
from ggp.search.push.macro import MacroSearch
from ggp.search.push.runs.proving import ArcSearch
from ggp.search.push.runs.seeking import NoveltySearch
from ggp.transition.compiler import compile_instance
from tests.slow import one_in
from tests.unit.search.test_anytime import nothing, outcome_of
from tests.unit.test_first_entries import State, drawn, true_costs
from tests.unit.test_nogoods import instance_of, runs_of


@pytest.mark.parametrize("seed", one_in(2, range(30)))
def test_plans_win_and_nothing_better_is_left_at_the_end(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By trying everything: each plan wins at its price, and what is proved at the end is the least cost."""
    monkeypatch.setattr(NoveltySearch, "stretch", 40)
    monkeypatch.setattr(novel, "PATIENCE", 5)
    monkeypatch.setattr(space, "FIRST_STATES", 64)
    one = instance_of(drawn(Random(seed)))
    arcs, _ = runs_of(one)
    run = NoveltySearch(arcs)
    run.most_bytes = 1 << 28
    start: State = (arcs.of.node, int(arcs.of.words[0]))
    best, cheapest = true_costs(arcs.arcs, start)[start], NEVER
    while not run.full:
        assert run.ruled_out == 0
        found = run.go_on()
        if found is not None and found.plan is not None:
            assert best <= found.cost < cheapest and found.cut
            assert replay(one, found.plan).won and len(found.plan.actions) == found.cost
            cheapest = found.cost
    assert cheapest == best
    assert run.ruled_out == (0 if best == NEVER else best)


def test_what_is_proved_at_the_end_is_the_optimum_of_shipped_levels() -> None:
    """On boards that are large enough for a state to be met again at less cost."""
    worse = 0
    for level in builtin("psychopath")[1]:
        one = Instance(builtin("psychopath")[0], level)
        best = dict(level.known.optimum).get("turns")
        if best is None:
            continue
        run = NoveltySearch(ArcSearch(MacroSearch(one, None, compile_instance(one))))
        run.most_bytes = 1 << 28
        while not run.full:
            found = run.go_on()
            worse += found is not None and found.cost > best
        assert run.ruled_out == run.how.below == best, level.name
    assert worse


def test_where_there_is_no_room_a_try_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    arcs, _ = runs_of(load("psychopath/vault"))
    run = NoveltySearch(arcs)
    monkeypatch.setattr(novel.native, "search", lambda *_: native.FULL)
    room, tries = run.how.store.entry.size, run.how.tries
    run.most_bytes = 1 << 28
    assert run.go_on() is None
    assert (run.how.store.entry.size, run.how.tries) == (2 * room, tries)
    run.most_bytes = 1
    assert run.go_on() is None
    assert (run.how.store.entry.size, run.how.tries) == (2 * room, tries + 1)
    assert not run.full and run.ruled_out == 0


def test_any_plan_is_the_first_that_is_found() -> None:
    search = MacroSearch(one := load("psychopath/vault"), None, compile_instance(one))
    found = search.best(nothing, "first", 1 << 30)
    assert found.plan is not None and not found.cut and replay(one, found.plan).won
    assert len(found.plan.actions) == found.cost
    none = outcome_of("psychopath/sealed", Query("first", None))
    assert none.complete and none.bound is None


def test_new_is_what_was_not_so_before_at_the_same_distance() -> None:
    novelty = native.Novelty(np.zeros(1 << 16, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32))

    def old(words: list[int], node: int, bit: int, least: int, search: int = 1) -> int:
        return native.oldness(novelty, search, np.array(words, np.int64), node, bit, least)

    assert old([0b011, 0], 0, -1, 5) == 0
    assert old([0b011, 0], 0, -1, 5) == 2
    assert old([0b111, 0], 0, -1, 5) == 1  # the agent there, with the third piece where it is
    assert old([0b111, 0], 0, 2, 5) == 0  # that piece was pushed there
    assert old([0b110, 1], 0, 2, 5) == 1
    assert old([-(1 << 63), 0], 0, -1, 5) == 1
    assert old([0b110, 1], 0, 2, 5) == 2
    assert old([0b110, 1], 0, 2, 6) == 0
    assert old([0b110, 1], 0, 2, 6, search=2) == 0
