"""How far a position is from winning, as PuzzleScriptAI guesses it: steps that pieces have to go, and
pieces too many.

It never says how many turns it takes, and promises nothing; it only tells better positions from worse ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.goals.count import Count
from ggp.goals.on import On
from ggp.model import Pattern, Term
from ggp.model.board import amount, height, matches, width
from ggp.players.world import World

Board = NDArray[np.bool_]
Guess = Callable[[Any, NDArray[np.uint8]], float]


class Distance:
    """The distance of positions of one world; 0 where the goal holds."""

    def __init__(self, world: World) -> None:
        self.world = world
        instance = world.instance
        rows, columns = np.divmod(np.arange(height(instance) * width(instance)), width(instance))
        self.apart = abs(rows[:, None] - rows) + abs(columns[:, None] - columns)  # steps between two cells
        self.guesses = [self.guess(term) for term in instance.game.goal.terms]

    def __call__(self, position: Any) -> float:
        planes = self.world.planes(position)
        return sum(guess(position, planes) for guess in self.guesses)

    def numbers(self, pattern: Pattern) -> list[int]:
        """The planes of a pattern."""
        game = self.world.instance.game
        return [n for n, piece in enumerate(self.world.pieces) if matches(game, piece, pattern, None)]

    def guess(self, term: Term) -> Guess:
        """What is guessed for one term of the goal."""
        if isinstance(term, On):
            return self.on(term)
        if isinstance(term, Count) and term.ground is None:
            planes, wanted = self.numbers(term.what), amount(self.world.instance, term.number)
            signs = {"=": (1, 1), "<=": (1, 0), ">=": (0, 1)}[term.comparison]

            def counted(position: Any, boards: NDArray[np.uint8]) -> float:
                over = int(boards[planes].sum()) - wanted
                return float(signs[0] * max(over, 0) + signs[1] * max(-over, 0))

            return counted
        return lambda position, boards: float(not term.holds(self.world.instance, self.world.state(position)))

    def on(self, term: On) -> Guess:
        """Steps from each piece to the nearest cell that it should be on; or how many stand wrong."""
        planes, grounds = self.numbers(term.what), self.numbers(term.ground)

        def guessed(position: Any, boards: NDArray[np.uint8]) -> float:
            what = boards[planes].any(axis=0).ravel()
            ground = boards[grounds].any(axis=0).ravel()
            if term.placing != "on":
                ground = ~ground
            if term.quantifier == "no":
                return float((what & ground).sum())
            if not what.any():
                return 0.0 if term.quantifier == "every" else float(self.apart.max() + 1)
            if not ground.any():
                return float(what.sum() * (self.apart.max() + 1))
            nearest = self.apart[what][:, ground].min(axis=1)
            return float(nearest.sum() if term.quantifier == "every" else nearest.min())

        return guessed
