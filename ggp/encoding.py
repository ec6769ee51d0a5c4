"""An instance as variables and constraints, for any solver.

Variables are integers with small domains (Booleans have {0, 1}). A literal is a whole number other than 0:
`n` says that atom n holds, `-n` that it does not, and an atom is "this variable has this value". Every
constraint carries why it is there, in the words of the description.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ggp.errors import Place
from ggp.model import Cell, Instance, Piece, Plan
from ggp.transition import Transition

Lit = int
Values = Mapping[int, int]  # a value for each variable, by number


class Why(NamedTuple):
    """Where a constraint comes from: what it says, at which turn and cell, and the line that says so."""

    text: str
    turn: int | None = None
    cell: Cell | None = None
    place: Place | None = None

    def __str__(self) -> str:
        parts = [self.text]
        if self.cell is not None:
            parts.append(f"at {self.cell}")
        if self.turn is not None:
            parts.append(f"in turn {self.turn}")
        text = " ".join(parts)
        return f"{self.place}: {text}" if self.place is not None else text


Meaning = Literal["design", "action", "derived"]
"""What a variable stands for: what is placed on a cell, the input of a turn, or what follows from others."""


@dataclass(frozen=True, slots=True)
class Variable:
    """An integer variable. Variables of one `name` form an array; `index` is the place in it."""

    name: str
    index: tuple[int, ...]
    domain: tuple[int, ...]
    meaning: Meaning

    def __str__(self) -> str:
        return self.name + "".join(f"[{i}]" for i in self.index)


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one of the literals holds."""

    lits: tuple[Lit, ...]
    why: Why


@dataclass(frozen=True, slots=True)
class Iff:
    """`lit` holds exactly if all (`and`) or any (`or`) of `lits` do."""

    lit: Lit
    op: Literal["and", "or"]
    lits: tuple[Lit, ...]
    why: Why


@dataclass(frozen=True, slots=True)
class Sum:
    """The weighted number of literals that hold compares so with `number`; only if `when` holds."""

    terms: tuple[tuple[int, Lit], ...]
    comparison: Literal["<=", "=", ">="]
    number: int
    why: Why
    when: Lit | None = None


@dataclass(frozen=True, slots=True)
class AllDifferent:
    """The variables' values all differ, apart from those in `free`."""

    variables: tuple[int, ...]
    why: Why
    free: tuple[int, ...] = ()


class Claim(NamedTuple):
    """What stands where after a turn: for each piece, a literal or constant for each cell (row-major)."""

    turn: int
    pieces: Mapping[Piece, Sequence[Lit | bool]]


Constraint = Clause | Iff | Sum | AllDifferent


@dataclass
class Encoding:
    """Variables, constraints, what to make small, and the way back to a plan.

    `atoms[n]` is the (variable, value) of atom n; atoms 0 and 1 are unused, as a literal 1 would equal
    True. `limits` says in words what was cut off: with any of these an answer "none" means "none within
    these limits". `decisions` are the variables that make up a plan, each with the value that a given
    plan gives it; `claims` is what the encoding says stands where after each turn (for `ggp.debug`).
    """

    instance: Instance
    horizon: int
    variables: list[Variable] = field(default_factory=list)
    atoms: list[tuple[int, int]] = field(default_factory=lambda: [(-1, 0), (-1, 0)])
    constraints: list[Constraint] = field(default_factory=list)
    minimise: tuple[tuple[int, Lit], ...] = ()
    offset: int = 0  # added to what is minimised
    fixed: dict[int, int] = field(default_factory=dict)  # variables whose value is known
    limits: list[str] = field(default_factory=list)
    decoder: Callable[[Values], Plan] | None = None
    decisions: dict[int, Callable[[Plan], int]] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    placements: dict[Cell, tuple[Lit, ...]] = field(default_factory=dict)  # of each free cell
    transition: Transition | None = None
    atom_numbers: dict[tuple[int, int], int] = field(default_factory=dict)
    names: set[tuple[str, tuple[int, ...]]] = field(default_factory=set)

    def new(
        self, name: str, index: tuple[int, ...], domain: Sequence[int], meaning: Meaning = "derived"
    ) -> int:
        """The number of a new variable; a name that is taken gets a suffix."""
        unique, count = name, 1
        while (unique, index) in self.names:
            count += 1
            unique = f"{name}_{count}"
        self.names.add((unique, index))
        self.variables.append(Variable(unique, index, tuple(domain), meaning))
        return len(self.variables) - 1

    def atom(self, variable: int, value: int) -> Lit | bool:
        """The literal "variable = value"; False where the domain has no such value."""
        domain = self.variables[variable].domain
        if value not in domain:
            return False
        if domain == (0, 1) and value == 0:
            return -self.number(variable, 1)
        return self.number(variable, value)

    def number(self, variable: int, value: int) -> int:
        """The number of an atom."""
        key = (variable, value)
        if key not in self.atom_numbers:
            self.atom_numbers[key] = len(self.atoms)
            self.atoms.append(key)
        return self.atom_numbers[key]

    def add(self, constraint: Constraint) -> None:
        """Add a constraint."""
        self.constraints.append(constraint)

    def decode(self, values: Values) -> Plan:
        """The plan that an assignment stands for."""
        if self.decoder is None:
            raise ValueError("this encoding has no decoder")
        return self.decoder({**values, **self.fixed})

    def text(self, lit: Lit) -> str:
        """A literal in words that a reader can follow."""
        variable, value = self.atoms[abs(lit)]
        name, boolean = str(self.variables[variable]), self.variables[variable].domain == (0, 1)
        if boolean:
            return name if lit > 0 else f"not {name}"
        return f"{name} {'=' if lit > 0 else '!='} {value}"

    @property
    def sizes(self) -> dict[str, int]:
        """How many variables and constraints there are."""
        free = len(self.variables) - len(self.fixed)
        return {"variables": free, "constraints": len(self.constraints)}


def true(encoding: Encoding, lit: Lit, values: Values) -> bool:
    """Does a literal hold under these values?"""
    variable, value = encoding.atoms[abs(lit)]
    return (values[variable] == value) == (lit > 0)


def holds(encoding: Encoding, constraint: Constraint, values: Values) -> bool:
    """Does a constraint hold under these values (every variable has one)?"""
    match constraint:
        case Clause(lits):
            return any(true(encoding, lit, values) for lit in lits)
        case Iff(lit, op, lits):
            fold = all if op == "and" else any
            return true(encoding, lit, values) == fold(true(encoding, one, values) for one in lits)
        case Sum(terms, comparison, number, _, when):
            if when is not None and not true(encoding, when, values):
                return True
            total = sum(weight for weight, lit in terms if true(encoding, lit, values))
            return {"<=": total <= number, "=": total == number, ">=": total >= number}[comparison]
        case AllDifferent(variables, _, free):
            taken = [values[v] for v in variables if values[v] not in free]
            return len(taken) == len(set(taken))
