"""Ctrl-C is Ctrl-C whatever is going on: what a compiled module makes of it while it is loaded, too."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from ggp.errors import NotAvailable

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

SOON = 0.05  # seconds until an interrupt that was lost is sent again


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt where a module could not be loaded since Ctrl-C was pressed, or it was lost.

    A compiled module that is interrupted says `initialization failed`, and nothing of why. Nothing can be
    raised in a finalizer, nor in what is called when a thing is gone (every import ends with such a call):
    from there the interrupt is sent again.
    """
    came: list[int] = []
    before = sys.unraisablehook

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.default_int_handler(number, frame)

    def lost(what: UnraisableHookArgs) -> None:
        if issubclass(what.exc_type, KeyboardInterrupt):
            threading.Timer(SOON, os.kill, (os.getpid(), signal.SIGINT)).start()
        else:
            before(what)

    ours = threading.current_thread() is threading.main_thread()
    ours = ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, note)
        sys.unraisablehook = lost
    try:
        yield
    except (ImportError, NotAvailable) as error:
        if came:
            raise KeyboardInterrupt from error
        raise
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.unraisablehook = before
