"""Of which variables and literals a constraint speaks."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.encoding import graphs
from ggp.encoding.constraints import (
    AllDifferent,
    Circuit,
    Clause,
    Constraint,
    Cumulative,
    DifferentLists,
    Distances,
    Element,
    Encoding,
    Iff,
    Linear,
    Regular,
    Sum,
    Table,
)
from ggp.encoding.graphs import Areas, Joined
from ggp.encoding.literals import Lit


def scope(encoding: Encoding, constraint: Constraint) -> set[int]:
    """The variables that a constraint speaks of."""
    match constraint:
        case Clause(lits):  # most are
            return {encoding.atoms[abs(lit)][0] for lit in lits}
        case AllDifferent(variables) | Regular(variables) | Table(variables) | Cumulative(variables):
            return set(variables)
        case Linear(terms, _, _, _, when):
            spoken = {variable for _, variable in terms}
            return spoken if when is None else spoken | {encoding.atoms[abs(when)][0]}
        case DifferentLists(lists):
            return {variable for variables in lists for variable in variables}
        case Circuit(successors):
            return set(successors)
        case Element(array, index, result):
            return {*array, index, result}
        case Distances(variables):
            return {*variables, *(encoding.atoms[abs(lit)][0] for lit in literals(constraint))}
    return {encoding.atoms[abs(lit)][0] for lit in literals(constraint)}


def literals(constraint: Constraint) -> Iterator[Lit]:
    """Every literal that a constraint holds, as often as it holds it."""
    match constraint:
        case Clause(lits):
            yield from lits
        case Iff(lit, _, lits):
            yield from (lit, *lits)
        case Sum(terms, _, _, _, when):
            yield from (lit for _, lit in terms)
            if when is not None:
                yield when
        case Linear(when=when):
            if when is not None:
                yield when
        case Distances(_, inside, roots, links):
            said = (*inside, *roots, *(link for _, _, link in links))
            yield from (lit for lit in said if not isinstance(lit, bool))
        case Joined() | Areas():
            yield from graphs.literals(constraint)
