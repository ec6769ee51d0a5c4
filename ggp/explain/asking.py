"""Asking the constraint solver about an encoding, or a part of one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ggp.encoding.constraints import Clause, Encoding, Values
from ggp.encoding.literals import Why
from ggp.encoding.lowering.propagate import propagated
from ggp.explain.opened import Opened, Placed
from ggp.model import Cell, Piece
from ggp.model.result import Clock
from ggp.tasks.oracle import model_of


def answer(encoding: Encoding, clock: Clock | None = None) -> Values | None:
    """Values that meet every constraint, None if there are none; raises OutOfTime."""
    clock = clock or Clock()
    simpler = propagated(encoding, clock.check)
    if any(isinstance(one, Clause) and not one.lits for one in simpler.constraints):
        return None
    return model_of(simpler, clock)


def assignment(
    opened: Opened,
    facts: Placed,
    *,
    other_than: Placed | None = None,
    constraints: Collection[int] | None = None,
    clock: Clock | None = None,
) -> dict[Cell, Piece | None] | None:
    """What can stand on the free cells when these facts hold; None if nothing can.

    `other_than`: on one of these cells something else must stand. `constraints`: only these, by number.
    """
    whole = opened.encoding
    kept = whole.constraints if constraints is None else [whole.constraints[n] for n in sorted(constraints)]
    # A copy, for new atoms are numbered in place.
    encoding = replace(whole, constraints=[*kept], atoms=[*whole.atoms], atom_numbers={**whole.atom_numbers})
    for cell, piece in facts.items():
        lit = encoding.number(opened.variables[cell], opened.value(cell, piece))
        encoding.add(Clause((lit,), Why("a fact", None, cell)))
    if other_than is not None:
        lits = [
            -encoding.number(opened.variables[cell], opened.value(cell, piece))
            for cell, piece in other_than.items()
        ]
        encoding.add(Clause(tuple(lits), Why("another answer")))
    values = answer(encoding, clock)
    return None if values is None else meaning(opened, values)


def meaning(opened: Opened, values: Values) -> dict[Cell, Piece | None]:
    """What values say of the free cells."""
    meanings: Mapping[Cell, Mapping[int, Piece | None]] = opened.meanings
    return {cell: meanings[cell][values[variable]] for cell, variable in opened.variables.items()}
