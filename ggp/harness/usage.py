"""What a process and all below it hold and have used, seen from outside; and on which machine that is."""

from __future__ import annotations

import contextlib
import os
import platform
from functools import cache
from typing import Any, NamedTuple

import psutil

TOLD = os.path.exists(f"/proc/self/task/{os.getpid()}/children")  # Linux says who is below, with no search


@cache
def machine() -> dict[str, Any]:
    """What this machine is: its name, system, processor, cores and megabytes of memory."""
    processor = platform.processor()
    with contextlib.suppress(OSError, StopIteration), open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = next(line for line in file if line.startswith("model name")).partition(":")[2].strip()
    return {
        "name": platform.node(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor or "unknown",
        "cores": os.cpu_count() or 0,
        "memory_mb": psutil.virtual_memory().total // 1_000_000,
    }


class Usage(NamedTuple):
    """Bytes held now, and seconds of processor time so far."""

    memory: int
    cpu: float


def usage_of(pid: int) -> Usage:
    """Of a process and of all that it has started; what has ended counts with who has waited for it."""
    memory, cpu = 0, 0.0
    for one in (pid, *below(pid)):
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(one)
            memory += process.memory_info().rss
            times = process.cpu_times()
            cpu += times.user + times.system + times.children_user + times.children_system
    return Usage(memory, cpu)


def below(pid: int) -> list[int]:
    """The processes below one, near ones first."""
    if not TOLD:
        with contextlib.suppress(psutil.Error):
            return [process.pid for process in psutil.Process(pid).children(recursive=True)]
        return []
    found = children(pid)
    for one in found:  # it grows on the way
        found += children(one)
    return found


def children(pid: int) -> list[int]:
    """The processes that one has started, as Linux tells."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children") as file:
                found += map(int, file.read().split())
    return found
