"""Describe a grid puzzle once; play it, export it, solve it with any solver, or learn its rules.

>>> import ggp
>>> instance = ggp.load("lemmings/seed")
>>> ggp.solve(instance, solver="search").stop
'optimal'
"""

from __future__ import annotations

import sys as _sys
from pathlib import Path as _Path
from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # real signatures for editors and type checkers; at run time `__getattr__` brings them
    from ggp.api import bound as bound
    from ggp.api import compare as compare
    from ggp.api import env as env
    from ggp.api import export as export
    from ggp.api import generate as generate
    from ggp.api import hint as hint
    from ggp.api import learn as learn
    from ggp.api import learn_from as learn_from
    from ggp.api import load as load
    from ggp.api import replay as replay
    from ggp.api import results as results
    from ggp.api import solutions as solutions
    from ggp.api import solve as solve
    from ggp.api import unique as unique

# In an installed distribution `ggp/exporters` exists; in a checkout it stands beside `ggp`.
if not (_Path(__path__[0]) / "exporters").is_dir():
    __path__.append(str(_Path(__path__[0]).parent))

__version__ = "0.1.0"

_API = (
    "bound",
    "compare",
    "env",
    "export",
    "generate",
    "hint",
    "learn",
    "learn_from",
    "load",
    "replay",
    "results",
    "solutions",
    "solve",
    "unique",
)


def __getattr__(name: str) -> object:
    """Import the API when it is first asked for, so that `import ggp` stays light."""
    if name in _API:
        from ggp import api

        return getattr(api, name)
    raise AttributeError(f"module 'ggp' has no attribute {name!r}")


class _Package(_ModuleType):
    """This package: a function of the API keeps its name when the package of that name is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _API and isinstance(value, _ModuleType)):
            super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return sorted([*globals(), *_API])
