"""The process between the main one and the jobs. It does no job itself, so nothing can stop it.

It gets one job after another, has each done in a child, and answers with a record, whatever the child does:
end, crash, hang, or eat memory or time. A child does one job and ends, unless the job says that it may stay:
then it does the next jobs of the same solver too, for starting takes longer than many an answer, and it is
ended with the first that goes wrong. When the main process is gone, killed or not, the supervisor ends its
children and all that they have started, and then itself. Waiting and measuring is all that happens here; no
solver's package is ever imported, and there is one thread, so that forking is safe.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import tempfile
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import IO, Any

import psutil

from ggp.engines.processes import OUT_OF_MEMORY, SET_DEATH_SIGNAL, SET_SUBREAPER, prctl
from ggp.harness import work
from ggp.harness.jobs import Job, Parcel
from ggp.harness.records import Record, unfinished
from ggp.harness.usage import Usage, below, machine, usage_of

FORK = get_context("fork")
POLL = 0.1  # seconds between looks at the memory
LEAVE = 1.0  # seconds for a child that has answered to end
START = 120.0  # seconds for a child that stays to be ready
LONGEST_COMPILING = 600.0  # seconds that are forgiven; it takes 20 where nothing else is done
MOST_JOBS = 1000  # of a child: what libraries lose in memory does not add up
MOST_KEPT = 12  # children of a supervisor that wait
LAST_WORDS = 4000  # bytes of what a child wrote that are looked at


class Gone(Exception):
    """The main process is no longer there, or wants no more."""


def main(number: int, plugins: Sequence[str]) -> None:
    """Serve the connection with this file number until its other end is closed."""
    # What a child leaves behind then becomes ours, and can be found and ended.
    prctl(SET_SUBREAPER, 1)
    channel, kept = Connection(number), Kept()
    for plugin in plugins:
        import_module(plugin)
    try:
        channel.send("ready")
        while True:
            channel.send(("done", attend(channel.recv(), channel, kept)))
    except (EOFError, OSError, Gone):
        end_descendants()


# --- the child ------------------------------------------------------------------------------------------


def serve(jobs: Connection, answers: Connection, words: int) -> None:
    """Do jobs under limits until there are no more; what is written goes to the file `words`."""
    prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
    os.dup2(words, 1)
    os.dup2(words, 2)
    limit(resource.RLIMIT_CORE, 0)

    def tell(word: str, value: Any) -> None:
        answers.send((word, value))

    while True:
        try:
            job = jobs.recv().whole()
        except EOFError:
            return
        limit(resource.RLIMIT_DATA, job.settings.memory_limit * work.MEGABYTE)
        tell("done", work.do(job, tell))


def limit(what: int, most: int) -> None:
    """Set a limit of this process, no higher than it may be."""
    _, highest = resource.getrlimit(what)
    most = most if highest == resource.RLIM_INFINITY else min(most, highest)
    resource.setrlimit(what, (most, most))


class Child:
    """A process that does jobs, and the ends of ours that lead to it."""

    def __init__(self, channel: Connection) -> None:
        theirs, self.jobs = FORK.Pipe(duplex=False)
        self.answers, sender = FORK.Pipe(duplex=False)
        self.words = tempfile.TemporaryFile()  # noqa: SIM115 - open for as long as the process runs
        self.done = 0

        def run() -> None:
            for ours in (channel, self.jobs, self.answers):
                ours.close()
            serve(theirs, sender, self.words.fileno())

        self.process = FORK.Process(target=run)
        self.process.start()
        theirs.close()
        sender.close()

    @property
    def pid(self) -> int:
        """Its number."""
        return self.process.pid or 0

    def give(self, parcel: Parcel) -> None:
        """Hand it a job; if it is the only one, it ends when that is done."""
        self.words.seek(0)
        self.words.truncate()
        # One that is gone is noticed when its answer is awaited.
        with contextlib.suppress(OSError):
            self.jobs.send(parcel)
        if not parcel.job.stay:
            self.jobs.close()

    def end(self) -> None:
        """End it."""
        self.process.kill()
        self.process.join()
        self.jobs.close()
        self.answers.close()


class Kept:
    """Children that stay for more jobs, by what they have in memory already."""

    def __init__(self) -> None:
        self.children: dict[tuple[str, int], Child] = {}

    def take(self, job: Job) -> Child | None:
        """The child that waits for such a job."""
        child = self.children.pop(self.place(job), None) if job.stay else None
        if child is not None and not child.process.is_alive():
            child.end()
            return None
        return child

    def put(self, job: Job, child: Child) -> None:
        """Keep a child, unless it has done many jobs or holds much; of too many, one is ended."""
        child.done += 1
        held = usage_of(child.pid).memory
        if child.done >= MOST_JOBS or held > job.settings.memory_limit * work.MEGABYTE / 2:
            child.end()
            return
        self.children[self.place(job)] = child
        if len(self.children) > MOST_KEPT:
            self.children.pop(next(iter(self.children))).end()

    def strangers(self) -> bool:
        """Is anything below this process that is none of these children?"""
        return not set(below(os.getpid())) <= self.pids

    @property
    def pids(self) -> set[int]:
        """The numbers of the children."""
        return {child.pid for child in self.children.values()}

    @staticmethod
    def place(job: Job) -> tuple[str, int]:
        """The child of a solver is for no other: libraries that are fine alone may not live together."""
        return job.name, job.settings.memory_limit


@dataclass
class Seen:
    """What has been seen of a child so far."""

    began: float = field(default_factory=time.perf_counter)
    started: bool = False
    waits: float | None = None  # since when it waits for the compiler of loops
    plans: list[dict[str, Any]] = field(default_factory=list)
    record: Record = field(default_factory=dict)  # what is known of the run
    memory: int = 0
    cpu: float = 0.0  # seconds, of what is below as well
    cpu_before: float = 0.0  # what the child had used before this job
    says: str = ""
    answer: Record | None = None

    @property
    def seconds(self) -> float:
        """Since it started on its job, but for the time in which loops were compiled."""
        now = time.perf_counter()
        since = now if self.waits is None else self.waits
        return since - self.began if now - since < LONGEST_COMPILING else now - self.began

    def look(self, found: Usage) -> None:
        """Take note of what the child has used; what the compiler used is none of the job's."""
        self.memory = max(self.memory, found.memory)
        if self.waits is not None:
            self.cpu_before = found.cpu - self.cpu
        self.cpu = max(self.cpu, found.cpu - self.cpu_before)

    def take(self, word: str, value: Any, job: Job) -> None:
        """Take in a message."""
        if word == "started":
            self.began, self.started = time.perf_counter(), True
            self.cpu_before = value or 0.0
            self.memory, self.cpu = 0, 0.0  # of what comes before, nothing counts
            self.plans.clear()
        elif word == "compiling":
            now = time.perf_counter()
            if self.waits is not None:
                self.began += now - self.waits
            self.waits = now if value else None
        elif word == "done":
            self.answer = value
        elif word == "says":
            self.says = value
        elif word == "partly":
            self.record = value
        elif word == "plan":
            plan, self.record = value
            if job.want == "best":
                self.plans.clear()
            self.plans.append(plan)


