"""Holds a program of others: runs it, and sees that nothing that it starts is left. Linux only.

    python leash_worker.py PROGRAM ARGUMENT ...

Whatever the program starts, and hides in a session of its own with an empty environment, becomes this
process's own child when its parent ends (Linux calls that a subreaper), and so can be found. All of them are
killed when the program ends, when this process is asked to end, and when the process that started it is gone.
Afterwards this process ends the way the program did. It imports as little as can be, to start quickly.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time

DEATH_SIGNAL, SUBREAPER = 1, 36  # of Linux's prctl


def prctl(option: int, value: int) -> None:
    """Ask Linux for something about this process."""
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def main(command: list[str]) -> int:
    """Run the command; the exit status is its own."""
    parent = os.getppid()
    signal.signal(signal.SIGTERM, asked_to_end)
    prctl(SUBREAPER, 1)
    prctl(DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:  # it was gone before it could be watched
        return 1
    program = os.fork()
    if program == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        prctl(DEATH_SIGNAL, signal.SIGKILL)
        os.execv(command[0], command)
    for stream in range(3):  # so that its reader sees the end when the program closes them
        os.close(stream)
    status = 0
    while True:
        number, status = os.wait()
        if number == program:
            break
    sweep()
    if os.WIFSIGNALED(status):
        end_by(os.WTERMSIG(status))
    return os.WEXITSTATUS(status)


def asked_to_end(number: int, frame: object) -> None:
    """Kill all there is, and then this process."""
    sweep()
    end_by(signal.SIGKILL)


def sweep() -> None:
    """Kill every child until there is none; the children of those that are killed become ours."""
    while True:
        for child in children():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def children() -> list[int]:
    """The numbers of this process's children."""
    me, found = str(os.getpid()), []
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                # The name of the program stands in brackets, and may hold anything.
                if file.read().rpartition(b")")[2].split()[1].decode() == me:
                    found.append(int(name))
    return found


def end_by(number: int) -> None:
    """End this process by a signal."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
