"""Predictors that scikit-learn fits: a tree, logistic regression with products of pairs, a small network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ggp.learn.boards import Board, Turn
from ggp.learn.predictors.windows import CENTRE, STRANGE, Numbers, Windows

HIDDEN = (64, 64)  # units of the network's two layers
MOST_PAIRS = 400  # columns of which products are made; the most frequent ones, where there are more


class Fitted:
    """One estimator for all cells. `name` says which."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.seed = name, seed

    def fit(self, turns: Sequence[Turn]) -> None:
        """Fit it to the windows of all cells."""
        self.windows = Windows(turns)
        rows, after, often = self.windows.examples(turns)
        seen = self.windows.onehot(rows)
        self.columns = np.flatnonzero((seen != seen[:1]).any(axis=0))  # the others tell nothing
        if self.name == "cell-logistic" and self.columns.size > MOST_PAIRS:
            counts = (seen[:, self.columns] * often[:, None]).sum(axis=0)
            self.columns = np.sort(self.columns[np.argsort(-counts, kind="stable")[:MOST_PAIRS]])
        self.only = int(after[0]) if np.unique(after).size == 1 else None
        if self.only is not None:
            return
        self.estimator = estimator(self.name, self.seed)
        if self.name == "cell-network":  # it takes no weights
            self.estimator.fit(seen[:, self.columns], after)
        else:
            step = self.estimator.steps[-1][0]
            self.estimator.fit(seen[:, self.columns], after, **{f"{step}__sample_weight": often})

    def predict(self, boards: Sequence[Board], words: Sequence[str | None]) -> list[Board]:
        """What it says of each cell; what was never seen stays as it is."""
        rows = self.windows.rows(boards, words)
        distinct, where = self.windows.distinct(rows)
        found: Numbers = np.full(distinct.shape[0], self.only or STRANGE)
        if self.only is None:
            found = self.estimator.predict(self.windows.onehot(distinct)[:, self.columns])
        found = np.where(distinct[:, CENTRE] == STRANGE, STRANGE, found)
        return self.windows.boards(boards, found[where])


def estimator(name: str, seed: int) -> Any:
    """The estimator behind a name."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures
    from sklearn.tree import DecisionTreeClassifier

    if name == "cell-tree":
        return make_pipeline(DecisionTreeClassifier(random_state=seed))
    if name == "cell-logistic":
        pairs = PolynomialFeatures(2, interaction_only=True, include_bias=False)
        return make_pipeline(pairs, LogisticRegression(C=100.0, max_iter=300))
    return make_pipeline(MLPClassifier(HIDDEN, solver="lbfgs", max_iter=300, random_state=seed))


def make(name: str, seed: int) -> Fitted:
    """The predictor of that name."""
    return Fitted(name, seed)
