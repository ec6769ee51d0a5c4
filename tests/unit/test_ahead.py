"""Plans of any number of turns, found beside questions about one after the other: what they prove."""

from __future__ import annotations

import resource
import time
from threading import active_count
from typing import Any

import psutil
import pytest

from ggp import api
from ggp.encoding import ahead
from ggp.encoding.choices.layers import Deepening
from ggp.encoding.layers import Added, Layers, Session
from ggp.encoding.literals import Lit
from ggp.engines.sat.session import SatSession
from ggp.model import Plan
from ggp.model.result import Clock, OutOfTime, Query
from ggp.solvers.cpsat.incremental import CpSatSession
from ggp.solvers.cpsat.loading import library
from ggp.transition.compiler import compile_instance
from ggp.transition.scanned import cut_passes
from tests.puzzlescript_games import PUSH, instance
from tests.solver_levels import NOTHING, checked, level_of

ROOM = ["#######", "#@    #", "# $ . #", "#     #", "#######"]
FEWEST = 3


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """It begins at once, and each question waits for what it says; the lengths of the plans found so."""
    monkeypatch.setattr(ahead, "SOON", -1.0)
    monkeypatch.setattr(ahead, "HASTE", -1.0)
    look, go_on, found = Deepening.look, Deepening.beside, list[int]()

    def waiting(self: Deepening, session: Session) -> Plan | None:
        until = time.monotonic() + 3
        while active_count() > threads and time.monotonic() < until:
            self.query.clock.check()
            time.sleep(0.005)
        self.query.clock.check()
        return look(self, session)

    def noted(self: Deepening, turns: int) -> None:
        found.append(turns)
        go_on(self, turns)

    threads = active_count()
    monkeypatch.setattr(Deepening, "look", waiting)
    monkeypatch.setattr(Deepening, "beside", noted)
    return found


def test_who_asks_for_the_same_answer_each_time_has_nothing_asked_beside(beside: list[int]) -> None:
    one = level_of("sokoban", ROOM, 16)
    for solver in ("cp-sat:seed=3", "cp-sat:threads=1", "sat:seed=3", "sat:cadical195,seed=3"):
        found = checked(one, api.solve(one, solver, objective="turns", encoding="layers"))
        assert (found.objective, beside) == (FEWEST, [])


@pytest.mark.parametrize("solver", ["sat", "cp-sat"])
def test_a_plan_found_beside_is_bettered_until_it_is_the_best(solver: str, beside: list[int]) -> None:
    one = level_of("sokoban", ROOM, 16)
    found = checked(one, api.solve(one, solver, objective="turns", encoding="layers"))
    assert beside and (solver == "sat" or beside[0] > FEWEST) and beside == sorted(beside, reverse=True)
    assert (found.stop, found.objective, found.bound, found.complete) == ("optimal", FEWEST, FEWEST, True)


def test_the_win_may_be_that_something_does_not_hold(beside: list[int]) -> None:
    one = level_of("sokoban", ["   .", "@  $", "    "], 16)
    won = Layers(one, compile_instance(one), lambda: None).one.won
    assert not isinstance(won, bool) and won < 0
    found = checked(one, api.solve(one, "sat", objective="turns", encoding="layers"))
    assert beside and found.stop == "optimal"


def test_what_goes_wrong_beside_is_heard_of(beside: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead.Ahead, "shortened", lambda *_: [][0])
    with pytest.raises(IndexError):
        api.solve(level_of("sokoban", ROOM, 16), "sat", objective="turns", encoding="layers")


def test_any_plan_will_do(beside: list[int]) -> None:
    one = instance(PUSH, "#######/#p.*.o#/#######", wins="all Target on Crate")
    found = checked(one, api.solve(one, "sat", want="first", horizon=9, encoding="layers"))
    assert (found.stop, found.complete, len(found.plans)) == ("satisfied", False, 1) and not beside


def test_inputs_that_change_nothing_are_in_no_plan() -> None:
    """Two steps into a wall come first here."""
    one = cut_passes(instance(PUSH, "#######/#p.*.o#/#######", wins="all Target on Crate")).instance
    layers = Layers(one, compile_instance(one), lambda: None)
    up = next(number for number, action in layers.one.inputs().items() if action == "up")

    class Led(SatSession):
        """A session that begins so."""

        def solve(self, added: Added, assume: list[Lit]) -> list[Lit] | None:
            return super().solve(added, [*assume, up, up + layers.one.width])

    asked = ahead.Ahead(layers, 0, 5, lambda own: Led("cadical195", own), Clock())
    asked.ask(Clock())
    assert asked.plan is not None and asked.plan.actions == ("right",) * 3


