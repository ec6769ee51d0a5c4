"""Fitting by scikit-learn: of each example alone, whether it is so, or how much."""

from __future__ import annotations

import warnings

import numpy as np

from ggp.players.trained.fitting import Sample
from ggp.players.trained.networks import Layer, Network

ROUNDS = 12  # through all examples


def fit(sample: Sample, hidden: tuple[int, ...], seed: int) -> Network:
    """A network with so many hidden units in each layer."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier, MLPRegressor

    amounts = sample.sort == "amount"
    model = (MLPRegressor if amounts else MLPClassifier)(
        hidden_layer_sizes=hidden,
        batch_size=min(256, len(sample.rows)),
        max_iter=ROUNDS,
        alpha=1e-3,
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # that it stops after so many rounds is wanted
        model.fit(sample.rows, sample.wanted if amounts else sample.wanted.astype(int))
    layers = zip(model.coefs_, model.intercepts_, strict=True)
    return Network(tuple(Layer(w.astype(np.float32), b.astype(np.float32)) for w, b in layers))
