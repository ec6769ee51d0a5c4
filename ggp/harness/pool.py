"""The main process's end: starts supervisors, hands them jobs, and sees that none of them stays behind.

Each supervisor is a fresh interpreter in a session of its own, so Ctrl-C reaches only the main process, and
scripts need no `if __name__ == "__main__"`.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Protocol

import psutil

from ggp.errors import SolverError
from ggp.harness.jobs import Job, Packer
from ggp.harness.records import unfinished

LEAVE = 5.0  # seconds for a supervisor to end everything below it
LOST = "the process that watched over it was killed"
START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from ggp.harness.supervisor import main; main(int(sys.argv[2]), json.loads(sys.argv[3]))"
)

Event = tuple[Job, str, Any]
"""A job with `done` and its record, or with `progress`: how many plans it has so far, and what it says."""


class Workers(Protocol):
    """Who does jobs: `Pool` on this machine, or whoever else offers the same."""

    @property
    def busy(self) -> int:
        """How many jobs are being done."""

    @property
    def free(self) -> bool:
        """Can another job be started?"""

    def start(self, job: Job) -> None:
        """Start a job; there must be room for it."""

    def events(self, timeout: float) -> Iterator[Event]:
        """What has happened since."""


class Supervisor:
    """A running supervisor and the job that it has in hand."""

    def __init__(self, plugins: Sequence[str]) -> None:
        self.channel, theirs = Pipe()
        self.job: Job | None = None
        self.ready = False
        self.words = tempfile.TemporaryFile()  # noqa: SIM115 - open for as long as the process runs
        number = theirs.fileno()
        words = [json.dumps(sys.path), str(number), json.dumps(list(plugins))]
        command = [sys.executable, "-P", "-c", START, *words]
        with theirs:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=self.words,
                stderr=self.words,
                pass_fds=[number],
                start_new_session=True,
            )

    def close(self) -> None:
        """End it and all that it has started. It sees that its channel is closed, and does so itself."""
        self.channel.close()
        try:
            self.process.wait(LEAVE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        finally:
            end_session(self.process.pid)
            self.words.close()

    def said(self) -> str:
        """What it wrote before it failed."""
        self.words.seek(0)
        return self.words.read()[-1000:].decode(errors="replace").strip()


def end_session(session: int) -> None:
    """End what is left of a session, should its supervisor have been killed."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if os.getsid(process.pid) == session:
                process.kill()


class Pool:
    """Supervisors, at most `workers` of them. Leaving it ends them all."""

    def __init__(self, workers: int, plugins: Sequence[str] = ()) -> None:
        self.workers = workers
        self.plugins = plugins
        self.supervisors: list[Supervisor] = []
        self.pack = Packer()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self.supervisors:
            self.supervisors.pop().close()

    @property
    def busy(self) -> int:
        """How many jobs are being done."""
        return sum(supervisor.job is not None for supervisor in self.supervisors)

    @property
    def free(self) -> bool:
        """Can another job be started?"""
        return self.busy < self.workers

    def start(self, job: Job) -> None:
        """Start a job; there must be room for it."""
        idle = next((one for one in self.supervisors if one.job is None), None)
        if idle is None:
            idle = Supervisor(self.plugins)
            self.supervisors.append(idle)
        idle.job = job
        # A supervisor that is gone is noticed when its answer is awaited.
        with contextlib.suppress(OSError):
            idle.channel.send(self.pack(job))

    def events(self, timeout: float) -> Iterator[Event]:
        """What has happened since; waits so long for something to happen. Raises SolverError where no
        supervisor can be started.
        """
        by_channel: dict[Any, Supervisor] = {
            one.channel: one for one in self.supervisors if one.job is not None
        }
        for channel in wait(list(by_channel), timeout):
            assert isinstance(channel, Connection)
            supervisor = by_channel[channel]
            job = supervisor.job
            assert job is not None
            try:
                message = channel.recv()
            except (EOFError, OSError):
                yield job, "done", self.lost(supervisor, job)
                continue
            if message == "ready":
                supervisor.ready = True
                continue
            if message[0] == "done":
                supervisor.job = None
            yield job, *message

    def lost(self, supervisor: Supervisor, job: Job) -> dict[str, Any]:
        """The record of a job whose supervisor was killed; another one will be started for the next job."""
        self.supervisors.remove(supervisor)
        said = supervisor.said()
        supervisor.close()
        killed = (supervisor.process.returncode or 0) < 0
        if not supervisor.ready and not killed:
            remedy = "see that this interpreter can import ggp"
            raise SolverError(f"no worker process can be started: {said or 'it ended at once'}", remedy)
        return unfinished(job, "error", LOST) if job.kind == "solve" else {"stop": "error", "note": LOST}
