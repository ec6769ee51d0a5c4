"""Machine code is given little enough at once that a limit of time is kept."""

from __future__ import annotations

import time

import numpy as np
import pytest

from ggp.model.result import Clock, OutOfTime
from ggp.search.guided.engines import InMachineCode
from ggp.search.guided.passes import InPasses
from ggp.tasks.alarm import alarm
from ggp.transition.in_order.compiled.turning import some_turns
from ggp.transition.native import compiling, portions
from ggp.transition.native.stopping import STOPPING
from tests.puzzlescript_games import PUSH, instance


def test_portions_follow_the_time_that_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """They grow where little comes of them, shrink where much does, and leave nothing out."""
    now, asked = [0.0], []
    monkeypatch.setattr(portions.time, "perf_counter", lambda: now[0])
    each = portions.Portions(lambda: asked.append(now[0]))
    quick = list(each(100))
    assert [one.stop - one.start for one in quick] == [1, 2, 4, 8, 16, 32, 37]
    assert [one.start for one in quick[1:]] == [one.stop for one in quick[:-1]]
    slow = []
    for one in each(100):
        slow.append(one.stop - one.start)
        now[0] += 0.03 * slow[-1]
    assert slow == [64, 32, 4] and each.size == 8
    assert len(asked) == len(quick) + len(slow)


@pytest.mark.skipif(not compiling.usable(), reason="there is no compiler")
@pytest.mark.parametrize("engine", [InMachineCode, InPasses])
def test_the_clock_is_asked_while_states_are_expanded(
    engine: type[InMachineCode] | type[InPasses], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes of it is the same."""
    asked = []
    made = engine(instance(PUSH, "########/#p.....#/#.*....#/#.....o#/########"), lambda: asked.append(1))
    made.begin()
    made.keep(list(range(len(made.expand([0]).keys))))
    whole = made.expand([0, 1, 2] * 30)
    monkeypatch.setattr(portions, "LONG", 0.0)  # every portion takes too long
    made.stepper.portions.size = made.stepper.portions.least  # type: ignore[union-attr]
    asked.clear()
    parts = made.expand([0, 1, 2] * 30)
    assert len(asked) >= 6
    assert all(np.array_equal(one, other) for one, other in zip(whole, parts, strict=True))


def test_portions_of_work_follow_the_work_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """One slow turn among quick ones ends its portion: many of them do not stand in one."""
    now, asked = [0.0], []
    monkeypatch.setattr(portions.time, "perf_counter", lambda: now[0])
    each = portions.Portions(lambda: asked.append(now[0]))
    work_of = [1] * 500 + [1000] * 5  # a thousandth of a second each

    def made(first: int, work: int) -> int:
        done = 0
        while first < len(work_of) and done < work:
            done += work_of[first]
            now[0] += 0.001 * work_of[first]
            first += 1
        return first

    each.by_work(len(work_of), made)
    assert asked[-5:] == pytest.approx([now[0] - number for number in (5, 4, 3, 2, 1)], abs=0.06)


@pytest.mark.skipif(not compiling.usable(), reason="there is no compiler")
def test_machine_code_counts_its_work() -> None:
    """Room for one rule is room for one turn; with more there are more, and they are the same."""
    from ggp.transition.in_order.compiled.turning import some_turns
    from ggp.transition.in_order.stepper import InOrder

    stepper = InOrder(instance(PUSH, "########/#p.....#/#.*....#/#.....o#/########"), lambda: None)
    after = np.empty((1, len(stepper.ways), *stepper.start.shape[1:]), np.uint64)
    told = np.empty(after.shape[:2], np.int64)
    ends = [
        some_turns(stepper.tables, stepper.start, stepper.ways, after, told, 0, work, stepper.room)
        for work in (1, 3, 10**9)
    ]
    assert ends[0] == 1 and ends[0] < ends[1] < ends[2] == len(stepper.ways)


@pytest.mark.skipif(not compiling.usable(), reason="there is no compiler")
def test_the_end_of_the_time_is_heard_in_the_middle_of_a_turn() -> None:
    """A turn may take half a second. Machine code that is told to stop makes none."""
    stepper = InMachineCode(instance(PUSH), lambda: None).stepper
    clock, heard = Clock(0.3), list[bool]()  # begun once all is ready: the turn must begin in time

    def made(first: int, work: int) -> int:
        started = time.perf_counter()
        while not STOPPING.cell[0] and time.perf_counter() - started < 20:
            time.sleep(0.001)
        heard.append(bool(STOPPING.cell[0]))
        after, told = np.empty((1, 1, *stepper.start.shape[1:]), np.uint64), np.zeros((1, 1), np.int64)
        numbers = stepper.start, stepper.ways[:1], after, told, first, work
        assert some_turns(stepper.tables, *numbers, stepper.room) == first
        return first

    with pytest.raises(OutOfTime), alarm(clock):
        clock.breakable = False  # else the alarm itself would end it
        portions.Portions(clock.check).by_work(1, made)
    assert heard == [True]
    assert STOPPING.thread is None and not STOPPING.cell[0]
    STOPPING.cell[0] = 1  # by mistake: nobody's time is up
    assert stepper.all_turns(stepper.start)[1].any()
