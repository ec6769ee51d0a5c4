"""What a design may place, and where; and whether one is allowed."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.errors import PlanError
from ggp.model import Cell, Instance, Piece
from ggp.model.board import matches_any, variants
from ggp.referee.stock import budget, budgets, surplus


def free_cells(instance: Instance) -> tuple[Cell, ...]:
    """The cells, in reading order, on which the design may place something."""
    design = instance.game.design
    if design is None:
        return ()
    board = instance.level.board
    pieces = frozenset[Piece]().union(*(here for row in board for here in row))
    taking = {piece for piece in pieces if matches_any(instance.game, piece, design.free_of)}
    free = (
        (row, column)
        for row, line in enumerate(board)
        for column, here in enumerate(line)
        if taking.isdisjoint(here)
    )
    avoid = instance.level.avoid
    return tuple(cell for cell in free if cell not in avoid) if avoid else tuple(free)


def placeable(instance: Instance) -> tuple[Piece, ...]:
    """The pieces that the design may place, in the order of their kinds and variants."""
    design = instance.game.design
    if design is None:
        return ()
    kinds = {kind.name: kind for kind in instance.game.kinds}
    return tuple(Piece(name, variant) for name in design.kinds for variant in variants(instance, kinds[name]))


def check_design(
    instance: Instance, design: Iterable[tuple[Cell, Piece]], *, partial: bool = False
) -> dict[Cell, Piece]:
    """The placements by cell; raises PlanError where one is not allowed or, unless `partial`, missing."""
    design, placed = tuple(design), dict[Cell, Piece]()
    given: tuple[object, ...] = design
    for one in given:
        if not (isinstance(one, tuple | list) and len(one) == 2 and isinstance(one[1], Piece)):
            remedy = 'give pairs of a cell and a Piece, such as ((0, 1), Piece("digit", 3))'
            raise PlanError(f"{str(one)[:60]!r} is no placement", remedy)
    if partial and not design:
        return placed
    free, allowed = set(free_cells(instance)), placeable(instance)
    for cell, piece in design:
        if piece not in allowed:
            raise PlanError(
                f"the design places {piece} at {cell}, which {instance.name} does not allow",
                f"it may place {', '.join(map(str, allowed)) or 'nothing'}",
            )
        if cell not in free:
            raise PlanError(
                f"the design places {piece} at {cell}, which is not a free cell of {instance.name}",
                "cells are (row, column) from 0 at the top left",
            )
        if cell in placed:
            raise PlanError(f"the design places two things at {cell}", "leave one of them out")
        placed[cell] = piece
    limit = budget(instance)
    if limit is not None and len(placed) > limit:
        raise PlanError(f"the design places {len(placed)} pieces, the budget is {limit}", "place fewer")
    kind = surplus(instance, placed.values())
    if kind is not None:
        number = sum(piece.kind == kind for piece in placed.values())
        most = budgets(instance)[kind]
        raise PlanError(f"the design places {number} of `{kind}`, of which there are {most}", "place fewer")
    filled = instance.game.design is not None and instance.game.design.fill
    if filled and not partial and len(placed) < len(free):
        missing = min(free - placed.keys())
        raise PlanError(f"the design leaves {missing} empty", "every free cell takes exactly one piece")
    return placed
