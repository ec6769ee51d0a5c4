"""The alarm that ends a search whose code does not look at the clock, and what takes none of its time."""

from __future__ import annotations

import ctypes
import gc
import inspect
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from llvmlite.binding import ExecutionEngine

from ggp import registry
from ggp.harness.jobs import Job
from ggp.harness.supervisor import Seen
from ggp.harness.usage import Usage
from ggp.language.levels import load
from ggp.model import Instance, Plan
from ggp.model.features import SOLVABLE, goal_features
from ggp.model.result import Clock, Facts, Outcome, OutOfTime, Query
from ggp.tasks import alarm, bell, beside, solving
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


def put_off(ours: bool, deaf: Callable[[Callable[[], None]], object]) -> None:
    """The run is ended as soon as something is over in which nobody would hear of it."""
    over = list[bool]()

    def to_its_end() -> None:
        wait()
        over.append(True)

    def work() -> None:
        deaf(to_its_end)
        wait()

    with pytest.raises(OutOfTime):
        alarm.in_time(Clock(0.05), work, ours=ours)
    assert over


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("ours", [True, False])
def test_it_is_put_off_where_python_clears_up(ours: bool) -> None:
    """An error there is printed and lost, so the run went on, with a traceback on the terminal."""

    class Clearing:
        def __init__(self, task: Callable[[], None]) -> None:
            self.task = task

        def __del__(self) -> None:
            self.task()

    put_off(ours, Clearing)  # it goes at once


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("ours", [True, False])
def test_it_is_put_off_while_garbage_is_collected(ours: bool) -> None:
    """Who is called before and after that has no one to hear an error either."""

    def deaf(task: Callable[[], None]) -> None:
        def callback(phase: str, told: dict[str, int]) -> None:
            if phase == "start":
                task()

        gc.callbacks.append(callback)
        try:
            gc.collect()
        finally:
            gc.callbacks.remove(callback)

    put_off(ours, deaf)


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", ["_raw_object_cache_notify", "_raw_object_cache_getbuffer"])
@pytest.mark.parametrize("ours", [True, False])
def test_it_is_put_off_while_machine_code_is_loaded(ours: bool, name: str) -> None:
    """The compiler's library calls Python then, through ctypes, which prints an error, and loses it."""
    assert callable(getattr(ExecutionEngine, name))
    text = compile(f"def {name}(): task()", inspect.getfile(ExecutionEngine), "exec")

    def deaf(task: Callable[[], None]) -> None:
        made: dict[str, Callable[[], None]] = {"task": task}
        exec(text, made)
        ctypes.CFUNCTYPE(None)(made[name])()

    put_off(ours, deaf)


def test_what_no_clock_comes_to_is_no_limit() -> None:
    for limit in (float("inf"), 1e12):
        with alarm.alarm(Clock(limit)):  # no timer of the system takes such a number
            assert Clock(limit).left is None


@pytest.mark.parametrize("ours", [True, False])
def test_only_what_says_so_is_ended(run: Run, monkeypatch: pytest.MonkeyPatch, ours: bool) -> None:
    run.rings = ours
    monkeypatch.setattr(run.module, "FACTS", Facts(breakable=False))
    assert ended(run) == "unsolvable"


@pytest.mark.parametrize("ours", [True, False])
def test_what_may_not_be_broken_is_left_alone_until_it_may(
    monkeypatch: pytest.MonkeyPatch, ours: bool
) -> None:
    for module in (alarm, bell):
        monkeypatch.setattr(module, "AGAIN", 0.1)
    clock = Clock(0.01)
    clock.breakable = False

    def work() -> None:
        time.sleep(0.1)
        clock.breakable = True
        wait()

    with pytest.raises(OutOfTime):
        alarm.in_time(clock, work, ours=ours)
    assert clock.breakable


