"""A trial in a process of its own, which is ended where it takes longer than it may."""

from __future__ import annotations

import json
import math
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

PATIENCE = 10  # so many times its seconds a trial may take by the clock, on a machine that does other work


def answer_of(module: str, arguments: Sequence[str], limit: float) -> Any:
    """What the program of a module writes as JSON; None after `limit` seconds of the processor.

    Raises CalledProcessError where it fails.
    """
    command = [sys.executable, "-m", module, *arguments]
    bound = partial(bind, math.ceil(limit))
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=PATIENCE * limit, check=True, preexec_fn=bound
        )
    except subprocess.TimeoutExpired:
        return None
    except subprocess.CalledProcessError as error:
        if error.returncode == -signal.SIGXCPU:
            return None
        raise
    return json.loads(done.stdout)


def bind(seconds: int) -> None:
    """Let this process have so many seconds of the processor, and leave no picture of its memory."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
