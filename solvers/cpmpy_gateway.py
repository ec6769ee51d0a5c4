"""CPMpy as a reader of our XCSP3 files, and through it CP-SAT."""

from __future__ import annotations

from collections.abc import Generator

from ggp.engines.xcsp.run import CORE
from ggp.engines.xcsp.run import solve as run
from ggp.engines.xcsp.tools import CPMPY
from ggp.exporters import xcsp3
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.model.options import SEED, THREADS, taking_options
from ggp.model.result import Facts, Outcome, Query

NAME = CPMPY.name
FACTS = Facts(engine="cp-sat", starts=0.9, unrolls=True, pace="slow")  # CP-SAT is what CPMpy asks
OPTIONS = {"seed": SEED, "threads": THREADS}
with_argument = taking_options(__name__, OPTIONS)
FEATURES = SOLVABLE | GOAL_WORDS
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
