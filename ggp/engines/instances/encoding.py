"""A problem as an Encoding, so that every solver that works through one takes the file.

A line over 0/1 variables is a clause or a sum, one over whole numbers a linear constraint, a product or a
soft clause a variable with a definition. Each constraint says in which line of the file it stands. The
instance behind it has no rules: the cells of its one row are the variables, and a solution is a plan that
puts a number on each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from ggp.encoding.constraints import Clause, Encoding, Iff, Linear, Sum, Values
from ggp.encoding.literals import Lit, Why
from ggp.engines.instances.problem import Line, Problem, Term
from ggp.errors import PuzzleError
from ggp.model import Game, Goal, Instance, Kind, Level, Piece, Plan

MOST_VALUES = 10_000  # of one variable: a solver makes a Boolean of each
MOST_TOTAL = 2**53  # of a sum: beyond it solvers that count in floating point answer wrongly
ARRAY = "x"
BOOLEAN = (0, 1)
Comparison = Literal["<=", "=", ">="]


def instance_of(file: str) -> Instance:
    """A row of numbers, with no rules."""
    game = Game(file, file, (Kind(ARRAY, ARRAY),), Goal((), when="horizon"))
    return Instance(game, Level(file, ((frozenset(),),), horizon=0))


def encoding_of(problem: Problem, tick: Callable[[], None] = lambda: None) -> Encoding:
    """The problem as an encoding; raises PuzzleError where a domain is too large to be spelt out."""
    encoding = Encoding(instance_of(problem.file), 0, offset=problem.offset)
    for name, (low, high) in zip(problem.names, problem.bounds, strict=True):
        if high - low >= MOST_VALUES:
            message = f"{problem.file}: {name[:80]} has {high - low + 1:,} values"
            raise PuzzleError(message, f"at most {MOST_VALUES:,} are taken: give it narrower bounds")
        # A variable without a value is one that cannot be: an empty clause says so.
        domain = tuple(range(low, high + 1)) or (0,)
        number = encoding.new(ARRAY, (len(encoding.variables),), domain)
        encoding.decisions[number] = value_of(number)
        if high < low:
            encoding.add(Clause((), Why(f"{name} has no value")))
    encoding.notes[ARRAY] = f"the variables of {problem.file}, in their order"
    writer = Writer(problem, encoding)
    within(problem, problem.objective, problem.file)
    for line in problem.lines:
        tick()
        within(problem, line.terms, f"{problem.file}:{line.line}")
        writer.line(line)
    writer.objective()
    encoding.decoder = lambda values: plan_of(len(problem.names), values)
    return encoding


def within(problem: Problem, terms: Iterable[Term], where: str) -> None:
    """Refuse a sum that is exact for some solvers alone."""
    most = 0
    for weight, factors in terms:
        ends = problem.bounds[abs(factors[0]) - 1]
        most += abs(weight) * max(map(abs, ends))
    if most >= MOST_TOTAL:
        message = f"{where}: the numbers of this sum come to more than {MOST_TOTAL:,}"
        raise PuzzleError(message, "take smaller ones: not all solvers would count them exactly")


def value_of(number: int) -> Callable[[Plan], int]:
    """What a plan gives to a variable."""
    return lambda plan: assignment(plan)[number]


def plan_of(count: int, values: Values) -> Plan:
    """The plan that puts its value on each of the first so many variables."""
    return Plan(tuple(((0, at), Piece(ARRAY, values[at])) for at in range(count)))


def assignment(plan: Plan) -> list[int]:
    """The values that a plan puts on the variables."""
    return [int(piece.variant or 0) for _, piece in plan.design]


class Writer:
    """Writes the constraints of one problem."""

    def __init__(self, problem: Problem, encoding: Encoding) -> None:
        self.problem = problem
        self.encoding = encoding
        self.products: dict[tuple[int, ...], Lit] = {}

    def line(self, line: Line) -> None:
        """A line that must hold."""
        encoding = self.encoding
        why = Why("a line of the file", place=self.problem.place(line.line))
        spoken = {abs(factor) - 1 for term in line.terms for factor in term.factors}
        if any(encoding.variables[v].domain != BOOLEAN for v in spoken):
            self.linear(line, why)
            return
        terms = tuple((term.weight, self.literal(term.factors, why)) for term in line.terms)
        if line.low == 1 and line.high is None and all(weight == 1 for weight, _ in terms):
            encoding.add(Clause(tuple(lit for _, lit in terms), why))
            return
        for comparison, number in compared(line):
            encoding.add(Sum(terms, comparison, number, why))

    def linear(self, line: Line, why: Why) -> None:
        """A line over whole numbers."""
        weights: dict[int, int] = {}
        constant = 0
        for weight, factors in line.terms:
            variable = abs(factors[0]) - 1
            weights[variable] = weights.get(variable, 0) + (weight if factors[0] > 0 else -weight)
            constant += 0 if factors[0] > 0 else weight
        terms = tuple((weight, variable) for variable, weight in weights.items() if weight)
        for comparison, number in compared(line):
            self.encoding.add(Linear(terms, comparison, number - constant, why))

    def literal(self, factors: tuple[int, ...], why: Why) -> Lit:
        """The literal that holds where the product is 1."""
        if len(factors) == 1:
            lit = self.encoding.number(abs(factors[0]) - 1, 1)
            return lit if factors[0] > 0 else -lit
        key = tuple(sorted(set(factors)))
        if key not in self.products:
            lits = [self.literal((one,), why) for one in key]
            self.products[key] = self.defined("product", "and", lits, why)
        return self.products[key]

    def defined(self, name: str, op: str, lits: Iterable[Lit], why: Why) -> Lit:
        """A new literal that holds exactly where all (`and`) or any (`or`) of these do."""
        encoding = self.encoding
        lit = encoding.number(encoding.new(name, (len(encoding.variables),), BOOLEAN), 1)
        encoding.add(Iff(lit, "and" if op == "and" else "or", tuple(lits), why))
        return lit

    def objective(self) -> None:
        """What is to be least: its terms, and the prices of soft lines, which are clauses."""
        encoding, why = self.encoding, Why("the objective of the file")
        costs: list[tuple[int, Lit]] = []
        for term in self.problem.objective:
            costs += self.costs(term, why)
        for price, line in self.problem.soft:
            there = Why("a soft line of the file", place=self.problem.place(line.line))
            lits = [self.literal(term.factors, there) for term in line.terms]
            if not lits:
                encoding.offset += price
                continue
            costs.append((price, -(lits[0] if len(lits) == 1 else self.defined("kept", "or", lits, there))))
        encoding.minimise = tuple(costs)

    def costs(self, term: Term, why: Why) -> list[tuple[int, Lit]]:
        """A term of the objective as costs of literals: of a whole number, one for each value."""
        variable = abs(term.factors[0]) - 1
        domain = self.encoding.variables[variable].domain
        if domain == BOOLEAN:
            return [(term.weight, self.literal(term.factors, why))]
        return [(term.weight * value, self.encoding.number(variable, value)) for value in domain if value]


def compared(line: Line) -> Iterable[tuple[Comparison, int]]:
    """The comparisons of a line."""
    if line.low is not None and line.low == line.high:
        return [("=", line.low)]
    ends: list[tuple[Comparison, int | None]] = [(">=", line.low), ("<=", line.high)]
    return [(comparison, number) for comparison, number in ends if number is not None]