def attend(parcel: Parcel, channel: Connection, kept: Kept) -> Record:
    """Do a job; once more where it was over before it began, as the small question may be to blame."""
    job, seen, began = parcel.job, Seen(), time.time()
    record = oversee(parcel, channel, seen, kept)
    if job.kind == "solve" and seen.answer is None and not seen.started:
        cold = parcel._replace(job=replace(job, warm=False))
        record = oversee(cold, channel, Seen(), kept)
    if not job.stay:
        return record
    return record | {"began": round(began, 3), "ended": round(time.time(), 3), "machine": machine()}


def oversee(parcel: Parcel, channel: Connection, seen: Seen, kept: Kept) -> Record:
    """Have a job done by a child, and make a record of whatever comes of it."""
    job = parcel.job
    child = kept.take(job) or Child(channel)
    stays, verdict = False, None
    try:
        child.give(parcel)
        verdict = watch(job, channel, child, seen)
        stays = job.stay and seen.answer is not None and child.process.is_alive()
        stays = stays and not below(child.pid)  # what it has left behind ends with it
    finally:
        if stays:
            kept.put(job, child)
        else:
            child.end()
        if not stays or kept.strangers():
            end_descendants(kept.pids)
    with child.words if not stays else contextlib.nullcontext():
        if seen.answer is not None:
            return with_usage(seen.answer, seen)
        stop, note = verdict or cause(child.process.exitcode, child.words)
    return died(parcel.whole(), stop, note, seen)


