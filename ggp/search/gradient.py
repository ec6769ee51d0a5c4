"""Designs by ascent: how much of a piece is on each cell, changed as the gradient of the outcome says.

The run is played in densities (`ggp.transition.densities`), and L-BFGS-B climbs, less a penalty for what is
placed. It is a little different on each cell, so that of two cells that do the same one is left. What was
found is rounded: designs of the densest cells are played as they are, the densest first, and of one that wins
what it does without is left out. The function has many tops: where nothing comes of one, another start is
taken. Nothing is ever proved.

Source: the first method of martinResearch/puzzleAI (2018), with its start of 0.3 on each free
cell and its penalty of 0.01, and the two things that it says it might need: other penalties and more ascents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from ggp.errors import IllFormed
from ggp.model import Cell, Instance, Piece
from ggp.referee.designs import free_cells, placeable
from ggp.referee.semantics import ending, initial_state
from ggp.referee.stock import budget, surplus
from ggp.transition.bits import Bits, Named
from ggp.transition.compiler import compile_instance
from ggp.transition.densities import Densities, Density

Numbers = npt.NDArray[np.float64]
Placed = tuple[tuple[Cell, Piece], ...]

START = 0.3  # of each piece on each free cell
PENALTY = 0.01  # for each whole piece
EVALUATIONS = 160  # of one ascent
DENSE = 0.02  # from where a cell counts when it is rounded
MOST_CELLS = 14  # that are rounded, the densest
MOST_DESIGNS = 2_000  # that are played after one ascent


@dataclass
class Relaxation:
    """The relaxation of an instance without inputs.

    A point is an array of numbers from 0 to 1, of shape (pieces that may be placed, free cells).
    """

    instance: Instance
    evaluations: int = 0
    pieces: tuple[Piece, ...] = field(init=False)
    free: tuple[Cell, ...] = field(init=False)
    top: Numbers = field(init=False)  # the point that the last ascent came to

    def __post_init__(self) -> None:
        self.transition = compile_instance(self.instance)
        self.pieces = tuple(placeable(self.instance))
        self.free = tuple(free_cells(self.instance))
        self.most = budget(self.instance)
        self.horizon = self.instance.level.horizon or 0
        self.any_turn = ending(self.instance) == "any-turn"
        self.bits = Bits(self.transition)
        self.start = self.bits.pack(initial_state(self.instance, partial=True))
        self.number = [self.transition.number[piece] for piece in self.pieces]
        self.rows, self.columns = (np.array([cell[axis] for cell in self.free], int) for axis in (0, 1))

    # --- in densities

    def shares(self) -> dict[tuple[Cell, Piece], float]:
        """The most of each piece on each cell in any turn, at the last top; not what the level has there."""
        _, _, turns = self.run(self.top)
        found = {}
        for piece, plane in self.transition.number.items():
            most = np.max([boards[plane].value for boards in turns], axis=0)
            for row, column in np.argwhere(most > DENSE).tolist():
                if not self.start[plane] & self.bits.bit(row, column):
                    found[(row, column), piece] = min(1.0, float(most[row, column]))
        return found

    def run(self, point: Numbers) -> tuple[Densities, list[Density], list[tuple[Density, ...]]]:
        """The algebra, the unknown boards, and the boards at the start and after each turn."""
        algebra = Densities(self.transition)
        height, width = algebra.shape
        boards = []
        for packed in self.start:
            here = [
                [packed & self.bits.bit(row, column) != 0 for column in range(width)] for row in range(height)
            ]
            boards.append(algebra.board(np.array(here, float)))
        unknown = []
        for plane, share in zip(self.number, point, strict=True):
            value = np.zeros(algebra.shape)
            value[self.rows, self.columns] = share
            unknown.append(algebra.board(value, unknown=True))
            boards[plane] = boards[plane] | unknown[-1]
        turns = [tuple(boards)]
        for _ in range(self.horizon):
            turns.append(algebra.step(turns[-1]))
        return algebra, unknown, turns

    def holds(self, algebra: Any, boards: Any) -> Any:
        """How far the goal is reached, in any algebra."""
        view = Named(self.instance, self.transition, boards)
        return algebra.every([term.test(algebra, view) for term in self.instance.game.goal.terms])

    def outcome(self, point: Numbers) -> tuple[float, Numbers]:
        """How far the goal is reached (1: it is), and the gradient of that, in the shape of the point."""
        self.evaluations += 1
        algebra, unknown, turns = self.run(point)
        reached = [self.holds(algebra, boards) for boards in (turns if self.any_turn else turns[-1:])]
        best = max(reached, key=lambda one: float(one.value))
        grads = algebra.gradient(best)
        return float(best.value), np.array([grads[one][self.rows, self.columns] for one in unknown])

    def cost(self, point: Numbers, weights: Numbers) -> tuple[float, Numbers]:
        """What is made small: the penalty less the outcome."""
        score, grad = self.outcome(point)
        return PENALTY * float((weights * point).sum()) - score, PENALTY * weights - grad

    def ascend(self, rng: np.random.Generator, start: Numbers, tick: Callable[[], None]) -> Numbers:
        """The top above a start."""
        from scipy.optimize import minimize

        weights = 1 + 0.2 * rng.random(start.shape)

        def flat(values: Numbers) -> tuple[float, Numbers]:
            tick()
            value, grad = self.cost(values.reshape(start.shape), weights)
            return value, grad.ravel()

        bounds = [(0.0, 1.0)] * start.size
        found = minimize(
            flat, start.ravel(), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxfun": EVALUATIONS}
        )
        self.top = found.x.reshape(start.shape)
        return self.top

    # --- rounded

    def candidates(self, point: Numbers) -> Iterator[Placed]:
        """Designs of the densest cells, those with the most in them first."""
        order = np.argsort(-point, axis=None)[:MOST_CELLS]
        chosen = [np.unravel_index(at, point.shape) for at in order if point.flat[at] > DENSE]
        sites = [(float(point[at]), self.free[at[1]], self.pieces[at[0]]) for at in chosen]
        most = len(sites) if self.most is None else min(self.most, len(sites))
        sets = (each for size in range(most + 1) for each in combinations(sites, size))
        dense = sorted(islice(sets, 50_000), key=lambda each: -sum(share for share, _, _ in each))
        for each in islice(dense, MOST_DESIGNS):
            alone = len({cell for _, cell, _ in each}) == len(each)
            if alone and surplus(self.instance, (piece for _, _, piece in each)) is None:
                yield tuple((cell, piece) for _, cell, piece in each)

    def wins(self, placed: Placed) -> bool:
        """Does the run with these placements reach the goal?"""
        boards = list(self.start)
        for cell, piece in placed:
            boards[self.transition.number[piece]] |= self.bits.bit(*cell)
        turn = tuple(boards)
        try:
            for _ in range(self.horizon):
                if self.any_turn and self.holds(self.bits, turn):
                    return True
                turn = self.bits.step(turn)
        except IllFormed:
            return False
        return bool(self.holds(self.bits, turn))

    def lean(self, placed: Placed) -> Placed:
        """A design that wins, without what it does without."""
        for one in placed:
            fewer = tuple(other for other in placed if other != one)
            if self.wins(fewer):
                return self.lean(fewer)
        return placed

    def designs(self, seed: int, tick: Callable[[], None]) -> Iterator[Placed | None]:
        """A design that wins from each of one ascent after another, None where nothing comes of one."""
        rng = np.random.default_rng(seed)
        shape = len(self.pieces), len(self.free)
        start = np.full(shape, START)
        while True:
            yield self.rounded(self.ascend(rng, start, tick), tick)
            start = rng.uniform(0, 2 * START, shape)

    def rounded(self, point: Numbers, tick: Callable[[], None]) -> Placed | None:
        """A design near a point that wins, None if none does."""
        for placed in self.candidates(point):
            tick()
            if self.wins(placed):
                return self.lean(placed)
        return None
