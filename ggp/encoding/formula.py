"""Formulas, and boards of them.

A formula is True, False, a literal, or a conjunction or disjunction of literals that has no name yet. A field
has a formula for each cell; almost all of them are constants, and only the others are stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ggp.encoding.literals import Lit

if TYPE_CHECKING:
    from ggp.encoding.symbolic import Formulas


@dataclass(frozen=True, slots=True)
class And:
    """All of these hold."""

    lits: frozenset[Lit]


@dataclass(frozen=True, slots=True)
class Or:
    """One of these holds."""

    lits: frozenset[Lit]


Formula = bool | Lit | And | Or


class Field:
    """A formula for each cell: those in `cells` by cell number, all others the constant `rest`."""

    __slots__ = ("algebra", "cells", "rest")

    def __init__(self, algebra: Formulas, cells: dict[int, Formula], rest: bool = False) -> None:
        self.algebra = algebra
        self.cells = {cell: formula for cell, formula in cells.items() if formula is not rest}
        self.rest = rest

    def at(self, cell: int) -> Formula:
        """The formula of a cell."""
        return self.cells.get(cell, self.rest)

    def __and__(self, other: Field) -> Field:
        conj = self.algebra.conj
        if self.rest and other.rest:
            keys: Iterable[int] = self.cells.keys() | other.cells.keys()
        elif self.rest or (not other.rest and len(other.cells) < len(self.cells)):
            keys = other.cells
        else:
            keys = self.cells
        return Field(self.algebra, {c: conj(self.at(c), other.at(c)) for c in keys}, self.rest and other.rest)

    def __or__(self, other: Field) -> Field:
        if not self.cells and not self.rest:
            return other
        if not other.cells and not other.rest:
            return self
        self.algebra.tick()  # what is shared already makes no new part: unions of many rules would go unheard
        disj = self.algebra.disj
        keys = self.cells.keys() | other.cells.keys()
        return Field(self.algebra, {c: disj(self.at(c), other.at(c)) for c in keys}, self.rest or other.rest)

    def __invert__(self) -> Field:
        return Field(self.algebra, {c: negate(f) for c, f in self.cells.items()}, not self.rest)


def negate(formula: Formula) -> Formula:
    """The opposite."""
    # The classes themselves are asked for, as this is called more often than anything else.
    sort = formula.__class__
    if sort is int:
        return -formula  # type: ignore[operator]
    if sort is bool:
        return not formula
    opposite = frozenset([-lit for lit in formula.lits])  # type: ignore[union-attr]
    return Or(opposite) if sort is And else And(opposite)
