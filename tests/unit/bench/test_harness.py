"""The benchmark of what a campaign adds to each run."""

from __future__ import annotations

import pytest

from ggp import bench
from ggp.bench import harness
from ggp.harness.usage import Usage
from tests.slow import few_or_many

RUNS = 40


@few_or_many("real", False, True)
def test_what_a_record_costs(monkeypatch: pytest.MonkeyPatch, real: bool) -> None:
    """Beside made times, which tell what is made of them; and, slowly, by running both."""
    monkeypatch.setattr(harness, "case", lambda name: bench.case(name) | {"runs": RUNS, "workers": 1})
    if not real:
        held = [Usage(100 * harness.MEGABYTE, 1.0), Usage(101 * harness.MEGABYTE, 4.6)]
        made = harness.Timed(RUNS, [10.0 + 0.1 * number for number in range(RUNS)], held)
        monkeypatch.setattr(harness, "pooled", lambda *asked: (2.0, 1.2))
        monkeypatch.setattr(harness, "campaign", lambda *asked: made)
    bare, whole, each, cpu, held_row = bench.run("harness", 1)
    assert bare.ratio == 1.0 and whole.ratio == pytest.approx(bare.seconds / whole.seconds)
    assert each.limit == harness.OVERHEAD and each.agrees is (each.seconds < harness.OVERHEAD)
    assert each.seconds == pytest.approx(max(0.0, whole.seconds - bare.seconds) / RUNS)
    assert 0 <= cpu.seconds < 1 and "after 4 runs" in held_row.what
    if not real:
        assert (bare.seconds, whole.seconds) == (2.0, pytest.approx(4.0))
        assert cpu.seconds == pytest.approx(3.6 / 36 - 1.2 / RUNS)
        assert "100 MB after 4 runs, 101 MB at the end" in held_row.what
