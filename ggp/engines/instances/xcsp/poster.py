"""Posts what a file says into an Encoding: comparisons that must hold or are told by a literal, tables, ands.

Whatever variable is added is a function of those of the file, so that solutions are counted once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import product

from ggp.encoding.constraints import AllDifferent, Clause, Constraint, Encoding, Iff, Linear, Sum, Table
from ggp.encoding.literals import Lit, Why
from ggp.engines.instances.xcsp.totals import Total
from ggp.errors import Place, PuzzleError
from ggp.model.board import COMPARE

MOST_VALUES = 10_000  # of one variable: a solver makes a Boolean of each
MOST_ROWS = 100_000  # of one table, such as that of a product
MOST_TOTAL = 2**53  # of a sum: beyond it solvers that count in floating point answer wrongly
FEW_VALUES = 100  # of a variable that is told value by value
FEW_SUMS = 64  # sums of a few values are worked out one by one: they may leave gaps
BOOLEAN = (0, 1)
THEMSELVES = "ace, choco and cpmpy read such a file themselves"
Truth = Lit | bool
OPPOSITE = {"lt": "ge", "le": "gt", "ge": "lt", "gt": "le", "eq": "ne", "ne": "eq"}
SAID: dict[str, Callable[[int, int], bool]] = {
    "lt": lambda a, b: a < b,
    "le": COMPARE["<="],
    "ge": COMPARE[">="],
    "gt": lambda a, b: a > b,
    "eq": COMPARE["="],
    "ne": lambda a, b: a != b,
}


def negated(truth: Truth) -> Truth:
    """The opposite."""
    return not truth if isinstance(truth, bool) else -truth


class Poster:
    """Writes constraints into an encoding. `why` is where what is written now comes from."""

    def __init__(self, encoding: Encoding, file: str, tick: Callable[[], None]) -> None:
        self.encoding = encoding
        self.file = file
        self.tick = tick
        self.why = Why("the file")
        self.constants: dict[int, int] = {}
        self.known: dict[object, Truth] = {}  # what was asked for before

    def at(self, line: int, what: str) -> None:
        """What comes now is said there."""
        self.tick()
        self.why = Why(what, place=Place(self.file, line))

    def refuse(self, message: str, remedy: str = THEMSELVES) -> PuzzleError:
        """What is too much to be spelt out: of this file, for solvers of this sort."""
        return PuzzleError(f"{self.why.place or self.file}: {message}", remedy)

    def add(self, constraint: Constraint) -> None:
        """Add a constraint."""
        self.encoding.add(constraint)

    # --- variables

    def domain(self, variable: int) -> tuple[int, ...]:
        """Its values, in order."""
        return self.encoding.variables[variable].domain

    def fresh(self, name: str, values: Iterable[int]) -> int:
        """A new variable; whoever asks for it says what its value follows from."""
        self.tick()
        domain = tuple(sorted(set(values)))
        if len(domain) > MOST_VALUES:
            raise self.refuse(f"a number that is needed here has {len(domain):,} values")
        return self.encoding.new(name, (len(self.encoding.variables),), domain or (0,))

    def constant(self, value: int) -> int:
        """A variable of that value."""
        if value not in self.constants:
            self.constants[value] = self.fresh("constant", (value,))
        return self.constants[value]

    def boolean(self, lit: Lit) -> int:
        """A variable that is 1 where the literal holds, else 0."""
        variable, value = self.encoding.atoms[abs(lit)]
        if lit > 0 and value == 1 and self.domain(variable) == BOOLEAN:
            return variable
        key = ("boolean", lit)
        if key not in self.known:
            self.known[key] = self.named((lit,))
        return self.encoding.atoms[self.known[key]][0]

    def variable(self, total: Total, name: str = "total") -> int:
        """A variable of that value."""
        if total.known:
            return self.constant(total.constant)
        if total.alone is not None:
            return total.alone
        if not total.constant and not total.variables and [*total.lits.values()] == [1]:
            return self.boolean(next(iter(total.lits)))
        key = ("total", of_key(total))
        if key not in self.known:
            variable = self.fresh(name, self.values(total))
            self.compare(total - Total(0, {variable: 1}), "eq", 0)
            self.known[key] = variable
        return int(self.known[key])

    def values(self, total: Total) -> Iterable[int]:
        """The values that it may have, and perhaps some more."""
        domains = [[w * x for x in self.domain(v)] for v, w in total.variables.items()]
        domains += [[0, w] for w in total.lits.values()]
        size = 1
        for one in domains:
            size *= len(one)
        if size <= FEW_SUMS or len(domains) == 1:
            return [total.constant + sum(chosen) for chosen in product(*domains)]
        low, high = self.ends(total)
        if high - low >= MOST_VALUES:
            raise self.refuse(f"a number that is needed here has {high - low + 1:,} values")
        return range(low, high + 1)

    def ends(self, total: Total) -> tuple[int, int]:
        """The least and the most that it may come to."""
        low = high = total.constant
        for variable, weight in total.variables.items():
            both = weight * self.domain(variable)[0], weight * self.domain(variable)[-1]
            low, high = low + min(both), high + max(both)
        for weight in total.lits.values():
            low, high = low + min(0, weight), high + max(0, weight)
        return low, high

    def safe_ends(self, total: Total) -> tuple[int, int]:
        """The same; refuses what solvers would not count exactly."""
        low, high = self.ends(total)
        if max(abs(low), abs(high)) >= MOST_TOTAL:
            raise self.refuse(f"the numbers of a sum come to more than {MOST_TOTAL:,}")
        return low, high

    # --- truths

    def equal(self, variable: int, value: int) -> Truth:
        """Has it this value?"""
        return self.encoding.atom(variable, value)

    def among(self, variable: int, values: Iterable[int]) -> Truth:
        """Has it one of these values?"""
        wanted, domain = {*values}, self.domain(variable)
        inside = [value for value in domain if value in wanted]
        if len(inside) > len(domain) / 2:
            return negated(
                self.either(self.equal(variable, value) for value in domain if value not in wanted)
            )
        return self.either(self.equal(variable, value) for value in inside)

    def number(self, truth: Truth) -> Total:
        """1 where it holds, else 0."""
        return Total(int(truth)) if isinstance(truth, bool) else Total(0, {}, {truth: 1})

    def named(self, lits: Iterable[Lit]) -> Lit:
        """A new literal that holds exactly where any of these does."""
        lit = self.encoding.number(self.fresh("holds", BOOLEAN), 1)
        self.add(Iff(lit, "or", tuple(lits), self.why))
        return lit

    def either(self, truths: Iterable[Truth]) -> Truth:
        """Does one of these hold?"""
        lits = set[Lit]()
        for truth in truths:
            if truth is True:
                return True
            if truth is not False:
                lits.add(truth)
        if any(-lit in lits for lit in lits):
            return True
        if len(lits) < 2:
            return next(iter(lits), False)
        key = ("or", frozenset(lits))
        if key not in self.known:
            self.known[key] = self.named(sorted(lits))
        return self.known[key]

    def both(self, truths: Iterable[Truth]) -> Truth:
        """Do all of these hold?"""
        return negated(self.either(map(negated, truths)))

    def same(self, one: Truth, other: Truth) -> Truth:
        """Do both hold, or neither?"""
        if isinstance(one, bool):
            return other if one else negated(other)
        if isinstance(other, bool):
            return one if other else -one
        return self.either((self.both((one, other)), self.both((-one, -other))))

    def clause(self, truths: Iterable[Truth]) -> None:
        """One of these must hold."""
        lits = dict[Lit, None]()
        for truth in truths:
            if truth is True or (truth is not False and -truth in lits):
                return
            if truth is not False:
                lits[truth] = None
        self.add(Clause(tuple(lits), self.why))

    # --- comparisons

    def compare(self, total: Total, op: str, number: int, when: Lit | None = None) -> None:
        """It must compare so with a number, where `when` holds."""
        unless: list[Truth] = [] if when is None else [-when]
        low, high = self.safe_ends(total)
        if op == "ne" and when is None and self.unlike(total, number):
            return
        if op == "ne" or self.simple(total):
            self.clause([*unless, self.compared(total, op, number)])
            return
        if self.sure(low, high, op, number):
            return
        self.post(total, op, number, when)

    def simple(self, total: Total) -> bool:
        """Is it a single variable or literal, or none? Then what it says is told by values."""
        return len(total.variables) + len(total.lits) <= 1

    def sure(self, low: int, high: int, op: str, number: int) -> bool:
        """Does whatever is between two ends compare so?"""
        if op == "eq":
            return low == high == number
        if op == "ne":
            return not low <= number <= high
        return SAID[op](low, number) and SAID[op](high, number)

    def post(self, total: Total, op: str, number: int, when: Lit | None) -> None:
        """Add the sum. A strict comparison is one with the next whole number."""
        number -= total.constant
        number += {"lt": -1, "gt": 1}.get(op, 0)
        sign = {"lt": "<=", "le": "<=", "gt": ">=", "ge": ">=", "eq": "="}[op]
        if not total.variables:
            terms = tuple((weight, lit) for lit, weight in total.lits.items())
            self.add(Sum(terms, sign, number, self.why, when))  # type: ignore[arg-type]
            return
        weights = dict(total.variables)
        for lit, weight in total.lits.items():
            variable = self.boolean(abs(lit))
            weights[variable] = weights.get(variable, 0) + (weight if lit > 0 else -weight)
            number -= 0 if lit > 0 else weight
        linear = tuple((weight, variable) for variable, weight in weights.items() if weight)
        self.add(Linear(linear, sign, number, self.why, when))  # type: ignore[arg-type]

    def compared(self, total: Total, op: str, number: int) -> Truth:
        """Does it compare so with a number?"""
        low, high = self.safe_ends(total)
        if self.sure(low, high, op, number):
            return True
        if self.sure(low, high, OPPOSITE[op], number):
            return False
        if op in ("gt", "ge", "ne"):
            return negated(self.compared(total, OPPOSITE[op], number))
        key = (op, of_key(total), number)
        if key not in self.known:
            self.known[key] = self.told(total, op, number)
        return self.known[key]

    def told(self, total: Total, op: str, number: int) -> Truth:
        """The same, worked out, of `lt`, `le` and `eq`."""
        if not total.variables and len(total.lits) == 1:
            ((lit, weight),) = total.lits.items()
            first = SAID[op](total.constant + weight, number)
            return lit if first else -lit  # it is not certain, so the other value tells the opposite
        if not total.lits and len(total.variables) == 1:
            ((variable, weight),) = total.variables.items()
            fits = [x for x in self.domain(variable) if SAID[op](total.constant + weight * x, number)]
            return self.among(variable, fits)
        if op == "eq":
            alike = self.alike(total, number)
            if alike is not None:
                return alike
            return self.both((self.compared(total, "le", number), self.compared(total, "ge", number)))
        lit = self.encoding.number(self.fresh("compares", BOOLEAN), 1)
        self.post(total, op, number, lit)
        self.post(total, OPPOSITE[op], number, -lit)
        return lit

    def unlike(self, total: Total, number: int) -> bool:
        """Say that two variables differ, or differ by anything but so much; False for what is no such."""
        if total.lits or sorted(total.variables.values()) != [-1, 1]:
            return False
        (one, weight), (other, _) = total.variables.items()
        shift = weight * (total.constant - number)
        if shift == 0:
            self.different((one, other))
            return True
        if max(len(self.domain(one)), len(self.domain(other))) > FEW_VALUES:
            return False
        for value in self.domain(one):
            self.clause((negated(self.equal(one, value)), negated(self.equal(other, value + shift))))
        return True

    def alike(self, total: Total, number: int) -> Truth | None:
        """Have two variables the same value, or values that differ by so much? None for what is no such."""
        if total.lits or sorted(total.variables.values()) != [-1, 1]:
            return None
        (one, weight), (other, _) = total.variables.items()
        if max(len(self.domain(one)), len(self.domain(other))) > FEW_VALUES:
            return None
        shift = weight * (total.constant - number)  # the other one is so much more
        lit = self.encoding.number(self.fresh("alike", BOOLEAN), 1)
        for value in self.domain(one):
            here, there = self.equal(one, value), self.equal(other, value + shift)
            self.clause((-lit, negated(here), there))
            self.clause((lit, negated(here), negated(there)))
        return lit

    # --- functions, and what is said of several variables

    def table(self, variables: Sequence[int], rows: Iterable[tuple[int | None, ...]]) -> None:
        """The variables have the values of a row."""
        domains = [frozenset(self.domain(v)) for v in variables]
        kept = [
            row
            for row in rows
            if all(x is None or x in domain for x, domain in zip(row, domains, strict=True))
        ]
        if not kept:
            self.clause(())
            return
        self.add(Table(tuple(variables), tuple(kept), self.why))

    def function(self, of: Sequence[int], work: Callable[..., int | None], name: str) -> int:
        """A variable whose value is worked out from those of others; None: they cannot have such values."""
        domains, size = [self.domain(v) for v in of], 1
        for domain in domains:
            size *= len(domain)
        if size > MOST_ROWS:
            raise self.refuse(f"`{name}` has {size:,} cases, and at most {MOST_ROWS:,} are spelt out")
        rows = [(*values, found) for values in product(*domains) if (found := work(*values)) is not None]
        if max((abs(row[-1]) for row in rows), default=0) >= MOST_TOTAL:
            raise self.refuse(f"`{name}` comes to more than {MOST_TOTAL:,}")
        result = self.fresh(name, (row[-1] for row in rows))
        self.table((*of, result), rows)
        return result

    def chosen(self, when: Truth, one: Total, other: Total) -> Total:
        """The one number where that holds, else the other."""
        if isinstance(when, bool):
            return one if when else other
        result = self.fresh("chosen", {*self.values(one), *self.values(other)})
        self.compare(Total(0, {result: 1}) - one, "eq", 0, when)
        self.compare(Total(0, {result: 1}) - other, "eq", 0, -when)
        return Total(0, {result: 1})

    def extreme(self, totals: Sequence[Total], most: bool) -> Total:
        """The most, or the least, of some numbers."""
        if len(totals) == 1:
            return totals[0]
        ends = [self.ends(one) for one in totals]
        best = max if most else min
        span = range(best(low for low, _ in ends), best(high for _, high in ends) + 1)
        if len(span) > MOST_VALUES:
            raise self.refuse(f"a number that is needed here has {len(span):,} values")
        reached = [value for one in totals for value in self.values(one) if value in span]
        result = Total(0, {self.fresh("most" if most else "least", reached): 1})
        for one in totals:
            self.compare(result - one, "ge" if most else "le", 0)
        self.clause(self.compared(result - one, "le" if most else "ge", 0) for one in totals)
        return result

    def different(self, variables: Sequence[int], free: Iterable[int] = ()) -> None:
        """The values differ, apart from those that are free."""
        free = tuple(sorted(set(free)))
        twice = [v for v, times in Counter(variables).items() if times > 1]
        for variable in twice:  # one that stands there twice can have nothing else
            self.clause([self.among(variable, free)])
        if len(variables) > 1:
            self.add(AllDifferent(tuple(dict.fromkeys(variables)), self.why, free))


def of_key(total: Total) -> object:
    """What tells totals apart."""
    return total.constant, frozenset(total.variables.items()), frozenset(total.lits.items())
