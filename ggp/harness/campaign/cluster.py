"""Runs made by the workers of a Dask scheduler, each of which watches over its runs as it is done here.

On a worker a run is made by a supervisor of its own, so limits hold there as well, and a solver that takes
its process with it does not take the worker. A worker that dies is no fault of the run: Dask gives the run to
another one. Workers whose versions differ would measure different things: they are refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import platform
import queue
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import TracebackType
from typing import Any

import ggp
from ggp.errors import NotAvailable, PuzzleError
from ggp.harness.jobs import Job, Settings, source_fingerprint
from ggp.harness.pool import LOST, Event, Pool
from ggp.harness.records import Record, unfinished
from ggp.harness.runner import probed

ANSWERS = 15.0  # seconds for a scheduler to answer
APPEARS = 60.0  # seconds for the first worker to be there
AHEAD = 2  # runs that wait on the scheduler for each that is made, so that no worker is idle
COUNTED = 5.0  # seconds until the workers are counted again

Facts = dict[str, Any]
"""Versions by name, and for each solver those of what it runs."""


# --- on a worker ------------------------------------------------------------------------------------------


class Pools:
    """The supervisors of this worker, one for each run that is made at a time."""

    def __init__(self) -> None:
        self.idle: dict[tuple[str, ...], list[Pool]] = {}
        self.lock = threading.Lock()

    @contextlib.contextmanager
    def one(self, plugins: tuple[str, ...]) -> Iterator[Pool]:
        """A pool for one run; whatever stops it ends its processes."""
        with self.lock:
            waiting = self.idle.setdefault(plugins, [])
            pool = waiting.pop() if waiting else Pool(1, plugins)
        try:
            yield pool
        except BaseException:
            pool.__exit__(None, None, None)
            raise
        with self.lock:
            waiting.append(pool)

    def close(self) -> None:
        """End those that make nothing."""
        with self.lock:
            for pools in self.idle.values():
                while pools:
                    pools.pop().__exit__(None, None, None)


POOLS = Pools()


def attended(job: Job, solvers: tuple[str, ...], wanted: Facts) -> Record:
    """Do a job on this worker. Raises PuzzleError where it has other versions than are wanted."""
    refuse_others("a worker that came later", facts(solvers, job.settings.plugins), wanted)
    with POOLS.one(job.settings.plugins) as pool:
        pool.start(job)
        while True:
            for _, word, value in pool.events(1.0):
                if word == "done":
                    record: Record = value
                    return record


@cache
def facts(solvers: tuple[str, ...], plugins: tuple[str, ...]) -> Facts:
    """The versions that a run on this worker has."""
    with POOLS.one(plugins) as pool:
        known = probed(pool, solvers, Settings(plugins=plugins))
    return {
        "ggp": ggp.__version__,
        "its code": source_fingerprint(plugins),
        "python": platform.python_version(),
        **{name: known[name].get("versions", {}) for name in solvers},
    }


def refuse_others(who: str, found: Facts, wanted: Mapping[str, Any]) -> None:
    """Raise PuzzleError where versions differ."""
    other = {name: (found.get(name), value) for name, value in wanted.items() if found.get(name) != value}
    if other:
        told = "; ".join(
            f"{name}: {text(here)} there, {text(want)} here" for name, (here, want) in other.items()
        )
        raise PuzzleError(f"{who} has other versions: {told}", "install the same on all workers, and here")


def text(version: Any) -> str:
    """A version, or several by name, in a few words."""
    if isinstance(version, dict):
        return " ".join(f"{name} {one}" for name, one in version.items()) or "none"
    return str(version)[:12]


# --- on this side -----------------------------------------------------------------------------------------


class Cluster:
    """The workers of a scheduler, as `ggp.harness.pool.Workers`.

    Entering it raises NotAvailable without `distributed`, and PuzzleError where no scheduler answers within
    some seconds, where no worker comes, and where workers have different versions.
    """

    def __init__(self, address: str, solvers: Sequence[str], plugins: tuple[str, ...] = ()) -> None:
        self.address = address
        self.solvers = tuple(dict.fromkeys(solvers))
        self.plugins = plugins
        self.under_way: dict[str, tuple[Job, Any]] = {}
        self.ended: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.wanted: Facts = {}
        self.places, self.counted, self.number = 1, 0.0, 0
        self.client: Any = None

    def __enter__(self) -> Cluster:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            message = "there is nothing here that speaks with a scheduler of Dask"
            raise NotAvailable(message, "install it with `pip install 'ggp[dask]'`") from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            # A client that fails leaves a loop behind that may never end: the first word is said without.
            asyncio.run(asyncio.wait_for(greet(self.address), ANSWERS + 1.0))
            self.client = distributed.Client(self.address, timeout=ANSWERS, set_as_default=False)
        except Exception as error:  # of the network, of an address that is none, of another protocol
            reason = str(error)[:200] or type(error).__name__
            message = f"no scheduler of Dask answers at {self.address[:80]}: {reason}"
            raise PuzzleError(
                message, "start one with `dask scheduler`, and see that it can be reached"
            ) from None
        try:
            self.compare()
        except BaseException:
            self.client.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(Exception):
            self.client.cancel([future for _, future in self.under_way.values()])
        self.client.close()

    def compare(self) -> None:
        """Raise PuzzleError where there are no workers, or where one differs from the others or from here."""
        try:
            self.client.wait_for_workers(1, timeout=APPEARS)
        except Exception:
            message = f"the scheduler at {self.address} has no workers after {APPEARS:g} s"
            raise PuzzleError(message, f"start some with `dask worker {self.address}`") from None
        try:
            found = self.client.run(facts, self.solvers, self.plugins)
        except Exception as error:
            message = f"a worker cannot say what it has: {type(error).__name__}: {str(error)[:200]}"
            raise PuzzleError(message, "install the same ggp on all workers, and here") from None
        here = {"ggp": ggp.__version__, "its code": source_fingerprint(self.plugins)}
        self.wanted = next(iter(found.values())) | here
        for worker, one in found.items():
            refuse_others(f"the worker {worker}", one, self.wanted)

    @property
    def busy(self) -> int:
        """How many jobs are being done, or wait on the scheduler."""
        return len(self.under_way)

    @property
    def free(self) -> bool:
        """Can another job be given?"""
        if time.monotonic() - self.counted > COUNTED:
            self.counted = time.monotonic()
            with contextlib.suppress(Exception):
                self.places = max(1, sum(self.client.nthreads().values()))
        return self.busy < AHEAD * self.places

    def start(self, job: Job) -> None:
        """Give a job to the scheduler."""
        self.number += 1
        name = f"ggp-{job.key}-{self.number}"
        future = self.client.submit(attended, job, self.solvers, self.wanted, key=name, pure=False)
        self.under_way[name] = (job, future)
        future.add_done_callback(lambda _: self.ended.put(name))

    def events(self, timeout: float) -> Iterator[Event]:
        """What has ended since. Raises PuzzleError where the scheduler is gone, or a worker is refused."""
        names: list[str] = []
        with contextlib.suppress(queue.Empty):
            names.append(self.ended.get(timeout=max(timeout, 0.001)))
            while True:
                names.append(self.ended.get_nowait())
        if not names and self.client.status not in ("running", "connecting"):
            raise gone(self.address)
        for name in names:
            job, future = self.under_way.pop(name)
            yield job, "done", self.outcome(job, future)

    def outcome(self, job: Job, future: Any) -> Record:
        """The record of a job, or that it was lost with its worker."""
        if future.status == "finished":
            record: Record = future.result()
            return record
        if future.status == "error":
            error = future.exception()
            if isinstance(error, PuzzleError):
                raise error
            # Several workers died under it, one after another.
            return unfinished(job, "error", LOST) if job.kind == "solve" else {"stop": "error", "note": LOST}
        raise gone(self.address)


async def greet(address: str) -> None:
    """Connect with a scheduler, and no more; raises what the network raises."""
    comms: Any = import_module("distributed.comm")
    comm = await comms.connect(address, timeout=ANSWERS)
    await comm.close()


def gone(address: str) -> PuzzleError:
    """The scheduler no longer answers."""
    message = f"the scheduler at {address} is gone; what was recorded is whole"
    return PuzzleError(message, "start it again, and run the same command")
