"""SAT solvers from PySAT, through the Encoding as clauses. `sat:NAME` names one of them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import fields, replace
from functools import cache

from ggp.encoding.choices import answer
from ggp.encoding.lowering import linear_to_clauses
from ggp.encoding.lowering.protocol import NATIVE, STEPS
from ggp.encoding.lowering.route import Backend
from ggp.encoding.unroll import Attempt, conclude
from ggp.engines.answers import Answering
from ggp.engines.sat.at_once import AtOnce
from ggp.engines.sat.session import SatSession
from ggp.errors import PuzzleError, SolverError
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SCORE, SOLVABLE
from ggp.model.options import SAME, Configured, read
from ggp.model.result import Clock, Facts, Outcome, Query, Stop

NAME = "sat"
FEATURES = SOLVABLE | GOAL_WORDS | SCORE
BACKEND = Backend(
    "clause",
    linear_to_clauses.TAKES | {"certain"},
    ("conserved", "sets"),
    linear_to_clauses.broken,
    adds=False,
    native=NATIVE | STEPS,
)
WORKER = "ggp.engines.sat.worker"
SOLVERS = (
    "cadical195",
    "cadical153",
    "glucose42",
    "maplechrono",
    "mergesat3",
    "minisat22",
    "minicard",
    "rc2",
)
TURNS = "glucose42"  # quicker than the first one where it is told turn after turn, if none is named
AT_ONCE = (*SOLVERS[:2], TURNS)  # those that are asked for a little at a time
MAXSAT = "rc2"  # it looks for what is best, and is told all turns at once
# PySAT lets no seed through. With one the clock does not decide which plan is found: nothing is asked beside.
OPTIONS = {"seed": SAME}
# All of them take the same clauses.
FACTS = Facts(engine=NAME, starts=0.08, unrolls=True, variants=SOLVERS, listens=True)
# What the worker says and what it means for us. A word that is not here is an error, never a guess.
STATUS: dict[str, Stop] = {
    "SATISFIABLE": "satisfied",
    "EXHAUSTED": "satisfied",  # nothing is left but what was there before
    "UNSATISFIABLE": "unsolvable",
}


def available() -> str | None:
    """None if PySAT is there, else what to install."""
    from importlib.util import find_spec

    return None if find_spec("pysat") else "install it with `pip install python-sat`"


@cache
def versions() -> dict[str, str]:
    """The version of PySAT, which brings the solvers; looking it up takes half a millisecond."""
    from importlib.metadata import version

    return {"python-sat": version("python-sat")}


def session(clock: Clock, patience: float) -> SatSession:
    """One that is asked again and again; each answer may take so many seconds."""
    return SatSession(SOLVERS[0], clock, patience)


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Solve the clauses of the encoding with CaDiCaL; turn after turn with Glucose."""
    return (yield from Sat(SOLVERS[0], TURNS).solve(instance, query))


class Sat:
    """One of the SAT solvers; offers what a module in `solvers/` does."""

    FEATURES = FEATURES
    FACTS = FACTS
    BACKEND = BACKEND

    def __init__(self, name: str, turns: str | None = None) -> None:
        """`turns`: which one is told turn after turn, if it is another one."""
        if name not in SOLVERS:
            raise PuzzleError(f"there is no SAT solver {name[:40]!r}", f"there are {', '.join(SOLVERS)}")
        self.name, self.turns = name, turns or name
        self.NAME = f"{NAME}:{name}"

    def available(self) -> str | None:
        """None if PySAT is there, else what to install."""
        return available()

    def versions(self) -> dict[str, str]:
        """The version of PySAT."""
        return versions()

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """Solve the clauses of the encoding, deepening where there is no horizon."""
        at_once = self.turns in AT_ONCE
        told = None if self.name == MAXSAT else (lambda clock: SatSession(self.turns, clock, at_once=at_once))
        backend = replace(BACKEND, session=told, longer=lambda clock: SatSession(self.name, clock))
        return (yield from answer(instance, query, self.ask, backend))

    def ask(self, attempt: Attempt, query: Query) -> Generator[Plan, None, Outcome]:
        """One run of the worker."""
        clock = query.clock
        with clock.writing():
            clauses = linear_to_clauses.lower(attempt.encoding, clock.check)
        clock.check()
        kept = query.trace.file(".cnf")
        best = query.want == "best" and query.objective is not None
        listing = query.want in ("all", "count")
        given = {
            **{item.name: getattr(clauses, item.name) for item in fields(clauses)},
            "solver": self.name,
            "want": "all" if listing else "best" if best else "one",
            "keep": None if kept is None else str(kept),
            "log": None if query.trace.log is None else str(query.trace.log),
        }
        if best and not clauses.minimise:
            given["want"] = "one"
        found, cost = False, None
        here = AtOnce(given, clock.check)
        if self.name in AT_ONCE and here.fits:
            for ones in here:
                found, cost = True, clauses.cost(ones)
                yield attempt.encoding.decode(clauses.values(ones))
        status = here.status
        if status is None:
            with Answering(NAME, WORKER, here.given, clock.left, clock.hear) as answering:
                for ones in answering:
                    if best and cost is not None and clauses.cost(ones) >= cost:
                        continue  # it begins anew, and as good a plan was given out before
                    found, cost = True, clauses.cost(ones)
                    yield attempt.encoding.decode(clauses.values(ones))
            status = answering.status
            if answering.ended.timed_out:
                return Outcome("time-limit", sizes=clauses.sizes, raw=status or str(answering.ended))
        outcome = Outcome("time-limit", sizes=clauses.sizes, raw=status or "")
        if status not in STATUS:
            raise SolverError(
                f"sat answers the status {status}, which has no meaning here", "try another solver"
            )
        stop: Stop = "satisfied" if found else STATUS[status]  # what is left of a list may be nothing
        if best and found:
            outcome = replace(outcome, stop="optimal", complete=True, bound=cost)
        else:
            outcome = replace(outcome, stop=stop, complete=listing or stop == "unsolvable")
        return conclude(attempt, query, outcome)


def with_argument(text: str) -> Sat | Configured:
    """What `sat:NAME` names. Raises PuzzleError for a solver that is not there, and for other options."""
    name, options = read(text, OPTIONS, NAME)
    made = Sat(name) if name or not options else Sat(SOLVERS[0], TURNS)
    return Configured(made, options, f"{NAME}:{text}") if options else made
