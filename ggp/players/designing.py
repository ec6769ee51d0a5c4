"""A world in which first something is placed, a piece an action, and then it is released.

What follows by itself follows; or inputs follow, if the game has any.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.model import Cell, Instance, Piece, Plan
from ggp.model.board import State, width
from ggp.players.moving import Moving
from ggp.players.world import Turn, World
from ggp.referee.designs import free_cells, placeable
from ggp.referee.stock import budget, budgets
from ggp.referee.trajectory import judge, replay


class Design(NamedTuple):
    """A design still being made: the boards with what is placed, and how many placements there are."""

    boards: bytes
    placed: int


class Designing(World):
    """First a design, then its release, and then what the game has: inputs, or a run that goes by itself.

    A placement is written `place(row,column,piece)`. Nothing is taken back.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.run = Moving(instance)
        self.spots = [(cell, piece) for cell in free_cells(instance) for piece in placeable(instance)]
        words = [f"place({row},{column},{piece})" for (row, column), piece in self.spots]
        self.release = len(words)
        self.rows, self.columns = (np.array([cell[axis] for cell, _ in self.spots]) for axis in (0, 1))
        self.released = lru_cache(maxsize=65_536)(self.played_out)
        self.placeable = [self.pieces.index(piece) for piece in placeable(instance)]
        self.inputs = self.run.actions if instance.game.input is not None else ()
        self.actions = (*words, "release", *self.inputs)
        self.budget = budget(instance)
        self.limits = [self.limit_of(kind, limit) for kind, limit in budgets(instance).items()]
        design = instance.game.design
        self.fills = len(free_cells(instance)) if design is not None and design.fill else None

    def limit_of(self, kind: str, limit: int) -> tuple[NDArray[np.bool_], list[int], int]:
        """(the placements of a kind, its planes, how many of it there may be on the board)."""
        planes = [index for index in self.placeable if self.pieces[index].kind == kind]
        given = int(self.run.planes(self.run.begin())[planes].sum())
        return np.array([piece.kind == kind for _, piece in self.spots]), planes, limit + given

    def begin(self, seed: int | None = None) -> Design:
        return Design(self.run.begin(), 0)

    def placing(self, action: int) -> bool:
        return action <= self.release

    def placement(self, action: int) -> tuple[Cell, Piece] | None:
        return self.spots[action] if action < self.release else None

    def turn(self, position: Any, action: int) -> Turn | None:
        if not isinstance(position, Design):
            after = action - self.release - 1
            return self.run.turn(position, after) if after >= 0 else None
        if action > self.release or not self.legal(position)[action]:
            return None
        if action == self.release:
            return self.released(position.boards)
        (row, column), piece = self.spots[action]
        stepper, states = self.run.stepper, self.run.states(position.boards)
        board = stepper.varying.index(stepper.transition.number[piece])
        word, bit = divmod(stepper.bits.bit(row, column).bit_length() - 1, 64)
        states[board, word, 0] |= np.uint64(1 << bit)
        return Turn(Design(states.tobytes(), position.placed + 1), "open")

    def played_out(self, boards: bytes) -> Turn:
        """Let the run begin; where it takes no inputs, also let it end, as the referee plays it."""
        start = self.run.state(boards)
        if self.inputs:
            won, reason = judge(self.instance, [start])
            return Turn(boards, "open" if reason is None else "won" if won else "lost")
        columns = width(self.instance)
        given = self.instance.level.board
        design = tuple(
            ((row, column), piece)
            for (row, column), piece in self.spots
            if piece in start.board[row * columns + column] and piece not in given[row][column]
        )
        verdict = replay(self.instance, Plan(design))
        after = self.run.stepper.pack(verdict.states[-1]).tobytes()
        return Turn(after, "won" if verdict.won else "lost")

    def legal(self, position: Any) -> NDArray[np.bool_]:
        mask = np.zeros(len(self.actions), np.bool_)
        if not isinstance(position, Design):
            mask[self.release + 1 :] = self.run.legal(position)
            return mask
        mask[self.release] = self.fills is None or position.placed == self.fills
        if self.budget is None or position.placed < self.budget:
            planes = self.planes(position)
            standing = planes[self.placeable].max(axis=0)
            mask[: self.release] = standing[self.rows, self.columns] == 0
            for spots, boards, limit in self.limits:
                mask[: self.release][spots] &= int(planes[boards].sum()) < limit
        return mask

    def state(self, position: Any) -> State:
        return self.run.state(position.boards if isinstance(position, Design) else position)

    def planes(self, position: Any) -> NDArray[np.uint8]:
        return self.run.planes(position.boards if isinstance(position, Design) else position)
