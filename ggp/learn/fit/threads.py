"""One thread for the arithmetic of learning: its tables are small, and more threads would mostly wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """While this is open numpy multiplies in one thread.

    With two the learning of several passes took three times the processor's time: idle threads turn and wait.
    """
    with libraries().limit(limits=1, user_api="blas"):
        yield


@cache
def libraries() -> ThreadpoolController:
    """What multiplies for numpy, looked for once: each search of all that is loaded takes a millisecond."""
    import numpy  # noqa: F401 - what is not loaded yet cannot be held back
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
