"""The benchmark of what a campaign adds to each run."""

from __future__ import annotations

import pytest

from ggp import bench
from ggp.bench import harness


def test_both_ways_make_all_runs_and_memory_is_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "case", lambda name: bench.case(name) | {"runs": 40, "workers": 1})
    bare, whole, each, cpu, held = bench.run("harness", 1)
    assert bare.ratio == 1.0 and whole.ratio == pytest.approx(bare.seconds / whole.seconds)
    assert each.limit == harness.OVERHEAD and each.agrees is (each.seconds < harness.OVERHEAD)
    assert each.seconds == pytest.approx(max(0.0, whole.seconds - bare.seconds) / 40)
    assert 0 <= cpu.seconds < 1 and "after 4 runs" in held.what
