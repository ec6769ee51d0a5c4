"""ACE, the constraint solver from the wheel of PyCSP3, through an XCSP3 file."""

from __future__ import annotations

from collections.abc import Generator

from ggp.encoding.constraints import Encoding
from ggp.encoding.lowering.route import routed
from ggp.engines.csp.run import EVEN, Written
from ggp.engines.csp.run import solve as run
from ggp.engines.csp.tools import ACE
from ggp.exporters import xcsp3
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SCORE, SOLVABLE
from ggp.model.options import SEED, Option, taking_options
from ggp.model.result import Facts, Outcome, Query

NAME = ACE.name
FACTS = Facts(starts=1.1, unrolls=True, pace="slow")
# Those classes of its jar that it can load: with another name it ends by an exception of Java.
VARIABLES = (
    *("Activity", "Alternating", "CrbsOnDom", "Ddeg", "DdegOnDom", "Deg", "Dom", "FrOnDom", "FrbaOnDom"),
    *("FrbaOnDom2", "FrbaOnDom3", "Impact", "Lexico", "Memory", "PickOnDom", "ProcOnDom", "Rand", "Regret"),
    *("RunRobin", "SingOnDom", "Srand", "Wdeg", "WdegOnDom", "WipeOnDom"),
)
VALUES = (
    *("Arbitrary", "Asgs", "AsgsE", "AsgsFm", "AsgsFp", "Bivs", "Bivs2", "Conflicts", "Dist", "First"),
    *("Flrs", "FlrsE", "FlrsR", "InternDist", "Last", "LetterFrequency", "Median", "Occs", "OccsR", "Rand"),
    *("Robin", "RunRobin", "Srand", "Vals"),
)
OPTIONS = {
    "seed": SEED,
    "varh": Option("the heuristic for variables, such as Dom or Wdeg", words=VARIABLES),
    "valh": Option("the heuristic for values, such as First or Last", words=VALUES),
}
with_argument = taking_options(__name__, OPTIONS)
FEATURES = SOLVABLE | GOAL_WORDS | SCORE
BACKEND = EVEN


def available() -> str | None:
    """None if the jar and a Java are there, else what to install."""
    return ACE.available()


def versions() -> dict[str, str]:
    """The versions of ACE and of Java."""
    return ACE.versions()


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Solve the file of the encoding."""
    return (yield from run(ACE, instance, query, write))


def write(encoding: Encoding, minimise: bool = False, seconds: float | None = None) -> Written:
    """The file of the encoding as ACE can take it; see `BACKEND`, and `ggp.exporters.xcsp3.write`."""
    return xcsp3.write(routed(encoding, BACKEND).encoding, minimise, seconds, tables=True)
