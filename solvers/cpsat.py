"""CP-SAT, the constraint solver of OR-Tools, through the Encoding."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator
from typing import Any

from ggp.encoding import AllDifferent, Clause, Constraint, Encoding, Iff, Lit, Sum, Values
from ggp.features import SOLVABLE
from ggp.model import Instance, Plan
from ggp.result import Clock, Outcome, OutOfTime, Query, Stop
from ggp.unroll import Attempt, attempts, conclude

NAME = "cp-sat"
FEATURES = SOLVABLE | {"goal:on", "goal:count", "goal:different"}


def available() -> str | None:
    """None if ortools is there, else what to install."""
    from importlib.util import find_spec

    return None if find_spec("ortools") else "install it with `pip install ortools`"


def versions() -> dict[str, str]:
    """The version of OR-Tools."""
    from importlib.metadata import version

    return {"ortools": version("ortools")}


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Solve the encoding, deepening the horizon where the level has none."""
    last: Outcome | None = None
    for attempt in attempts(instance, query):
        last = yield from solve_one(attempt, query)
        if last.stop not in ("unsolvable", "horizon-exhausted"):
            break
    assert last is not None
    return last


def solve_one(attempt: Attempt, query: Query) -> Generator[Plan, None, Outcome]:
    """One call of the solver."""
    encoding = attempt.encoding
    posted = Posted(encoding, query.clock.check)
    run = Run(posted, query)
    found = 0
    try:
        for values in run:
            found += 1
            yield encoding.decode(values)
            if query.limit is not None and found >= query.limit:
                break
    finally:
        run.stop()
    status = run.status()
    full = query.limit is not None and found >= query.limit
    stop, complete = STATUS[status], status in ("OPTIMAL", "INFEASIBLE")
    if full or (found and query.want == "first"):
        stop, complete = "satisfied", False
    elif stop == "optimal" and (query.want != "best" or query.objective is None):
        stop = "satisfied"  # nothing was to be made best: every plan was found, or any would do
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


class Posted:
    """An encoding posted to a CpModel: the half of the adapter that talks to the library."""

    def __init__(self, encoding: Encoding, tick: Callable[[], None]) -> None:
        from ortools.sat.python import cp_model

        self.encoding = encoding
        self.model = cp_model.CpModel()
        self.domain: Callable[[list[int]], Any] = cp_model.Domain.from_values
        self.variables: dict[int, Any] = {}
        self.atoms: dict[int, Any] = {}
        for number, variable in enumerate(encoding.variables):
            if number not in encoding.fixed:
                self.variables[number] = self.variable(variable.domain, str(variable))
        for number, constraint in enumerate(encoding.constraints):
            if number % 1024 == 0:
                tick()
            self.post(constraint)
        if encoding.minimise:
            self.model.minimize(sum(weight * self.lit(lit) for weight, lit in encoding.minimise))

    def variable(self, domain: tuple[int, ...], name: str) -> Any:
        """A variable of the model."""
        if domain == (0, 1):
            return self.model.new_bool_var(name)
        return self.model.new_int_var_from_domain(self.domain(list(domain)), name)

    def lit(self, lit: Lit) -> Any:
        """A literal of the model; an atom of an integer variable gets one that is tied to it."""
        atom = abs(lit)
        if atom not in self.atoms:
            number, value = self.encoding.atoms[atom]
            variable, domain = self.variables[number], self.encoding.variables[number].domain
            if domain == (0, 1):
                self.atoms[atom] = variable if value else ~variable
            else:
                is_value = self.model.new_bool_var(f"{self.encoding.variables[number]}={value}")
                self.model.add(variable == value).only_enforce_if(is_value)
                self.model.add(variable != value).only_enforce_if(~is_value)
                self.atoms[atom] = is_value
        return self.atoms[atom] if lit > 0 else ~self.atoms[atom]

    def post(self, constraint: Constraint) -> None:
        """Post one constraint."""
        model = self.model
        match constraint:
            case Clause(lits):
                model.add_bool_or([self.lit(lit) for lit in lits])
            case Iff(lit, op, lits):
                sign = 1 if op == "and" else -1
                whole, parts = self.lit(sign * lit), [self.lit(sign * one) for one in lits]
                model.add_bool_and(parts).only_enforce_if(whole)
                model.add_bool_or([whole, *(~part for part in parts)])
            case Sum(terms, comparison, number, _, when):
                total = sum(weight * self.lit(lit) for weight, lit in terms)
                relation = {"<=": total <= number, "=": total == number, ">=": total >= number}[comparison]
                posted = model.add(relation)
                if when is not None:
                    posted.only_enforce_if(self.lit(when))
            case AllDifferent(variables, _, ()):
                model.add_all_different([self.value(v) for v in variables])
            case AllDifferent(variables, _, free):
                values = {value for v in variables for value in self.encoding.variables[v].domain}
                for value in sorted(values - set(free)):
                    model.add_at_most_one(self.lits_of(variables, value))

    def value(self, variable: int) -> Any:
        """A variable, or the value it is fixed to."""
        return self.variables.get(variable, self.encoding.fixed.get(variable))

    def lits_of(self, variables: tuple[int, ...], value: int) -> list[Any]:
        """The literals that say which of the variables has this value."""
        return [
            self.lit(self.encoding.number(v, value))
            for v in variables
            if v in self.variables and value in self.encoding.variables[v].domain
        ]


