"""Any program that solves XCSP3 files, by its command line: `--solver 'xcsp:COMMAND {file}'`.

`{file}` stands for the file and `{seconds}`, where it is given, for the seconds that are left. The program
answers as in the competitions, with `s` and `v` lines, and is asked again for each further plan.
"""

from __future__ import annotations

from collections.abc import Generator

from ggp.engines.xcsp.run import CORE
from ggp.engines.xcsp.run import solve as run
from ggp.engines.xcsp.tools import Tool, by_command
from ggp.exporters import xcsp3
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.model.result import Facts, Outcome, Query

NAME = "xcsp"
FEATURES = SOLVABLE | GOAL_WORDS
BACKEND = CORE
# Any program may be behind a command, one that is here under its own name included.
FACTS = Facts(engine="", unrolls=True, pace="slow")
HOW = "give it a command: --solver 'xcsp:COMMAND {file}'"


def available() -> str | None:
    """It needs a command to run."""
    return HOW


def versions() -> dict[str, str]:
    """Nothing is known of what is not named."""
    return {}


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Raise PuzzleError: without a command there is nothing to run."""
    return (yield from WithCommand("").solve(instance, query))


class WithCommand:
    """The solver that a command line stands for; offers what a module in `solvers/` does."""

    FEATURES = FEATURES
    FACTS = FACTS
    BACKEND = BACKEND

    def __init__(self, command: str) -> None:
        self.tool: Tool = by_command(command)
        self.NAME = self.tool.name

    def available(self) -> str | None:
        """None if PyCSP3 can write the file and the program is there."""
        return xcsp3.available() or self.tool.available()

    def versions(self) -> dict[str, str]:
        """The version of what wrote the file; of the program itself nothing is known."""
        from importlib.metadata import version

        return {"pycsp3": version("pycsp3")}

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """Solve the file of the encoding."""
        return (yield from run(self.tool, instance, query, xcsp3.write))


def with_argument(command: str) -> WithCommand:
    """What `xcsp:COMMAND` names. Raises PuzzleError for a command that cannot be one."""
    return WithCommand(command)
