"""What any plan of a level, or any solution of a file, costs at least: by a linear relaxation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ggp.encoding.constraints import Encoding
from ggp.engines.instances import reading, xcsp3
from ggp.engines.instances.encoding import encoding_of
from ggp.engines.instances.xcsp.encoding import encoding_of as spelt
from ggp.engines.linear.adapter import available
from ggp.engines.linear.relaxed import LIBRARIES, Relaxation
from ggp.errors import NotAvailable, PuzzleError
from ggp.model import Instance
from ggp.model.features import GOAL_WORDS, SOLVABLE, require
from ggp.model.result import Clock, Outcome, OutOfTime, Query
from ggp.model.shown import line
from ggp.registry import unknown
from ggp.tasks.instances.encoded import COST
from ggp.tasks.questions import objective_of
from ggp.tasks.taking import taken

NOTHING = ("unsolvable", "horizon-exhausted")


@dataclass(frozen=True)
class Bound:
    """What a relaxation says. `value` is its own, `bound` the whole number that follows, or None.

    `stop` is `bound`, `unsolvable` or `horizon-exhausted` where not even parts of pieces will do, `no-bound`
    where nothing follows, or `time-limit`. `most`: of what is to be highest the bound is from above.
    """

    what: str
    solver: str
    stop: str
    value: float | None
    bound: int | float | None
    seconds: float
    sizes: dict[str, int]
    note: str = ""
    most: bool = False

    def __repr__(self) -> str:
        """What is told, as one line."""
        return line("Bound", self.what, [f"{self.solver}: {self.stop}", *self.facts()])

    def facts(self) -> list[str]:
        """The bound, what it is rounded from, what else is said, the time: in a few words each."""
        parts = [] if self.bound is None else [f"at {'most' if self.most else 'least'} {self.bound}"]
        parts += [] if self.value is None else [f"relaxed {self.value:.4f}"]
        parts += [self.note] if self.note else []
        parts += ["proof claimed"] if self.to_json()["proof"] else []
        return [*parts, f"{self.seconds:.3f} s"]

    def to_json(self) -> dict[str, Any]:
        """The keys of a result; nobody but the solver vouches for it."""
        proof = "claimed" if self.bound is not None or self.stop in NOTHING else None
        return {
            "level": self.what,
            "solver": self.solver,
            "stop": self.stop,
            "value": self.value,
            "bound": self.bound,
            "most": self.most,
            "proof": proof,
            "seconds": round(self.seconds, 6),
            "sizes": self.sizes,
            "note": self.note,
        }


def solver_named(name: str) -> Relaxation:
    """The solver of linear programs of that name; raises UnknownName, NotAvailable."""
    if name not in LIBRARIES:
        raise unknown("solver of linear programs", name, LIBRARIES)
    if (reason := available()) is not None:
        raise NotAvailable(f"{name} cannot run here", reason)
    return Relaxation(name)


def bound_of_level(
    instance: Instance, solver: str, objective: str | None = None, seconds: float | None = None
) -> Bound:
    """What any plan costs at least, or scores at most.

    Raises UnsupportedFeature as `cbc` does, PuzzleError, SolverError.
    """
    given = taken(instance, solver, SOLVABLE | GOAL_WORDS)
    require(given, solver, SOLVABLE | GOAL_WORDS)
    wanted = objective_of(instance, objective)
    if wanted is None:
        raise PuzzleError(
            f"{instance.name} has no objective",
            "any plan is found with `first` (`--first`)",
        )
    query = Query("best", wanted, None, Clock(seconds))
    found = asked(solver_named(solver), given, query, instance.name)
    value = None if found.value is None else wanted.cost(found.value)
    bound = None if found.bound is None else wanted.cost(found.bound)
    return replace(found, value=value, bound=bound, most=wanted.highest)


def bound_of_file(path: Path, solver: str, seconds: float | None = None) -> Bound:
    """What any solution costs at least, in the file's own count; of one that asks for the most, at most."""
    kind, text = reading.format_of(str(path)), reading.text_of(path)
    clock = Clock(seconds)
    if kind is None:
        raise PuzzleError(f"{path} is no instance that is read", "see docs/command-line.md")
    encoding: Encoding
    if kind == reading.XML:
        file = xcsp3.read(text, str(path))
        asks, sign, scale, encoding = file.asks, file.sign, 1, spelt(file, clock.check)
    else:
        problem = reading.read_text(text, kind, str(path))
        asks, sign, scale = problem.asks, problem.sign, problem.scale
        encoding = encoding_of(problem, clock.check)
    if not asks:
        raise PuzzleError(f"{path} asks for any solution", "there is nothing to bound: `ggp solve` finds one")
    query = Query("best", COST, None, clock, given=encoding)
    found = asked(solver_named(solver), encoding.instance, query, str(path))
    value = None if found.value is None else sign * found.value / scale
    bound = None if found.bound is None else Fraction(sign * int(found.bound), scale)
    told = None if bound is None else int(bound) if bound.denominator == 1 else float(bound)
    return replace(found, value=value, bound=told, most=sign < 0)


def asked(solver: Relaxation, instance: Instance, query: Query, what: str) -> Bound:
    """What the solver says of a question."""
    answers, outcome = solver.solve(instance, query), Outcome("time-limit")
    try:
        while True:
            next(answers)
    except StopIteration as end:
        outcome = end.value
    except OutOfTime:
        pass
    stop: str = outcome.stop
    if stop not in NOTHING:
        late = outcome.raw in ("", "NOT_SOLVED")
        stop = "bound" if outcome.bound is not None else "time-limit" if late else "no-bound"
    clock = query.clock
    return Bound(
        what, solver.name, stop, solver.value, outcome.bound, clock.seconds, outcome.sizes, outcome.note
    )
