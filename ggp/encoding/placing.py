"""What a design places, as variables: one for each cell, whose values say which piece is placed there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ggp.encoding.constraints import Encoding, Sum, Values
from ggp.encoding.literals import Lit, Why
from ggp.errors import PlanError
from ggp.model import Cell, Piece, Plan
from ggp.referee.stock import budget, budgets


@dataclass(frozen=True, slots=True)
class Placement:
    """The variable of a free cell: what its values mean, and the literal of each piece."""

    variable: int
    pieces: dict[int, Piece]
    lits: dict[Piece, Lit]


def placement(encoding: Encoding, cell: Cell, pieces: Sequence[Piece]) -> Placement:
    """The variable of a free cell: its values are those of the piece, or 1, 2, ... in their order."""
    design, name = encoding.instance.game.design, encoding.instance.name
    values = {
        piece: piece.variant if isinstance(piece.variant, int) else index + 1
        for index, piece in enumerate(pieces)
    }
    nothing = () if design is not None and design.fill else (min(0, min(values.values()) - 1),)
    variable = encoding.new(
        "_or_".join(dict.fromkeys(piece.kind for piece in pieces)),
        cell,
        (*nothing, *values.values()),
        "design",
    )

    def value(plan: Plan) -> int:
        placed = dict(plan.design).get(cell)
        if placed is not None and placed not in values:
            known = f"it may place {', '.join(map(str, pieces[:12]))}"
            raise PlanError(f"{placed} cannot be placed at {cell} of {name}", known)
        return values[placed] if placed is not None else min((*nothing, *values.values()))

    encoding.decisions[variable] = value
    lits = dict(zip(values, encoding.block(variable, tuple(values.values())), strict=True))
    made = Placement(variable, {value: piece for piece, value in values.items()}, lits)
    encoding.placements[cell] = tuple(made.lits.values())
    return made


def within_budget(encoding: Encoding, placed: dict[Cell, Placement]) -> None:
    """Place no more than the level allows, in all and of each kind."""
    limit = budget(encoding.instance)
    lits = [lit for each in encoding.placements.values() for lit in each]
    if limit is not None and lits:
        name = encoding.variables[encoding.atoms[lits[0]][0]].name
        why = Why(f"at most {limit} {name} placed")
        encoding.add(Sum(tuple((1, lit) for lit in lits), "<=", limit, why))
    for kind, most in budgets(encoding.instance).items():
        own = tuple(
            (1, lit) for one in placed.values() for piece, lit in one.lits.items() if piece.kind == kind
        )
        if len(own) > most:
            encoding.add(Sum(own, "<=", most, Why(f"at most {most} {kind} placed")))


def design_of(placed: dict[Cell, Placement], values: Values) -> tuple[tuple[Cell, Piece], ...]:
    """The design that an assignment stands for."""
    found = [
        (cell, each.pieces[values[each.variable]])
        for cell, each in placed.items()
        if values[each.variable] in each.pieces
    ]
    return tuple(sorted(found))
