"""A program that solves files of constraints, as a solver: what a module in `solvers/` offers."""

from __future__ import annotations

from collections.abc import Generator

from ggp.encoding.lowering.route import Backend
from ggp.engines.csp.run import CORE, Write
from ggp.engines.csp.run import solve as run
from ggp.engines.csp.tools import Tool
from ggp.errors import PuzzleError
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SCORE, SOLVABLE
from ggp.model.result import Facts, Outcome, Query

FEATURES = SOLVABLE | GOAL_WORDS | SCORE
# Any program may be behind a command, one that is here under its own name included.
FACTS = Facts(engine="", unrolls=True, pace="slow")


class Program:
    """One that is named, and what writes the file for it."""

    FEATURES = FEATURES
    FACTS = FACTS

    def __init__(self, tool: Tool, write: Write, backend: Backend = CORE) -> None:
        self.tool, self.write, self.BACKEND = tool, write, backend
        self.NAME = tool.name

    def available(self) -> str | None:
        """None if the program is there, else what to install."""
        return self.tool.available()

    def versions(self) -> dict[str, str]:
        """The versions of what is known of it."""
        return self.tool.versions()

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """Solve the file of the encoding."""
        return (yield from run(self.tool, instance, query, self.write, self.BACKEND))


class Unnamed:
    """What stands where no program is named: `how` says how to name one."""

    def __init__(self, how: str) -> None:
        self.how = how

    def available(self) -> str | None:
        """It needs a program to run."""
        return self.how

    def versions(self) -> dict[str, str]:
        """Nothing is known of what is not named."""
        return {}

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """Raise PuzzleError: without a program there is nothing to run."""
        yield from ()
        raise PuzzleError("there is no program to run", self.how)
