"""Source: an encoding of `TAKES`. Target: FlatZinc, in the constraints that every reader of it has.

    x = 3                   int_eq_reif(x, 3, x_is_3), once for all that speak of it
    a or not b              bool_clause([a], [b])
    d iff a and b           array_bool_and([a, b], d), or its clauses where one of them is denied
    2 a + not b <= 2        bool_lin_le([2, -1], [a, b], 1)
    if w then x + y <= 5    int_lin_le_reif([1, 1], [x, y], 5, r) and bool_clause([r], [w])
    all different           int_ne for two and two
    element                 array_var_int_element, which counts from 1

A Boolean is a number where one is needed (`bool2int`). What is settled stands as a number where it is spoken
of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ggp.encoding.constraints import AllDifferent, Clause, Constraint, Element, Encoding, Iff, Linear, Sum
from ggp.encoding.literals import Lit
from ggp.encoding.lowering import board_map
from ggp.encoding.lowering.protocol import Kinds, kind_of
from ggp.encoding.lowering.strategy import strategy
from ggp.model.names import Names

TAKES: Kinds = frozenset(
    {
        *("clause", "definition", "sum", "linear", "element", "all-different", "uneven-all-different"),
        *("integers", "certain"),
    }
)
# Words of the format, and of MiniZinc, through which some solvers get the file.
RESERVED = """
    ann annotation any array bool case constraint default diff div else elseif endif enum exists export false
    float forall function if in include infer int intersect let list maximize minimize mod not of op opt or
    original output par predicate record satisfy set solve string subset superset symdiff test then true tuple
    type union var where xor
