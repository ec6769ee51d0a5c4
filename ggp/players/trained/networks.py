"""Networks as plain arrays: what a policy file holds, and judges with, whatever library fitted them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from ggp.players.trained.sight import Rows

Sort = Literal["choice", "amount", "chance"]


class Layer(NamedTuple):
    """Weights (inputs, outputs) and what is added."""

    weights: Rows
    bias: Rows


@dataclass(frozen=True)
class Network:
    """A perceptron with one output; between layers what is below zero becomes zero."""

    layers: tuple[Layer, ...]

    def __call__(self, rows: Rows) -> Rows:
        """The output of each row; for a probability its logit."""
        for number, layer in enumerate(self.layers):
            rows = rows @ layer.weights + layer.bias
            if number + 1 < len(self.layers):
                rows = np.maximum(rows, 0)
        out: Rows = rows[:, 0]
        return out
