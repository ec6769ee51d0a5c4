"""Comparisons that go on where they stopped, and how they end: nothing is lost and no process stays."""

from __future__ import annotations

import signal
import time
from itertools import product
from pathlib import Path

import psutil
import pytest

from ggp.harness.jobs import Job
from ggp.harness.records import Record
from ggp.harness.runner import Watch
from tests.comparing import Compare, below, start
from tests.slow import slow_unless

# --- resuming -----------------------------------------------------------------------------------------


class Counting(Watch):
    def __init__(self) -> None:
        self.run: list[str] = []
        self.resumed: list[str] = []

    def ended(self, job: Job, record: Record, *, resumed: bool) -> None:
        (self.resumed if resumed else self.run).append(job.name)


def test_what_has_a_record_is_not_run_again(fakes: Compare, tmp_path: Path) -> None:
    names = ("search", "crash", "missing", "slow-0")
    first, second, third = Counting(), Counting(), Counting()
    before = fakes(*names, paths=["described", "learned"], folder=tmp_path / "out", watch=first)
    after = fakes(*names, paths=["described", "learned"], folder=tmp_path / "out", watch=second)
    assert len(first.run) == 9 and first.resumed == [] and second.run == []
    assert after.records == before.records and after.resumed == 8 and before.resumed == 0
    assert after.models == before.models
    fakes("search", "slow-1", folder=tmp_path / "out", watch=third)
    assert (third.resumed, third.run) == (["search"], ["slow-1"])
    lines = (tmp_path / "out/records.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 9 and len((tmp_path / "out/models.jsonl").read_text("utf-8").splitlines()) == 1


@pytest.mark.parametrize(
    ("solver", "number"),
    slow_unless(
        [("hang", signal.SIGKILL), ("stuck", signal.SIGINT)],
        product(["hang", "stuck"], [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]),
    ),
)
def test_however_it_ends_nothing_stays_behind(tmp_path: Path, number: signal.Signals, solver: str) -> None:
    process = start(tmp_path / "out", (solver,), tmp_path / "log")
    deadline = time.monotonic() + 30
    while len(processes := below(process.pid)) < 2:  # the supervisor and the job
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    time.sleep(0.3)
    processes = below(process.pid)
    process.send_signal(number)
    assert process.wait(20) != 0
    assert psutil.wait_procs(processes, timeout=10)[1] == []


def test_a_supervisor_that_is_killed_is_a_row_and_the_rest_goes_on(fakes: Compare) -> None:
    class Killing(Watch):
        def progress(self, job: Job, plans: int, says: str) -> None:
            for child in psutil.Process().children() if job.name == "hang" else ():
                child.kill()

    killed, fine = fakes("hang", "search", watch=Killing()).records
    assert killed["stop"] == "error" and "was killed" in killed["note"]
    assert fine["solutions"] == 6
