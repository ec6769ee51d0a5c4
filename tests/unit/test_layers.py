"""A session that is told turn after turn: the fewest turns, by plain Python; and how it ends."""

from __future__ import annotations

import sys
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from ggp import api
from ggp.encoding import layers as written
from ggp.encoding import sizes
from ggp.encoding.choices import layers as choice
from ggp.encoding.constraints import Clause
from ggp.encoding.layers import Added, Told
from ggp.encoding.occupancy import encode
from ggp.encoding.turn import Start, Turn
from ggp.engines.sat import at_once
from ggp.engines.sat import session as telling
from ggp.engines.sat.session import SatSession
from ggp.errors import SolverError, UnsupportedFeature
from ggp.model import Instance
from ggp.model.result import Clock, OutOfTime, Query
from ggp.solvers.cpsat.incremental import CpSatSession
from ggp.solvers.cpsat.loading import library
from ggp.transition.compiler import compile_instance
from tests.oracles import sokoban
from tests.oracles.random_maps import sokoban_map
from tests.slow import one_in
from tests.solver_levels import NOTHING, checked, level_of


def drawn(seed: int) -> tuple[Instance, tuple[list[str], int]]:
    """A random level of Sokoban, with its rows and its horizon."""
    rng = Random(seed)
    rows, horizon = sokoban_map(rng, most=5, crates=rng.choice([1, 1, 2])), rng.randint(3, 30)
    return level_of("sokoban", rows, horizon), (rows, horizon)


