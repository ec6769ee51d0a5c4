"""A time limit that holds wherever the search is: an alarm of the system, in the program's main thread.

Searches ask the clock in their loops. A turn of a strange game, making its rules ready, or the referee's
replay of a long plan may take seconds between two looks. The alarm then ends the run there. It is rung in
programs of ours alone, and only while a solver is at work that may be stopped anywhere (`Facts.breakable`).
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import Any

from ggp.model.result import Clock, OutOfTime
from ggp.transition.native.compiling import COMPILING
from ggp.transition.native.stopping import STOPPING

LATE = 0.02  # seconds after the limit: whoever looks at the clock comes first
AGAIN = 1.0  # seconds until it rings again, should nobody have heard
SOON = 0.002  # seconds until then where nobody could have heard
# What Python calls while it clears up. An error there is printed, and lost.
DEAF = {("weakref.py", "remove"), ("_weakrefset.py", "_remove")}


def alarm(clock: Clock) -> AbstractContextManager[None]:
    """Inside, OutOfTime is raised soon after the limit of a clock, whenever the run is `breakable`.

    Nothing where the system has no alarm.
    """
    usable = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if clock.limit is None or not usable or signal.getsignal(signal.SIGALRM) != signal.SIG_DFL:
        return nullcontext()
    return ringing(clock)


@contextmanager
def ringing(clock: Clock) -> Iterator[None]:
    """The same where there is one."""
    compiled = COMPILING.seconds

    def ring(number: int, frame: FrameType | None) -> Any:
        nonlocal compiled
        forgiven, compiled = COMPILING.seconds - compiled, COMPILING.seconds
        left = max(clock.left or 0.0, forgiven)  # what compiling took is no time of the run
        if COMPILING.begun or left > 0:
            signal.setitimer(signal.ITIMER_REAL, left + LATE, AGAIN)
            return
        if not clock.breakable:
            return
        if deaf(frame):
            signal.setitimer(signal.ITIMER_REAL, SOON, AGAIN)
            return
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, (clock.left or 0.0) + LATE, AGAIN)
    try:
        with STOPPING.within(lambda: clock.left or 0.0):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def deaf(frame: FrameType | None) -> bool:
    """Would nobody hear of an error that is raised here?"""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__del__" or (Path(code.co_filename).name, code.co_name) in DEAF:
            return True
        frame = frame.f_back
    return False
