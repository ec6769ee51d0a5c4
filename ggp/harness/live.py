"""A comparison on its way, shown on a terminal: the table as it fills."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from ggp.harness.jobs import Job
from ggp.harness.records import Record, unfinished
from ggp.harness.runner import Watch
from ggp.harness.table import Shown


class Live(Watch):
    """Shows the table on standard error while it is entered."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live as Display

        self.jobs: list[Job] = []
        self.records: dict[str, Record] = {}
        self.began: dict[str, float] = {}
        self.plans: dict[str, int] = {}
        self.says: dict[str, str] = {}
        self.display = Display(
            get_renderable=self.table,
            console=Console(stderr=True),
            refresh_per_second=5,
            transient=True,
            vertical_overflow="ellipsis",
        )

    def __enter__(self) -> Live:
        self.display.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.display.stop()

    def planned(self, jobs: Sequence[Job]) -> None:
        self.jobs = list(jobs)

    def started(self, job: Job) -> None:
        self.began[job.key] = time.monotonic()

    def progress(self, job: Job, plans: int, says: str) -> None:
        self.plans[job.key], self.says[job.key] = plans, says

    def ended(self, job: Job, record: Record, *, resumed: bool) -> None:
        self.records[job.key] = record

    # --- what is shown -----------------------------------------------------------------------------------

    def table(self) -> Any:
        """The table as it stands, and what is being learned."""
        from rich.console import Group
        from rich.text import Text

        runs = [job for job in self.jobs if job.kind == "solve"]
        if not runs:
            return Text("finding out what is there ...")
        shown = [self.records.get(job.key) or self.waiting(job) for job in runs]
        learners = [job for job in self.jobs if job.kind == "learn" and job.key in self.began]
        table = Shown(shown, [self.state(job) for job in runs])
        return Group(table, *(Text(self.learning(job)) for job in learners))

    def waiting(self, job: Job) -> Record:
        """The row of a run that has no record yet."""
        record = unfinished(job, "", "")
        return {**record, "solutions": self.plans.get(job.key)}

    def state(self, job: Job) -> str:
        """What a run without a record is doing."""
        if job.key not in self.began:
            return "waits"
        return f"runs {time.monotonic() - self.began[job.key]:.0f} s"

    def learning(self, job: Job) -> str:
        """How learning goes."""
        name = job.instance.game.name if job.instance is not None else ""
        if job.key in self.records:
            return f"{name}: learned" if self.records[job.key]["stop"] == "done" else f"{name}: not learned"
        says = self.says.get(job.key, "")
        passed = time.monotonic() - self.began[job.key]
        return f"{name}: learning for {passed:.0f} s{': ' if says else ''}{says}"
