"""CP-SAT, the constraint solver of OR-Tools, through the Encoding."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from typing import Any

from ggp.encoding.choices import answer
from ggp.encoding.constraints import (
    AllDifferent,
    Circuit,
    Clause,
    Constraint,
    DifferentLists,
    Distances,
    Element,
    Encoding,
    Iff,
    Linear,
    Regular,
    Sum,
    Table,
    Values,
)
from ggp.encoding.graphs import Areas, Joined, told
from ggp.encoding.judging import true
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.automata import unrolled
from ggp.encoding.lowering.protocol import EVERY, NATIVE
from ggp.encoding.lowering.route import Backend, routed
from ggp.encoding.lowering.strategy import strategy
from ggp.encoding.unroll import Attempt, conclude
from ggp.engines.answers import Answering
from ggp.engines.cpsat_session import CpSatSession
from ggp.engines.cpsat_thread import Threaded
from ggp.engines.cuts import Graphs
from ggp.engines.without_pandas import hasten
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.model.options import SEED, THREADS, taking_options
from ggp.model.result import Clock, Facts, Once, Outcome, OutOfTime, Query, Stop

NAME = "cp-sat"
WORKER = "ggp.engines.cpsat_worker"
MANY_VALUES = 100_000  # what it makes of them takes longer than to start a process
FEATURES = SOLVABLE | GOAL_WORDS
# The library has no word for lists, and none for tables in which a value is left open.
FULL = Backend("constraint", EVERY - {"different-lists", "table"}, ("sets",))
BACKEND = replace(FULL, native=NATIVE)  # what hangs together it is told as its solutions break it
FACTS = Facts(unrolls=True, pace="quick")
OPTIONS = {"seed": SEED, "threads": THREADS}
with_argument = taking_options(__name__, OPTIONS)


def available() -> str | None:
    """None if ortools is there, else what to install."""
    from importlib.util import find_spec

    return None if find_spec("ortools") else "install it with `pip install ortools`"


def versions() -> dict[str, str]:
    """The version of OR-Tools."""
    from importlib.metadata import version

    return {"ortools": version("ortools")}


def library() -> Any:
    """OR-Tools' module of models, loaded when it is needed first."""
    hasten()
    from ortools.sat.python import cp_model

    return cp_model


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Solve the encoding; where it may, turn after turn, else deepening the horizon where there is none."""
    backend = replace(BACKEND, session=lambda clock: CpSatSession(library(), replace(query, clock=clock)))
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


class Posted:
    """An encoding posted to a CpModel: the half of the adapter that talks to the library."""

    def __init__(self, encoding: Encoding, tick: Callable[[], None]) -> None:
        cp_model = library()
        self.encoding = encoding
        self.model = cp_model.CpModel()
        self.domain: Callable[[list[int]], Any] = cp_model.Domain.from_values
        self.variables: dict[int, Any] = {}
        self.atoms: dict[int, Any] = {}
        self.graphs: list[dict[str, Any]] = []
        self.sure = len(encoding.atoms) + 1  # the number of a literal that always holds
        settled = encoding.settled
        for number, variable in enumerate(encoding.variables):
            if number not in settled:
                self.variables[number] = self.variable(variable.domain, str(variable))
        for number, constraint in enumerate(encoding.constraints):
            if number % 1024 == 0:
                tick()
            self.post(constraint)
        if encoding.minimise:
            self.model.minimize(sum(weight * self.lit(lit) for weight, lit in encoding.minimise))
        hinted = strategy(encoding)
        if hinted is not None:
            order = cp_model.CHOOSE_FIRST if hinted.order == "first" else cp_model.CHOOSE_MIN_DOMAIN_SIZE
            value = cp_model.SELECT_MIN_VALUE if hinted.values == "lowest" else cp_model.SELECT_MAX_VALUE
            first = [self.variables[v] for v in hinted.variables]
            self.model.add_decision_strategy(first, order, value)

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
            case _:
                self.post_whole(constraint)

    def post_whole(self, constraint: Constraint) -> None:
        """Post one constraint over whole numbers, or over a graph."""
        model = self.model
        match constraint:
            case Linear(terms, comparison, number, _, when):
                total = sum(weight * self.value(v) for weight, v in terms)
                relation = {"<=": total <= number, "=": total == number, ">=": total >= number}[comparison]
                posted = model.add(relation)
                if when is not None:
                    posted.only_enforce_if(self.truth(when))
            case Regular():
                self.post_word(constraint)
            case Circuit(successors):
                model.add_circuit(arcs := list(self.arcs(successors)))
                model.add_bool_or([lit for node, after, lit in arcs if node != after])
            case Distances():
                self.post_distances(constraint)
            case Element(array, index, result):
                held = [self.expression(v) for v in array]
                model.add_element(self.expression(index), held, self.expression(result))
            case Joined() | Areas():
                self.graphs.append(told(constraint, lambda lit: self.sure if isinstance(lit, bool) else lit))
            case DifferentLists() | Table():
                raise AssertionError("lists and tables were lowered before")

    def tell(self, clauses: Iterable[list[int]]) -> None:
        """Add what solutions broke of the graphs."""
        for clause in clauses:
            lits = {*clause} - {-self.sure}
            if self.sure not in lits:
                self.model.add_bool_or([self.truth(lit) for lit in sorted(lits)])

    def forbid(self, values: Values) -> None:
        """Some decision is another one than here."""
        decided = [v for v in self.encoding.decisions if v in self.variables]
        self.model.add_bool_or([~self.lit_of(v, values[v]) for v in decided])

    def cost(self, values: Values) -> int:
        """What the objective comes to."""
        encoding = self.encoding
        return sum(weight for weight, lit in encoding.minimise if true(encoding, lit, values))

    def improve(self, cost: int) -> None:
        """Nothing that costs as much is wanted any more."""
        self.model.add(sum(weight * self.lit(lit) for weight, lit in self.encoding.minimise) <= cost - 1)

    def arcs(self, successors: tuple[int, ...]) -> Iterator[tuple[int, int, Any]]:
        """(node, next node, literal) for each step that a circuit can take."""
        for node, variable in enumerate(successors):
            known = self.encoding.fixed.get(variable)
            for after in self.encoding.variables[variable].domain if known is None else (known,):
                lit = self.lit_of(variable, after) if known is None else True
                if after in range(len(successors)):
                    yield node, after, lit
                else:  # it is none of the nodes
                    self.model.add_bool_and([~lit if known is None else False])

    def post_word(self, constraint: Regular) -> None:
        """A variable for the state before each value and after the last, and a table for each step.

        The library's own automaton has hidden variables that a word leaves open: it lists a word many times.
        """
        fixed, variables = self.encoding.fixed, self.encoding.variables
        domains = [(fixed[v],) if v in fixed else variables[v].domain for v in constraint.variables]
        states, steps = unrolled(constraint.automaton, domains)
        if not all(states):
            self.model.add_bool_or([])
            return
        state = [self.variable(tuple(sorted(here)), "state") for here in states]
        for at, variable in enumerate(constraint.variables):
            word = [state[at], self.expression(variable), state[at + 1]]
            self.model.add_allowed_assignments(word, steps[at])

    def post_distances(self, constraint: Distances) -> None:
        """Linked nodes differ by one at most, and each that is no root has a linked one that is nearer.

        Which ones are nearer is said both ways: solutions must not differ in what only helps to say them.
        """
        model, far = self.model, [self.expression(v) for v in constraint.variables]
        inside = [self.truth(lit) for lit in constraint.inside]
        nearer: list[list[Any]] = [[] for _ in far]
        for one, other, lit in constraint.links:
            link = [self.truth(lit), inside[one], inside[other]]
            for a, b in ((one, other), (other, one)):
                near = model.new_bool_var("")
                nearer[a].append(near)
                for part in link:
                    model.add_implication(near, part)
                model.add(far[b] == far[a] - 1).only_enforce_if(near)
                model.add(far[b] >= far[a]).only_enforce_if([~near, *link])
        for node, here in enumerate(inside):
            root = self.truth(constraint.roots[node])
            model.add(far[node] == 0).only_enforce_if(~here)
            model.add(far[node] == 0).only_enforce_if([here, root])
            model.add(far[node] >= 1).only_enforce_if([here, ~root])
            model.add_bool_or([~here, root, *nearer[node]])

    def truth(self, lit: Lit | bool) -> Any:
        """A literal of the model, also of what is known."""
        if not isinstance(lit, bool):
            number, value = self.encoding.atoms[abs(lit)]
            if number not in self.encoding.fixed:
                return self.lit(lit)
            lit = (self.encoding.fixed[number] == value) == (lit > 0)
        return self.model.new_constant(1) if lit else ~self.model.new_constant(1)

    def lit_of(self, variable: int, value: int) -> Any:
        """The literal "variable = value" of a value that the variable can have."""
        if self.encoding.variables[variable].domain == (0, 1):
            return self.variables[variable] if value else ~self.variables[variable]
        return self.lit(self.encoding.number(variable, value))

    def expression(self, variable: int) -> Any:
        """A variable of the model, also of what is known."""
        known = self.encoding.fixed.get(variable)
        return self.variables[variable] if known is None else self.model.new_constant(known)

    def value(self, variable: int) -> Any:
        """A variable, or the value it is fixed to."""
        return self.variables.get(variable, self.encoding.fixed.get(variable))

    def lits_of(self, variables: tuple[int, ...], value: int) -> list[Any]:
        """The literals that say which of the variables has this value."""
        able = [v for v in variables if v in self.variables and value in self.encoding.variables[v].domain]
        return [self.lit(self.encoding.number(v, value)) for v in able]


class Run(Threaded[Values]):
    """The solver about an encoding that was posted."""

    def __init__(self, posted: Posted, query: Query, deciding: bool = False) -> None:
        """`deciding`: the encoding is clauses for the most part, and has a plan or none."""
        super().__init__(library(), posted.model, self.values, query)
        self.posted = posted
        parameters = self.solver.parameters
        every = query.want in ("all", "count")
        parameters.enumerate_all_solutions = every
        # Enumeration needs one worker; so do small models, where starting eight takes longer than solving.
        small = len(posted.encoding.constraints) < 3000
        parameters.num_workers = 1 if every or small or deciding else 0
        if "threads" in query.options and not every:
            parameters.num_workers = int(query.options["threads"])
        if deciding:  # there is no relaxation that would tell anything
            parameters.linearization_level = 0
            parameters.cp_model_probing_level = 0
        elif query.objective is not None and query.objective.counts == "placements":
            # Each cell wants one of several pieces: one worker has no relaxation of such clauses by itself.
            parameters.linearization_level = 2
        parameters.stop_after_first_solution = query.want == "first"

    def values(self, hand: Any) -> Values:
        """What a solution says of each variable."""
        return {number: hand.value(variable) for number, variable in self.posted.variables.items()}


class Rounds(Run):
    """The solver asked again and again: what a solution breaks of what must hang together it is told."""

    def __init__(self, posted: Posted, query: Query, deciding: bool = False) -> None:
        super().__init__(posted, query, deciding)
        self.query = query
        self.deciding = deciding
        self.run: Run = self
        self.least: int | None = None  # what the best plan so far costs, 0 where nothing is to be best

    def __iter__(self) -> Iterator[Values]:
        posted, graphs = self.posted, Graphs(self.posted.graphs)
        posted.tell(graphs.first())
        while True:
            self.run = Run(posted, self.query, self.deciding)
            # There is little to presolve, and it would be done in every round.
            self.run.solver.parameters.cp_model_presolve = False
            self.run.solver.parameters.linearization_level = 0
            right, new = list[Values](), list[list[int]]()
            for values in self.run:
                new = graphs.cuts(self.held(values, graphs.variables))
                if new:
                    break
                right.append(values)
                self.least = posted.cost(values)
                yield values
            self.run.stop()
            self.word = self.run.status()
            if not new:
                return
            posted.tell(new)
            self.prepare(right, values)
            if self.clock.left == 0:
                self.word = "UNKNOWN" if self.least is None else "FEASIBLE"
                return

    def held(self, values: Values, variables: Iterable[int]) -> Iterator[int]:
        """The literals that hold."""
        encoding, known = self.posted.encoding, {**self.posted.encoding.settled, **values}
        for number in variables:
            holds = number == self.posted.sure or true(encoding, number, known)
            yield number if holds else -number

    def prepare(self, right: list[Values], broken: Values) -> None:
        """For the next round: where to look, and what is not wanted again."""
        posted: Any = self.posted
        posted.model.clear_hints()
        for number, variable in posted.variables.items():
            posted.model.add_hint(variable, broken[number])
        if posted.encoding.minimise and right:
            posted.improve(posted.cost(right[-1]))
        elif self.query.want in ("all", "count"):
            for values in right:
                posted.forbid(values)

    def stop(self) -> None:
        """End the search of this round."""
        if self.run is not self:
            self.run.stop()

    def status(self) -> str:
        """The word for all rounds: the last one finds nothing where the ones before found it all."""
        if self.word == "INFEASIBLE" and self.least is not None:
            return "OPTIMAL"
        return self.word

    def bound(self) -> float:
        """What is proved of the objective."""
        if self.word == "INFEASIBLE" and self.least is not None:
            return self.least
        return float(self.run.solver.best_objective_bound)


class Apart(Run):
    """The solver in a process of its own, which is killed when time is up. What is best it is not asked."""

    answering: Answering | None = None

    def __iter__(self) -> Iterator[Values]:
        posted = self.posted
        given = {
            "model": str(posted.model.proto),
            "parameters": str(self.solver.parameters),
            "variables": [variable.index for variable in posted.variables.values()],
        }
        with Answering(NAME, WORKER, given, self.clock.left) as self.answering:
            for values in self.answering:
                self.word = "FEASIBLE"
                yield dict(zip(posted.variables, values, strict=True))
        self.word = self.answering.status or self.word

    def stop(self) -> None:
        """End the process."""
        if self.answering is not None:
            self.answering.child.stop()


def run_of(posted: Posted, query: Query, deciding: bool = False) -> Run:
    """The sort of run that suits."""
    if posted.graphs:
        return Rounds(posted, query, deciding)
    return (Apart if may_overrun(posted.encoding, query) else Run)(posted, query, deciding)


def may_overrun(encoding: Encoding, query: Query) -> bool:
    """May CP-SAT not look at the time for a second or more?

    Its presolve makes a Boolean of each value of an all-different, and does not stop before it has them all.
    """
    if query.clock.limit is None or encoding.minimise:
        return False
    different = (c.variables for c in encoding.constraints if isinstance(c, AllDifferent))
    spoken = {v for variables in different for v in variables} - {*encoding.settled}
    return sum(len(encoding.variables[v].domain) for v in spoken) > MANY_VALUES


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
