"""Formulas: True, False, a literal, or a conjunction or disjunction of literals that has no name yet."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.encoding.literals import Lit


@dataclass(frozen=True, slots=True)
class And:
    """All of these hold."""

    lits: frozenset[Lit]


@dataclass(frozen=True, slots=True)
class Or:
    """One of these holds."""

    lits: frozenset[Lit]


Formula = bool | Lit | And | Or


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
