"""Comparisons that go on where they stopped, and how they end: nothing is lost and no process stays."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import psutil
import pytest

from ggp.harness.jobs import Job, Settings
from ggp.harness.journal import Journal
from ggp.harness.pool import Event
from ggp.harness.records import EXPORT_SHAPE, Record
from ggp.harness.runner import Watch, exported
from ggp.language import levels
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


class Writing:
    """Workers that write every text at once but in one format, for which there was no time at first."""

    def __init__(self, *, in_time: bool) -> None:
        self.free, self.in_time = True, in_time
        self.begun: list[Job] = []
        self.left: list[Job] = []

    @property
    def busy(self) -> int:
        return len(self.left)

    def start(self, job: Job) -> None:
        self.begun.append(job)
        self.left.append(job)

    def events(self, timeout: float) -> Iterator[Event]:
        job = self.left.pop()
        record = {"stop": "done", "note": "", "text": job.name, "suffix": ".txt"}
        if job.name == "url":
            record = {"stop": "refused", "note": "it has no values"}
        elif job.name == "xcsp3" and not self.in_time:
            record = {"stop": "time-limit", "note": ""}
        yield job, "done", record


def test_a_text_is_not_written_again(tmp_path: Path) -> None:
    found, begun = [], []
    for in_time in (False, True, True):
        pool = Writing(in_time=in_time)
        with Journal(tmp_path / "exports.jsonl", EXPORT_SHAPE) as journal:
            found.append(exported(pool, [levels.load("lemmings/seed")], Settings(), journal))
        begun.append([job.name for job in pool.begun])
    assert len(begun[0]) > 8 and begun[1:] == [["xcsp3"], []]
    assert found[1] == found[2] and list(found[0]["lemmings/seed"]) == begun[0]
    assert [one["lemmings/seed"]["xcsp3"]["stop"] for one in found] == ["time-limit", "done", "done"]


@pytest.mark.parametrize(
    ("solver", "number"),
    slow_unless(
        [("stuck", signal.SIGINT)],  # test_records.py kills comparisons
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
