"""What answers a question about a file, and the solvers that get it as an Encoding."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from types import ModuleType

from ggp import registry
from ggp.encoding.constraints import Encoding
from ggp.engines.instances.encoding import assignment, encoding_of
from ggp.engines.instances.problem import Problem
from ggp.errors import NotAvailable, PuzzleError
from ggp.model import Objective, Plan
from ggp.model.options import Options
from ggp.model.result import Clock, Once, Outcome, Query, Trace, Want

COST = Objective("cost", "placements")  # what a file has made least; its name says no more
Assignment = Mapping[str, int | None]
"""A value for each variable; None where any will do."""


class Refuted(Exception):
    """An answer does not hold; the text says what of the file it breaks."""


class Source:
    """What is asked: something that answers. `given` are its options.

    `encoded` names what it gets instead of the file: "" where it reads the file itself.
    """

    given: Options = {}
    encoded = ""

    def answers(
        self, want: Want, clock: Clock
    ) -> Generator[tuple[Assignment, int | float | None], None, Outcome]:
        """Answers that hold, each with its value, and how it ended. Raises Refuted for one that does not."""
        raise NotImplementedError

    def versions(self) -> dict[str, str]:
        """The versions of what answers."""
        raise NotImplementedError


@dataclass
class Encoded(Source):
    """A solver that works through the Encoding."""

    module: ModuleType
    trace: Trace

    encoded = "file"  # as our reader has it

    def __post_init__(self) -> None:
        self.given = getattr(self.module, "options", {})

    def versions(self) -> dict[str, str]:
        found: dict[str, str] = self.module.versions()
        return found


@dataclass
class Rows(Encoded):
    """A file of clauses or rows as an encoding."""

    problem: Problem

    def answers(
        self, want: Want, clock: Clock
    ) -> Generator[tuple[Assignment, int | float | None], None, Outcome]:
        problem = self.problem
        encoding = written(lambda: encoding_of(problem, clock.check), clock)
        found = asked(self.module, encoding, want, clock, self.trace, problem.asks)
        once, cost = Once(), None
        try:
            while True:
                try:
                    values = assignment(next(found))
                except StopIteration as end:
                    outcome: Outcome = end.value
                    break
                broken = next(problem.broken(values), None)
                if broken is not None:
                    raise Refuted(broken)
                if not once.first(values) and want in ("all", "count"):
                    raise Refuted("an answer that was there before")
                cost = problem.cost(values)
                value = problem.value(cost) if problem.asks else None
                yield dict(zip(problem.names, values, strict=True)), value
        finally:
            found.close()
        if outcome.stop == "optimal" and outcome.bound is not None and outcome.bound != cost:
            raise Refuted(f"a best of {outcome.bound}, and what it answers costs {cost}")
        return outcome


def written(write: Callable[[], Encoding], clock: Clock) -> Encoding:
    """The encoding that is written so; the clock hears how long it took."""
    started = clock.seconds
    encoding = write()
    clock.encoding += clock.seconds - started
    return encoding


def asked(
    module: ModuleType, encoding: Encoding, want: Want, clock: Clock, trace: Trace, asks: bool
) -> Generator[Plan, None, Outcome]:
    """A solver about the encoding of a file that asks for what is best, or for any solution."""
    weighs = asks and want == "best"
    if not weighs:
        encoding.minimise = ()  # all are asked for, or any will do
    query = Query(want, COST if weighs else None, None, clock, given=encoding, trace=trace)
    found: Generator[Plan, None, Outcome] = module.solve(encoding.instance, query)
    return found


def module_of(solver: str) -> ModuleType:
    """The solver of that name that works through the Encoding; raises PuzzleError, NotAvailable."""
    module: ModuleType = registry.load("solver", solver)
    reason = module.available()
    if reason is not None:
        raise NotAvailable(f"{solver} cannot run here", reason)
    if not hasattr(module, "BACKEND"):
        able = [name for name in registry.SOLVERS if hasattr(registry.load("solver", name), "BACKEND")]
        raise PuzzleError(f"{solver} takes no constraints", f"those that do are {', '.join(able)}")
    return module
