"""Every program that is not ours runs here: as a child process with a hard end.

A child is the head of a session of its own. Whatever ends it (its own exit, the deadline, too much output,
Ctrl-C, an exception, an iterator that is dropped, our own death), its whole session is killed, and with it
whatever it started and tried to hide. On Linux a process between (`ggp.engines.leash_worker`) becomes the
parent of all that is left without one, so nothing can get away; elsewhere they are found by a word in their
environment, which a program that wants to hide can take out. A child has a temporary folder of its own, which
goes with it. Nothing that a child prints is kept beyond what its reader asks for. POSIX only.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import secrets
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType

import ggp
from ggp.engines.scratch import Scratch
from ggp.errors import NotAvailable, SolverError

MARK = "GGP_CHILD"  # the word in the environment by which what a child left behind is found
LARGEST = 64 * 2**20  # bytes that a child may print without saying anything of use
MOST_LINES = 200_000  # that a child may print without saying anything of use
OUT_OF_MEMORY = re.compile(  # in the words of Python, C++, Java, SCIP and systems
    r"MemoryError|bad_alloc|OutOfMemory|out of memory|insufficient memory|cannot allocate memory"
    r"|not enough space",
    re.I,
)
SET_DEATH_SIGNAL, SET_SUBREAPER = 1, 36  # Linux's prctl
LAST_WORDS = 4000  # bytes of its standard error that are kept
TICK = 0.1  # seconds between two looks at whether a silent child is still there
LEAVE = 2.0  # seconds for the process between to end all that it holds


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended. `code` is None where it was killed by us or by the signal named `by`."""

    code: int | None
    by: str | None
    timed_out: bool
    errors: str  # the end of what it printed to standard error
    seconds: float

    @property
    def starved(self) -> bool:
        """Did it say that it gets no more memory?"""
        return OUT_OF_MEMORY.search(self.errors) is not None

    def __str__(self) -> str:
        how = f"was ended by {self.by}" if self.by else f"ended with status {self.code}"
        # Java tells last where it was, Python what went wrong.
        words = [line for line in self.errors.strip().splitlines() if not line.startswith("\tat ")]
        return f"{how}, saying {words[-1][:200]!r}" if words else how


class Child:
    """A running program. Iterate over it for the lines of its standard output, as they come.

    `seconds` is the deadline in wall time; when it passes the iteration just ends, and `ended.timed_out`
    says so. `memory` bounds the bytes of its address space (on Linux). `given` is what it reads; if it
    `listens`, that is what it is told by `tell`. After `largest` bytes or MOST_LINES lines of output it is
    killed and SolverError is raised, unless `useful()` was called meanwhile, which starts the count anew.
    `look` is called every TICK while its output is waited for; what it raises ends the child.
    Raises NotAvailable if the program cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        seconds: float | None = None,
        memory: int | None = None,
        given: bytes = b"",
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        largest: int = LARGEST,
        listens: bool = False,
        look: Callable[[], None] | None = None,
    ) -> None:
        self.look = look
        self.name = Path(command[0]).name
        self.start = time.monotonic()
        self.deadline = None if seconds is None else self.start + seconds
        self.largest = largest
        self.printed = self.lines = 0
        self.timed_out = False
        self.errors = b""
        self.ended: Ended | None = None
        self.mark = secrets.token_hex(8)
        self.scratch = Scratch()
        all_of_it = environment({**(env or {}), MARK: self.mark, "TMPDIR": str(self.scratch.path)})
        bound = bounded(memory)
        try:
            program = [*leash(), *bound, absolute(command[0], all_of_it), *command[1:]]
            self.process = started(program, given, cwd, all_of_it, listens)
        except BaseException:
            self.scratch.remove()
            raise
        if memory is not None and not bound:
            limit_memory(self.process.pid, memory)

    def __enter__(self) -> Child:
        return self

    def tell(self, text: bytes) -> None:
        """Give it more to read. What it cannot take any more, for it has ended, is seen where it is read."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(text)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __iter__(self) -> Iterator[str]:
        """Each line of the standard output, without its end; what follows the last end as well."""
        begun: list[bytes] = []  # a line without its end yet; joined once, however long it gets
        try:
            for chunk in self.chunks():
                *lines, rest = chunk.split(b"\n")
                for line in lines:
                    self.count_line()
                    yield b"".join([*begun, line]).decode("utf-8", "replace").rstrip("\r")
                    begun.clear()
                begun.append(rest)
            if any(begun):
                yield b"".join(begun).decode("utf-8", "replace")
        finally:
            self.stop()

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the standard output as they come, until it ends or time is up."""
        with selectors.DefaultSelector() as selector:
            for stream in self.process.stdout, self.process.stderr:
                assert stream is not None
                os.set_blocking(stream.fileno(), False)
                selector.register(stream, selectors.EVENT_READ)
            over = False
            while selector.get_map():
                if self.look is not None:
                    self.look()
                left = TICK if self.deadline is None else min(TICK, self.deadline - time.monotonic())
                if left <= 0:
                    self.timed_out = True
                    return
                ready = selector.select(left)
                if not ready and over:
                    return  # it is gone; something that it started still holds the pipe
                over = not ready and self.gone()
                for key, _ in ready:
                    chunk = os.read(key.fd, 1 << 16)
                    if not chunk:
                        selector.unregister(key.fileobj)
                    elif key.fileobj is self.process.stderr:
                        self.errors = (self.errors + chunk)[-LAST_WORDS:]
                    else:
                        self.count(len(chunk))
                        yield chunk
            self.wait()

    def count(self, size: int) -> None:
        """Count what it prints; raises SolverError when that is too much."""
        self.printed += size
        if self.printed > self.largest:
            raise SolverError(
                f"{self.name} floods its output: {self.largest:,} bytes and nothing of use in them",
                "it was stopped; try it by hand on the exported file",
            )

    def count_line(self) -> None:
        """Count a line of what it prints; raises SolverError when that is too many."""
        self.lines += 1
        if self.lines > MOST_LINES:
            raise SolverError(
                f"{self.name} floods its output: {MOST_LINES:,} lines and nothing of use in them",
                "it was stopped; try it by hand on the exported file",
            )

    def useful(self) -> None:
        """What it printed up to here was of use, so it may print as much again."""
        self.printed = self.lines = 0

    def wait(self) -> None:
        """Wait for the end of a child that has closed its output; kill it when time is up."""
        pause = 0.001
        while not self.gone():
            if self.deadline is not None and time.monotonic() >= self.deadline:
                self.timed_out = True
                return
            time.sleep(pause)
            pause = min(2 * pause, TICK)

    def gone(self) -> bool:
        """Has it ended? Leaves it unreaped, so that its number stays its own until the session is killed."""
        import psutil

        try:
            return bool(psutil.Process(self.process.pid).status() == psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return True

    def stop(self) -> None:
        """Kill it and all that it started, and take note of how it ended. Can be called again."""
        if self.ended is not None:
            return
        killed = self.process.returncode is None and not self.gone()
        if killed and leash():  # it ends all that it holds, and then itself
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(LEAVE)
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        kill_marked(self.mark)
        self.scratch.remove()
        if self.process.stdin is not None:
            self.process.stdin.close()
        for stream in self.process.stdout, self.process.stderr:
            assert stream is not None
            if stream is self.process.stderr:
                self.errors = (self.errors + left_in(stream.fileno()))[-LAST_WORDS:]
            stream.close()
        code = self.process.returncode
        by = None
        if code < 0:
            by = "us" if killed else f"signal {signal.Signals(-code).name}"
        errors = self.errors.decode("utf-8", "replace")
        seconds = time.monotonic() - self.start
        self.ended = Ended(None if code < 0 else code, by, self.timed_out, errors, seconds)


def run(command: Sequence[str], **options: object) -> tuple[bytes, Ended]:
    """Run a program to its end: all that it printed, and how it ended. Options are those of `Child`."""
    with Child(command, **options) as child:  # type: ignore[arg-type]
        output = b"".join(child.chunks())
    assert child.ended is not None
    return output, child.ended


def python(module: str) -> tuple[list[str], dict[str, str]]:
    """(command, environment) that runs a module of this project in a Python of its own, as here.

    Modules that lie in the folder where somebody works are not taken for those of this project (`-P`).
    """
    root = str(Path(ggp.__file__).parents[1])
    paths = [root, os.environ.get("PYTHONPATH", "")]
    known = {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}
    return [sys.executable, "-P", "-m", module], known


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a child: ours, and more."""
    return {**os.environ, **(more or {})}


