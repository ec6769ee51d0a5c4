"""How much machine code is given at once: so little that the clock is asked between one portion and the next.

How long a turn takes differs between games by a factor of thousands, so it is not counted but timed. Where
turns of one game differ so much, too, portions are of work, which the machine code counts. What comes of it
does not hang on the portions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from ggp.transition.native.stopping import STOPPING

LONG = 0.05  # seconds of a portion; of one twice as large, before the next is seen to be smaller


class Portions:
    """Calls `pause` before each portion. They are of `least` or of so much doubled, but for the last."""

    def __init__(self, pause: Callable[[], None], least: int = 1) -> None:
        self.pause, self.least, self.size = pause, least, least

    def __call__(self, count: int) -> Iterator[slice]:
        """The portions of so many, one after another."""
        start = 0
        while start < count:
            self.pause()
            began, size = time.perf_counter(), self.size
            yield slice(start, min(count, start + size))
            self.adapt(time.perf_counter() - began, start + size <= count)
            start += size

    def by_work(self, count: int, made: Callable[[int, int], int]) -> None:
        """So many things, by `made(first, work)`, which tells the first that is not made yet.

        It ends sooner where it is told to stop (`STOPPING.cell`).
        """
        start = 0
        STOPPING.watch()
        while start < count:
            self.pause()
            STOPPING.clear()  # it has not ended the run
            began = time.perf_counter()
            start = made(start, self.size)
            self.adapt(time.perf_counter() - began, start < count)

    def adapt(self, seconds: float, whole: bool) -> None:
        """The next portion is smaller after a long one, larger after a short one that was whole."""
        if seconds > LONG:
            self.size = max(self.least, self.size // 2)
        elif whole and seconds < LONG / 2:
            self.size *= 2
