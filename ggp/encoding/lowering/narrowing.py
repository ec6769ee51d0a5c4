"""Domains that shrink until nothing more is certain: what each constraint takes from those of its variables.

Clauses, definitions, sums and all-different say what follows of them alone; the others, whether they can hold
once all of their variables are certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable

from ggp.encoding.constraints import (
    AllDifferent,
    Clause,
    Constraint,
    Element,
    Encoding,
    Iff,
    Linear,
    Sum,
    Values,
)
from ggp.encoding.judging import holds
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.protocol import RuledOut
from ggp.encoding.lowering.uses import owners
from ggp.encoding.scopes import scope
from ggp.encoding.sheets import Placed, beside, placed


class Narrowing:
    """Domains that shrink until nothing more is certain."""

    slow: frozenset[int] = frozenset()  # constraints that take long

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        shared = {domain: set(domain) for domain in {variable.domain for variable in encoding.variables}}
        self.domains = [shared[variable.domain] for variable in encoding.variables]  # changed by new ones
        self.watch: list[list[int]] = [[] for _ in encoding.variables]
        self.scopes: dict[int, set[int]] = {}  # of each constraint that is no clause, by its identity
        self.waiting = [True] * len(encoding.constraints)
        self.watch_all()
        self.queue = [number for number, waits in enumerate(self.waiting) if waits][::-1]
        self.conflict = Why("")

    def watch_all(self) -> None:
        """Wake a constraint when a variable of it shrinks. A clause may have nothing to say before."""
        watch, waiting, owner = self.watch, self.waiting, owners(self.encoding)
        settled = {variable for variable, domain in enumerate(self.domains) if len(domain) < 2}
        for sheet in placed(self.encoding):
            self.watch_sheet(sheet, owner, settled)
        constraints = self.encoding.constraints
        for number in beside(self.encoding):
            constraint = constraints[number]
            if isinstance(constraint, Clause):
                if len(constraint.lits) < 2:
                    continue  # it says what it has to say once
                variables: Collection[int] = [*map(owner, constraint.lits)]
                waiting[number] = not settled.isdisjoint(variables)
            else:
                self.scopes[id(constraint)] = variables = scope(self.encoding, constraint)
            for variable in variables:
                watch[variable].append(number)

    def watch_sheet(self, sheet: Placed, owner: Callable[[Lit], int], settled: Collection[int]) -> None:
        """The same for the clauses of a sheet."""
        self.waiting[sheet.start : sheet.stop] = [False] * len(sheet.sheet.clauses)
        watch = sheet.sheet.watch(sheet.start, owner)
        for variable, numbers in watch.items():
            self.watch[variable] += numbers
        told = [number for variable in settled for number in watch.get(variable, ())]
        for number in (*told, *(sheet.start + number for number in sheet.sheet.short)):
            self.waiting[number] = True

    def run(self, tick: Callable[[], None]) -> bool:
        """Propagate; False if some constraint cannot hold."""
        done = 0
        while self.queue:
            done += 1
            if done % 4096 == 0:
                tick()
            number = self.queue.pop()
            self.waiting[number] = False
            constraint = self.encoding.constraints[number]
            if not self.propagate(constraint):
                self.conflict = constraint.why
                return False
        return True

    def value(self, lit: Lit) -> bool | None:
        """Is the literal true, false, or not yet certain?"""
        variable, value = self.encoding.atoms[abs(lit)]
        domain = self.domains[variable]
        if value not in domain:
            return lit < 0
        return lit > 0 if len(domain) == 1 else None

    def assign(self, lit: Lit) -> bool:
        """Make a literal true; False if it cannot be."""
        variable, value = self.encoding.atoms[abs(lit)]
        domain = self.domains[variable]
        keep = {value} & domain if lit > 0 else domain - {value}
        return self.narrow(variable, keep)

    def narrow(self, variable: int, keep: set[int]) -> bool:
        """Leave only these values."""
        if not keep:
            return False
        if len(keep) < len(self.domains[variable]):
            self.domains[variable] = keep
            for number in self.watch[variable]:
                if not self.waiting[number]:
                    self.wake(number)
        return True

    def wake(self, number: int) -> None:
        """It is this constraint's turn as soon as may be; one that takes long waits for all others."""
        self.waiting[number] = True
        self.queue.insert(0 if number in self.slow else len(self.queue), number)

    def propagate(self, constraint: Constraint) -> bool:
        """Draw the consequences of one constraint."""
        match constraint:
            case Clause(lits):
                return self.clause(lits)
            case Iff(lit, op, lits):
                sign = 1 if op == "and" else -1
                return self.conjunction(sign * lit, tuple(sign * one for one in lits))
            case Sum():
                return self.sum(constraint)
            case AllDifferent(variables, _, free):
                return self.different(variables, free)
            case Linear():
                return self.linear(constraint)
            case Element(array, index, result):
                return self.element(array, index, result)
        return self.judged(constraint)

    def linear(self, constraint: Linear) -> bool:
        """Bounds of a sum of values, or the opposite of its condition where it cannot hold."""
        when, number = constraint.when, constraint.number
        if when is not None and self.value(when) is False:
            return True
        ends = [sorted(weight * end for end in self.ends(v)) for weight, v in constraint.terms]
        least, most = sum(low for low, _ in ends), sum(high for _, high in ends)
        below, above = constraint.comparison != ">=", constraint.comparison != "<="
        if (below and least > number) or (above and most < number):
            return when is not None and self.assign(-when)
        if when is not None and not self.value(when):
            return True
        for (weight, variable), (low, high) in zip(constraint.terms, ends, strict=True):
            keep = {
                value
                for value in self.domains[variable]
                if (not below or weight * value + least - low <= number)
                and (not above or weight * value + most - high >= number)
            }
            if not self.narrow(variable, keep):
                return False
        return True

    def element(self, array: tuple[int, ...], index: int, result: int) -> bool:
        """Places at which the result cannot stand are not told, and it is something that stands there."""
        left = {
            place
            for place in self.domains[index]
            if place in range(len(array)) and not self.domains[array[place]].isdisjoint(self.domains[result])
        }
        if not self.narrow(index, left):
            return False
        held = set().union(*(self.domains[array[place]] for place in left))
        if not self.narrow(result, self.domains[result] & held):
            return False
        if len(left) > 1:
            return True
        (one,) = (array[place] for place in left)
        return self.narrow(one, self.domains[one] & self.domains[result])

    def ends(self, variable: int) -> tuple[int, int]:
        """The least and the largest value that is left."""
        return min(self.domains[variable]), max(self.domains[variable])

    def judged(self, constraint: Constraint) -> bool:
        """Constraints over whole numbers are only looked at when all is certain: solvers do the rest."""
        spoken = self.scopes[id(constraint)]
        if any(len(self.domains[v]) > 1 for v in spoken):
            return True
        return holds(self.encoding, constraint, {v: next(iter(self.domains[v])) for v in spoken})

    def clause(self, lits: Iterable[Lit]) -> bool:
        """The last literal that is not false must hold."""
        atoms, domains, unknown = self.encoding.atoms, self.domains, 0
        for lit in lits:
            variable, value = atoms[abs(lit)]
            domain = domains[variable]
            if value in domain and (len(domain) > 1 or lit > 0):
                if unknown or len(domain) == 1:
                    return True
                unknown = lit
            elif lit < 0 and value not in domain:
                return True
        return bool(unknown) and self.assign(unknown)

    def conjunction(self, lit: Lit, lits: tuple[Lit, ...]) -> bool:
        """`lit` if and only if all of `lits`."""
        value, unknown = self.value(lit), []
        if value:
            return all(self.assign(one) for one in lits)
        for one in lits:
            holds = self.value(one)
            if holds is False:
                return self.assign(-lit)
            if holds is None:
                unknown.append(one)
        if not unknown:
            return self.assign(lit)
        return value is None or len(unknown) > 1 or self.assign(-unknown[0])

    def sum(self, constraint: Sum) -> bool:
        """Bounds of a sum that is asked for, or the opposite of its condition where it cannot hold."""
        low = high = 0
        unknown = []
        for weight, lit in constraint.terms:
            value = self.value(lit)
            if value is None:
                unknown.append((weight, lit))
                low, high = low + min(weight, 0), high + max(weight, 0)
            elif value:
                low, high = low + weight, high + weight
        below, above = constraint.comparison != ">=", constraint.comparison != "<="
        number = constraint.number
        if (below and low > number) or (above and high < number):
            return constraint.when is not None and self.assign(-constraint.when)
        if constraint.when is not None and not self.value(constraint.when):
            return True
        for weight, lit in unknown:
            if below and low + abs(weight) > number and not self.assign(-lit if weight > 0 else lit):
                return False
            if above and high - abs(weight) < number and not self.assign(lit if weight > 0 else -lit):
                return False
        return True

    def different(self, variables: tuple[int, ...], free: tuple[int, ...]) -> bool:
        """A value that is taken leaves the others' domains; what stands there twice differs from itself."""
        for variable, times in Counter(variables).items():
            if times > 1 and not self.narrow(variable, self.domains[variable] & set(free)):
                return False
            domain = self.domains[variable]
            if len(domain) == 1 and not domain & set(free):
                for other in variables:
                    if other != variable and not self.without(other, domain):
                        return False
        return True

    def without(self, variable: int, values: set[int]) -> bool:
        """Leave none of these values; most variables have none of them any more."""
        domain = self.domains[variable]
        return domain.isdisjoint(values) or self.narrow(variable, domain - values)


class Watching(Narrowing):
    """Narrowing that stops where it takes from a variable the value that an assignment gives it.

    All that was narrowed before fits the assignment, so the constraint at hand does not: it is to blame.
    """

    def __init__(self, encoding: Encoding, values: Values, instead: Values) -> None:
        super().__init__(encoding)
        self.given = values
        self.instead = instead
        self.hand = Why("")

    def propagate(self, constraint: Constraint) -> bool:
        self.hand = constraint.why
        return super().propagate(constraint)

    def narrow(self, variable: int, keep: set[int]) -> bool:
        value = self.given[variable]
        if keep and value not in keep:
            left = f"is {next(iter(keep))}" if len(keep) == 1 else f"is one of {sorted(keep)}"
            detail = f"{self.encoding.variables[variable]} {left} by propagation, and {value} here"
            raise RuledOut(self.hand, detail, self.instead)
        return super().narrow(variable, keep)
