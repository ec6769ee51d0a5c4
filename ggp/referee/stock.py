"""How much the design may place: in all, and of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import comb

from ggp.model import Instance, Piece
from ggp.model.board import amount


def budget(instance: Instance) -> int | None:
    """How many placements the design allows; None where there is no limit."""
    design = instance.game.design
    if design is None:
        return None
    if design.limit is not None:
        return amount(instance, design.limit)
    each = budgets(instance)
    return sum(each.values()) if each.keys() >= set(design.kinds) else None


def budgets(instance: Instance) -> dict[str, int]:
    """How many of a kind the design may place, for each kind that has a limit of its own."""
    design = instance.game.design
    return {} if design is None else {kind: amount(instance, limit) for kind, limit in design.limits}


def stocks(instance: Instance) -> dict[tuple[str, ...], int]:
    """How many there are of kinds that share a limit: of all that are placed, or of each of them alone."""
    design, limit = instance.game.design, budget(instance)
    if design is not None and design.limits:
        return {(kind,): most for kind, most in budgets(instance).items()}
    return {} if design is None or limit is None else {design.kinds: limit}


def surplus(instance: Instance, placed: Iterable[Piece]) -> str | None:
    """The kind of which more is placed than its own limit allows; None if there is none."""
    limits = budgets(instance)
    if not limits:
        return None
    number = Counter(piece.kind for piece in placed)
    return next((kind for kind, limit in limits.items() if number[kind] > limit), None)


def each_kind(instance: Instance) -> str:
    """What is said of the limits of single kinds, after that of all; nothing where there are none."""
    said = ", ".join(f"{limit} {kind}" for kind, limit in budgets(instance).items())
    return f", of these at most {said}" if said else ""


def ways(
    instance: Instance, pieces: Iterable[Piece], cells: int, most: int, placed: Iterable[Piece] = ()
) -> list[int]:
    """In how many ways 0, 1, ..., `most` of some pieces can stand on so many free cells, one a cell.

    `placed` are pieces that stand already, and that count against the limits of their kinds.
    """
    limits, before = budgets(instance), Counter(piece.kind for piece in placed)
    found = [1, *([0] * most)]
    for kind, sorts in Counter(piece.kind for piece in pieces).items():
        left = min(most, limits[kind] - before[kind]) if kind in limits else most
        found = [
            sum(
                found[total - own] * comb(cells - total + own, own) * sorts**own
                for own in range(min(total, left) + 1)
                if total - own <= cells
            )
            for total in range(most + 1)
        ]
    return found
