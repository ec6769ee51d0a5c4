"""Source: an encoding. Target: arrays, and constraints as trees, grouped by what they say.

For formats whose readers know arrays, sums, all-different and nested expressions. A part that the encoder
only named to use it once is written out where it is used; a definition is an equivalence, a clause an
implication, and what a variable is known to be is an equation. Values are plain JSON (see `Model`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypedDict

from ggp.encoding.constraints import (
    AllDifferent,
    Clause,
    Constraint,
    Encoding,
    Global,
    Iff,
    Linear,
    Sum,
    Variable,
)
from ggp.encoding.literals import Lit
from ggp.encoding.lowering import global_trees
from ggp.encoding.lowering.legends import Legends
from ggp.encoding.lowering.readable import nameless
from ggp.encoding.lowering.shifts import Shift, equation, shifts
from ggp.encoding.lowering.strategy import strategy
from ggp.encoding.lowering.sum_trees import opposite, sum_tree, terms, total
from ggp.encoding.lowering.trees import Tree, abstracted, same, truth
from ggp.encoding.scopes import literals, scope
from ggp.model.names import Names

SHORT = 2  # a part of so many literals is written out each time, however often it is used
NAMELESS = "part"  # the array of parts that stay variables
GLOBAL = ("sum", "all-different", "regular", "different-lists", "circuit", "element", "table")


class Array(TypedDict):
    """Variables of one name. Cells that no domain lists do not exist."""

    name: str
    note: str
    size: list[int]
    domains: list[tuple[list[int], list[list[int]]]]


class Form(TypedDict):
    """Constraints of one form: a tree in which `%0`, `%1`, ... stand for the variables of each row."""

    tree: Tree
    rows: list[list[str]]


class Group(TypedDict):
    """Constraints that say the same of different cells and turns.

    A global one is `["sum", [[weight, tree, row], ...], "le" | "eq" | "ge", number]`, `["all-different",
    variables, excepted values]` (or `[variable, what is added]` for each variable), `["regular", variables,
    [[state, value, state], ...], final states]` (the first state is 0), `["different-lists", lists of
    variables]`, `["circuit", variables]`, `["element", variables, index, result]` or `["table", lists of
    variables, rows]` (each list has the values of a row; None in it is any value).
    """

    note: str
    forms: list[Form]
    globals: list[list[Any]]


class Decide(TypedDict):
    """Which variables a solver might decide first, and how: `ggp.model.hints` says what the words mean."""

    variables: list[str]
    order: str
    values: str


class Model(TypedDict):
    """What a file of such a format holds."""

    arrays: list[Array]
    groups: list[Group]
    decide: Decide | None
    minimise: list[list[Any]] | None  # [weight, tree, row], ...


def model(encoding: Encoding, names: Names, *, minimise: bool = False) -> Model:
    """The trees of an encoding. Variables that are fixed and no part of a plan are left out."""
    return Trees(encoding, names).model(minimise)


@dataclass
class Trees:
    """Writes one model; with `tables` for whoever takes long ones well.

    `shifted`: all-different has `x + 3` where a variable of its own would stand for that.
    """

    encoding: Encoding
    names: Names
    tables: bool = False
    shifted: bool = False
    called: dict[int, str] = field(default_factory=dict)
    inlined: dict[int, Iff] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.legends = Legends(self.encoding)
        self.inlined = dict(self.parts())
        self.shifts: dict[int, Shift] = shifts(self.encoding) if self.shifted else {}
        bound: set[int] = set()
        for constraint in self.encoding.constraints:
            bound |= scope(self.encoding, constraint)
        spoken_of = bound | {self.encoding.atoms[abs(lit)][0] for _, lit in self.encoding.minimise}
        decisions = self.encoding.decisions.keys() - self.encoding.fixed.keys()
        self.free = sorted(decisions - bound)  # decisions that nothing hangs on, or only what is to be small
        wanted = (spoken_of - self.encoding.fixed.keys()) | self.encoding.decisions.keys()
        for constraint in self.encoding.constraints:
            if isinstance(constraint, Global):  # these speak of all their variables, known or not
                wanted |= scope(self.encoding, constraint)
        unwanted = set(range(len(self.encoding.variables))) - wanted
        self.left_out = self.inlined.keys() | self.shifts.keys() | unwanted

    def model(self, minimise: bool) -> Model:
        """Arrays, groups, and what is to be small."""
        arrays = self.arrays()
        forms: dict[str, dict[str, Form]] = defaultdict(dict)
        rest: dict[str, list[list[Any]]] = defaultdict(list)
        order: dict[str, None] = {}
        for note, tree in self.said():
            order.setdefault(note)
            if tree[0] in GLOBAL:
                last = rest[note][-1] if rest[note] else None
                if tree[0] == "table" and last is not None and last[2] is tree[2]:
                    last[1] += tree[1]  # a table may be long, and the same turn after turn
                else:
                    rest[note].append(tree)
                continue
            row: list[str] = []
            pattern = abstracted(tree, row)
            forms[note].setdefault(str(pattern), Form(tree=pattern, rows=[]))["rows"].append(row)
        groups = [Group(note=note, forms=list(forms[note].values()), globals=rest[note]) for note in order]
        goal = terms(self.encoding.minimise, self.lit)[0] if minimise else []
        return Model(arrays=arrays, groups=groups, decide=self.decide(), minimise=goal or None)

    def decide(self) -> Decide | None:
        """What the description hints at, for those of the variables that are in the file."""
        hinted = strategy(self.encoding)
        names = [self.called[v] for v in hinted.variables if v in self.called] if hinted else []
        if hinted is None or not names:
            return None
        return Decide(variables=names, order=hinted.order, values=hinted.values)

    # --- parts that have no name of their own

    def parts(self) -> Iterator[tuple[int, Iff]]:
        """The definitions of nameless parts that are short, or used once."""
        uses: Counter[int] = Counter()
        defined: dict[int, Iff] = {}
        summed = {abs(lit) for _, lit in self.encoding.minimise}
        for constraint in self.encoding.constraints:
            for lit in literals(constraint):
                uses[self.encoding.atoms[abs(lit)][0]] += 1
            if isinstance(constraint, Sum):
                summed.update(map(abs, literals(constraint)))
            if isinstance(constraint, Iff) and constraint.lit > 0:
                number = self.encoding.atoms[constraint.lit][0]
                if nameless(self.encoding.variables[number]):
                    defined[number] = constraint
        for number, definition in defined.items():
            if definition.lit not in summed and (uses[number] <= 2 or len(definition.lits) <= SHORT):
                yield number, definition

    def definition(self, lit: Lit) -> tuple[str, tuple[Lit, ...]] | None:
        """(operator, literals) that a literal stands for, if it is a part to be written out."""
        found = self.inlined.get(self.encoding.atoms[abs(lit)][0])
        if found is None:
            return None
        if lit > 0:
            return found.op, found.lits
        return ("or" if found.op == "and" else "and"), tuple(-one for one in found.lits)

    # --- variables

    def arrays(self) -> list[Array]:
        """The arrays, in the order of their first variables."""
        found: dict[str, dict[tuple[int, ...], Variable]] = {}
        called: dict[tuple[str, int], str] = {}
        for number, variable in enumerate(self.encoding.variables):
            if number in self.left_out:
                continue
            index = variable.index or (0,)
            part = nameless(variable)
            name = NAMELESS if part else variable.name
            key = name, len(index)
            if key not in called:  # one name may stand for arrays of several dimensions
                called[key] = self.names.of(name)
                if called[key] in found:
                    called[key] = self.names.of(f"{name}_{len(index)}")
                found[called[key]] = {}
            cells = found[called[key]]
            if part:
                index = (len(cells),)
            cells[index] = variable
            self.called[number] = called[key] + "".join(f"[{i}]" for i in index)
        return [self.array(name, cells) for name, cells in found.items()]

    def array(self, name: str, cells: dict[tuple[int, ...], Variable]) -> Array:
        """One array: over the whole board where it has a row and a column, else as long as need be."""
        size = [max(numbers) + 1 for numbers in zip(*cells, strict=True)]
        if len(size) > 1:
            board = self.encoding.instance.level.board
            size[-2:] = max(size[-2], len(board)), max(size[-1], len(board[0]))
        domains: dict[tuple[int, ...], list[list[int]]] = defaultdict(list)
        for index, variable in cells.items():
            domains[variable.domain].append(list(index))
        note = self.legends.of_array(next(iter(cells.values())), len(size))
        return Array(
            name=name, note=note, size=size, domains=[(list(domain), of) for domain, of in domains.items()]
        )

    # --- constraints

    def said(self) -> Iterator[tuple[str, Tree]]:
        """(note, tree) of each constraint, in their order; what is certain of a plan comes first.

        A decision that no constraint depends on is said to have some value: readers may overlook it
        otherwise, and some take no file without a constraint.
        """
        for number in self.free:
            yield "free to choose", ["ge", self.called[number], min(self.encoding.variables[number].domain)]
        for number, value in self.encoding.fixed.items():
            if number in self.called:
                yield "certain from the start", ["eq", self.called[number], value]
        waiting: Sum | None = None  # the first half of a sum that says both when it holds and when not
        for constraint in self.encoding.constraints:
            if isinstance(constraint, Sum) and waiting is not None and opposite(waiting, constraint):
                both = ["iff", self.lit(waiting.when or 0), total(waiting, self.lit)]
                yield self.legends.of_constraint(waiting), both
                waiting = None
                continue
            if waiting is not None:
                yield self.legends.of_constraint(waiting), sum_tree(waiting, self.lit)
                waiting = None
            if isinstance(constraint, Sum) and constraint.when is not None:
                waiting = constraint
                continue
            if isinstance(constraint, Linear) and any(
                moved in self.shifts for moved, _ in equation(constraint)
            ):
                continue  # it is written out where it is used
            if isinstance(constraint, Global):
                note = self.legends.of_constraint(constraint)
                trees = global_trees.trees(
                    constraint, self.encoding, self.called, self.tree, tables=self.tables
                )
                yield from ((note, tree) for tree in trees)
                continue
            tree = self.constraint(constraint)
            if tree is not None:
                yield self.legends.of_constraint(constraint), tree
        if waiting is not None:
            yield self.legends.of_constraint(waiting), sum_tree(waiting, self.lit)

    def constraint(self, constraint: Constraint) -> Tree | None:
        """The tree of one constraint; None for a definition that is written out where it is used."""
        match constraint:
            case Clause(lits):
                return self.clause(lits)
            case Iff(lit, op, lits):
                if self.encoding.atoms[abs(lit)][0] in self.inlined:
                    return None
                return same(self.lit(lit), self.fold(op, lits))
            case Sum():
                return sum_tree(constraint, self.lit)
            case AllDifferent(variables, _, free):
                return ["all-different", self.different(variables), list(free)]
        raise AssertionError(f"{type(constraint).__name__} is said elsewhere")

    def different(self, variables: tuple[int, ...]) -> list[Any]:
        """The variables of an all-different: names, or names with what is added, if only 0.

        Choco's reader of groups takes no names beside sums.
        """
        if not self.shifts.keys() & set(variables):
            return [self.called[v] for v in variables]
        there = (self.shifts.get(v, Shift(v, 0)) for v in variables)
        return [[self.called[shift.variable], shift.added] for shift in there]

    def clause(self, lits: tuple[Lit, ...]) -> Tree:
        """A clause: if what it denies holds, then one of the others."""
        lits = tuple(self.flat("or", lits))
        denied = [lit for lit in lits if lit < 0 and self.definition(lit) is None]
        if not lits:  # ACE stops at an expression of two variables that never holds
            if not self.called:
                return ["gt", 0, 0]
            number, name = next(iter(self.called.items()))
            return ["gt", name, max(self.encoding.variables[number].domain)]
        if not denied or len(denied) == len(lits) == 1:
            return truth(self.fold("or", lits))
        premise = self.fold("and", [-lit for lit in denied])
        left = [lit for lit in lits if lit not in denied]
        return ["imp", premise, self.fold("or", left)] if left else ["not", premise]

    def flat(self, op: str, lits: Iterable[Lit]) -> Iterator[Lit]:
        """The literals, parts of the same operator taken apart."""
        for lit in lits:
            found = self.definition(lit)
            if found is not None and (found[0] == op or len(found[1]) == 1):
                yield from self.flat(op, found[1])
            else:
                yield lit

    def fold(self, op: str, lits: Iterable[Lit]) -> Tree:
        """All or any of the literals; those that hold come before those that do not."""
        lits = sorted(self.flat(op, lits), key=lambda lit: lit < 0)
        trees: list[Tree] = []
        seen: set[Lit] = set()
        for lit in lits:
            if lit not in seen:
                other = self.mirrored(lit, lits) if op == "or" else None
                if other is None:
                    trees.append(self.tree(lit))
                else:
                    seen.add(other[0])
                    trees.append(["ne", self.lit(other[1]), self.lit(other[2])])
        return [op, *trees] if len(trees) > 1 else trees[0]

    def mirrored(self, lit: Lit, lits: list[Lit]) -> tuple[Lit, Lit, Lit] | None:
        """(other, a, b) if this part is "a and not b" and another of the literals is "b and not a"."""
        found = self.definition(lit)
        if found is None or len(found[1]) != 2 or len({one > 0 for one in found[1]}) != 2:
            return None
        if any(self.definition(one) is not None for one in found[1]):
            return None
        for other in lits:
            second = self.definition(other)
            if second is not None and set(second[1]) == {-one for one in found[1]}:
                a, b = sorted(abs(one) for one in found[1])
                return other, a, b
        return None

    def tree(self, lit: Lit) -> Tree:
        """A literal, or what it stands for."""
        found = self.definition(lit)
        return self.lit(lit) if found is None else self.fold(*found)

    def lit(self, lit: Lit) -> Tree:
        """A literal of a variable that the file has."""
        number, value = self.encoding.atoms[abs(lit)]
        name = self.called[number]
        if self.encoding.variables[number].domain == (0, 1):
            return name if (lit > 0) == (value == 1) else ["not", name]
        return ["eq" if lit > 0 else "ne", name, value]
