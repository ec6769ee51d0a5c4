"""What else could be learned: predictors of each cell from those around it, to hold our learners against.

They learn what the seed's learner did: what stands on a cell next, from its own content, that of its eight
neighbours and the input. None of them writes rules, so none can be certified or exported; each can be asked
what a turn makes of a board, and so be searched with.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from ggp.learn.boards import Board, Turn

PREDICTORS = {
    "cell-tree": "ggp.learn.predictors.fitted",
    "cell-logistic": "ggp.learn.predictors.fitted",
    "cell-network": "ggp.learn.predictors.fitted",
    "cell-list": "ggp.learn.predictors.decision_list",
    "table-conservative": "ggp.learn.predictors.tables",
    "table-optimistic": "ggp.learn.predictors.tables",
    "table-frequency": "ggp.learn.predictors.tables",
}


class Predictor(Protocol):
    """One of them, before and after it has seen play."""

    def fit(self, turns: Sequence[Turn]) -> None:
        """Learn from transitions."""

    def predict(self, boards: Sequence[Board], words: Sequence[str | None]) -> list[Board]:
        """What each board becomes by its input."""


def predictor(name: str, seed: int = 0) -> Predictor:
    """The predictor of that name in `PREDICTORS`, which has seen nothing yet."""
    made: Predictor = import_module(PREDICTORS[name]).make(name, seed)
    return made
