"""Describe a grid puzzle once; play it, export it, solve it with any solver, or learn its rules.

>>> import ggp
>>> instance = ggp.load("lemmings/seed")
>>> ggp.solve(instance, solver="search").stop
'optimal'
"""

from __future__ import annotations

from pathlib import Path as _Path

# In an installed distribution `ggp/exporters` exists; in a checkout it stands beside `ggp`.
if not (_Path(__path__[0]) / "exporters").is_dir():
    __path__.append(str(_Path(__path__[0]).parent))

__version__ = "0.1.0"

_API = (
    "compare",
    "export",
    "hint",
    "learn",
    "load",
    "replay",
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


def __dir__() -> list[str]:
    return sorted([*globals(), *_API])
