"""The search that learns from failures: its plans, its nogoods and its explanations, on small boards."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.errors import Place, Unfit
from ggp.language.levels import builtin, load
from ggp.language.maps import read_board, symbols_of
from ggp.model import Instance, Level
from ggp.referee.trajectory import replay
from ggp.search.push import nogoods, space
from ggp.search.push.arcs import store_of
from ggp.search.push.compiled import arcs as arc_loops
from ggp.search.push.compiled import nogoods as native
from ggp.search.push.compiled.first import ANY, NEVER, bound
from ggp.search.push.macro import MacroSearch
from ggp.search.push.runs.proving import ArcSearch, NogoodSearch
from ggp.transition.compiler import compile_instance
from tests.slow import examples, one_in
from tests.unit.test_first_entries import State, drawn, true_costs

PATIENCE = 2000  # stretches


def instance_of(lines: list[str]) -> Instance:
    game = builtin("psychopath")[0]
    board, _ = read_board(lines, symbols_of(game), lambda row, column: Place("drawn"))
    return Instance(game, Level("drawn", board))


def runs_of(one: Instance) -> tuple[ArcSearch, NogoodSearch]:
    run = ArcSearch(MacroSearch(one, None, compile_instance(one)))
    learning = NogoodSearch(run)
    run.most_bytes = learning.most_bytes = 1 << 28
    return run, learning


def written(trie: native.Trie) -> list[tuple[int, int, int]]:
    """(cell, cost, bits) of each nogood."""
    found = []
    for cell, root in enumerate(trie.root.tolist()):
        todo = [root] if root >= 0 else []
        while todo:
            branch = todo.pop()
            nogood = int(trie.last[branch])
            while nogood >= 0:
                found.append((cell, int(trie.cost[nogood]), int(trie.rows[nogood])))
                nogood = int(trie.before[nogood])
            child = int(trie.child[branch])
            while child >= 0:
                todo.append(child)
                child = int(trie.sibling[child])
    return found


@pytest.mark.parametrize("seed", one_in(2, range(20)))
def test_plans_are_best_and_nogoods_are_true(seed: int) -> None:
    """Whatever has been learnt holds for the pieces that it names, with no others on the board."""
    rng = Random(seed)
    lines = drawn(rng)
    one = instance_of(lines)
    run, learning = runs_of(one)
    start: State = (run.of.node, int(run.of.words[0]))
    costs = true_costs(run.arcs, start)
    for _ in range(PATIENCE if costs[start] < NEVER else 3):
        found = learning.go_on()
        if found is not None or learning.full:
            break
    if costs[start] == NEVER:
        assert found is None
    else:
        assert found is not None and found.plan is not None and found.cost == costs[start]
        assert replay(one, found.plan).won and len(found.plan.actions) == found.cost
    learnt = written(learning.trie)
    for cell, cost, bits in rng.sample(learnt, min(12, len(learnt))):
        truth = true_costs(run.arcs, (cell, bits))
        assert truth[cell, bits] > cost, (lines, cell, cost, bits)


@pytest.mark.parametrize("seed", one_in(3, range(30)))
def test_what_the_bound_is_blamed_on_is_enough_for_it(seed: int) -> None:
    rng = Random(seed)
    run, learning = runs_of(instance_of(drawn(rng)))
    tables, work, start = run.arcs, learning.work, (run.of.node, int(run.of.words[0]))
    fewer = 0
    states = sorted(true_costs(tables, start))
    for node, there in rng.sample(states, min(60, len(states))):
        words, out = np.array([there], np.int64), np.zeros(1, np.int64)
        least = bound(tables, work, words, node, ANY, False)
        most = min(least, 40) - 1
        if most < 0 or tables.at[node]:
            continue
        assert bound(tables, work, words, node, most, False) == NEVER
        cell = np.int32(node)  # as the search asks: of another type it would be compiled anew
        native.explain(tables, work, learning.room, words, cell, most, out, 0)
        assert int(out[0]) & ~there == 0
        assert bound(tables, work, out, node, most, False) == NEVER
        fewer += int(out[0]) != there
    assert fewer or len(states) < 20


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 20))
def test_a_board_with_fewer_pieces_never_costs_more(seed: int, which: int) -> None:
    """What nogoods stand on, for games whose tables `fit`."""
    lines = drawn(Random(seed))
    run, _ = runs_of(instance_of(lines))
    node, there = run.of.node, int(run.of.words[0])
    bits = [bit for bit in range(63) if there >> bit & 1]
    if bits:
        fewer = there & ~(1 << bits[which % len(bits)])
        tables = run.arcs
        assert (
            true_costs(tables, (node, fewer))[node, fewer] <= true_costs(tables, (node, there))[node, there]
        )


def test_games_in_which_pieces_help_are_left_alone() -> None:
    run, _ = runs_of(load("psychopath/two-walls"))
    nogoods.fit(run.arcs)
    into_the_first = np.flatnonzero(run.arcs.to == 0)[0]
    for arc in (np.flatnonzero(run.arcs.pushes)[0], into_the_first):
        steps = run.arcs.steps.copy()
        steps[arc] = False  # a cell that is entered only with something on it
        with pytest.raises(Unfit):
            nogoods.fit(run.arcs._replace(steps=steps))


def test_memory_for_states_grows_and_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [states_of(one) for one in runs_of(load("psychopath/two-walls"))]
    monkeypatch.setattr(space, "FIRST_STATES", 4)
    assert [states_of(one) for one in runs_of(load("psychopath/two-walls"))] == whole


def test_states_whose_hashes_look_alike_are_two() -> None:
    """The table holds 24 bits of a hash; a row that stands there by chance is another state."""
    run, _ = runs_of(load("psychopath/two-walls"))
    words, node = run.of.words.astype(np.int64), run.of.node
    store = store_of(8, words.size)
    free = -1 - arc_loops.place(store, words, node)
    store.table[free] = int(store.counts[arc_loops.PART]) << 32 | 1
    for held, same in ((words, True), (words ^ 1, False)):
        store.rows[: words.size] = held
        store.rows[words.size] = node << 16
        assert (arc_loops.place(store, words, node) == free) is same


@pytest.mark.parametrize(
    "lines",
    [
        ["# o  E", "@o #  ", "o oo##", " o#oo#", "o    o"],
        ["   @o ", "# ooo ", "    oE", "#oo oo"],
    ],
)
def test_what_looks_alike_is_looked_at_again_later(lines: list[str]) -> None:
    """That there is no plan is said once each state is hopeless or was expanded, whatever it looked like."""
    run, _ = runs_of(instance_of(lines))
    found = next(one for one in (run.go_on() for _ in range(PATIENCE)) if one is not None)
    counts, size = run.store.counts, run.of.words.size
    assert found.plan is None and counts[arc_loops.ALIKE] > 0
    known = run.store.rows.reshape(-1, size + 2)[: counts[arc_loops.STATES], size]
    hopeless, expanded = (known >> 32) & 0x3FFF == NEVER, (known >> 48) & 0x7FFF > 0
    assert (hopeless | expanded).all()


def states_of(run: ArcSearch | NogoodSearch) -> tuple[int, int]:
    """What the best plan costs, and how many states were kept on the way to it."""
    found = next(one for one in (run.go_on() for _ in range(PATIENCE)) if one is not None)
    states = run.store.counts[arc_loops.STATES] if isinstance(run, ArcSearch) else 0
    return found.cost, int(states)


def test_memory_for_nogoods_grows_up_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nogoods, "FIRST", 4)
    _, learning = runs_of(load("psychopath/two-walls"))
    found = [one for one in (learning.go_on() for _ in range(40)) if one is not None]
    assert found and found[0].cost == 15
    _, learning = runs_of(load("psychopath/two-walls"))
    learning.most_bytes = 1
    for _ in range(40):
        assert learning.go_on() is None or not learning.full
    assert learning.full
