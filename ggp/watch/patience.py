"""Code of others is waited for, but not for ever."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Thread
from typing import TypeVar

from ggp.errors import PuzzleError
from ggp.transition.native.compiling import COMPILING

PATIENCE = 10.0  # seconds for one answer
LOOK = 0.02  # seconds between looks at whether something is still compiled

Answer = TypeVar("Answer")

ASKED: list[Callable[[str], None]] = []
"""Who is told what code of others is asked for, before it is."""


class Raised(PuzzleError):
    """What was asked raised something."""


def answered(name: str, what: str, call: Callable[[], Answer], seconds: float = PATIENCE) -> Answer:
    """What a call returns; raises PuzzleError if it hangs, Raised if it raises, with who was asked for what.

    It runs in a thread that is left behind where it hangs: nothing can end it but the end of the process.
    An environment of ours may compile its loops before it answers, once on each machine: that is no silence.
    """
    for told in ASKED:
        told(what)
    found: list[Answer] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            found.append(call())
        except BaseException as error:  # also of code that ends the program, or is interrupted
            raised.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    wait_for(thread, seconds)
    if raised:
        message = f"{name} raised {type(raised[0]).__name__}: {str(raised[0])[:200]}"
        raise Raised(message, f"it was asked for {what}") from raised[0]
    if not found:
        end = "does not answer" if thread.is_alive() else "ended without an answer"
        raise PuzzleError(f"{name} {end}: {seconds:g} seconds were waited", f"it was asked for {what}")
    return found[0]


def wait_for(thread: Thread, seconds: float) -> None:
    """Wait until a thread ends, for so many seconds at most in which nothing is compiled."""
    compiled, end = COMPILING.seconds, time.monotonic() + seconds
    thread.join(seconds)
    while thread.is_alive() and (COMPILING.begun or time.monotonic() < end + COMPILING.seconds - compiled):
        thread.join(LOOK)
