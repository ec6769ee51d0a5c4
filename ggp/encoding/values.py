"""What stands on the cells at the end, as variables and literals, for goal words that need more than planes.

Goal words stand below the encodings, so they hand over plain values: formulas, numbers of variables, texts.
A *state* of a cell is the variable of a kind's value there; a *truth* says whether a piece stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from ggp.encoding.constraints import (
    AllDifferent,
    Automaton,
    Circuit,
    Clause,
    Constraint,
    DifferentLists,
    Distances,
    Iff,
    Linear,
    Regular,
    Sum,
    Values,
)
from ggp.encoding.formula import And, Formula, negate
from ggp.encoding.graphs import Areas, Joined
from ggp.encoding.judging import true
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.protocol import Kind, Kinds
from ggp.encoding.patterned import Groups, Write
from ggp.encoding.pictures import places
from ggp.encoding.symbolic import Formulas
from ggp.errors import UnsupportedFeature
from ggp.model import Cell, Instance, Pattern, Term
from ggp.model.board import COMPARE
from ggp.transition.bits import Named
from ggp.transition.kernel import Boards
from ggp.transition.program import Transition

Comparison = Literal["<=", "=", ">="]


class CellValues:
    """The boards at the end as variables and literals, and the constraints of goal words over them."""

    def __init__(
        self,
        instance: Instance,
        transition: Transition,
        algebra: Formulas,
        boards: Boards,
        native: Kinds = frozenset(),
    ) -> None:
        self.native = native
        self.instance = instance
        self.transition = transition
        self.algebra = algebra
        self.boards = boards
        self.encoding = algebra.encoding
        self.known: dict[tuple[str, Cell], tuple[int, int | None]] = {}
        self.planes: dict[Pattern, tuple[int, ...]] = {}
        self.of_kind: dict[str, dict[int, int]] = {}

    def can_say(self, term: Term) -> bool:
        """Does a cell hold one piece at most of what the term speaks of, so that it has one value?

        Raises UnsupportedFeature where it does not, and the term cannot be said otherwise.
        """
        patterns = term.patterns()
        planes = {p for pattern in patterns for p in self.transition.planes_of(self.instance, pattern)}
        said = not planes & self.transition.exempt
        if not said and not hasattr(term, "test"):
            message = f"`{term.source()}` speaks of kinds that merge, which no encoding can say"
            raise UnsupportedFeature(
                message, "search instead (`--solver search`)", getattr(term, "place", None)
            )
        return said

    @property
    def blank(self) -> bool:
        """Is every cell of the board for the design to fill?"""
        return len(self.encoding.placements) == self.transition.height * self.transition.width

    # --- what stands on a cell

    def planes_meant(self, pattern: Pattern) -> tuple[int, ...]:
        """The planes of the pieces that match."""
        planes = self.planes.get(pattern)
        if planes is None:
            planes = self.planes[pattern] = self.transition.planes_of(self.instance, pattern)
        return planes

    def there(self, pattern: Pattern, cell: Cell) -> Formula:
        """Does a piece that matches stand on the cell?"""
        at = cell[0] * self.transition.width + cell[1]
        formula: Formula = False
        for plane in self.planes_meant(pattern):
            formula = self.algebra.disj(formula, self.boards[plane].at(at))
        return formula

    def pieces(self, pattern: Pattern, cell: Cell) -> list[Formula]:
        """For each layer on which such pieces stand, does one of them stand on the cell?"""
        at, found = cell[0] * self.transition.width + cell[1], dict[str, Formula]()
        for plane in self.planes_meant(pattern):
            layer = self.transition.layers[plane]
            found[layer] = self.algebra.disj(found.get(layer, False), self.boards[plane].at(at))
        return [*found.values()]

    def everywhere(self, pattern: Pattern) -> list[Formula]:
        """The same of each cell, in reading order."""
        boards = [self.boards[plane] for plane in self.planes_meant(pattern)]
        size = self.transition.height * self.transition.width
        formulas: list[Formula] = boards[0].spelt_out(size) if boards else [False] * size
        for board in boards[1:]:
            for at, formula in enumerate(board.spelt_out(size)) if board.rest else board.cells.items():
                formulas[at] = self.algebra.disj(formulas[at], formula)
        return formulas

    def places(self, picture: Iterable[tuple[Cell, Pattern | None, bool]]) -> Iterator[list[Formula]]:
        """What must hold for a picture to lie there, for each place at which it may."""
        view = Named(self.instance, self.transition, self.boards)
        asked = [
            (offset, None if pattern is None else view.present(pattern), wanted)
            for offset, pattern, wanted in picture
        ]
        return places(self.algebra, asked)

    def truth(self, formula: Formula) -> Lit | bool:
        """A formula as a literal, or the constant that it is."""
        return formula if isinstance(formula, bool) else self.algebra.literal(formula)

    def denied(self, formula: Formula) -> Formula:
        """The opposite of a formula."""
        return negate(formula)

    def both(self, *formulas: Formula) -> Formula:
        """All of these hold."""
        return formulas[0] if len(formulas) == 1 else self.algebra.every(formulas)

    def either(self, *formulas: Formula) -> Formula:
        """One of these holds."""
        some = [one for one in formulas if one is not False]
        if len(some) < 2:
            return some[0] if some else False
        return negate(self.algebra.every(negate(one) for one in formulas))

    def planes_of_kind(self, kind: str) -> dict[int, int]:
        """The plane of each value; facings, or the kind itself, count as 1, 2, ..."""
        if kind not in self.of_kind:
            found: dict[int, int] = {}
            for plane, piece in enumerate(self.transition.planes):
                if piece.kind == kind:
                    found[piece.variant if isinstance(piece.variant, int) else len(found) + 1] = plane
            self.of_kind[kind] = found
        return self.of_kind[kind]

    def standing(self, kind: str) -> dict[Cell, dict[int, Formula]]:
        """For each cell on which the kind can stand the values that it can have, each with its formula."""
        found: dict[Cell, dict[int, Formula]] = {}
        for value, plane in self.planes_of_kind(kind).items():
            board, width = self.boards[plane], self.transition.width
            known = enumerate(board.spelt_out(width * self.transition.height)) if board.rest else None
            for at, formula in known or board.cells.items():
                if formula is not False:
                    found.setdefault(divmod(at, width), {})[value] = formula
        return found

    def may_hold(self, kind: str, cell: Cell) -> bool:
        """Can a piece of the kind stand on the cell?"""
        at = cell[0] * self.transition.width + cell[1]
        return any(self.boards[plane].at(at) is not False for plane in self.planes_of_kind(kind).values())

    def is_value(self, kind: str, cell: Cell, value: int) -> Formula:
        """Does the kind stand on the cell with that value?"""
        plane = self.planes_of_kind(kind).get(value)
        return False if plane is None else self.boards[plane].at(cell[0] * self.transition.width + cell[1])

    def at(self, kind: str, cell: Cell) -> tuple[int, int | None]:
        """(variable, the value that means an empty cell or None if it cannot be empty)."""
        if (kind, cell) not in self.known:
            self.known[kind, cell] = self.make(kind, cell)
        return self.known[kind, cell]

    def make(self, kind: str, cell: Cell) -> tuple[int, int | None]:
        """The variable of the design if it is one, else a new variable tied to what stands there."""
        encoding, at = self.encoding, cell[0] * self.transition.width + cell[1]
        self.algebra.tick()
        formulas = {value: self.boards[plane].at(at) for value, plane in self.planes_of_kind(kind).items()}
        if tuple(formulas.values()) == encoding.placements.get(cell):  # what the sets below would find out
            variable, _ = encoding.atoms[encoding.placements[cell][0]]
            empty_first = encoding.variables[variable].domain[: -len(formulas)]
            return variable, empty_first[0] if empty_first else None
        atoms = {encoding.atoms[f] for f in formulas.values() if isinstance(f, int) and f > 1}
        owners = {variable for variable, _ in atoms}
        if len(owners) == 1 and atoms == {(*owners, value) for value in formulas}:
            (variable,) = owners
            empty = [v for v in encoding.variables[variable].domain if v not in formulas]
            return variable, empty[0] if empty else None
        sure = True in formulas.values()
        empty_value = None if sure else min(formulas) - 1
        domain = tuple(formulas) if empty_value is None else (empty_value, *formulas)
        variable = encoding.new(kind, cell, domain)
        for value, formula in formulas.items():
            lit = encoding.number(variable, value)
            why = Why(f"{kind} {value} is given" if sure else f"{kind} {value} stands there", None, cell)
            if formula is True:
                encoding.add(Clause((lit,), why))
            elif not sure:
                self.algebra.require(self.algebra.disj(-lit, formula), why)
                self.algebra.require(self.algebra.disj(lit, negate(formula)), why)
        return variable, empty_value

    # --- constraints

    def require(self, term: Term) -> None:
        """What the term says of the boards holds."""
        view = Named(self.instance, self.transition, self.boards)
        self.algebra.require(term.test(self.algebra, view), Why(term.say(self.instance)))

    def all_different(self, values: list[tuple[int, int | None]], why: str) -> None:
        """The values differ, empty cells apart."""
        free = {empty for _, empty in values if empty is not None}
        variables = tuple(variable for variable, _ in values)
        self.post(AllDifferent(variables, Why(why), tuple(sorted(free))))

    def clause(self, formulas: Iterable[Formula], why: str) -> None:
        """At least one of the formulas holds."""
        self.algebra.tick()
        self.algebra.require_one(formulas, Why(why))

    def clauses(self, groups: Iterable[Sequence[Formula]], why: str) -> None:
        """Of each group at least one formula holds."""
        self.algebra.tick()
        self.algebra.require_one_of_each(groups, Why(why))

    def patterned(self, write: Write, groups: Groups, why: str) -> None:
        """Of each group that is written of these at least one formula holds; kept for other boards."""
        self.algebra.tick()
        self.algebra.require_patterned(write, groups, Why(why))

    def count(
        self,
        formulas: Iterable[tuple[int, Formula]],
        comparison: Comparison,
        number: int,
        why: str,
        cell: Cell | None = None,
    ) -> None:
        """The weighted number of formulas that hold compares so with a number."""
        self.count_if(True, formulas, comparison, number, why, cell)

    def count_if(
        self,
        when: Formula,
        formulas: Iterable[tuple[int, Formula]],
        comparison: Comparison,
        number: int,
        why: str,
        cell: Cell | None = None,
    ) -> None:
        """As `count`, where `when` holds."""
        condition = self.truth(when)
        if condition is False:
            return
        terms = []
        for weight, formula in formulas:
            truth = self.truth(formula)
            if isinstance(truth, bool):
                number -= weight * truth
            else:
                terms.append((weight, truth))
        reason = Why(why, None, cell)
        if terms:
            lit = None if condition is True else condition
            self.post(Sum(tuple(terms), comparison, number, reason, lit))
        elif not COMPARE[comparison](0, number):  # known on this map; formats have no sum of nothing
            self.algebra.require(negate(condition), reason)

    def linear(
        self,
        terms: Iterable[tuple[int, int]],
        comparison: Comparison,
        number: int,
        why: str,
        when: Formula = True,
    ) -> None:
        """The weighted sum of variables compares so with a number, where `when` holds."""
        condition = self.truth(when)
        if condition is not False:
            lit = None if condition is True else condition
            self.post(Linear(tuple(terms), comparison, number, Why(why), lit))

    def regular(
        self,
        variables: Iterable[int],
        transitions: Iterable[tuple[int, int, int]],
        finals: Iterable[int],
        why: str,
    ) -> None:
        """The values lead an automaton (state, value, next state) from 0 to one of the final states."""
        self.post(Regular(tuple(variables), Automaton(tuple(transitions), tuple(finals)), Why(why)))

    def different_lists(self, lists: Iterable[Sequence[int]], why: str) -> None:
        """No two of the lists have the same values."""
        self.post(DifferentLists(tuple(map(tuple, lists)), Why(why)))

    def circuit(self, successors: Iterable[int], why: str) -> None:
        """The successors form one circuit."""
        self.post(Circuit(tuple(successors), Why(why)))

    def distances(
        self,
        variables: Sequence[int],
        inside: Sequence[Formula],
        roots: Sequence[Formula],
        links: Iterable[tuple[int, int, Formula]],
        why: str,
    ) -> None:
        """Every node inside is linked to a root, as far away as its variable says."""
        linked = tuple((one, other, self.truth(link)) for one, other, link in links)
        self.post(
            Distances(
                tuple(variables),
                tuple(map(self.truth, inside)),
                tuple(map(self.truth, roots)),
                linked,
                Why(why),
            )
        )

    def takes(self, kind: Kind) -> bool:
        """Does the solver take `joined` or `areas` as it is, or want (few) `steps` one by one?"""
        return kind in self.native

    def joined(self, inside: Iterable[Formula], links: Iterable[tuple[int, int, Formula]], why: str) -> None:
        """The nodes inside are linked to one another."""
        linked = tuple((one, other, self.truth(link)) for one, other, link in links)
        self.post(Joined(tuple(map(self.truth, inside)), linked, Why(why)))

    def areas(
        self,
        inside: Iterable[Formula],
        links: Iterable[tuple[int, int]],
        size: int | None,
        marks: Iterable[tuple[int, int | None]],
        why: str,
        *,
        least: bool = False,
    ) -> None:
        """Each area of nodes inside has `size` of them (`least`: or more), or one mark and its size."""
        linked = tuple((one, other, True) for one, other in links)
        self.post(Areas(tuple(map(self.truth, inside)), linked, size, tuple(marks), Why(why), least))

    def post(self, constraint: Constraint) -> None:
        """Add a constraint, and look at the clock."""
        self.algebra.tick()
        self.encoding.add(constraint)

    # --- variables of a word's own

    def new(self, name: str, index: tuple[int, ...], domain: Sequence[int], note: str) -> int:
        """A new variable, and what it means; `derive` must say what its value is."""
        self.encoding.notes[name] = note
        return self.encoding.new(name, index, tuple(domain))

    def atom(self, variable: int, value: int) -> Formula:
        """ "variable = value"."""
        domain = self.encoding.variables[variable].domain
        return True if domain == (value,) else self.encoding.atom(variable, value)

    def define(self, name: str, cell: Cell, formula: Formula, why: str) -> Formula:
        """A named literal for a formula that is more than one."""
        if isinstance(formula, bool | int):
            return formula
        self.encoding.notes[name] = f"1 at [row][column] if {why}"
        lit = self.encoding.number(self.encoding.new(name, cell, (0, 1)), 1)
        op: Literal["and", "or"] = "and" if isinstance(formula, And) else "or"
        self.post(Iff(lit, op, tuple(sorted(formula.lits)), Why(why)))
        return lit

    def flag(self, pattern: Pattern, cell: Cell) -> int:
        """A variable that is 1 where a piece that matches stands on the cell, else 0."""
        truth = self.truth(self.there(pattern, cell))
        if isinstance(truth, bool):
            return self.constant(pattern.name, cell, int(truth))
        variable, value = self.encoding.atoms[abs(truth)]
        if self.encoding.variables[variable].domain == (0, 1) and (truth > 0) == (value == 1):
            return variable
        flag = self.encoding.new(pattern.name, cell, (0, 1))
        self.post(Iff(self.encoding.number(flag, 1), "or", (truth,), Why(f"where {pattern.name} stands")))
        return flag

    def constant(self, name: str, cell: Cell, value: int) -> int:
        """A variable for what is certain."""
        key = (f"{name} {value}", cell)
        if key not in self.known:
            self.known[key] = (self.encoding.new(name, cell, (value,)), None)
        return self.known[key][0]

    def same(self, one: Formula, other: Formula, why: str) -> None:
        """The two hold together or not at all."""
        self.clause((negate(one), other), why)
        self.clause((one, negate(other)), why)

    def derive(self, rule: Callable[[Callable[[int], int], Callable[[Formula], bool]], Values]) -> None:
        """Say how the word's own variables follow from the others.

        `rule(value, holds)` gets the value of a variable and the truth of a formula, and gives the values.
        """
        encoding = self.encoding

        def derived(values: Values) -> Values | None:
            def said(formula: Formula) -> bool:
                truth = self.truth(formula)
                return truth if isinstance(truth, bool) else true(encoding, truth, values)

            try:
                return rule(values.__getitem__, said)
            except KeyError:  # something that it needs is not known yet
                return None

        encoding.derived.append(derived)

    def neighbours(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Cell]]:
        """Each two of the cells that share a side, the upper or left one first."""
        there = set(cells)
        for row, column in sorted(there):
            for other in ((row, column + 1), (row + 1, column)):
                if other in there:
                    yield (row, column), other
