"""The baseline for turns by SAT: pushing one thing at a time, as one writes it by hand.

A layer a turn, added to one solver that keeps what it learned: where the agent is, where things are, one
direction a turn. The goal of a layer is assumed, and denied once it failed. Nothing is known but the rules of
pushing, the walls, and from which squares a thing can be pushed to a target.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from itertools import combinations, count
from typing import Any

from ggp.bench.baselines.push import STEPS, Answer, Board, Roles
from ggp.model import Cell, Instance

SOLVER = "cadical153"


class Layers:
    """The clauses that grow, in a solver of PySAT's; `turn` is how many layers follow the first."""

    def __init__(self, board: Board, solver: Any) -> None:
        self.board, self.solver = board, solver
        self.floor = sorted(board.reach(board.agent, frozenset()))
        self.live = board.live()
        self.numbers, self.clauses, self.turn = count(1), 0, 0
        self.agents, self.things = self.layer()
        for cell, lit in self.agents.items():
            self.add([lit if cell == board.agent else -lit])
        for cell, lit in self.things.items():
            self.add([lit if cell in board.things else -lit])

    def add(self, clause: Iterable[int]) -> None:
        """One clause more."""
        self.clauses += 1
        self.solver.add_clause([*clause])

    def layer(self) -> tuple[dict[Cell, int], dict[Cell, int]]:
        """New variables for where the agent is, who is in one place, and for where things are."""
        agents = {cell: next(self.numbers) for cell in self.floor}
        things = {cell: next(self.numbers) for cell in self.floor if cell in self.live}
        self.one_of([*agents.values()])
        return agents, things

    def one_of(self, lits: list[int]) -> None:
        """Just one of these holds."""
        self.add(lits)
        for one, other in combinations(lits, 2):
            self.add([-one, -other])

    def grow(self) -> None:
        """One turn more."""
        agents, things = self.agents, self.things
        self.agents, self.things = self.layer()
        moves = {way: next(self.numbers) for way in STEPS}
        self.one_of([*moves.values()])
        for cell, here in agents.items():
            for way, move in moves.items():
                there = self.agents.get(beyond(cell, way))
                self.add([-here, -move] if there is None else [-here, -move, there])
        for cell, thing in things.items():
            stepped, still = self.agents[cell], self.things[cell]
            self.add([-thing, stepped, still])
            self.add([-stepped, -still])
            for way, move in moves.items():
                after = self.things.get(beyond(cell, way))
                self.add([-thing, -stepped, -move] if after is None else [-thing, -stepped, -move, after])
                if after is not None:
                    self.add([-thing, -stepped, -move, -things[beyond(cell, way)]])
                before = beyond(cell, (-way[0], -way[1]))
                # What is here now and was not came from behind, where the agent has stepped.
                for cause in (self.agents.get(before), things.get(before)):
                    self.add([-still, thing, -move] if cause is None else [-still, thing, -move, cause])
        self.turn += 1

    def won(self) -> bool:
        """Can every thing be on a target after just so many turns? From now on it is not, if it cannot."""
        goal = next(self.numbers)
        for cell, thing in self.things.items():
            if cell not in self.board.targets:
                self.add([-goal, -thing])
        if self.solver.solve(assumptions=[goal]):
            return True
        self.add([-goal])
        return False


def beyond(cell: Cell, way: Cell) -> Cell:
    """The cell next to a cell."""
    return cell[0] + way[0], cell[1] + way[1]


def fewest_turns(instance: Instance, roles: Roles, seconds: float) -> Answer:
    """As few turns as can be, up to the level's horizon; `states` is the number of clauses."""
    from pysat.solvers import Solver

    board, end = Board(instance, roles), time.process_time() + seconds
    horizon = instance.level.horizon
    with Solver(name=SOLVER) as solver:
        layers = Layers(board, solver)
        if not board.things <= layers.things.keys():
            return Answer(None, True, layers.clauses)
        while not layers.won():
            if layers.turn == horizon or time.process_time() > end:
                return Answer(None, layers.turn == horizon, layers.clauses)
            layers.grow()
        return Answer(layers.turn, True, layers.clauses)
