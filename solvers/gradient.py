"""Designs by gradient ascent over densities, then rounded: nothing is proved."""

from __future__ import annotations

from collections.abc import Generator

from ggp.errors import SolverError, UnsupportedFeature
from ggp.model import Instance, Plan
from ggp.model.features import SOLVABLE
from ggp.model.result import Facts, Outcome, Query

NAME = "gradient"
FACTS = Facts(proves=False, lists=False, engine=NAME, pace="slow")
# What there is no gradient for, or no design.
BEYOND = frozenset(
    "moves verbs picks waiting design-and-input fill fill-and-physics no-horizon losing".split()
)
FEATURES = SOLVABLE - BEYOND | {"goal:on", "goal:count"}
ASCENTS = 20  # after which it gives up
MORE = 3  # further ascents that look for a better plan
SEED = 1


def available() -> str | None:
    """None if SciPy, which has the method, is there."""
    from importlib.util import find_spec

    return None if find_spec("scipy") else "install it with `pip install scipy`"


def versions() -> dict[str, str]:
    """The version of SciPy."""
    from importlib.metadata import version

    return {"scipy": version("scipy")}


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """A plan from the first of several ascents that comes to one, and better ones from the others."""
    from ggp.referee.semantics import initial_state
    from ggp.render.densities import densities_svg
    from ggp.search.gradient import Relaxation

    if query.want in ("all", "count"):
        message = f"{NAME} finds one plan, and cannot tell how many there are"
        raise UnsupportedFeature(message, "ask another solver, or for `--first`")
    relaxation = Relaxation(instance)
    best = query.objective if query.want == "best" else None
    fewest = best is not None and best.counts == "placements"
    found, left = False, ASCENTS

    def draw() -> str:
        """The densities at the top of the last ascent."""
        return densities_svg(instance, initial_state(instance, partial=True), relaxation.shares())

    for placed in relaxation.designs(SEED, query.clock.check):
        left -= 1
        query.trace.got(".svg", draw)
        if placed is not None:
            found, left = True, MORE if fewest and placed else 0
            yield Plan(tuple(sorted(placed)))
            relaxation.most = len(placed) - 1
        if left <= 0:
            break
    if not found:
        raise SolverError(f"{NAME}: none of {ASCENTS} ascents came to a plan", "ask a solver that proves")
    sizes = {
        "variables": len(relaxation.pieces) * len(relaxation.free),
        "evaluations": relaxation.evaluations,
    }
    return Outcome("satisfied", sizes=sizes, raw=f"{relaxation.evaluations} evaluations")
