"""A time limit without an alarm of the system: a thread beside the run ends it.

Alarms are heard in the main thread alone, and a program that is not ours may have one of its own. So a thread
waits until the time is up, and has OutOfTime raised in the thread that is at work, by what Python offers for
that (`PyThreadState_SetAsyncExc`): between two steps of Python, as an alarm does. Nothing is left of it when
the run has been left: what was not heard by then is taken back. As the program goes on, no import is broken
off: some modules cannot be loaded a second time.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from ggp.model.result import Clock, OutOfTime
from ggp.tasks.bell import SOON, Bell

T = TypeVar("T")
NAME = "time limit"
IMPORTS = "<frozen importlib._bootstrap>"
SHORT = 0.0001  # seconds until it is asked again whether the thread is done


class Beside:
    """What has OutOfTime raised soon after the limit of a clock, whenever the run is `breakable`."""

    def __init__(self, clock: Clock) -> None:
        self.bell = Bell(clock)
        self.thread = threading.get_ident()  # that is at work
        self.working = threading.Lock()  # held meanwhile: it is let go in one step, which nothing breaks off
        self.begun = threading.Event()
        self.telling = False
        self.ended = threading.Event()

    def do(self, work: Callable[[], T]) -> T:
        """What comes of some work, in the thread that this was made in. Raises OutOfTime."""
        try:
            teller = threading.Thread(target=self.wait, name=NAME, daemon=True)
            teller.start()  # which takes errors for its own: nobody is told before that is over
            with self.working:
                self.begun.set()
                return work()
        finally:
            self.settle()

    def settle(self) -> None:
        """Take back what was not heard. Should it be heard in here, there is nothing to take back."""
        self.ended.set()
        self.begun.set()
        while self.telling:
            time.sleep(SHORT)
        tell(self.thread, None)

    def wait(self) -> None:
        """Wait until the time is up, and then until somebody has heard."""
        self.begun.wait()
        seconds = self.bell.first
        while not self.ended.wait(seconds):
            self.telling = True  # before the look: who stops working then is seen, or waits for this
            seconds = self.look(self.thread) if self.working.locked() else 0.0
            self.telling = False
            if not self.working.locked():
                return

    def look(self, thread: int) -> float:
        """Ring if it is time to; in how many seconds is it to be asked again?"""
        frame = sys._current_frames().get(thread)
        rings, seconds = self.bell.rings(frame)
        if rings and importing(frame):
            return SOON
        if rings:
            tell(thread, OutOfTime)
        return seconds


def importing(frame: FrameType | None) -> bool:
    """Is a module being loaded?"""
    while frame is not None and frame.f_code.co_filename != IMPORTS:
        frame = frame.f_back
    return frame is not None


def tell(thread: int, error: type[Exception] | None) -> None:
    """Have an error raised in a thread; None takes back what it has not heard of."""
    told = ctypes.py_object(error) if error is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), told)
