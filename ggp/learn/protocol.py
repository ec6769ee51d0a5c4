"""What every learner offers: trajectories in, a game with rules out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ggp.model import Game
from ggp.referee.trajectory import Trajectory


class Model(Protocol):
    """What was learned. It may hold more, for the learner's own `surprises`."""

    @property
    def game(self) -> Game:
        """The shell with rules in it: it is solved, exported and certified like a described game."""

    @property
    def examples(self) -> int:
        """How many different things were learned from, in whatever unit the learner counts in."""


class LearnerModule(Protocol):
    """What a module of learning offers. Importing it imports no heavy package."""

    NAME: str

    def available(self) -> str | None:
        """None if it can run here, else a sentence that says what to install."""

    def learn(self, shell: Game, seen: Sequence[Trajectory], seed: int = 0) -> Model:
        """Learn from what was seen. The shell is the game without its rules: kinds, inputs and goal.

        The same trajectories in the same order and the same seed give the same game. Raises PuzzleError where
        it has no rules that explain all that was seen: a game that gets some of it wrong is no answer.
        """

    def surprises(self, shell: Game, model: Any, seen: Sequence[Trajectory]) -> bool:
        """Is there anything in the trajectories that a model of this learner gets wrong?"""
