"""CP-SAT, the constraint solver of OR-Tools, through the Encoding."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from functools import cache

from ggp.encoding.choices import answer
from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.lowering.protocol import EVERY, NATIVE
from ggp.encoding.lowering.route import Backend, routed
from ggp.encoding.unroll import Attempt, conclude
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SCORE, SOLVABLE
from ggp.model.options import SEED, THREADS, taking_options
from ggp.model.result import Clock, Facts, Once, Outcome, OutOfTime, Query, Stop, Trace
from ggp.solvers.cpsat.incremental import CpSatSession
from ggp.solvers.cpsat.loading import library
from ggp.solvers.cpsat.posted import Posted
from ggp.solvers.cpsat.runs import run_of

NAME = "cp-sat"
FEATURES = SOLVABLE | GOAL_WORDS | SCORE
# The library has no word for lists, and none for tables in which a value is left open.
FULL = Backend("constraint", EVERY - {"different-lists", "table"}, ("sets",))
BACKEND = replace(FULL, native=NATIVE)  # what hangs together it is told as its solutions break it
FACTS = Facts(unrolls=True, pace="quick", listens=True)
OPTIONS = {"seed": SEED, "threads": THREADS}
with_argument = taking_options(__name__, OPTIONS)


def available() -> str | None:
    """None if ortools is there, else what to install."""
    from importlib.util import find_spec

    return None if find_spec("ortools") else "install it with `pip install ortools`"


@cache
def versions() -> dict[str, str]:
    """The version of OR-Tools."""
    from importlib.metadata import version

    return {"ortools": version("ortools")}


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Solve the encoding; where it may, turn after turn, else deepening the horizon where there is none."""

    def opened(clock: Clock, trace: Trace) -> CpSatSession:
        return CpSatSession(library(), replace(query, clock=clock, trace=trace))

    backend = replace(
        BACKEND,
        session=lambda clock: opened(clock, query.trace),
        longer=lambda clock: opened(clock, Trace()),  # beside the other, which is what is kept
    )
    return (yield from answer(instance, query, solve_one, backend))


def solve_one(attempt: Attempt, query: Query) -> Generator[Plan, None, Outcome]:
    """One call of the solver."""
    encoding = attempt.encoding
    posted = Posted(encoding, query.clock.check)
    query.trace.got(".cp-sat.txt", lambda: str(posted.model.proto))
    run = run_of(posted, query, deciding=attempt.least is not None)
    found, once = 0, Once()
    listing = query.want in ("all", "count")
    decided = [variable for variable in encoding.decisions if variable in posted.variables]
    try:
        for values in run:
            if listing and not once.first(*(values[v] for v in decided)):
                continue  # it differs only in what is not decided
            found += 1
            yield encoding.decode(values)
            # Several workers may each have found one before they are told to stop.
            if query.want == "first" or (query.limit is not None and found >= query.limit):
                break
    finally:
        run.stop()
    status = run.status()
    full = query.limit is not None and found >= query.limit
    stop, complete = STATUS[status], status in ("OPTIMAL", "INFEASIBLE")
    if full or (found and query.want == "first"):
        stop, complete = "satisfied", False
    elif stop == "optimal" and (query.want != "best" or query.objective is None):
        # Nothing was to be made best: every plan was found, or any would do.
        stop, complete = "satisfied", listing
    bound = None
    if query.want == "best" and query.objective is not None and found:
        bound = (round(run.bound()) if encoding.minimise else 0) + encoding.offset
    return conclude(attempt, query, Outcome(stop, complete, None, bound, encoding.sizes, status))


# What CP-SAT says and what it means for us. A word that is not here is an error, never a guess.
STATUS: dict[str, Stop] = {
    "OPTIMAL": "optimal",
    "FEASIBLE": "time-limit",  # it has plans, but did not get to the end
    "INFEASIBLE": "unsolvable",
    "UNKNOWN": "time-limit",
    "MODEL_INVALID": "error",
}


def model_of(encoding: Encoding, clock: Clock) -> Values | None:
    """Values that meet every constraint of an encoding, None if there are none; raises OutOfTime."""
    done = routed(encoding, BACKEND, clock.check)
    run = run_of(Posted(done.encoding, clock.check), Query("first", clock=clock))
    try:
        for values in run:
            return done.back({**values, **done.encoding.settled})
    finally:
        run.stop()
    if run.status() != "INFEASIBLE":
        raise OutOfTime
    return None
