"""Any program that solves FlatZinc: `flatzinc:choco`, `flatzinc:gecode`, `flatzinc:COMMAND {file}`.

Choco is at hand; `flatzinc:NAME` is what `minizinc --solvers` lists so, where MiniZinc is installed.
In a command `{file}` stands for the file and `{seconds}`, where it is given, for the seconds that are left;
it is asked again for each further plan.
"""

from __future__ import annotations

import re
from collections.abc import Generator

from ggp.engines import flatzinc as engines
from ggp.engines.xcsp.run import solve as run
from ggp.engines.xcsp.tools import Tool
from ggp.errors import PuzzleError
from ggp.exporters import flatzinc
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.model.options import SEED, THREADS, Configured, read
from ggp.model.result import Facts, Outcome, Query

NAME = "flatzinc"
FEATURES = SOLVABLE | GOAL_WORDS
BACKEND = flatzinc.BACKEND
# Any program may be behind a command, one that is here under its own name included.
FACTS = Facts(engine="", unrolls=True, pace="slow")
OPTIONS = {"seed": SEED, "threads": THREADS}
HOW = "say which: --solver flatzinc:choco, flatzinc:gecode or 'flatzinc:COMMAND {file}'"


def available() -> str | None:
    """It needs a program to run."""
    return HOW


def versions() -> dict[str, str]:
    """Nothing is known of what is not named."""
    return {}


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Raise PuzzleError: without a program there is nothing to run."""
    yield from ()
    raise PuzzleError("there is no program to run", HOW)


class By:
    """One of the programs; offers what a module in `solvers/` does."""

    FEATURES = FEATURES
    FACTS = FACTS
    BACKEND = BACKEND

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self.NAME = tool.name

    def available(self) -> str | None:
        """None if the program is there, else what to install."""
        return self.tool.available()

    def versions(self) -> dict[str, str]:
        """The versions of what is known of it."""
        return self.tool.versions()

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """Solve the file of the encoding."""
        return (yield from run(self.tool, instance, query, flatzinc.write, BACKEND))


def with_argument(text: str) -> By | Configured:
    """What stands behind `flatzinc:`. Raises PuzzleError for what names no program."""
    if "{file}" in text:
        return By(engines.by_command(text))
    word, options = read(text, OPTIONS, NAME)
    word = word or (engines.AT_HAND if options else "")
    if re.fullmatch(r"[A-Za-z][\w.-]*", word) is None:
        raise PuzzleError(f"{word[:40]!r} names no program that solves FlatZinc", HOW)
    named = By(engines.CHOCO if word == engines.AT_HAND else engines.through_minizinc(word))
    return Configured(named, options, f"{NAME}:{text}") if options else named
