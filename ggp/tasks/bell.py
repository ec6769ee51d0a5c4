"""When a run is to be told that its time is up, whoever tells it: an alarm, or a thread beside it."""

from __future__ import annotations

import gc
from pathlib import Path
from types import FrameType

from ggp.model.result import Clock
from ggp.transition.native.compiling import COMPILING

LATE = 0.02  # seconds after the limit: whoever looks at the clock comes first
AGAIN = 1.0  # seconds until it rings again, should nobody have heard
SOON = 0.002  # seconds until then where nobody could have heard
# What Python calls while it clears up, and what the compiler's library calls while machine code is loaded. An
# error there is printed, and lost.
DEAF = {
    ("weakref.py", "remove"),
    ("_weakrefset.py", "_remove"),
    ("executionengine.py", "_raw_object_cache_notify"),
    ("executionengine.py", "_raw_object_cache_getbuffer"),
}


class Bell:
    """Says of a moment whether it rings, and in how many seconds it is to be asked again."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.compiled = COMPILING.seconds

    @property
    def first(self) -> float:
        """Seconds until it is to be asked first."""
        return (self.clock.left or 0.0) + LATE

    def rings(self, frame: FrameType | None) -> tuple[bool, float]:
        """`frame` is what the run is at."""
        forgiven, self.compiled = COMPILING.seconds - self.compiled, COMPILING.seconds
        left = max(self.clock.left or 0.0, forgiven)  # what compiling took is no time of the run
        if COMPILING.begun or left > 0:
            return False, left + LATE
        if self.clock.breakable and deaf(frame):
            return False, SOON
        return self.clock.breakable, AGAIN


def deaf(frame: FrameType | None) -> bool:
    """Would nobody hear of an error that is raised here?"""
    collecting = {getattr(called, "__code__", None) for called in gc.callbacks}
    while frame is not None:
        code = frame.f_code
        if (
            code.co_name == "__del__"
            or code in collecting
            or (Path(code.co_filename).name, code.co_name) in DEAF
        ):
            return True
        frame = frame.f_back
    return False
