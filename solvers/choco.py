"""Choco, the constraint solver from the wheel of PyCSP3, through an XCSP3 file."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from functools import partial

from ggp.encoding.lowering.protocol import STEPS
from ggp.engines.csp.run import CORE
from ggp.engines.csp.run import solve as run
from ggp.engines.csp.tools import CHOCO
from ggp.exporters import xcsp3
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SCORE, SOLVABLE
from ggp.model.options import SEED, THREADS, Option, taking_options
from ggp.model.result import Facts, Outcome, Query

NAME = CHOCO.name
FACTS = Facts(starts=0.65, unrolls=True, pace="slow")
VARIABLES = (
    *("ACTIVITY", "CHS", "DOM", "FIRST_FAIL", "DOMWDEG", "DOMWDEG_CACD", "FLBA", "FRBA", "INPUT", "RAND"),
    *(f"PICKON{kind}{number}" for kind in ("DOM", "FIL") for number in range(4)),
)
OPTIONS = {
    "seed": SEED,
    "threads": THREADS,
    "varh": Option("the heuristic for variables", words=VARIABLES),
    "valh": Option("the heuristic for values", words=("MIN", "MAX", "MED", "MIDFLOOR", "MIDCEIL", "RAND")),
}
with_argument = taking_options(__name__, OPTIONS)
FEATURES = SOLVABLE | GOAL_WORDS | SCORE
# As steps it is told tours of any size: ACE finds large ones by a circuit, Choco does not.
BACKEND = replace(CORE, native=STEPS)


def available() -> str | None:
    """None if the jar and a Java are there, else what to install."""
    return CHOCO.available()


def versions() -> dict[str, str]:
    """The versions of Choco and of Java."""
    return CHOCO.versions()


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Solve the file of the encoding."""
    return (yield from run(CHOCO, instance, query, partial(xcsp3.write, tables=True, shifted=True), BACKEND))
