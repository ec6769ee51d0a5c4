"""An instance as variables and constraints, for any solver.

Variables are integers with small domains (Booleans have {0, 1}). A literal is a whole number other than 0:
`n` says that atom n holds, `-n` that it does not, and an atom is "this variable has this value". Every
constraint carries why it is there, in the words of the description.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ggp.encoding import graphs
from ggp.encoding.graphs import Areas, Joined
from ggp.encoding.literals import Lit, Why
from ggp.errors import short
from ggp.model import Cell, Instance, Piece, Plan
from ggp.transition.program import Transition

Values = Mapping[int, int]  # a value for each variable, by number


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


@dataclass(frozen=True, slots=True)
class Linear:
    """The weighted sum of the variables' values compares so with `number`; only if `when` holds."""

    terms: tuple[tuple[int, int], ...]  # (weight, variable)
    comparison: Literal["<=", "=", ">="]
    number: int
    why: Why
    when: Lit | None = None


class Automaton(NamedTuple):
    """A deterministic finite automaton that starts in state 0; where no transition leads on, it fails."""

    transitions: tuple[tuple[int, int, int], ...]  # (state, value, next state)
    finals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Regular:
    """The variables' values, one after another, lead the automaton to one of its final states."""

    variables: tuple[int, ...]
    automaton: Automaton
    why: Why


@dataclass(frozen=True, slots=True)
class DifferentLists:
    """No two of the lists of variables have the same values; all are of one length."""

    lists: tuple[tuple[int, ...], ...]
    why: Why


@dataclass(frozen=True, slots=True)
class Circuit:
    """Variable i says which node comes after node i; what is its own successor is left out.

    The others form one circuit of at least two nodes.
    """

    successors: tuple[int, ...]
    why: Why


@dataclass(frozen=True, slots=True)
class Distances:
    """Variable i is how many links node i is away from the nearest root; 0 for nodes that are not inside.

    A node is inside if its literal in `inside` holds, and a root if also that in `roots` does. Nodes are
    linked where both are inside and the literal of the link holds. Every node inside can reach a root.
    """

    variables: tuple[int, ...]
    inside: tuple[Lit | bool, ...]
    roots: tuple[Lit | bool, ...]
    links: tuple[tuple[int, int, Lit | bool], ...]
    why: Why


@dataclass(frozen=True, slots=True)
class Element:
    """The variable `result` has the value of the variable of `array` at the place that `index` tells."""

    array: tuple[int, ...]
    index: int
    result: int
    why: Why


@dataclass(frozen=True, slots=True)
class Table:
    """The variables have the values of one of the rows; None in a row stands for any value."""

    variables: tuple[int, ...]
    rows: tuple[tuple[int | None, ...], ...]
    why: Why


@dataclass(frozen=True, slots=True)
class Cumulative:
    """Tasks that run at one time need no more than `limit` together.

    Task i runs from the value of variable i on, `lengths[i]` long, and needs `heights[i]` of what there is.
    Lengths and heights are at least 1.
    """

    starts: tuple[int, ...]
    lengths: tuple[int, ...]
    heights: tuple[int, ...]
    limit: int
    why: Why

    @property
    def one_by_one(self) -> bool:
        """Is there never room for two of them?"""
        return sum(sorted(self.heights)[:2]) > self.limit


Global = Linear | Regular | DifferentLists | Circuit | Distances | Element | Table | Cumulative
"""Constraints over integer variables as a whole: `globals_to_simple` takes them apart, of tasks
`cumulative_to_linear`."""


class Claim(NamedTuple):
    """What stands where after a turn: for each piece, a literal or constant for each cell (row-major)."""

    turn: int
    pieces: Mapping[Piece, Sequence[Lit | bool]]


Constraint = Clause | Iff | Sum | AllDifferent | Global | graphs.Graph


Watch = Mapping[int, list[int]]
"""For each variable the numbers of the constraints that speak of it."""


