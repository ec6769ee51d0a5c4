"""The process between the main one and the jobs. It does no job itself, so nothing can stop it.

It gets one job after another, does each in a child of its own, and answers with a record, whatever the child
does: end, crash, hang, or eat memory. When the main process is gone, killed or not, it ends its child and
all that the child has started, and then itself. Waiting and measuring is all that happens here; no solver's
package is ever imported, and there is one thread, so that forking is safe.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import IO, Any

import psutil

from ggp.harness import work
from ggp.harness.jobs import Job
from ggp.harness.records import Record, unfinished

FORK = get_context("fork")
POLL = 0.1  # seconds between looks at the memory
LEAVE = 1.0  # seconds for a child that has answered to end
LAST_WORDS = 4000  # bytes of what a child wrote that are looked at
OUT_OF_MEMORY = re.compile(r"bad_alloc|MemoryError|OutOfMemory|out of memory|Cannot allocate memory", re.I)
SET_DEATH_SIGNAL, SET_SUBREAPER = 1, 36  # Linux's prctl


class Gone(Exception):
    """The main process is no longer there, or wants no more."""


def main(number: int, plugins: Sequence[str]) -> None:
    """Serve the connection with this file number until its other end is closed."""
    # What a child leaves behind then becomes ours, and can be found and ended.
    prctl(SET_SUBREAPER, 1)
    channel = Connection(number)
    for plugin in plugins:
        import_module(plugin)
    try:
        channel.send("ready")
        while True:
            channel.send(("done", attend(channel.recv(), channel)))
    except (EOFError, OSError, Gone):
        end_descendants()


def prctl(option: int, value: int) -> None:
    """Ask Linux for something about this process; elsewhere nothing happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


# --- the child ------------------------------------------------------------------------------------------


def child(job: Job, pipe: Connection, channel: Connection, words: int) -> None:
    """Do a job under limits; what is written goes to the file `words`."""
    channel.close()
    prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
    os.dup2(words, 1)
    os.dup2(words, 2)
    limit(resource.RLIMIT_DATA, job.settings.memory_limit * work.MEGABYTE)
    limit(resource.RLIMIT_CORE, 0)

    def tell(word: str, value: Any) -> None:
        pipe.send((word, value))

    tell("done", work.do(job, tell))


def limit(what: int, most: int) -> None:
    """Set a limit of this process, no higher than it may be."""
    _, highest = resource.getrlimit(what)
    most = most if highest == resource.RLIM_INFINITY else min(most, highest)
    resource.setrlimit(what, (most, most))


@dataclass
class Seen:
    """What has been seen of a child so far."""

    began: float = field(default_factory=time.perf_counter)
    started: bool = False
    plans: list[dict[str, Any]] = field(default_factory=list)
    record: Record = field(default_factory=dict)  # what is known of the run
    memory: int = 0
    says: str = ""
    answer: Record | None = None

    @property
    def seconds(self) -> float:
        """Since it started on its job."""
        return time.perf_counter() - self.began

    def take(self, word: str, value: Any, job: Job) -> None:
        """Take in a message."""
        if word == "started":
            self.began, self.started = time.perf_counter(), True
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


def attend(job: Job, channel: Connection) -> Record:
    """Do a job; once more where it was over before it began, as the small question may be to blame."""
    seen = Seen()
    record = oversee(job, channel, seen)
    if job.kind == "solve" and seen.answer is None and not seen.started:
        record = oversee(replace(job, warm=False), channel, Seen())
    return record


def oversee(job: Job, channel: Connection, seen: Seen) -> Record:
    """Do a job in a child, and make a record of whatever comes of it."""
    receiver, sender = FORK.Pipe(duplex=False)
    with tempfile.TemporaryFile() as words:
        process = FORK.Process(target=child, args=(job, sender, channel, words.fileno()))
        process.start()
        sender.close()
        try:
            verdict = watch(job, channel, receiver, process, seen)
        finally:
            process.kill()
            process.join()
            end_descendants()
            receiver.close()
        if seen.answer is not None:
            return with_memory(seen.answer, seen.memory)
        stop, note = verdict or cause(process.exitcode, words)
        return died(job, stop, note, seen)


def watch(
    job: Job, channel: Connection, receiver: Connection, process: Any, seen: Seen
) -> tuple[str, str] | None:
    """Listen to a child until it has answered or ended; (stop, why) if it is to be stopped.

    Raises Gone when the main process is.
    """
    open_ends: list[Any] = [channel, receiver, process.sentinel]
    told, looked = (0, ""), time.perf_counter()
    grace = 2.0 + 0.1 * job.time_limit  # a solver that keeps its limit does so within this time
    while True:
        ready = wait(open_ends, timeout=POLL)
        if channel in ready:
            raise Gone
        if receiver in ready and not listen(receiver, seen, job):
            open_ends.remove(receiver)
        if seen.answer is not None:
            process.join(LEAVE)
            return None
        if process.sentinel in ready:
            while receiver in open_ends and receiver.poll(0) and listen(receiver, seen, job):
                pass
            return None
        if seen.seconds > job.time_limit + grace:
            return "time-limit", f"it did not stop by itself within {job.time_limit:g} s and was ended"
        if time.perf_counter() - looked >= POLL:
            looked = time.perf_counter()
            held = memory_of(process.pid)
            seen.memory = max(seen.memory, held)
            if held > job.settings.memory_limit * work.MEGABYTE:
                return "memory-limit", f"it held {held // work.MEGABYTE} MB and was ended"
            if (len(seen.plans), seen.says) != told:
                told = len(seen.plans), seen.says
                channel.send(("progress", told))


def listen(receiver: Connection, seen: Seen, job: Job) -> bool:
    """Take in one message; False if there will be no more."""
    try:
        word, value = receiver.recv()
    except Exception:  # the end, or a message that was cut off or is none
        return False
    seen.take(word, value, job)
    return True


def memory_of(pid: int) -> int:
    """The bytes that a process and all that it has started hold."""
    total = 0
    with contextlib.suppress(psutil.Error):
        top = psutil.Process(pid)
        for process in (top, *top.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                total += process.memory_info().rss
    return total


def end_descendants() -> None:
    """End every process below this one, those included whose parents have ended."""
    for _ in range(10):
        left = psutil.Process().children(recursive=True)
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
    return with_memory(record | seen.record, seen.memory)


def with_memory(record: Record, seen: int) -> Record:
    """The record with the larger of what the job and what its supervisor saw of its memory."""
    if "memory_mb" not in record:
        return record
    most = max(record["memory_mb"] or 0.0, round(seen / work.MEGABYTE, 1))
    return {**record, "memory_mb": most or None}