def test_the_replay_of_a_plan_is_ended_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        yield Plan((), ("right",))
        return Outcome("satisfied")

    monkeypatch.setattr(run.module, "solve", found)
    monkeypatch.setattr(solving, "replay", lambda instance, plan: wait())
    assert ended(run) == "time-limit"


@pytest.mark.parametrize("ours", [True, False])
def test_the_compiler_is_waited_for(monkeypatch: pytest.MonkeyPatch, ours: bool) -> None:
    at_work = Compiling()
    monkeypatch.setattr(bell, "COMPILING", at_work)
    monkeypatch.setattr(bell, "LATE", 0.01)

    def work() -> None:
        at_work.begun.append(0.0)
        time.sleep(0.2)
        at_work.begun.clear()
        at_work.seconds = 10.0
        time.sleep(0.2)

    alarm.in_time(Clock(0.05), work, ours=ours)


# --- in programs that are not ours --------------------------------------------------------------------------


def test_another_program_keeps_its_alarm(run: Run) -> None:
    """It may have one that ends it, which would come too late, or never."""
    run.rings = False
    signal.setitimer(signal.ITIMER_REAL, 100.0)
    try:
        assert ended(run) == "time-limit" and run.clock.seconds < LONG
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 90.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    for one in threading.enumerate():
        if one.name == beside.NAME:
            one.join(1.0)
            assert not one.is_alive()


def test_another_thread_is_ended_too(run: Run) -> None:
    stops: list[str] = []
    thread = threading.Thread(target=lambda: stops.append(ended(run)))
    thread.start()
    thread.join()
    assert stops == ["time-limit"] and run.clock.seconds < LONG


@pytest.fixture
def quick_changes() -> Iterator[None]:
    """Threads take turns so often that one is heard within a millisecond."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("quick_changes")
def test_nothing_is_left_when_the_run_has_been_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who leaves just when the time is up must not hear of it afterwards."""
    monkeypatch.setattr(bell, "LATE", 0.0)
    heard = 0
    for number in range(400):
        clock, seconds = Clock(0.001), 0.0009 + number * 1e-6

        def work(clock: Clock = clock, seconds: float = seconds) -> None:
            while clock.seconds < seconds:
                pass

        try:
            alarm.in_time(clock, work, ours=False)
        except OutOfTime:
            heard += 1
        for _ in range(200):
            time.monotonic()
    assert 0 < heard < 400, heard


def test_who_is_being_told_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run is left between the look at the clock and what is told: it is heard in there, and not later."""

    def look(self: beside.Beside, thread: int) -> float:
        while self.working.locked():
            time.sleep(0.001)
        time.sleep(0.05)
        beside.tell(thread, OutOfTime)
        return 0.0

    monkeypatch.setattr(beside.Beside, "look", look)
    with suppress(OutOfTime):
        alarm.in_time(Clock(0.001), lambda: time.sleep(0.05), ours=False)
    time.sleep(0.2)
    assert not [thread for thread in threading.enumerate() if thread.name == beside.NAME]


def test_it_is_not_heard_before_the_thread_that_tells_of_it_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Starting a thread takes an error for one of its own, and raised another one."""
    begin = threading._start_new_thread  # type: ignore[attr-defined]

    def slowly(*told: Any) -> int:
        started: int = begin(*told)
        wait()
        return started

    monkeypatch.setattr(threading, "_start_new_thread", slowly)
    with pytest.raises(OutOfTime):
        alarm.in_time(Clock(0.001), wait, ours=False)


def test_no_module_is_half_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    text = (
        "import time\nend = time.monotonic() + 0.3\nwhile time.monotonic() < end:\n    pass\nwhole = True\n"
    )
    (tmp_path / "slow_to_load.py").write_text(text)

    def work() -> None:
        import_module("slow_to_load")
        wait()

    with pytest.raises(OutOfTime):
        alarm.in_time(Clock(0.05), work, ours=False)
    assert sys.modules["slow_to_load"].whole
    assert not beside.importing(sys._getframe())


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