class Run:
    """The solver in a thread of its own, so that Ctrl-C and a closed iterator stop it at once."""

    def __init__(self, posted: Posted, query: Query) -> None:
        from ortools.sat.python import cp_model

        self.posted = posted
        self.solver = cp_model.CpSolver()
        self.found: queue.SimpleQueue[Values | BaseException | None] = queue.SimpleQueue()
        parameters = self.solver.parameters
        parameters.catch_sigint_signal = False
        parameters.random_seed = 1
        every = query.want in ("all", "count")
        parameters.enumerate_all_solutions = every
        # Enumeration needs one worker; so do small models, where starting eight takes longer than solving.
        small = len(posted.encoding.constraints) < 3000
        parameters.num_workers = 1 if every or small else 0
        parameters.stop_after_first_solution = query.want == "first"
        if query.clock.left is not None:
            parameters.max_time_in_seconds = query.clock.left
        query.clock.check()
        self.word = "UNKNOWN"
        self.thread = threading.Thread(target=self.work, daemon=True)

    def work(self) -> None:
        """Solve, handing over each solution."""
        from ortools.sat.python import cp_model

        run = self

        class Hand(cp_model.CpSolverSolutionCallback):
            """Hands each solution over."""

            def on_solution_callback(self) -> None:
                run.found.put({number: self.value(v) for number, v in run.posted.variables.items()})

        try:
            status = self.solver.solve(self.posted.model, Hand())
            self.word = str(self.solver.status_name(status))
            self.found.put(None)
        except BaseException as error:  # handed over, and raised where it can be seen
            self.found.put(error)

    def __iter__(self) -> Iterator[Values]:
        self.thread.start()
        while True:
            try:
                item = self.found.get(timeout=0.1)
            except queue.Empty:  # wake up now and then, so that Ctrl-C is seen
                continue
            if isinstance(item, BaseException):
                raise item
            if item is None:
                return
            yield item

    def stop(self) -> None:
        """End the search and wait for it."""
        while self.thread.is_alive():
            self.solver.stop_search()
            self.thread.join(timeout=0.01)

    def status(self) -> str:
        """The solver's own word."""
        return self.word

    def bound(self) -> float:
        """What is proved of the objective."""
        return float(self.solver.best_objective_bound)


def model_of(encoding: Encoding, clock: Clock) -> Values | None:
    """Values that meet every constraint of an encoding, None if there are none; raises OutOfTime."""
    run = Run(Posted(encoding, clock.check), Query("first", clock=clock))
    try:
        for values in run:
            return {**values, **encoding.fixed}
    finally:
        run.stop()
    if run.status() != "INFEASIBLE":
        raise OutOfTime
    return None
