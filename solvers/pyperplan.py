"""Pyperplan, a small planner in Python, on the exported PDDL, through unified-planning."""

from __future__ import annotations

from collections.abc import Generator
from importlib.util import find_spec

from ggp.engines.planning import Planner
from ggp.engines.planning import solve as run
from ggp.exporters import pddl
from ggp.model import Instance, Plan
from ggp.model.result import Facts, Outcome, Query

NAME = "pyperplan"
FACTS = Facts(lists=False, starts=2.3, pace="slow")
# It takes plain STRIPS: no conditional effects, which a turn of several passes needs, and no numbers.
LACKS = {"physics", "loops", "merging", "wrapping", "whole-board", "waiting", "verbs", "goal:count"}
FEATURES = pddl.FEATURES - LACKS
PLANNER = Planner(NAME, frozenset())


def available() -> str | None:
    """None if the library and the planner are there, else what to install."""
    there = find_spec("unified_planning") and find_spec("up_pyperplan")
    return None if there else "install it with `pip install unified-planning up-pyperplan`"


def versions() -> dict[str, str]:
    """The versions of the library and the planner."""
    from importlib.metadata import version

    return {name: version(name) for name in ("unified-planning", "up-pyperplan", "pyperplan")}


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """One plan: breadth first for the fewest turns, greedy for any."""
    return (yield from run(PLANNER, instance, query, pddl.prepared))