class Sheet:
    """Clauses in which no literal stands twice, or beside its opposite."""

    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        self.clauses = list(clauses)
        self.atoms = sorted({abs(lit) for clause in clauses for lit in clause.lits})
        self.short = [number for number, clause in enumerate(clauses) if len(clause.lits) < 2]
        self.known: tuple[tuple[int, ...], Watch] = ((), {})
        self.told: tuple[tuple[int, ...], dict[int, list[int]]] = ((), {})

    def watch(self, start: int, owner: Callable[[Lit], int]) -> Watch:
        """Which clauses of two or more literals speak of each variable, if they are numbered from `start`.

        `owner` gives the variable of a literal. The last answer is kept: boards of one size have the same.
        """
        key, (known, found) = (start, *map(owner, self.atoms)), self.known
        if known != key:
            new: dict[int, list[int]] = defaultdict(list)
            for number, clause in enumerate(self.clauses, start):
                for lit in clause.lits if len(clause.lits) > 1 else ():
                    new[owner(lit)].append(number)
            self.known, found = (key, new), new
        return found

    def renumbered(self, new: Callable[[Lit], int]) -> dict[int, list[int]]:
        """Its clauses in other numbers, by their identity. The last answer is kept, and nobody changes it."""
        key, (known, found) = (*map(new, self.atoms),), self.told
        if known != key:
            found = {id(clause): list(map(new, clause.lits)) for clause in self.clauses}
            self.told = key, found
        return found


@dataclass
class Encoding:
    """Variables, constraints, what to make small, and the way back to a plan.

    `atoms[n]` is the (variable, value) of atom n; atoms 0 and 1 are unused, as a literal 1 would equal
    True. `limits` says in words what was cut off: with any of these an answer "none" means "none within
    these limits"; `never` is why there is none in more turns either. `decisions` are the variables that make
    up a plan, each with the value that a given plan gives it; `claims` is what the encoding says stands where
    after each turn (for `ggp.encoding.debug`).
    """

    instance: Instance
    horizon: int
    variables: list[Variable] = field(default_factory=list)
    atoms: list[tuple[int, int]] = field(default_factory=lambda: [(-1, 0), (-1, 0)])
    constraints: list[Constraint] = field(default_factory=list)
    minimise: tuple[tuple[int, Lit], ...] = ()
    offset: int = 0  # added to what is minimised
    fixed: dict[int, int] = field(default_factory=dict)  # variables whose value is certain
    idle: dict[int, int] = field(default_factory=dict)  # variables of which nothing speaks, with some value
    limits: list[str] = field(default_factory=list)
    never: str = ""
    decoder: Callable[[Values], Plan] | None = None
    decisions: dict[int, Callable[[Plan], int]] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    placements: dict[Cell, tuple[Lit, ...]] = field(default_factory=dict)  # of each free cell
    transition: Transition | None = None
    notes: dict[str, str] = field(
        default_factory=dict
    )  # what the variables of a name mean, if it is not plain
    sheets: list[tuple[int, Sheet]] = field(default_factory=list)  # and the number of its first constraint
    # What gives further variables their values, from those that are known; None as long as it cannot.
    derived: list[Callable[[Values], Values | None]] = field(default_factory=list)
    atom_numbers: dict[tuple[int, int], int] = field(default_factory=dict)
    names: dict[tuple[str, tuple[int, ...]], int] = field(
        default_factory=dict
    )  # how often each was asked for

    def new(
        self, name: str, index: tuple[int, ...], domain: Sequence[int], meaning: Meaning = "derived"
    ) -> int:
        """The number of a new variable; a name that is taken gets a suffix."""
        unique, count = name, self.names.get((name, index), 0)
        while (unique, index) in self.names:
            count += 1
            unique = f"{name}_{count}"
        self.names[unique, index] = 1
        if unique != name:
            self.names[name, index] = count  # passes of a turn ask for one name many times
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

    def lay(self, variables: Sequence[Variable], atoms: Sequence[tuple[int, int]]) -> None:
        """New variables of names that are not taken, with all of their atoms."""
        names = {(one.name, one.index): 1 for one in variables}
        assert self.names.keys().isdisjoint(names), "these are told first"
        self.names |= names
        self.variables += variables
        self.atom_numbers.update({atom: number for number, atom in enumerate(atoms, len(self.atoms))})
        self.atoms += atoms

    def add(self, constraint: Constraint) -> None:
        """Add a constraint."""
        self.constraints.append(constraint)

    def decode(self, values: Values) -> Plan:
        """The plan that an assignment stands for."""
        if self.decoder is None:
            raise ValueError("this encoding has no decoder")
        return self.decoder({**values, **self.settled})

    def text(self, lit: Lit) -> str:
        """A literal in words that a reader can follow."""
        variable, value = self.atoms[abs(lit)]
        name, boolean = str(self.variables[variable]), self.variables[variable].domain == (0, 1)
        if boolean:
            return name if lit > 0 else f"not {name}"
        return f"{name} {'=' if lit > 0 else '!='} {value}"

    def said(self, constraint: Constraint) -> str:
        """A constraint in words: what it says of which variables; of a long one the beginning."""
        return short(words(self, constraint))

    @property
    def settled(self) -> dict[int, int]:
        """Variables that are nobody's business any more: certain, or such that nothing speaks of them."""
        return self.fixed | self.idle

    @property
    def sizes(self) -> dict[str, int]:
        """How many variables and constraints there are."""
        free = len(self.variables) - len(self.settled)
        return {"variables": free, "constraints": len(self.constraints)}


