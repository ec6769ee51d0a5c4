"""The modelling library of CP-SAT, imported without pandas.

`ortools.sat.python.cp_model` imports pandas for the types of functions that make variables by series. That
takes as long as all the rest of a small question, and nothing here calls them. So while the library is
imported an empty module stands for pandas, and afterwards a name that fetches the real one when it is first
used: a program that uses both sees no difference.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

LIBRARY = "ortools.sat.python.cp_model"
PANDAS = "pandas"


class Later(ModuleType):
    """pandas, imported when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(PANDAS), name)


def hasten() -> None:
    """Import the library, so that an ordinary import statement finds it there."""
    if LIBRARY in sys.modules or PANDAS in sys.modules:
        return
    empty = ModuleType(PANDAS)
    for name in ("Index", "Series"):
        setattr(empty, name, type(name, (), {}))
    sys.modules[PANDAS] = empty
    try:
        vars(import_module(LIBRARY))["pd"] = Later(PANDAS)
    except AttributeError:  # a version that needs more of it: the import statement does without haste
        sys.modules.pop(LIBRARY, None)
    finally:
        if sys.modules.get(PANDAS) is empty:
            del sys.modules[PANDAS]


def library() -> Any:
    """OR-Tools' module of models, loaded when it is needed first."""
    hasten()
    from ortools.sat.python import cp_model

    return cp_model
