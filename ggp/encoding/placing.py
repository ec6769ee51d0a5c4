"""What a design places, as variables: one for each cell, whose values say which piece is placed there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

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


class Placing:
    """Makes variables of free cells: their values are those of the pieces, or 1, 2, ... in their order."""

    def __init__(self, encoding: Encoding, pieces: Sequence[Piece]) -> None:
        self.encoding, self.pieces = encoding, pieces
        self.values = {
            piece: piece.variant if isinstance(piece.variant, int) else index + 1
            for index, piece in enumerate(pieces)
        }
        self.meant = {value: piece for piece, value in self.values.items()}
        design = encoding.instance.game.design
        filled = design is not None and design.fill
        nothing = () if filled else (min([0, *(value - 1 for value in self.meant)]),)
        self.domain = (*nothing, *self.values.values())
        self.otherwise = min(self.domain, default=0)  # where nothing is placed
        self.name = "_or_".join(dict.fromkeys(piece.kind for piece in pieces))

    def placement(self, cell: Cell) -> Placement:
        """The variable of a free cell."""
        encoding = self.encoding
        variable = encoding.new(self.name, cell, self.domain, "design")
        encoding.decisions[variable] = partial(self.value, cell)
        lits = dict(zip(self.values, encoding.block(variable, tuple(self.values.values())), strict=True))
        encoding.placements[cell] = tuple(lits.values())
        return Placement(variable, self.meant, lits)

    def value(self, cell: Cell, plan: Plan) -> int:
        """What a plan makes of the variable of a cell; raises PlanError."""
        placed = dict(plan.design).get(cell)
        if placed is None:
            return self.otherwise
        if placed not in self.values:
            known = f"it may place {', '.join(map(str, self.pieces[:12]))}"
            message = f"{placed} cannot be placed at {cell} of {self.encoding.instance.name}"
            raise PlanError(message, known)
        return self.values[placed]


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
