"""Code of others is waited for, but not for ever."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

from ggp.errors import PuzzleError

PATIENCE = 10.0  # seconds for one answer

Answer = TypeVar("Answer")


class Raised(PuzzleError):
    """What was asked raised something."""


def answered(name: str, what: str, call: Callable[[], Answer], seconds: float = PATIENCE) -> Answer:
    """What a call returns; raises PuzzleError if it hangs, Raised if it raises, with who was asked for what.

    It runs in a thread that is left behind where it hangs: nothing can end it but the end of the process.
    """
    found: list[Answer] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            found.append(call())
        except BaseException as error:  # also of code that ends the program, or is interrupted
            raised.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if raised:
        told = f"{name} raised {type(raised[0]).__name__}: {str(raised[0])[:200]}"
        raise Raised(told, f"it was asked for {what}") from raised[0]
    if not found:
        end = "does not answer" if thread.is_alive() else "ended without an answer"
        raise PuzzleError(f"{name} {end}: {seconds:g} seconds were waited", f"it was asked for {what}")
    return found[0]
