"""Machine code hears in the middle of a turn that its time is up: it reads a cell that a thread sets.

Python hears of an alarm only between two calls of machine code, and a single turn of a large level with long
loops may take half a second. The thread is begun by whoever runs such code, so other searches have none.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

SOON = 0.01  # seconds until it is told again: the limit may have moved in between


class Stopping:
    """Tells machine code when the time of the run that is at work is up."""

    def __init__(self) -> None:
        self.left: Callable[[], float] | None = None
        self.ended = threading.Event()
        self.thread: threading.Thread | None = None

    @cached_property
    def cell(self) -> Any:
        """An array of one cell, 1 where the time is up, made when it is read: most runs need no numpy."""
        import numpy as np

        return np.zeros(1, np.int64)

    @contextmanager
    def within(self, left: Callable[[], float]) -> Iterator[None]:
        """Inside there are so many seconds left, asked again when they should be over."""
        self.left, self.ended = left, threading.Event()
        try:
            yield
        finally:
            self.left = None
            self.ended.set()
            if self.thread is not None:
                self.thread.join()
                self.clear()
            self.thread = None

    def watch(self) -> None:
        """Machine code that reads the cell is about to run."""
        if self.left is not None and (self.thread is None or not self.thread.is_alive()):
            self.thread = threading.Thread(target=self.tell, args=(self.left, self.ended), daemon=True)
            self.thread.start()

    def clear(self) -> None:
        """Let machine code go on."""
        self.cell[0] = 0

    def tell(self, left: Callable[[], float], ended: threading.Event) -> None:
        """Set the cell whenever no time is left, until the run has ended."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})  # that is for the main thread
        while not ended.wait(max(left(), SOON)):
            if left() <= 0:
                self.cell[0] = 1


STOPPING = Stopping()