def watch(job: Job, channel: Connection, child: Child, seen: Seen) -> tuple[str, str] | None:
    """Listen to a child until it has answered or ended; (stop, why) if it is to be stopped.

    Raises Gone when the main process is.
    """
    process, receiver = child.process, child.answers
    open_ends: list[Any] = [channel, receiver, process.sentinel]
    told, looked = (0, ""), time.perf_counter()
    while True:
        ready = wait(open_ends, timeout=POLL)
        if channel in ready:
            raise Gone
        if receiver in ready and not listen(receiver, seen, job):
            open_ends.remove(receiver)
        if seen.answer is not None:
            if not job.stay:
                process.join(LEAVE)
            return None
        if process.sentinel in ready:
            while receiver in open_ends and receiver.poll(0) and listen(receiver, seen, job):
                pass
            return None
        if time.perf_counter() - looked >= POLL:
            looked = time.perf_counter()
            seen.look(usage_of(child.pid))
            if (len(seen.plans), seen.says) != told:
                told = len(seen.plans), seen.says
                channel.send(("progress", told))
        passed = beyond(job, seen)
        if passed is not None:
            return passed


def beyond(job: Job, seen: Seen) -> tuple[str, str] | None:
    """The limit that a job has passed: `stop`, and a note; None while it keeps them all."""
    limits = job.settings
    grace = 2.0 + 0.1 * job.time_limit  # a solver that keeps its limit does so within this time
    # What a child does before it is ready is not the job's: it may compile, which takes its time.
    longest = job.time_limit + grace if seen.started or not job.stay else max(START, job.time_limit) + grace
    if seen.seconds > longest:
        return "time-limit", f"it did not stop by itself within {job.time_limit:g} s and was ended"
    if limits.cpu_limit is not None and seen.started and seen.cpu > limits.cpu_limit:
        return "time-limit", f"it used {seen.cpu:.1f} s of processor time and was ended"
    if seen.memory > limits.memory_limit * work.MEGABYTE:
        return "memory-limit", f"it held {seen.memory // work.MEGABYTE} MB and was ended"
    return None


def listen(receiver: Connection, seen: Seen, job: Job) -> bool:
    """Take in one message; False if there will be no more."""
    try:
        word, value = receiver.recv()
    except Exception:  # the end, or a message that was cut off or is none
        return False
    seen.take(word, value, job)
    return True


def end_descendants(spared: Collection[int] = ()) -> None:
    """End every process below this one, those included whose parents have ended, but for these."""
    for _ in range(10):
        left = [one for one in psutil.Process().children(recursive=True) if one.pid not in spared]
        if not left:
            return
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(left, timeout=1.0)


# --- what became of it ----------------------------------------------------------------------------------


def cause(exitcode: int | None, words: IO[bytes]) -> tuple[str, str]:
    """Why a child ended without an answer: `stop`, and a note with the last that it wrote."""
    said = last_words(words)
    tail = f"; it said: {said[-300:]}" if said else ""
    if OUT_OF_MEMORY.search(said):
        return "memory-limit", f"it ran out of memory{tail}"
    if exitcode is not None and exitcode < 0:
        names = {number.value: number.name for number in signal.Signals}
        return "error", f"it crashed with {names.get(-exitcode, f'signal {-exitcode}')}{tail}"
    return "error", f"it ended without an answer, with exit status {exitcode}{tail}"


def last_words(words: IO[bytes]) -> str:
    """The end of what a child wrote, on one line."""
    size = words.seek(0, os.SEEK_END)
    words.seek(max(0, size - LAST_WORDS))
    text = words.read(LAST_WORDS).decode(errors="replace")
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def died(job: Job, stop: str, note: str, seen: Seen) -> Record:
    """The record of a child that gave none."""
    if job.kind != "solve":
        return {"stop": stop, "note": note} | seen.record
    seconds = seen.seconds if seen.started else 0.0
    record = unfinished(job, stop, note, seconds=seconds, plans=seen.plans)
    return with_usage(record | seen.record, seen)


def with_usage(record: Record, seen: Seen) -> Record:
    """The record with the larger of what the job and what its supervisor saw of its memory and its time."""
    if "memory_mb" not in record:
        return record
    most = max(record["memory_mb"] or 0.0, round(seen.memory / work.MEGABYTE, 1))
    cpu = max(record["cpu_seconds"] or 0.0, round(seen.cpu, 6)) if seen.started else None
    return {**record, "memory_mb": most or None, "cpu_seconds": cpu or None}
