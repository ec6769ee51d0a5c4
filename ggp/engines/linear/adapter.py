"""Mixed-integer solvers of OR-Tools on the 0/1 program of an encoding: what all their adapters share.

A solver runs in a child process (`worker.py`) that can be ended when time is up.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from ggp.encoding.choices import answer
from ggp.encoding.constraints import Values
from ggp.encoding.lowering import linear_rows
from ggp.encoding.lowering.protocol import NATIVE, STEPS
from ggp.encoding.lowering.route import Backend
from ggp.encoding.unroll import Attempt, conclude
from ggp.engines.answers import Answering
from ggp.errors import SolverError
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query, Stop

WORKER = "ggp.engines.linear.worker"
Row = tuple[int | None, int | None, Sequence[tuple[int, int]]]
"""low <= sum of coefficient x column <= high; None: no bound."""
# The first two make the relaxation tight.
FULL = Backend("row", linear_rows.TAKES, ("flows", "set-flows", "conserved", "exclusive"), linear_rows.broken)
BACKEND = replace(FULL, native=NATIVE | STEPS)  # for the worker here, which says what hangs together in cuts
# What the library says and what it means for us. A word that is not here is an error, never a guess.
STATUS: dict[str, Stop] = {
    "OPTIMAL": "optimal",
    "FEASIBLE": "time-limit",  # it has a plan, but did not get to the end
    "INFEASIBLE": "unsolvable",
    "NOT_SOLVED": "time-limit",
}


@dataclass(frozen=True)
class Task:
    """A program over `columns` Booleans, and what is asked: `one` solution, the `best`, or `all`.

    Two solutions differ if they do in one of the `decisions`; `bounds` are columns with one value. `library`
    is the name that OR-Tools has for the solver. Where it is `relaxed`, columns are any numbers from 0 to 1,
    and the answer is what the objective comes to. What breaks one of the `graphs` is no solution, see
    `linear_rows.Program`. `log` and `keep` are files for what it prints, and gets.
    """

    columns: int
    rows: Sequence[Row]
    objective: Sequence[tuple[int, int]] = ()
    decisions: Sequence[int] = ()
    bounds: Mapping[int, int] = field(default_factory=dict)
    want: Literal["one", "best", "all"] = "one"
    library: str = "CBC"
    relaxed: bool = False
    options: Mapping[str, int | str] = field(default_factory=dict)
    graphs: Sequence[Mapping[str, Any]] = ()
    log: str | None = None
    keep: str | None = None


class Solving(Answering):
    """A run of a worker; its solutions are lists of the columns that are 1."""

    def __init__(self, name: str, task: Task, seconds: float | None = None, worker: str = WORKER) -> None:
        # Not `asdict`, which copies every number of it.
        given = {item.name: getattr(task, item.name) for item in fields(task)}
        super().__init__(name, worker, {**given, "bounds": list(task.bounds.items())}, seconds)


@dataclass(frozen=True)
class Mip:
    """A solver of rows: `name` as the registry has it, `library` as its worker knows it."""

    name: str
    library: str
    worker: str = WORKER
    backend: Backend = BACKEND

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """Solve the program of the encoding, deepening the horizon where the level has none."""
        return (yield from answer(instance, query, self.ask, self.backend))

    def ask(self, attempt: Attempt, query: Query) -> Generator[Plan, None, Outcome]:
        """One run of the worker."""
        clock = query.clock
        started = clock.seconds
        encoding = attempt.encoding
        program = linear_rows.lower(encoding, clock.check)
        best = query.want == "best" and query.objective is not None
        listing = query.want in ("all", "count")
        task = Task(
            len(program.columns),
            program.rows,
            program.objective,
            program.decisions,
            want="all" if listing else "best" if best else "one",
            library=self.library,
            options=dict(query.options),
            graphs=program.graphs,
            log=None if query.trace.log is None else str(query.trace.log),
            keep=None if (kept := query.trace.file(".mps")) is None else str(kept),
        )
        clock.encoding += clock.seconds - started
        clock.check()
        found, cost = False, None
        with Solving(self.name, task, clock.left, self.worker) as solving:
            for ones in solving:
                found, cost = True, cost_of(program, ones)
                yield encoding.decode(values_of(program, ones))
        outcome = Outcome("time-limit", sizes=sizes(program), raw=solving.status or str(solving.ended))
        if solving.ended.timed_out:
            return outcome
        if solving.status not in STATUS:
            message = f"{self.name} answers the status {solving.status}, which has no meaning here"
            raise SolverError(message, "try another solver")
        stop = STATUS[solving.status]
        if listing:
            complete = solving.status == "INFEASIBLE"  # nothing is left but what was forbidden
            outcome = replace(outcome, stop="satisfied" if complete and found else stop, complete=complete)
        elif best:
            complete = stop in ("optimal", "unsolvable")
            bound = cost if stop == "optimal" else None
            outcome = replace(outcome, stop=stop, complete=complete, bound=bound)
        else:
            outcome = replace(outcome, stop="satisfied" if found else stop, complete=stop == "unsolvable")
        return conclude(attempt, query, outcome)


def available() -> str | None:
    """None if OR-Tools, which brings all of them, is there; else what to install."""
    from importlib.util import find_spec

    return None if find_spec("ortools") else "install it with `pip install ortools`"


def versions() -> dict[str, str]:
    """The version of OR-Tools."""
    from importlib.metadata import version

    return {"ortools": version("ortools")}


def values_of(program: linear_rows.Program, ones: list[int]) -> Values:
    """The value of each variable of the encoding."""
    chosen = set(ones)
    return {number: int(column in chosen) for column, number in enumerate(program.columns)}


def cost_of(program: linear_rows.Program, ones: list[int]) -> int:
    """What a solution costs, in whole numbers and not in the solver's."""
    chosen = set(ones)
    return program.offset + sum(weight for weight, column in program.objective if column in chosen)


def sizes(program: linear_rows.Program) -> dict[str, int]:
    """How many columns and rows there are."""
    return {"variables": len(program.columns), "constraints": len(program.rows) + len(program.graphs)}
