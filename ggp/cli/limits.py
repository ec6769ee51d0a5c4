"""A limit on memory for a command: its work is done by a child that may be lost."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable

MEGABYTE = 2**20


def within_memory(megabytes: int | None, lost: Callable[[str], int]) -> None:
    """Go on in a child that may hold so much; where that is lost, `lost` says so and gives the exit status.

    Solvers that get no more memory may end the process that they are in. As for `compare`, the limit is one
    on the data of each process.
    """
    if megabytes is None:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        sys.exit(ended(child, megabytes, lost))
    _, highest = resource.getrlimit(resource.RLIMIT_DATA)
    most = megabytes * MEGABYTE
    most = most if highest == resource.RLIM_INFINITY else min(most, highest)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ended(child: int, megabytes: int, lost: Callable[[str], int]) -> int:
    """The exit status of a child."""
    try:
        _, status = os.waitpid(child, 0)
    except KeyboardInterrupt:  # the child has it, too
        os.waitpid(child, 0)
        raise
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return code
    return lost(f"it was ended by {signal.Signals(-code).name}, with {megabytes} MB to use")