@pytest.mark.parametrize("seed", one_in(2, range(24)))
def test_the_fewest_turns_of_random_levels(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether all is asked in this process, or it is given up there after some questions, or at once."""
    monkeypatch.setattr(at_once, "ROUNDS", [10_000, 4, 0][seed % 3])
    one, (rows, horizon) = drawn(seed)
    best = sokoban.fewest(sokoban.read(rows), "turns", horizon)
    for solver in ("sat", "cp-sat"):
        result = checked(one, api.solve(one, solver, objective="turns", encoding="layers"))
        assert result.encoded == "layers"
        if best is None:
            assert result.stop in NOTHING and result.complete and not result.plans
        else:
            assert (result.stop, result.objective, result.bound) == ("optimal", best[0], best[0])


def test_both_ends_come_up() -> None:
    """Of the levels above some can be won and some cannot."""
    found = [sokoban.fewest(sokoban.read(rows), "turns", turns) for _, (rows, turns) in map(drawn, range(24))]
    assert 4 < sum(one is not None for one in found) < 20


def test_without_a_horizon_it_goes_on_until_there_is_a_plan() -> None:
    one = api.load("sokoban/first")
    free = replace(one, level=replace(one.level, horizon=None))
    result = checked(free, api.solve(free, "sat", objective="turns", encoding="layers"))
    assert result.stop == "optimal"
    assert result.objective == api.solve(one, "search", objective="turns").objective


def test_out_of_time_says_how_many_turns_are_ruled_out() -> None:
    result = api.solve("sokoban/stairs", "sat", objective="turns", encoding="layers", time_limit=0.6)
    assert result.stop == "time-limit" and (result.bound or 0) > 0
    assert result.note == f"any plan has {result.bound} or more turns"


@pytest.mark.parametrize(
    ("solver", "want", "objective", "why"),
    [
        ("cbc", "best", "turns", "cannot be told more turns"),
        ("sat", "best", "pushes", "not the turns"),
        ("sat", "all", "turns", "listed and counted"),
    ],
)
def test_where_turns_are_not_told_one_by_one(solver: str, want: str, objective: str, why: str) -> None:
    with pytest.raises(UnsupportedFeature, match=why):
        api.solve("sokoban/first", solver, want, objective=objective, encoding="layers")  # type: ignore[arg-type]


def test_who_names_it_gets_a_turn_that_is_large_for_so_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """One turn of any board is longer than one from the first board; too long for all, it is refused."""
    one = level_of("fire-and-ice", ["       "] * 4 + ["* <    "], 1, slide=0, fall=3)
    assert api.solve(one, "sat").encoded == "occupancy"
    named = checked(one, api.solve(one, "sat", encoding="layers"))
    assert (named.encoded, named.stop) == ("layers", "horizon-exhausted")
    assert sum(named.sizes.values()) > choice.A_TURN
    monkeypatch.setattr(choice, "LARGEST", 1_000)
    with pytest.raises(UnsupportedFeature, match="layers does not apply: .* more than 1,000 variables"):
        api.solve(one, "sat", encoding="layers")


def test_where_no_turn_more_can_be_written_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a horizon of forty turns some were asked about, which is no answer for the others."""
    monkeypatch.setattr(sizes, "LARGEST", 8_000)
    found = api.solve("sokoban/two-crates", "sat", objective="turns", horizon=40)
    assert (found.stop, found.complete) == ("horizon-exhausted", False)
    assert found.note.startswith("no plan within ") and "more than 8,000 variables" in found.note


def test_what_is_soon_answered_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    begin = SatSession.begin
    monkeypatch.setattr(SatSession, "begin", lambda self: (started.append(1), begin(self)))
    one = api.load("sokoban/first")
    assert api.solve(one, "sat", objective="turns").stop == "optimal" and not started
    monkeypatch.setattr(at_once, "SMALL", 2_000)  # the first turns are less
    result = checked(one, api.solve(one, "sat", objective="turns"))
    assert result.stop == "optimal" and len(started) == 1


def test_who_goes_on_was_told_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clauses, cardinalities and parts; what was assumed before is not."""
    monkeypatch.setattr(at_once, "ROUNDS", 2)
    part = {"no": Told([[-1]], [], [])}
    with SatSession("cadical195", Clock(20), at_once=True) as session:
        assert session.solve(Added([[1, 2]], [], parts=part, again=[("no", 0)]), [3]) == [2, 3]
        assert session.solve(Added([], [([], [2, 3], 1)]), [3]) is None and session.core == [3]
        assert session.solve(Added([[3, 4, 5]], [], again=[("no", 3)]), []) == [2, 5]
        assert session.child is not None and session.here is None
        session.forget()
        assert session.solve(Added([[1, 2]], []), [-2]) == [1]


def test_cp_sat_keeps_what_it_is_told_and_not_what_it_assumed() -> None:
    """At most two of four hold, opposites among them, or 9 does; a part comes twice, at other numbers."""
    part = {"no": Told([[-1]], [], [])}
    query = Query("first", clock=Clock(20))
    with CpSatSession(library(), query) as session:
        assert session.solve(Added([[1, 2]], [], parts=part, again=[("no", 0)]), [3]) == [2, 3]
        counted = Added([], [([9], [2, 3, -4, -5], 2)])
        assert session.solve(counted, [3, -4, -9]) is None
        assert session.solve(Added([], []), [3, -4, -5]) == [2, 3, 9]
        assert session.solve(Added([[3, 4]], [], again=[("no", 2)]), [3]) is None
        assert session.solve(Added([], []), [-5, -9]) == [2, 4]
    with pytest.raises(OutOfTime), CpSatSession(library(), replace(query, clock=Clock(0))) as session:
        session.solve(Added([[1]], []), [])


def session_of(monkeypatch: pytest.MonkeyPatch, program: str, seconds: float | None = None) -> None:
    """Ask a program that is none of ours."""
    monkeypatch.setattr(telling, "python", lambda worker: ([sys.executable, "-c", program], {}))
    with SatSession("cadical195", Clock(seconds)) as session:
        session.solve(Added([[1]], []), [])


def test_a_session_that_ends_or_lies_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SolverError, match="sat"):
        session_of(monkeypatch, "raise SystemExit(3)")
    with pytest.raises(SolverError, match="no answer"):
        session_of(monkeypatch, "input(); input(); print('maybe')")
    with pytest.raises(SolverError, match="no meaning"):
        session_of(monkeypatch, 'input(); input(); print(\'{"status": "PERHAPS"}\')')
    with pytest.raises(MemoryError):
        session_of(monkeypatch, "input(); input(); raise MemoryError")
    with pytest.raises(OutOfTime):
        session_of(monkeypatch, "import time; time.sleep(60)", 0.5)


def test_turns_that_no_plan_takes_are_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each jump takes one of 19 pegs, so there are 18: one question, and none where there are fewer turns."""
    asked = 0
    ask = SatSession.solve

    def counting(self: SatSession, *given: Any) -> Any:
        nonlocal asked
        asked += 1
        return ask(self, *given)

    monkeypatch.setattr(SatSession, "solve", counting)
    result = api.solve("peg-solitaire/tray", "sat", time_limit=30)
    assert (result.stop, result.objective, asked) == ("optimal", 18, 1)
    assert api.solve("peg-solitaire/tray", "sat", horizon=17).stop == "horizon-exhausted" and asked == 1


def test_nor_is_anything_to_be_chosen_about_them_in_what_is_written_at_once() -> None:
    one = api.load("peg-solitaire/tray")
    (turns,) = one.game.objectives
    longer = encode(one, horizon=20, objective=turns)
    assert (longer.offset, len(longer.minimise)) == (18, 2)
    assert () in [each.lits for each in encode(one, horizon=17).constraints if isinstance(each, Clause)]


def test_few_turns_are_kept_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One who goes through hundreds of levels comes back to none of them."""
    monkeypatch.setattr(written, "MANY", 2)
    levels = [level_of("sokoban", [f"@{' ' * more}$."], 3) for more in range(4)]
    for one in levels:
        written.Layers(one, compile_instance(one), lambda: None)
    there = [any(key[0] is written.Written for key in one.level.kept) for one in levels]
    assert there == [False, False, True, True]


def test_a_turn_is_written_once_for_all_who_ask_about_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them goes on by itself; a program of other rules, and what is long, is written anew."""
    shipped, turns = api.load("sokoban/first"), list[Turn]()
    one = replace(shipped, level=replace(shipped.level))  # nobody has asked about this one
    monkeypatch.setattr(written, "Turn", lambda *given: turns.append(Turn(*given)) or turns[-1])
    asked = [("sat", "best"), ("cp-sat", "best"), ("sat", "first"), ("sat", "best")]
    for solver, want in asked:
        result = api.solve(one, solver, want=want, objective="turns", encoding="layers")
        assert checked(one, result).objective == 6
    assert len(turns) == 1
    rules = compile_instance(one)
    first, second = (written.Layers(one, rules, lambda: None) for _ in range(2))
    told = [*second.new.clauses]
    first.rule_out(7)
    first.grow()
    first.grow()
    assert (first.encoding.horizon, second.encoding.horizon, second.new.clauses) == (2, 1, told)
    assert len(turns) == 1 and second.turn == 0
    written.Layers(one, replace(rules), lambda: None)
    assert len(turns) == 2
    monkeypatch.setattr(written, "KEPT", 10)
    other = level_of("sokoban", ["######", "#@$ .#", "######"], 9)
    for _ in range(2):
        written.Layers(other, compile_instance(other), lambda: None)
    assert len(turns) == 4


def test_in_a_place_of_a_layer_one_thing_stands() -> None:
    """It is said of each board, where both may stand there."""
    one = level_of("sokoban", ["######", "#@$ .#", "######"], 9)
    transition = compile_instance(one)
    turn = Turn(Start(one, transition, lambda: None), lambda: None)
    told = {frozenset(clause) for clause in turn.state.clauses}
    pairs = [
        frozenset((-turn.places[a], -turn.places[b]))
        for a in turn.places
        for b in turn.places
        if a < b and a[1] == b[1] and transition.layers[a[0]] == transition.layers[b[0]]
    ]
    assert pairs and told.issuperset(pairs)
