"""Source: an encoding before propagation. Target: one of the solutions that are turns or mirrors of another.

A turn or mirror of the board counts if it takes every variable to one with the same values, and the
constraints to themselves: that is looked up, never assumed. Of the places that it can go to, one cell is to
hold the least value; among what is left then, a second one. Solutions are lost, but never all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ggp.encoding.constraints import (
    AllDifferent,
    Clause,
    Constraint,
    DifferentLists,
    Encoding,
    Iff,
    Linear,
    Sum,
)
from ggp.encoding.literals import Lit, Why

SYMMETRY = True
WHY = "of what turns and mirrors of the board make alike, the least comes first"
Turn = Callable[[int, int, int, int], tuple[int, int]]
TURNS: tuple[Turn, ...] = (
    lambda row, column, last_row, last_column: (row, last_column - column),
    lambda row, column, last_row, last_column: (last_row - row, column),
    lambda row, column, last_row, last_column: (last_row - row, last_column - column),
    lambda row, column, last_row, last_column: (column, row),
    lambda row, column, last_row, last_column: (column, last_row - row),
    lambda row, column, last_row, last_column: (last_column - column, row),
    lambda row, column, last_row, last_column: (last_column - column, last_row - row),
)


def lower(encoding: Encoding) -> Encoding:
    """The encoding with the least of what is alike in a corner, or wherever most cells are alike."""
    group = list(symmetries(encoding))
    added: list[Constraint] = []
    decided = list(encoding.decisions)
    while group:
        orbit = {v: {turned.get(v, v) for turned in group} - {v} for v in decided}
        anchor = max(decided, key=lambda v: len(orbit[v]))  # the first of the largest
        for other in sorted(orbit[anchor]):
            added.append(Linear(((1, anchor), (-1, other)), "<=", 0, Why(WHY)))
        group = [turned for turned in group if turned.get(anchor, anchor) == anchor]
    return replace(encoding, constraints=[*encoding.constraints, *added])


def symmetries(encoding: Encoding) -> Iterator[dict[int, int]]:
    """Where each turn or mirror that keeps the encoding as it is takes each variable to."""
    board = encoding.instance.level.board
    places = {(variable.name, variable.index): v for v, variable in enumerate(encoding.variables)}
    if encoding.fixed or encoding.idle or any(len(index) != 2 for _, index in places):
        return  # what is no map of the board has no turns that would be known
    here = form(encoding, {v: v for v in places.values()})
    for turn in TURNS:
        moved: dict[int, int] = {}
        for (name, (row, column)), v in places.items():
            to = places.get((name, turn(row, column, len(board) - 1, len(board[0]) - 1)))
            if to is None or encoding.variables[to].domain != encoding.variables[v].domain:
                break
            moved[v] = to
        else:
            moves = any(v != moved[v] for v in encoding.decisions)
            if moves and here is not None and form(encoding, moved) == here:
                yield moved


def form(encoding: Encoding, to: dict[int, int]) -> Counter[Any] | None:
    """The constraints with each variable renamed, in no order; None where one cannot be read like this."""

    def atom(lit: Lit) -> tuple[int, int, bool]:
        variable, value = encoding.atoms[abs(lit)]
        return to[variable], value, lit > 0

    def term(weighted: tuple[int, Lit]) -> tuple[int, tuple[int, int, bool]]:
        return weighted[0], atom(weighted[1])

    found: Counter[Any] = Counter()
    for constraint in encoding.constraints:
        match constraint:
            case AllDifferent(variables, _, free):
                found["different", tuple(sorted(to[v] for v in variables)), free] += 1
            case DifferentLists(lists):
                found["lists", tuple(sorted(tuple(to[v] for v in one) for one in lists))] += 1
            case Clause(lits):
                found["clause", tuple(sorted(map(atom, lits)))] += 1
            case Iff(lit, op, lits):
                found["iff", atom(lit), op, tuple(sorted(map(atom, lits)))] += 1
            case Sum(terms, comparison, number, _, when):
                said = None if when is None else atom(when)
                found["sum", tuple(sorted(map(term, terms))), comparison, number, said] += 1
            case Linear(terms, comparison, number, _, when):
                said = None if when is None else atom(when)
                sides = tuple(sorted((weight, to[v]) for weight, v in terms))
                found["linear", sides, comparison, number, said] += 1
            case _:
                return None
    found["least", tuple(sorted(map(term, encoding.minimise)))] += 1
    return found
