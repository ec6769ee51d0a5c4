"""The compiler, imported without most of SciPy.

The first loop that numba loads has it look whether there is a BLAS, which is one small module of SciPy
(`scipy.linalg.cython_blas`). Importing that imports the package around it first, and half of SciPy and of
NumPy with it: a fifth of a small search, for linear algebra that no loop here does. So an empty package with
the same path stands there meanwhile; numba finds what it looks for, and a program that uses SciPy gets the
real one afterwards.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

LOOKING = "numba.np.arraymath"  # where it looks
PACKAGE = "scipy.linalg"


def hasten() -> None:
    """Import numba as far as any loop needs it."""
    import_module("numba")
    scipy = find_spec("scipy")
    if LOOKING in sys.modules or PACKAGE in sys.modules or scipy is None or scipy.origin is None:
        return
    empty = ModuleType(PACKAGE)
    empty.__path__ = [str(Path(scipy.origin).parent / "linalg")]
    sys.modules[PACKAGE] = empty
    try:
        import_module(LOOKING)
    finally:
        del sys.modules[PACKAGE]
        vars(sys.modules.get("scipy", empty)).pop("linalg", None)
