"""Fast Downward, the planner, on the exported PDDL, through unified-planning."""

from __future__ import annotations

from collections.abc import Generator
from importlib.util import find_spec

from ggp.engines.planning import Planner
from ggp.engines.planning import solve as run
from ggp.exporters import pddl
from ggp.model import Instance, Plan
from ggp.model.result import Facts, Outcome, Query

NAME = "fast-downward"
FACTS = Facts(lists=False, starts=2.8, pace="slow")
FEATURES = pddl.FEATURES
PLANNER = Planner(NAME, frozenset({"conditional effects", "quantifiers", "action costs"}))


def available() -> str | None:
    """None if the library and the planner are there, else what to install."""
    there = find_spec("unified_planning") and find_spec("up_fast_downward")
    return None if there else "install it with `pip install unified-planning up-fast-downward`"


def versions() -> dict[str, str]:
    """The versions of the library and the planner."""
    from importlib.metadata import version

    return {name: version(name) for name in ("unified-planning", "up-fast-downward")}


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """One plan: A* for the best, LAMA's first for any."""
    return (yield from run(PLANNER, instance, query, pddl.prepared))
