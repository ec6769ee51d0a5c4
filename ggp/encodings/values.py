"""The values that stand on cells as integer variables, for goal words that speak of values."""

from __future__ import annotations

from ggp.algebras.symbolic import Formula, Formulas, negate
from ggp.encoding import AllDifferent, Clause, Why
from ggp.kernel import Boards
from ggp.model import Cell, Instance, Term
from ggp.transition import Transition


class CellValues:
    """For each kind with values and each cell, a variable that says which value stands there at the end."""

    def __init__(self, instance: Instance, transition: Transition, algebra: Formulas, boards: Boards) -> None:
        self.instance = instance
        self.transition = transition
        self.algebra = algebra
        self.boards = boards
        self.known: dict[tuple[str, Cell], tuple[int, int | None]] = {}

    def can_say(self, term: Term) -> bool:
        """Does a cell hold one piece at most of what the term speaks of, so that it has one value?"""
        patterns = term.patterns()
        planes = {p for pattern in patterns for p in self.transition.planes_of(self.instance, pattern)}
        return not planes & self.transition.exempt

    def at(self, kind: str, cell: Cell) -> tuple[int, int | None]:
        """(variable, the value that means an empty cell or None if it cannot be empty)."""
        if (kind, cell) not in self.known:
            self.known[kind, cell] = self.make(kind, cell)
        return self.known[kind, cell]

    def make(self, kind: str, cell: Cell) -> tuple[int, int | None]:
        """The variable of the design if it is one, else a new variable tied to what stands there."""
        encoding, at = self.algebra.encoding, cell[0] * self.transition.width + cell[1]
        formulas: dict[int, Formula] = {}
        planes = [plane for plane, piece in enumerate(self.transition.planes) if piece.kind == kind]
        for index, plane in enumerate(planes):  # facings, or the kind itself, count as 1, 2, ...
            variant = self.transition.planes[plane].variant
            formulas[variant if isinstance(variant, int) else index + 1] = self.boards[plane].at(at)
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

    def all_different(self, values: list[tuple[int, int | None]], why: str) -> None:
        """The values differ, empty cells apart."""
        free = {empty for _, empty in values if empty is not None}
        variables = tuple(variable for variable, _ in values)
        self.algebra.encoding.add(AllDifferent(variables, Why(why), tuple(sorted(free))))