""".split()
ALWAYS, NEVER = "bool_eq(true, true)", "bool_eq(true, false)"
ORDERS = {"first": "input_order", "smallest-domain": "first_fail"}
VALUES = {"lowest": "indomain_min", "highest": "indomain_max"}
COST = "cost"


@dataclass
class Flat:
    """Writes one model: declarations, constraints, what to solve for. `called` are the names of variables."""

    encoding: Encoding
    called: dict[int, str] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)  # declarations of what only the format needs
    meanings: list[str] = field(default_factory=list)  # constraints that say what these are
    atoms: dict[tuple[int, int], str] = field(default_factory=dict)  # (variable, value) -> its Boolean
    views: dict[str, str] = field(default_factory=dict)  # Boolean -> its number
    places: dict[int, str] = field(default_factory=dict)  # index -> the same, counted from 1

    def __post_init__(self) -> None:
        self.settled = self.encoding.settled
        self.names = Names("[A-Za-z][A-Za-z0-9_]*", RESERVED)
        self.said = board_map.words(self.encoding)
        self.called = {number: self.names.of(word) for number, word in self.said.items()}
        for number in self.encoding.decisions:  # what a plan is made of is told though it be certain
            if number not in self.called:
                self.said[number] = str(self.encoding.variables[number])
                self.called[number] = self.names.of(self.said[number])

    def declarations(self) -> Iterator[str]:
        """A line for each variable of the encoding, with what it stands for on the board."""
        for number, name in self.called.items():
            yield f"var {domain(self.values(number))}: {name} :: output_var; % {self.said[number]}"

    def solving(self, minimise: bool) -> str:
        """The last line: what is asked for, and where to begin if the description says so."""
        hint, annotation = strategy(self.encoding), ""
        if hint is not None:
            order, values = ORDERS[hint.order], VALUES[hint.values]
            each = listed(self.number(v) for v in hint.variables)
            annotation = f":: int_search({each}, {order}, {values}, complete) "
        return f"solve {annotation}{f'minimize {self.cost()}' if minimise else 'satisfy'};"

    def cost(self) -> str:
        """The number that is to be small, without the encoding's offset."""
        terms, constant = self.total(self.encoding.minimise)
        least = constant + sum(min(weight, 0) for weight, _ in terms)
        most = constant + sum(max(weight, 0) for weight, _ in terms)
        name = self.introduced(f"{least}..{most}", COST)
        columns = [(weight, self.view(literal)) for weight, literal in terms]
        self.meanings.append(
            f"{linear('int_lin_eq', [*columns, (-1, name)], -constant)} :: defines_var({name})"
        )
        return name

    # --- constraints

    def lines(self, constraint: Constraint) -> Iterator[str]:
        """One constraint in the words of the format. Raises ValueError for what is not among `TAKES`."""
        match constraint:
            case Clause(lits):
                yield self.clause(lits)
            case Iff(lit, op, lits):
                yield from self.definition(lit, op, lits)
            case Sum(terms, comparison, number, _, when):
                yield from self.sum(terms, comparison, number, when)
            case Linear(terms, comparison, number, _, when):
                yield from self.linear(terms, comparison, number, when)
            case AllDifferent(variables, _, free):
                for first, second in combinations(variables, 2):
                    yield from self.different(first, second, free)
            case Element(array, index, result):
                each = listed(map(self.number, array))
                place, found = self.place(index, len(array)), self.number(result)
                yield f"array_var_int_element({place}, {each}, {found})"
            case _:
                raise ValueError(f"{kind_of(constraint)} must be lowered first")

    def clause(self, lits: Sequence[Lit]) -> str:
        """At least one of the literals."""
        if not lits:
            return NEVER
        if len(lits) == 1:
            return self.fact(lits[0])
        signed = [self.literal(lit) for lit in lits]
        return either(
            [name for name, holds in signed if holds], [name for name, holds in signed if not holds]
        )

    def fact(self, lit: Lit) -> str:
        """A literal that always holds."""
        variable, value = self.encoding.atoms[abs(lit)]
        if self.boolean(variable):
            return f"bool_eq({self.called[variable]}, {truth((lit > 0) == (value == 1))})"
        return f"int_{'eq' if lit > 0 else 'ne'}({self.number(variable)}, {value})"

    def definition(self, lit: Lit, op: str, lits: Sequence[Lit]) -> Iterator[str]:
        """A literal that holds exactly if all, or any, of others do."""
        sign = 1 if op == "and" else -1  # an "or" is the "and" of the opposites
        whole, parts = self.literal(lit), [self.literal(one) for one in lits]
        if parts and whole[1] and all(holds for _, holds in parts):
            yield f"array_bool_{op}({listed(name for name, _ in parts)}, {whole[0]})"
            return
        yield from (self.clause((-sign * lit, sign * one)) for one in lits)
        yield self.clause((sign * lit, *(-sign * one for one in lits)))

    def sum(
        self, terms: Sequence[tuple[int, Lit]], comparison: str, number: int, when: Lit | None
    ) -> Iterator[str]:
        """The weighted number of literals that hold."""
        if comparison == "=" and when is None:
            columns, constant = self.total(terms)
            yield linear("bool_lin_eq", columns, number - constant)
            return
        if comparison != ">=":
            yield self.at_most(terms, number, when)
        if comparison != "<=":
            yield self.at_most([(-weight, lit) for weight, lit in terms], -number, when)

    def at_most(self, terms: Sequence[tuple[int, Lit]], number: int, when: Lit | None) -> str:
        """sum <= number, if `when` holds: else it may be as large as it can get."""
        if when is not None:
            slack = max(0, sum(max(weight, 0) for weight, _ in terms) - number)
            terms, number = [*terms, (slack, when)], number + slack
        columns, constant = self.total(terms)
        return linear("bool_lin_le", columns, number - constant)

    def linear(
        self, terms: Sequence[tuple[int, int]], comparison: str, number: int, when: Lit | None
    ) -> Iterator[str]:
        """The weighted sum of values."""
        sign, relation = (-1 if comparison == ">=" else 1), ("eq" if comparison == "=" else "le")
        weights = Counter[int]()
        for weight, variable in terms:
            weights[variable] += sign * weight
        bound = sign * number - sum(
            weights.pop(v) * self.settled[v] for v in list(weights) if v in self.settled
        )
        columns = [(weight, self.number(v)) for v, weight in weights.items() if weight]
        if when is None:
            yield linear(f"int_lin_{relation}", columns, bound)
            return
        if not columns:
            yield self.fact(-when) if not met(relation, bound) else ALWAYS
            return
        if (
            relation == "eq" and len(columns) == 1
        ):  # in other words Choco 4.10.15 takes -x = -3 for never true
            ((variable, weight),) = ((v, weight) for v, weight in weights.items() if weight)
            yield self.clause((-when, *self.is_value(variable, bound, weight)))
            return
        kept = self.introduced("bool", f"kept {len(self.made)}")
        factors, names = split(columns)
        yield f"int_lin_{relation}_reif({factors}, {names}, {bound}, {kept}) :: defines_var({kept})"
        name, holds = self.literal(when)
        yield either([kept], [name]) if holds else either([kept, name], [])

    def is_value(self, variable: int, number: int, weight: int) -> list[Lit]:
        """The literal that says weight x variable = number; none where that cannot be."""
        lit = False if number % weight else self.encoding.atom(variable, number // weight)
        return [] if isinstance(lit, bool) else [lit]

    def different(self, first: int, second: int, free: Sequence[int]) -> Iterator[str]:
        """Two values that differ, or are both one that is free."""
        one, other = self.number(first), self.number(second)
        if not free:
            yield f"int_ne({one}, {other})"
            return
        kept = self.introduced("bool", f"differ {len(self.made)}")
        yield f"int_ne_reif({one}, {other}, {kept}) :: defines_var({kept})"
        if first in self.settled:
            if self.settled[first] not in free:
                yield either([kept], [])
            return
        allowed = [
            self.literal(lit)
            for lit in (self.encoding.atom(first, v) for v in free)
            if not isinstance(lit, bool)
        ]
        yield either(
            [kept, *(name for name, holds in allowed if holds)], [n for n, holds in allowed if not holds]
        )

    # --- variables

    def values(self, variable: int) -> tuple[int, ...]:
        """The values that a variable may have in the file."""
        known = self.settled.get(variable)
        return self.encoding.variables[variable].domain if known is None else (known,)

    def boolean(self, variable: int) -> bool:
        """Is it one of 0 and 1?"""
        return self.encoding.variables[variable].domain == (0, 1)

    def literal(self, lit: Lit) -> tuple[str, bool]:
        """A Boolean of the file, and whether it holds where the literal does."""
        variable, value = self.encoding.atoms[abs(lit)]
        if self.boolean(variable):
            return self.called[variable], (lit > 0) == (value == 1)
        if (variable, value) not in self.atoms:
            number = self.number(variable)
            name = self.atoms[variable, value] = self.introduced("bool", f"{number} is {value}")
            self.meanings.append(f"int_eq_reif({number}, {value}, {name}) :: defines_var({name})")
        return self.atoms[variable, value], lit > 0

    def number(self, variable: int) -> str:
        """A variable as a whole number."""
        if variable in self.settled:
            return str(self.settled[variable])
        return self.view(self.called[variable]) if self.boolean(variable) else self.called[variable]

    def view(self, name: str) -> str:
        """A Boolean of the file as a whole number."""
        if name not in self.views:
            number = self.views[name] = self.introduced("0..1", f"{name} as number")
            self.meanings.append(f"bool2int({name}, {number}) :: defines_var({number})")
        return self.views[name]

    def place(self, index: int, length: int) -> str:
        """An index that counts from 1."""
        if index in self.settled:
            return str(self.settled[index] + 1)
        if index not in self.places:
            number = self.number(index)
            name = self.places[index] = self.introduced(f"1..{length}", f"{number} from 1")
            self.meanings.append(f"int_lin_eq([1, -1], [{number}, {name}], -1) :: defines_var({name})")
        return self.places[index]

    def total(self, terms: Iterable[tuple[int, Lit]]) -> tuple[list[tuple[int, str]], int]:
        """A sum of literals as (coefficient, Boolean), each once, and a constant."""
        found: dict[str, int] = {}
        constant = 0
        for weight, lit in terms:
            name, holds = self.literal(lit)
            found[name] = found.get(name, 0) + (weight if holds else -weight)
            constant += 0 if holds else weight
        return [(weight, name) for name, weight in found.items() if weight], constant

    def introduced(self, values: str, name: str) -> str:
        """A variable that only the format needs."""
        new = self.names.of(name)
        self.made.append(f"var {values}: {new} :: var_is_introduced :: is_defined_var;")
        return new


def domain(values: Sequence[int]) -> str:
    """A domain as the format writes it."""
    if tuple(values) == (0, 1):
        return "bool"
    least, most = min(values), max(values)
    if len(values) == most - least + 1:
        return f"{least}..{most}"
    return f"{{{', '.join(map(str, sorted(values)))}}}"


def linear(word: str, columns: Sequence[tuple[int, str]], number: int) -> str:
    """A sum of weighted names, compared with a number; one of nothing says what it comes to."""
    if not columns:
        return ALWAYS if met(word.rpartition("_")[2], number) else NEVER
    weights, names = split(columns)
    return f"{word}({weights}, {names}, {number})"


def met(relation: str, number: int) -> bool:
    """Does a sum of nothing compare so with a number?"""
    return number == 0 if relation == "eq" else number >= 0


def split(columns: Sequence[tuple[int, str]]) -> tuple[str, str]:
    """The array of the weights, and that of the names."""
    return listed(str(weight) for weight, _ in columns), listed(name for _, name in columns)


def either(held: Sequence[str], denied: Sequence[str]) -> str:
    """A clause."""
    return f"bool_clause({listed(held)}, {listed(denied)})"


def truth(holds: bool) -> str:
    """A truth value."""
    return "true" if holds else "false"


def listed(names: Iterable[str]) -> str:
    """An array."""
    return f"[{', '.join(names)}]"