TOGETHER: dict[type, str] = {
    Regular: "are accepted by an automaton",
    Circuit: "form one circuit",
    Distances: "are distances from the roots",
    Table: "are a row of a table",
}


def words(encoding: Encoding, constraint: Constraint) -> str:
    """A constraint in words that name its variables."""

    def named(variables: Sequence[int]) -> str:
        return ", ".join(str(encoding.variables[v]) for v in variables)

    def told(lits: Sequence[Lit | bool]) -> str:
        return ", ".join(encoding.text(lit) for lit in lits if not isinstance(lit, bool))

    def total(terms: Sequence[tuple[int, str]]) -> str:
        return " + ".join(text if weight == 1 else f"{weight} * {text}" for weight, text in terms) or "0"

    match constraint:
        case Clause(lits):
            return " or ".join(map(encoding.text, lits)) or "nothing can hold"
        case Iff(lit, op, lits):
            return f"{encoding.text(lit)} if and only if {f' {op} '.join(map(encoding.text, lits))}"
        case Sum(terms, comparison, number, _, when):
            said = total([(weight, encoding.text(lit)) for weight, lit in terms])
        case Linear(terms, comparison, number, _, when):
            said = total([(weight, str(encoding.variables[v])) for weight, v in terms])
        case AllDifferent(variables, _, free):
            apart = f", apart from {', '.join(map(str, free))}" if free else ""
            return f"{named(variables)} all differ{apart}"
        case Regular(variables) | Circuit(variables) | Distances(variables) | Table(variables):
            return f"{named(variables)} {TOGETHER[type(constraint)]}"
        case Cumulative(starts, lengths, heights, limit):
            tasks = zip(starts, lengths, heights, strict=True)
            told_of = [f"{encoding.variables[v]} ({long} long, {high} high)" for v, long, high in tasks]
            return f"at no time more than {limit} are needed by tasks from {', '.join(told_of)}"
        case DifferentLists(lists):
            return f"no two are alike of {'; '.join(map(named, lists))}"
        case Element(array, index, result):
            at = encoding.variables[index]
            return f"{encoding.variables[result]} is what stands at {at} of {named(array)}"
        case Joined(inside):
            return f"what holds of {told(inside)} is joined"
        case Areas(inside, size=size):
            return f"what holds of {told(inside)} falls into areas of {size or 'as many as is marked'}"
    condition = "" if when is None else f"if {encoding.text(when)} then "
    return f"{condition}{said} {comparison} {number}"
