"""Asks the solver that suits, and after a second others beside it, in processes; the first answer counts.

Who suits is told by what the level is (`choosing.leader`), or with `auto:FILE` by a table of measured levels;
who else is asked, by measured levels that are like the one at hand (`ggp.analysis.portfolio`). A solver that
can be ended here goes on here; another one starts anew in a process. Two are at work at once, three where
there are so many processors. One that refuses, or ends without an answer, makes room for the next.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from ggp.analysis.portfolio import from_file
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SCAN, SCORE, SOLVABLE
from ggp.model.result import Facts, Outcome, Query
from ggp.solvers.auto.race import Race

NAME = "auto"
FEATURES = (SOLVABLE | GOAL_WORDS | SCAN | SCORE) - {"chance-in-turns"}
FACTS = Facts(engine="", unrolls=True)  # who answers is in the trace


def available() -> str | None:
    """Always there: `search` is."""
    return None


def versions() -> dict[str, str]:
    """Those of what it asks are told by themselves."""
    return {}


@dataclass(frozen=True)
class Chooser:
    """The solver with a table of somebody's own."""

    file: str
    NAME = NAME
    FEATURES = FEATURES
    FACTS = FACTS

    def available(self) -> str | None:
        """As `available`."""
        return available()

    def versions(self) -> dict[str, str]:
        """As `versions`."""
        return versions()

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """As `solve`."""
        return (yield from solve(instance, query, self.file))


def with_argument(file: str) -> Chooser:
    """What `auto:FILE` stands for. Raises PuzzleError for a file that is no table."""
    from_file(Path(file))
    return Chooser(file)


def solve(instance: Instance, query: Query, file: str = "") -> Generator[Plan, None, Outcome]:
    """Ask one, and others beside when that takes long, until one has answered."""
    with Race(instance, query, file) as race:
        return (yield from race.run())
