"""An encoding posted to a model of CP-SAT, constraint by constraint in the library's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ggp.encoding.constraints import (
    AllDifferent,
    Circuit,
    Clause,
    Constraint,
    Cumulative,
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
from ggp.encoding.lowering.strategy import strategy
from ggp.solvers.cpsat.loading import library


class Posted:
    """A CpModel, and the variable of it that each variable and each atom of the encoding is."""

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
                self.compare(sum(weight * self.lit(lit) for weight, lit in terms), comparison, number, when)
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
                self.compare(sum(weight * self.value(v) for weight, v in terms), comparison, number, when)
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
            case Cumulative():
                self.post_cumulative(constraint)
            case Joined() | Areas():
                self.graphs.append(told(constraint, lambda lit: self.sure if isinstance(lit, bool) else lit))
            case DifferentLists() | Table():
                raise AssertionError("lists and tables were lowered before")

    def compare(self, total: Any, comparison: str, number: int, when: Lit | bool | None) -> None:
        """A sum is as large as that; if `when`, only where that holds."""
        relation = {"<=": total <= number, "=": total == number, ">=": total >= number}[comparison]
        posted = self.model.add(relation)
        if when is not None:
            posted.only_enforce_if(self.truth(when))

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

    def post_cumulative(self, constraint: Cumulative) -> None:
        """Intervals that do not overlap, or that together need no more than there is."""
        tasks = zip(constraint.starts, constraint.lengths, strict=True)
        intervals = [
            self.model.new_fixed_size_interval_var(self.expression(v), long, "") for v, long in tasks
        ]
        if constraint.one_by_one:
            self.model.add_no_overlap(intervals)
            if max(constraint.heights) > constraint.limit:
                self.model.add_bool_or([])
        else:
            self.model.add_cumulative(intervals, list(constraint.heights), constraint.limit)

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
