"""The template of a learner: it holds that nothing ever changes. Copy it to start a new one.

It is built and tested every time, so it cannot rot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ggp.errors import NotLearned
from ggp.model import Game
from ggp.referee.trajectory import Trajectory

NAME = "null"


@dataclass(frozen=True)
class Model:
    """The game without rules, and how many turns it was read from."""

    game: Game
    examples: int


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


def learn(shell: Game, seen: Sequence[Trajectory], seed: int = 0) -> Model:
    """The shell as it is, where nothing changed; raises PuzzleError where something did."""
    model = Model(shell, sum(len(trajectory.states) - 1 for trajectory in seen))
    if surprises(shell, model, seen):
        raise NotLearned("something changed, and this learner knows no rules", "choose another learner")
    return model


def surprises(shell: Game, model: Model, seen: Sequence[Trajectory]) -> bool:
    """Is there anything in the trajectories that the model gets wrong?"""
    turns = (turn for trajectory in seen for turn in pairwise(trajectory.states))
    return any(before.board != after.board for before, after in turns)
