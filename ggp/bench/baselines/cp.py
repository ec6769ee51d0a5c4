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

from collections.abc import Iterable, Iterator, Mapping
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


@dataclass(frozen=True)
class Board:
    """What the formulation is told of a level: its size, what stands where, and who walks."""

    height: int
    width: int
    frames: int
    given: frozenset[Cell]  # what is solid to begin with
    targets: frozenset[Cell]
    starts: frozenset[tuple[Cell, int]]

    @classmethod
    def of(cls, instance: Instance, roles: Roles) -> Board:
        """That of a level, by what its kinds are here."""
        board = instance.level.board
        height, width = len(board), len(board[0])
        cells = [(row, column) for row in range(height) for column in range(width)]
        walkers = (
            (cell, HEADINGS[str(piece.variant)])
            for cell in cells
            for piece in board[cell[0]][cell[1]]
            if piece.kind == roles.walker
        )
        return cls(
            height,
            width,
            (instance.level.horizon or 0) + 1,
            frozenset(cell for cell in cells if kinds_at(board, cell) & set(roles.solid)),
            frozenset(cell for cell in cells if roles.target in kinds_at(board, cell)),
            frozenset(walkers),
        )

    @property
    def cells(self) -> list[Cell]:
        """All cells, in reading order."""
        return [(row, column) for row in range(self.height) for column in range(self.width)]


class Model:
    """The formulation of a board in the solver: its variables by group, and what is posted of them."""

    def __init__(self, solver: Any, board: Board) -> None:
        self.solver, self.board = solver, board
        headings = HEADINGS.values()
        self.states = [(t, cell, d) for t in range(board.frames) for cell in board.cells for d in headings]
        self.solid = {cell: solver.BoolVar(f"solid{cell}") for cell in board.cells}
        groups = ("walker", "fell", "walked", "turned")
        self.walker, self.fell, self.walked, self.turned = (
            {state: solver.BoolVar(f"{group}{state}") for state in self.states} for group in groups
        )

    def posted(self, limit: int) -> Iterator[Any]:
        """Every constraint."""
        board = self.board
        for cell in board.cells:
            yield self.solid[cell] >= int(cell in board.given)
        for state in self.states:
            yield from self.step(*state) if state[0] else self.beginning(*state)
        last, headings = board.frames - 1, HEADINGS.values()
        arrived = [self.walker[last, cell, d] for cell in sorted(board.targets) for d in headings]
        yield self.solver.Sum(arrived) == len(board.starts)
        yield self.solver.Sum(list(self.solid.values())) <= limit + len(board.given)

    def beginning(self, t: int, cell: Cell, d: int) -> Iterator[Any]:
        """The first frame; the products would be free otherwise, and each solution would come many times."""
        yield self.walker[t, cell, d] == int((cell, d) in self.board.starts)
        for product in self.fell, self.walked, self.turned:
            yield product[t, cell, d] == 0

    def step(self, t: int, cell: Cell, d: int) -> Iterator[Any]:
        """How a walker came to be there in a later frame."""
        (row, column), now, walker, solid = cell, (t, cell, d), self.walker, self.solid
        above, below = ((row - 1) % self.board.height, column), ((row + 1) % self.board.height, column)
        behind = row, (column - d) % self.board.width
        free = 1 - solid[cell]
        yield self.fell[now] == walker[t - 1, above, d] * free
        yield self.walked[now] == walker[t - 1, behind, d] * free * solid[below[0], behind[1]]
        yield self.turned[now] == walker[t - 1, cell, -d] * solid[behind] * solid[below]
        yield walker[now] == self.fell[now] + self.walked[now] + self.turned[now]


def solve(instance: Instance, roles: Roles, walkers_first: bool = False) -> Found:
    """Every way to have all walkers on the target at the horizon, by exhaustive search.

    Each branch binds the first unbound variable to its least value. Published was the order in which
    what is solid comes first; with `walkers_first` the walkers do, which is the better order by far.
    """
    from ortools.constraint_solver import pywrapcp

    limit, board = budget(instance), Board.of(instance, roles)
    solver = pywrapcp.Solver("baseline")
    model = Model(solver, board)
    posted = list(model.posted(limit))
    for constraint in posted:
        solver.Add(constraint)

    solid, walker = model.solid, model.walker
    first, second = (walker, solid) if walkers_first else (solid, walker)
    groups = (first, second, model.fell, model.walked, model.turned)
    order = [variable for group in groups for variable in group.values()]
    solver.NewSearch(solver.Phase(order, solver.CHOOSE_FIRST_UNBOUND, solver.ASSIGN_MIN_VALUE))
    plans = []
    while solver.NextSolution():
        placed = (cell for cell in board.cells if solid[cell].Value() and cell not in board.given)
        plans.append(plan(instance, placed))
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
