"""The baseline: walkers and bricks in the original constraint solver of OR-tools (not CP-SAT).

This is the formulation that the puzzle was first published with, written anew from its formulas. There is
a Boolean per cell for what is solid, one per frame, cell and heading for the walkers, and as many again for
each of three products, which say how a walker came there:

    fell(t, cell, d)   = walker(t-1, above, d)  * free(cell)
    walked(t, cell, d) = walker(t-1, behind, d) * free(cell) * solid(below behind)
    turned(t, cell, d) = walker(t-1, cell, -d)  * solid(behind) * solid(below)
    walker(t, cell, d) = fell + walked + turned

The board wraps, so a level needs a solid border. Unlike in `ggp.referee.semantics` nothing stops on the
target and bricks may stand anywhere; a level where that matters is no level for this baseline. Every set
of bricks is listed, idle ones included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ggp.errors import UnsupportedFeature
from ggp.model import Cell, Instance, Piece, Plan

HEADINGS = {"left": -1, "right": 1}


@dataclass(frozen=True, slots=True)
class Roles:
    """Which kinds of the game are what the formulation speaks of."""

    solid: tuple[str, ...]
    walker: str
    target: str

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Roles:
        """The roles as a table of `cases.toml` gives them."""
        return cls(tuple(table["solid"]), table["walker"], table["target"])


@dataclass(frozen=True, slots=True)
class Found:
    """All plans there are, in the order found, and the size of the model as it was posted."""

    plans: tuple[Plan, ...]
    variables: int
    constraints: int


def budget(instance: Instance) -> int:
    """How many pieces may be placed, which the formulation needs to be a number."""
    design = instance.game.design
    limit = design.limit if design else None
    if isinstance(limit, str):
        limit = dict(instance.level.numbers).get(limit)
    if design is None or len(design.kinds) > 1 or limit is None or instance.level.horizon is None:
        raise UnsupportedFeature(
            "the baseline cannot take this level: it needs a horizon and a limit on what is placed"
        )
    return limit


def solve(instance: Instance, roles: Roles, walkers_first: bool = False) -> Found:
    """Every way to have all walkers on the target at the horizon, by exhaustive search.

    Each branch binds the first unbound variable to its least value. Published was the order in which
    what is solid comes first; with `walkers_first` the walkers do, which is the better order by far.
    """
    from ortools.constraint_solver import pywrapcp

    limit = budget(instance)
    level = instance.level
    height, width, frames = len(level.board), len(level.board[0]), (level.horizon or 0) + 1
    cells = [(row, column) for row in range(height) for column in range(width)]
    given = {cell for cell in cells if kinds_at(level.board, cell) & set(roles.solid)}
    targets = {cell for cell in cells if roles.target in kinds_at(level.board, cell)}
    starts = {
        (cell, HEADINGS[str(piece.variant)])
        for cell in cells
        for piece in level.board[cell[0]][cell[1]]
        if piece.kind == roles.walker
    }

    solver = pywrapcp.Solver("baseline")
    states = [(t, cell, d) for t in range(frames) for cell in cells for d in HEADINGS.values()]
    solid = {cell: solver.BoolVar(f"solid{cell}") for cell in cells}
    walker = {state: solver.BoolVar(f"walker{state}") for state in states}
    fell = {state: solver.BoolVar(f"fell{state}") for state in states}
    walked = {state: solver.BoolVar(f"walked{state}") for state in states}
    turned = {state: solver.BoolVar(f"turned{state}") for state in states}

    posted = []
    for cell in cells:
        posted.append(solid[cell] >= int(cell in given))
    for t, (row, column), d in states:
        now = t, (row, column), d
        if t == 0:
            posted.append(walker[now] == int(((row, column), d) in starts))
            for product in fell, walked, turned:
                posted.append(product[now] == 0)  # free otherwise, and each solution would come many times
            continue
        above, below = ((row - 1) % height, column), ((row + 1) % height, column)
        behind = row, (column - d) % width
        below_behind = below[0], behind[1]
        free = 1 - solid[row, column]
        posted.append(fell[now] == walker[t - 1, above, d] * free)
        posted.append(walked[now] == walker[t - 1, behind, d] * free * solid[below_behind])
        posted.append(turned[now] == walker[t - 1, (row, column), -d] * solid[behind] * solid[below])
        posted.append(walker[now] == fell[now] + walked[now] + turned[now])
    arrived = [walker[frames - 1, cell, d] for cell in sorted(targets) for d in HEADINGS.values()]
    posted.append(solver.Sum(arrived) == len(starts))
    posted.append(solver.Sum(list(solid.values())) <= limit + len(given))

    for constraint in posted:
        solver.Add(constraint)

    first, second = (walker, solid) if walkers_first else (solid, walker)
    order = [variable for group in (first, second, fell, walked, turned) for variable in group.values()]
    solver.NewSearch(solver.Phase(order, solver.CHOOSE_FIRST_UNBOUND, solver.ASSIGN_MIN_VALUE))
    plans = []
    while solver.NextSolution():
        plans.append(plan(instance, (cell for cell in cells if solid[cell].Value() and cell not in given)))
    solver.EndSearch()
    return Found(tuple(plans), len(order), len(posted))


def kinds_at(board: tuple[tuple[frozenset[Piece], ...], ...], cell: Cell) -> set[str]:
    """The kinds that stand in a cell."""
    return {piece.kind for piece in board[cell[0]][cell[1]]}


def plan(instance: Instance, placed: Iterable[Cell]) -> Plan:
    """The plan that places the game's own piece on each of these cells."""
    design = instance.game.design
    assert design is not None
    return Plan(design=tuple((cell, Piece(design.kinds[0])) for cell in sorted(placed)))
