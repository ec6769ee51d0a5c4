"""What a design places, as variables: one for each cell, whose values say which piece is placed there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import NamedTuple

from ggp.analysis.foreseen import Left
from ggp.encoding.constraints import Encoding, Sum, Values, Variable
from ggp.encoding.literals import Lit, Why
from ggp.encoding.patterned import KEPT
from ggp.errors import PlanError
from ggp.model import Cell, Piece, Plan
from ggp.referee.stock import budget, budgets

SHARED = 20_000  # atoms: so many are kept for other boards of the size
AT_ONCE = 2_000  # else so many are laid before the clock is looked at


@dataclass(frozen=True, slots=True)
class Placement:
    """The variable of a free cell: what its values mean, and the literal of each piece."""

    variable: int
    pieces: dict[int, Piece]
    lits: dict[Piece, Lit]


class Laid(NamedTuple):
    """Variables of cells, their atoms, and what they mean."""

    variables: tuple[Variable, ...]
    atoms: tuple[tuple[int, int], ...]
    placements: dict[Cell, Placement]
    lits: dict[Cell, tuple[Lit, ...]]


@lru_cache(maxsize=KEPT)
def laid_out(
    name: str,
    domain: tuple[int, ...],
    values: tuple[tuple[Piece, int], ...],
    cells: tuple[Cell, ...],
    first: int,
    atom: int,
) -> Laid:
    """A variable for each cell, the first two numbers being these; boards of one size come many at a time."""
    meant = {value: piece for piece, value in values}
    variables = tuple(Variable(name, cell, domain, "design") for cell in cells)
    atoms = tuple((first + at, value) for at in range(len(cells)) for _, value in values)
    placements, lits = {}, {}
    for at, cell in enumerate(cells):
        numbers = range(atom + at * len(values), atom + (at + 1) * len(values))
        lits[cell] = tuple(numbers)
        own = dict(zip((piece for piece, _ in values), numbers, strict=True))
        placements[cell] = Placement(first + at, meant, own)
    return Laid(variables, atoms, placements, lits)


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

    def placements(self, cells: Sequence[Cell], tick: Callable[[], None]) -> dict[Cell, Placement]:
        """The variables of free cells, told before those of anything else; `tick` may break off."""
        number = max(1, len(self.values))
        if len(cells) * number <= SHARED:
            return dict(self.laid(tuple(cells), laid_out))
        found: dict[Cell, Placement] = {}
        some = max(1, AT_ONCE // number)
        for first in range(0, len(cells), some):
            tick()
            found |= self.laid(tuple(cells[first : first + some]), laid_out.__wrapped__)
        return found

    def laid(self, cells: tuple[Cell, ...], lay: Callable[..., Laid]) -> dict[Cell, Placement]:
        """The variables of some cells, now part of the encoding."""
        encoding, first = self.encoding, len(self.encoding.variables)
        laid = lay(self.name, self.domain, tuple(self.values.items()), cells, first, len(encoding.atoms))
        encoding.lay(laid.variables, laid.atoms)
        encoding.decisions |= {number: partial(self.value, cell) for number, cell in enumerate(cells, first)}
        encoding.placements |= laid.lits
        return laid.placements

    def narrowed(self, placement: Placement, left: Left) -> list[tuple[Piece, Lit | bool]]:
        """The pieces left for a cell, each with what says that it stands there; its variable has no other."""
        variable = self.encoding.variables[placement.variable]
        values = {self.values[piece] for piece in left.pieces}
        if not left.sure:
            values.add(self.otherwise)
        domain = tuple(value for value in variable.domain if value in values)
        self.encoding.variables[placement.variable] = replace(variable, domain=domain)
        told = {piece: lit for piece, lit in placement.lits.items() if piece in left.pieces}
        return [(piece, len(domain) == 1 or lit) for piece, lit in told.items()]

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
