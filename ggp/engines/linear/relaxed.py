"""Linear relaxations: what the objective comes to where parts of pieces may be placed, by OR-Tools.

No plan costs less than that, and where not even parts will do there is none. Nothing checks it: the solvers
count in floating point, PDLP to a tolerance of its own. So what is said of plans is a little less than that.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace

from ggp.encoding.choices import answer
from ggp.encoding.lowering import linear_rows
from ggp.encoding.unroll import Attempt, conclude
from ggp.engines.linear.adapter import FULL, Solving, Task, sizes
from ggp.errors import SolverError
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query

LIBRARIES = {"glop": "GLOP", "clp": "CLP", "pdlp": "PDLP"}
"""The solvers by name, as OR-Tools calls them: two of the simplex kind, and one of first order."""
SLACK = 1e-4  # of a value: PDLP comes to an end at a part in a million


@dataclass
class Relaxation:
    """A solver of linear programs; `value` is the last one's objective, None where nothing is to be least."""

    name: str
    value: float | None = None

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """No plan, ever; the outcome's `bound` is what any plan costs at least. Raises SolverError."""
        return (yield from answer(instance, query, self.ask, FULL))

    def ask(self, attempt: Attempt, query: Query) -> Generator[Plan, None, Outcome]:
        """One program: without a solution there is no plan; else what it costs is a bound."""
        yield from ()
        clock = query.clock
        program = linear_rows.lower(attempt.encoding, clock.check)
        task = Task(len(program.columns), program.rows, program.objective, want="best")
        status, value = relaxed(task, self.name, clock.left)
        outcome = Outcome("time-limit", sizes=sizes(program), raw=status)
        self.value = None
        if status == "INFEASIBLE":
            return conclude(attempt, query, replace(outcome, stop="unsolvable", complete=True))
        if status == "OPTIMAL" and attempt.encoding.minimise:
            self.value = value + program.offset
            outcome = replace(outcome, bound=rounded(value, program.offset))
        return conclude(attempt, query, outcome)


def relaxed(task: Task, name: str, seconds: float | None = None) -> tuple[str, float]:
    """How a program ended in which each column may be any number from 0 to 1, and its objective's value.

    The status is OPTIMAL, INFEASIBLE or, out of time, NOT_SOLVED; raises SolverError for any other.
    """
    with Solving(name, replace(task, library=LIBRARIES[name], relaxed=True), seconds) as solving:
        answers = list(solving)
    if solving.ended.timed_out:
        return "NOT_SOLVED", 0.0
    if solving.status not in ("OPTIMAL", "INFEASIBLE", "NOT_SOLVED") or answers:
        raise SolverError(f"{name} ended with {solving.status}", "take another solver of linear programs")
    return solving.status, solving.objective or 0.0


def rounded(value: float, offset: float = 0) -> int:
    """The least whole number that a cost can be which is at least so much by the solver, and the offset.

    The solver errs by a part of what it counted, which may be much where the offset takes nearly all away.
    """
    return math.ceil(value + offset - SLACK * max(1.0, abs(value), abs(value + offset)))
