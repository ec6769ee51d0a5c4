"""Compiling the inner loops of searches and of proofs: numba, where it is there.

Loops are decorated with `compiled`, and their modules imported only when they are needed: importing numba
takes longer than solving a small puzzle. What has been compiled is kept on disk (`machine_code`), so only the
first run waits for the compiler (up to a minute), and says so on a terminal. Where there is no folder for
it, each process compiles for itself, and says that.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

from ggp.model.result import Clock
from ggp.transition.native import machine_code, without_scipy

Loop = TypeVar("Loop", bound=Callable[..., Any])


def usable() -> bool:
    """Is the compiler installed?"""
    return find_spec("numba") is not None


def compiled(function: Loop) -> Loop:
    """The function as machine code, compiled when it is first called."""
    return prepare(function)


def tight(function: Loop) -> Loop:
    """The same for a function that makes no arrays, and calls only such functions.

    The compiler then need not count references. It would count them for every array of the tables in every
    call and loop, which takes forty times as long as what the loops do.
    """
    return prepare(function, _nrt=False)


def inlined(function: Loop) -> Loop:
    """The same for small functions of that sort: written out where they are called."""
    return prepare(function, _nrt=False, forceinline=True)


def ignored(at_work: bool) -> None:
    """Nobody wants to know."""


class Compiling:
    """Takes note of the compiler at work: how long it took so far in this process, in seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.begun: list[float] = []  # what a function calls is compiled while it is
        self.told: Callable[[bool], None] = ignored  # hears when it begins and when it has ended

    def on_start(self, event: Any) -> None:
        """Something is compiled: the first time that is told."""
        if not self.begun and not self.seconds and sys.stderr is not None and sys.stderr.isatty():
            logging.getLogger(__name__).warning(notice())
        if not self.begun:
            self.told(True)
        self.begun.append(time.perf_counter())

    def on_end(self, event: Any) -> None:
        """It is ready."""
        begun = self.begun.pop()
        if not self.begun:
            self.seconds += time.perf_counter() - begun
            self.told(False)


def notice() -> str:
    """What a user who waits for the compiler is told."""
    if machine_code.folder() is not None:
        return "compiling the loops of the search, or of the proof checker, once: up to a minute"
    tried = ", ".join(map(str, machine_code.bases()))
    return (
        "compiling the loops of the search, or of the proof checker, for this run alone: up to a minute. "
        "They would be kept in a folder that only you may write, and none of these is one: "
        f"{tried}. Name one: NUMBA_CACHE_DIR=/path/to/folder"
    )


COMPILING = Compiling()


@cache
def listen() -> None:
    """Ask the compiler to tell when it compiles; what it loads from disk it does not tell of."""
    without_scipy.hasten()
    event: Any = import_module("numba.core.event")
    words = {"on_start": COMPILING.on_start, "on_end": COMPILING.on_end}
    calls = {name: lambda _, told, call=call: call(told) for name, call in words.items()}
    event.register("numba:compile", type("Listener", (event.Listener,), calls)())


def patient(clock: Clock) -> Callable[[], None]:
    """The clock's check, for which compiling takes no time: no question is at fault for being the first."""
    forgiven = COMPILING.seconds

    def check() -> None:
        nonlocal forgiven
        if clock.limit is not None:
            clock.limit += COMPILING.seconds - forgiven
        forgiven = COMPILING.seconds
        clock.check()

    return check


def prepare(function: Loop, **options: bool) -> Loop:
    """Decorate a function for the compiler."""
    listen()
    njit: Any = import_module("numba").njit
    options["nogil"] = True
    made: Loop = njit(error_model="numpy", **options)(function)
    once(made)
    machine_code.keep(made)
    return made


def once(loop: Any) -> None:
    """Let a loop that calls this one have what is compiled for any integers.

    Else numba compiles it again for each constant that it is given, and for integers of each size.
    """
    types: Any = import_module("numba.core.types")
    ask = loop.get_call_template

    def wide(given: Any) -> Any:
        plain = types.unliteral(given)
        small = isinstance(plain, types.Integer) and plain.signed and plain.bitwidth < 64
        return types.int64 if small else plain

    loop.get_call_template = lambda args, kws: ask(
        tuple(map(wide, args)), {name: wide(one) for name, one in kws.items()}
    )
