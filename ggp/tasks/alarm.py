"""A time limit that holds wherever the search is: an alarm of the system, in the program's main thread.

Searches ask the clock in their loops. A turn of a strange game, making its rules ready, or the referee's
replay of a long plan may take seconds between two looks. The alarm then ends the run there, but only while a
solver is at work that may be stopped anywhere (`Facts.breakable`), or a question is written down for it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType
from typing import Any, TypeVar

from ggp.model.result import Clock, OutOfTime
from ggp.tasks.bell import AGAIN, Bell
from ggp.tasks.beside import Beside
from ggp.transition.native.stopping import STOPPING

T = TypeVar("T")


def in_time(clock: Clock, work: Callable[[], T], *, ours: bool) -> T:
    """What comes of some work; raises OutOfTime soon after the limit, whenever the run is `breakable`.

    In programs of `ours` by an alarm of the system, where there is one; else by a thread.
    """
    if clock.limit is None:
        return work()
    if not (ours and usable()):
        return Beside(clock).do(work)
    with ringing(clock):
        return work()


def alarm(clock: Clock) -> AbstractContextManager[None]:
    """Inside, OutOfTime is raised soon after the limit of a clock, whenever the run is `breakable`.

    Nothing where the system has no alarm.
    """
    return ringing(clock) if clock.limit is not None and usable() else nullcontext()


def usable() -> bool:
    """Is there an alarm, and is it nobody else's?"""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return False
    return signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


@contextmanager
def ringing(clock: Clock) -> Iterator[None]:
    """The same where there is one."""
    bell = Bell(clock)

    def ring(number: int, frame: FrameType | None) -> Any:
        rings, seconds = bell.rings(frame)
        if not rings:
            signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
            return
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, bell.first, AGAIN)
    try:
        with STOPPING.within(lambda: clock.left or 0.0):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