def absolute(program: str, within: Mapping[str, str]) -> str:
    """The full path of a program; raises NotAvailable where there is none of that name."""
    found = shutil.which(program, path=within.get("PATH"))
    if found is None:
        raise NotAvailable(f"there is no program {program[:200]!r}", "install it, or give its full path")
    return os.path.abspath(found)


def started(
    program: Sequence[str], given: bytes, cwd: Path | None, env: Mapping[str, str], listens: bool = False
) -> subprocess.Popen[bytes]:
    """Start a program that reads what it is given, or is told; raises NotAvailable where that cannot be."""
    with tempfile.TemporaryFile() as file:
        file.write(given)
        file.seek(0)
        try:
            return subprocess.Popen(
                program,
                stdin=subprocess.PIPE if listens else file if given else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=env,
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            name = program[len(leash())]
            raise NotAvailable(f"cannot start {name}: {reason}", "see that it can run here") from None


def set_off(thread: threading.Thread) -> None:
    """Start a thread; raises NotAvailable where there may be no more of them."""
    try:
        thread.start()
    except RuntimeError as error:
        remedy = "allow more processes (`ulimit -u`) or more memory"
        raise NotAvailable(f"cannot start a thread: {error}", remedy) from None


@cache
def leash() -> tuple[str, ...]:
    """What, put before a command, holds it and all that it starts, and ends them when we are gone.

    Empty where there is no such thing: then nothing is done when we are killed, for a signal that cannot be
    caught leaves no time for it.
    """
    if sys.platform != "linux":
        return ()
    return (sys.executable, "-I", "-S", str(Path(__file__).with_name("leash_worker.py")))


def bounded(size: int | None) -> tuple[str, ...]:
    """What, put before a command, bounds its address space from its first moment on; empty if nothing can."""
    program = None if size is None or sys.platform != "linux" else shutil.which("prlimit")
    return () if program is None else (program, f"--as={size}", "--")


def limit_memory(pid: int, size: int) -> None:
    """Bound the address space of a process that runs; systems without `prlimit` go without."""
    import resource

    if hasattr(resource, "prlimit"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            resource.prlimit(pid, resource.RLIMIT_AS, (size, size))


def prctl(option: int, value: int) -> None:
    """Ask Linux for something about this process; elsewhere nothing happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def kill_marked(mark: str) -> None:
    """Kill every process that carries the mark: what a child started in a session apart."""
    import psutil

    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark:
                process.kill()


def left_in(descriptor: int) -> bytes:
    """What can still be read from a pipe without waiting."""
    try:
        os.set_blocking(descriptor, False)
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""
