"""Ctrl-C is Ctrl-C whatever is going on: what a compiled module makes of it while it is loaded, too."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ggp.errors import NotAvailable


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt where a module could not be loaded since Ctrl-C was pressed.

    A compiled module that is interrupted says `initialization failed`, and nothing of why.
    """
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.default_int_handler(number, frame)

    ours = threading.current_thread() is threading.main_thread()
    ours = ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, note)
    try:
        yield
    except (ImportError, NotAvailable) as error:
        if came:
            raise KeyboardInterrupt from error
        raise
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
