"""Machine code is given little enough at once that a limit of time is kept."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.search.guided.engines import InMachineCode
from ggp.search.guided.passes import InPasses
from ggp.transition.native import compiling, portions
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
