"""Compiling the inner loops of searches: numba, where it is there.

Modules whose names begin with `native_` decorate their loops with `compiled` and are imported only when a
search needs them: importing numba takes longer than solving a small puzzle. What has been compiled is kept
on disk, so only the first run waits for the compiler; where no folder may be written, each process compiles
for itself.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

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


def prepare(function: Loop, **options: bool) -> Loop:
    """Decorate a function for the compiler."""
    njit: Any = import_module("numba").njit
    options["nogil"] = True
    try:
        made: Loop = njit(cache=True, error_model="numpy", **options)(function)
    except RuntimeError:  # no folder in which what is compiled could be kept
        made = njit(error_model="numpy", **options)(function)
    return made
