"""CBC, the mixed-integer solver in OR-Tools, through the Encoding as rows of a 0/1 program."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace

from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.lowering import conserved, exclusive, integers_to_booleans, linear_rows
from ggp.encoding.unroll import Attempt, answer, conclude
from ggp.engines.linear import Solving, Task
from ggp.errors import SolverError
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.model.result import Outcome, Query, Stop

NAME = "cbc"
STARTS = 0.12  # seconds that any answer takes: a process, or several, is started
FEATURES = SOLVABLE | GOAL_WORDS
# What the library says and what it means for us. A word that is not here is an error, never a guess.
STATUS: dict[str, Stop] = {
    "OPTIMAL": "optimal",
    "FEASIBLE": "time-limit",  # it has a plan, but did not get to the end
    "INFEASIBLE": "unsolvable",
    "NOT_SOLVED": "time-limit",
}


def available() -> str | None:
    """None if ortools is there, else what to install."""
    from importlib.util import find_spec

    return None if find_spec("ortools") else "install it with `pip install ortools`"


def versions() -> dict[str, str]:
    """The version of OR-Tools, which brings CBC."""
    from importlib.metadata import version

    return {"ortools": version("ortools")}


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Solve the program of the encoding, deepening the horizon where the level has none."""
    return (yield from answer(instance, query, solve_one, rewrite))


def rewrite(encoding: Encoding) -> Encoding:
    """What makes the relaxation tight, said before propagation."""
    return exclusive.lower(conserved.lower(encoding))


def transform(
    encoding: Encoding, tick: Callable[[], None] = lambda: None
) -> tuple[Encoding, linear_rows.Program]:
    """The encoding over Booleans alone, and its 0/1 program. `tick` is called now and then and may raise."""
    booleans = integers_to_booleans.lower(encoding, tick)
    return booleans, linear_rows.lower(booleans, tick)


def solve_one(attempt: Attempt, query: Query) -> Generator[Plan, None, Outcome]:
    """One run of the worker."""
    clock = query.clock
    started = clock.seconds
    encoding, program = transform(attempt.encoding, clock.check)
    best = query.want == "best" and query.objective is not None
    listing = query.want in ("all", "count")
    task = Task(
        len(program.columns),
        program.rows,
        program.objective,
        program.decisions,
        want="all" if listing else "best" if best else "one",
    )
    clock.encoding += clock.seconds - started
    clock.check()
    found, cost = False, None
    with Solving(task, clock.left) as solving:
        for ones in solving:
            found, cost = True, cost_of(program, ones)
            yield encoding.decode(values_of(program, ones))
    outcome = Outcome("time-limit", sizes=sizes(program), raw=solving.status or str(solving.ended))
    if solving.ended.timed_out:
        return outcome
    if solving.status not in STATUS:
        raise SolverError(
            f"cbc answers the status {solving.status}, which has no meaning here", "try another solver"
        )
    stop = STATUS[solving.status]
    if listing:
        complete = solving.status == "INFEASIBLE"  # nothing is left but what was forbidden
        outcome = replace(outcome, stop="satisfied" if complete and found else stop, complete=complete)
    elif best:
        complete = stop in ("optimal", "unsolvable")
        outcome = replace(outcome, stop=stop, complete=complete, bound=cost if stop == "optimal" else None)
    else:
        outcome = replace(outcome, stop="satisfied" if found else stop, complete=stop == "unsolvable")
    return conclude(attempt, query, outcome)


def values_of(program: linear_rows.Program, ones: list[int]) -> Values:
    """The value of each variable of the encoding."""
    chosen = set(ones)
    return {number: int(column in chosen) for column, number in enumerate(program.columns)}


def cost_of(program: linear_rows.Program, ones: list[int]) -> int:
    """What a solution costs, in whole numbers and not in CBC's."""
    chosen = set(ones)
    return program.offset + sum(weight for weight, column in program.objective if column in chosen)


def sizes(program: linear_rows.Program) -> dict[str, int]:
    """How many columns and rows there are."""
    return {"variables": len(program.columns), "constraints": len(program.rows)}
