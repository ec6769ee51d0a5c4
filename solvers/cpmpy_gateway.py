"""CPMpy as a reader of our XCSP3 files, and through it CP-SAT; `cpmpy:SOLVER` gives others our rows.

`cpmpy:exact`, `cpmpy:z3`, `cpmpy:pumpkin` and `cpmpy:ortools` get the 0/1 program that mixed-integer solvers
get, without a file between.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec

from ggp.engines.csp.run import CORE
from ggp.engines.csp.run import solve as run
from ggp.engines.csp.tools import CPMPY
from ggp.engines.linear import adapter
from ggp.errors import PuzzleError
from ggp.exporters import xcsp3
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SCORE, SOLVABLE
from ggp.model.options import SEED, THREADS, Configured, read
from ggp.model.result import Facts, Outcome, Query

NAME = CPMPY.name
FACTS = Facts(engine="cp-sat", starts=0.9, unrolls=True, pace="slow")  # CP-SAT is what CPMpy asks
OPTIONS = {"seed": SEED, "threads": THREADS}
# What CPMpy reaches, by its name there: the module that must be there, and the package that brings it.
REACHED = {
    "exact": ("exact", "exact"),
    "z3": ("z3", "z3-solver"),
    "pumpkin": ("pumpkin_solver", "pumpkin-solver"),
    "ortools": ("ortools", "ortools"),
}
WORKER = "ggp.engines.linear.cpmpy_worker"
FEATURES = SOLVABLE | GOAL_WORDS | SCORE
BACKEND = CORE


def available() -> str | None:
    """None if CPMpy and PyCSP3 are there, else what to install."""
    return CPMPY.available()


def versions() -> dict[str, str]:
    """The versions of CPMpy, its reader and its solver."""
    return CPMPY.versions()


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Let it read the file of the encoding, and solve it."""
    return (yield from run(CPMPY, instance, query, xcsp3.write))


class Through:
    """One of the solvers that CPMpy reaches, on rows; offers what a module in `solvers/` does."""

    FEATURES = FEATURES
    BACKEND = adapter.FULL

    def __init__(self, library: str) -> None:
        self.library = library
        self.NAME = f"{NAME}:{library}"
        self.FACTS = replace(FACTS, engine=FACTS.engine if library == "ortools" else None)

    def available(self) -> str | None:
        """None if CPMpy and the solver are there, else what to install."""
        wanted = (("cpmpy", "cpmpy"), REACHED[self.library])
        missing = [package for module, package in wanted if find_spec(module) is None]
        return f"install it with `pip install {' '.join(missing)}`" if missing else None

    def versions(self) -> dict[str, str]:
        """The versions of CPMpy and of the solver."""
        return {name: version(name) for name in ("cpmpy", REACHED[self.library][1])}

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """Solve the rows of the encoding, deepening where there is no horizon."""
        return (yield from adapter.Mip(self.NAME, self.library, WORKER, adapter.FULL).solve(instance, query))


def with_argument(text: str) -> Through | Configured:
    """What `cpmpy:SOLVER` or `cpmpy:OPTION=VALUE,...` names. Raises PuzzleError for what is neither."""
    word, options = read(text, {} if text.partition(",")[0] in REACHED else OPTIONS, NAME)
    if not word:
        return Configured(sys.modules[__name__], options, f"{NAME}:{text}")
    if word not in REACHED:
        raise PuzzleError(f"CPMpy reaches no solver {word[:40]!r} here", f"there are {', '.join(REACHED)}")
    return Through(word)