def test_where_time_is_up_the_plan_is_not_called_the_best(
    beside: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Deepening.beside

    def late(self: Deepening, turns: int) -> None:
        go_on(self, turns)
        monkeypatch.setattr(Deepening, "look", out_of_time)

    monkeypatch.setattr(Deepening, "beside", late)
    one = level_of("sokoban", ROOM, 16)
    found = checked(one, api.solve(one, "sat", objective="turns", encoding="layers"))
    assert (found.stop, found.complete, len(found.plans)) == ("time-limit", False, 1)
    assert beside and found.bound is not None and found.bound <= FEWEST


def out_of_time(*_: object) -> Any:
    """An answer that is none."""
    raise OutOfTime


def test_that_it_has_none_proves_nothing(beside: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that wins may have no turn after it, and then no run goes on to the last turn."""
    monkeypatch.setattr(ahead.Ahead, "found", lambda *_: None)
    one = level_of("sokoban", ROOM, 16)
    found = checked(one, api.solve(one, "sat", objective="turns", encoding="layers"))
    assert (found.stop, found.objective) == ("optimal", FEWEST) and not beside


def test_no_plan_is_found_beside_where_there_is_none(beside: list[int]) -> None:
    one = level_of("sokoban", ["#####", "#@$.#", "#$. #", "#####"], 6)
    found = api.solve(one, "sat", objective="turns", encoding="layers")
    assert found.stop in NOTHING and found.complete and not beside


def test_it_is_over_with_the_question() -> None:
    """However long it would take."""
    one, clock, asked = level_of("sokoban", ROOM, 9), Clock(), list[Any]()

    class Endless:
        """A session that never answers, but looks at its clock."""

        def __init__(self, own: Clock) -> None:
            asked.append(own)
            self.own = own

        def __enter__(self) -> Endless:
            return self

        def __exit__(self, *_: object) -> None:
            asked.append("over")

        def solve(self, *_: object) -> list[int] | None:
            while True:
                self.own.check()
                time.sleep(0.001)

    layers = Layers(one, compile_instance(one), lambda: None)
    with ahead.Ahead(layers, 0, 9, Endless, clock) as other:
        other.begun = -ahead.SOON - 1
        clock.check()
        assert other.thread is not None
        clock.check()
    assert clock.look is None and not other.thread.is_alive() and asked[-1] == "over" and layers.turn == 0


@pytest.mark.parametrize("error", [OutOfTime, MemoryError])
def test_a_plan_is_not_lost_where_the_other_session_ends_first(error: type[Exception]) -> None:
    one, clock = level_of("sokoban", ROOM, 9), Clock()
    layers = Layers(one, compile_instance(one), lambda: None)
    with (
        pytest.raises(ahead.Reached) as reached,
        ahead.Ahead(layers, 0, 9, lambda own: SatSession("cadical", own), clock) as other,
    ):
        other.plan = Plan(actions=("right",))
        raise error
    assert reached.value.plan == other.plan
    with pytest.raises(error), ahead.Ahead(layers, 0, 9, lambda own: SatSession("cadical", own), clock):
        raise error


def test_where_the_system_has_no_room_for_the_question_the_other_session_goes_on(beside: list[int]) -> None:
    one, clock = level_of("sokoban", ROOM, 9), Clock()
    layers = Layers(one, compile_instance(one), lambda: None)

    def opened(own: Clock) -> SatSession:
        raise OSError(24, "no more files")

    with ahead.Ahead(layers, 0, 9, opened, clock) as other:
        clock.check()
        assert other.thread is not None
        other.thread.join()
        clock.check()
    assert other.plan is None and not beside


def test_where_memory_is_short_it_is_not_begun_and_given_up(
    beside: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, clock = level_of("sokoban", ROOM, 9), Clock()
    layers = Layers(one, compile_instance(one), lambda: None)
    held = psutil.Process().memory_info().data
    monkeypatch.setattr(resource, "getrlimit", lambda what: (held, held))
    with ahead.Ahead(layers, 0, 9, lambda own: SatSession("cadical195", own), clock) as other:
        clock.check()
        assert other.thread is None
        with pytest.raises(OutOfTime):
            other.leave()
        monkeypatch.undo()
        other.leave()


def test_a_plan_found_beside_after_which_time_is_up_says_what_is_known(
    beside: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = level_of("sokoban", ROOM, 16)
    monkeypatch.setattr(Deepening, "beside", lambda self, turns: out_of_time())
    found = checked(one, api.solve(one, "sat", objective="turns", encoding="seen"))
    assert found.stop == "time-limit" and found.plans and "nothing is known" not in found.note


def test_who_is_not_waited_for_is_not_told_more() -> None:
    one, clock = level_of("sokoban", ROOM, 9), Clock()
    layers = Layers(one, compile_instance(one), lambda: None)
    session = CpSatSession(library(), Query(clock=clock))
    layers.grow()
    clock.look = out_of_time
    with pytest.raises(OutOfTime):
        session.take(layers.added())
    assert not session.model.proto.constraints
