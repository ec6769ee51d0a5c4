"""The alarm that ends a search whose code does not look at the clock, and what takes none of its time."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Generator
from types import ModuleType

import pytest

from ggp import registry
from ggp.harness.jobs import Job
from ggp.harness.supervisor import Seen
from ggp.harness.usage import Usage
from ggp.language.levels import load
from ggp.model import Instance, Plan
from ggp.model.features import SOLVABLE, goal_features
from ggp.model.result import Clock, Facts, Outcome, OutOfTime, Query
from ggp.tasks import alarm, solving
from ggp.tasks.solving import Run
from ggp.transition.native.compiling import Compiling

LONG = 0.6  # seconds in which it does not ask


def busy(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Says that there is no plan, after a while."""
    wait()
    return Outcome("unsolvable", True)
    yield


def wait() -> None:
    """Work without a look at the clock."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        pass


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """A question to a solver that works longer than it may."""
    module = ModuleType("busy")
    features = SOLVABLE | goal_features(["on"])
    told = {"NAME": "busy", "FEATURES": features, "FACTS": Facts(breakable=True), "solve": busy}
    vars(module).update(told, available=lambda: None, versions=dict)
    level = load("sokoban/first")
    monkeypatch.setattr(registry, "load", lambda room, name: module)
    return Run(level, "busy", "first", time_limit=0.1, rings=True)


def ended(run: Run) -> str:
    """How it ends."""
    assert not list(run) and run.result is not None
    return run.result.stop


def test_a_search_is_ended_wherever_it_is(run: Run) -> None:
    assert ended(run) == "time-limit"
    assert run.clock.seconds < LONG
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_it_is_put_off_where_python_clears_up() -> None:
    """An error there is printed and lost, so the run went on, with a traceback on the terminal."""

    class Clearing:
        def __del__(self) -> None:
            wait()

    after = False
    with pytest.raises(OutOfTime), alarm.alarm(Clock(0.05)):
        Clearing()  # it goes at once
        after = True
        wait()
    assert after


def test_what_no_clock_comes_to_is_no_limit() -> None:
    for limit in (float("inf"), 1e12):
        with alarm.alarm(Clock(limit)):  # no timer of the system takes such a number
            assert Clock(limit).left is None


def test_only_what_says_so_in_programs_of_ours_is_ended(run: Run) -> None:
    run.rings = False
    assert ended(run) == "unsolvable"


def test_what_may_not_be_broken_is_left_alone_until_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "AGAIN", 0.1)
    clock, waited = Clock(0.01), False
    clock.breakable = False
    with pytest.raises(OutOfTime), alarm.alarm(clock):
        time.sleep(0.1)
        waited = clock.breakable = True
        time.sleep(LONG)
    assert waited


def test_another_thread_has_no_alarm(run: Run) -> None:
    stops: list[str] = []
    thread = threading.Thread(target=lambda: stops.append(ended(run)))
    thread.start()
    thread.join()
    assert stops == ["unsolvable"]


def test_the_replay_of_a_plan_is_ended_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        yield Plan((), ("right",))
        return Outcome("satisfied")

    monkeypatch.setattr(run.module, "solve", found)
    monkeypatch.setattr(solving, "replay", lambda instance, plan: wait())
    assert ended(run) == "time-limit"


def test_the_compiler_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    at_work = Compiling()
    monkeypatch.setattr(alarm, "COMPILING", at_work)
    monkeypatch.setattr(alarm, "LATE", 0.01)
    with alarm.alarm(Clock(0.05)):
        at_work.begun.append(0.0)
        time.sleep(0.2)
        at_work.begun.clear()
        at_work.seconds = 10.0
        time.sleep(0.2)


def test_whoever_watches_waits_for_the_compiler_too() -> None:
    """What a child compiles meanwhile takes none of its job's time."""
    seen, job = Seen(), Job("solve", "busy")
    seen.take("started", 1.0, job)
    seen.look(Usage(0, 1.5))
    seen.take("compiling", True, job)
    time.sleep(0.1)
    seen.look(Usage(0, 21.5))
    assert seen.seconds < 0.05
    seen.take("compiling", False, job)
    assert seen.seconds < 0.05 and seen.waits is None
    seen.look(Usage(0, 22.0))
    assert seen.cpu == 1.0, "half a second before the compiler, and half a second after it"
    time.sleep(0.1)
    assert seen.seconds > 0.09
