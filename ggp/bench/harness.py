"""What a campaign adds to each run: trivial runs through the harness, and through a bare pool of processes.

The same calls with the same solver on the same level: `multiprocessing.Pool` with as many processes is the
baseline. Both are timed once their processes are ready. The overhead of a record is the difference of the
wall times, divided by the runs; the same of the processor time of all processes, which a busy machine
stretches less. What the processes of the campaign hold is looked at after a tenth of the
runs and at the end: memory is flat if that stays as it was.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ggp.bench import Record, Say, case
from ggp.harness.campaign.file import typed_campaign
from ggp.harness.campaign.run import Watch, carry_out
from ggp.harness.campaign.store import Store
from ggp.harness.pool import Pool
from ggp.harness.usage import Usage, usage_of
from ggp.language.levels import load
from ggp.tasks.solving import Run

NAME = "harness"
OVERHEAD = 0.005  # seconds that a record may cost
MEGABYTE = 1_000_000


@dataclass
class Timed(Watch):
    """When the first run had its record, when the last, and what was held on the way."""

    runs: int
    ended_at: list[float] = field(default_factory=list)
    held: list[Usage] = field(default_factory=list)

    def ended(self, record: dict[str, Any]) -> None:
        self.ended_at.append(time.perf_counter())
        if len(self.ended_at) in (max(1, self.runs // 10), self.runs):
            self.held.append(usage_of(os.getpid()))


def run(repeats: int, say: Say) -> list[Record]:
    """The wall time of so many runs by either way, what a record costs, and what the campaign holds."""
    chosen = case(NAME)
    runs, workers, solver = chosen["runs"], chosen["workers"], chosen["solvers"][0]
    say(f"{runs:,} runs in a bare pool")
    bare, bare_cpu = pooled(chosen["level"], solver, runs, workers)
    say(f"{runs:,} runs of a campaign")
    watch = campaign(chosen["level"], solver, runs, workers)
    # The clock starts with the first record, so that no start of a process counts.
    whole = (watch.ended_at[-1] - watch.ended_at[0]) * runs / max(1, runs - 1)
    first, last = (held.memory // MEGABYTE for held in watch.held)
    cpu = (watch.held[-1].cpu - watch.held[0].cpu) / (runs - max(1, runs // 10))
    each, each_cpu = max(0.0, whole - bare) / runs, max(0.0, cpu - bare_cpu / runs)
    return [
        Record(
            NAME, f"multiprocessing.Pool: {runs:,} runs of {solver}, {workers} processes", bare, 1, ratio=1.0
        ),
        Record(NAME, f"a campaign: the same runs, {workers} workers", whole, 1, ratio=bare / whole),
        Record(NAME, "what it adds to a record", each, 1, agrees=each < OVERHEAD, limit=OVERHEAD),
        Record(NAME, "what it adds in processor time, all processes together", each_cpu, 1),
        Record(
            NAME, f"its processes hold {first} MB after {runs // 10:,} runs, {last} MB at the end", whole, 1
        ),
    ]


def pooled(level: str, solver: str, runs: int, workers: int) -> tuple[float, float]:
    """The wall and the processor seconds in a bare pool, once its processes have answered."""
    with get_context("spawn").Pool(workers) as pool:
        for _ in pool.imap_unordered(answered, [(level, solver)] * (workers * 20)):
            pass
        began, used = time.perf_counter(), usage_of(os.getpid()).cpu
        done = sum(pool.imap_unordered(answered, [(level, solver)] * runs))
        seconds, used = time.perf_counter() - began, usage_of(os.getpid()).cpu - used
    assert done == runs
    return seconds, used


def answered(asked: tuple[str, str]) -> bool:
    """Ask a solver for any plan; is there one?"""
    run = Run(load(asked[0]), asked[1], "first")
    return any(True for _ in run)


def campaign(level: str, solver: str, runs: int, workers: int) -> Timed:
    """The same as a campaign, into a store that is thrown away."""
    asked = {"levels": [level], "solvers": [solver], "questions": ["first"], "repeats": runs}
    watch = Timed(runs)
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "bench.ggp", write=True) as store,
        Pool(workers) as pool,
    ):
        carry_out(typed_campaign(asked), store, pool, watch=watch)
        assert store.count() == runs
    return watch
