"""What is new about a state: something holds in it that held in no state as far from the goal (Lipovetzky and
Geffner, "Best-first width search", 2017, of width 1).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class Novelty:
    """Remembers, for each distance from the goal, what has held in some state."""

    def __init__(self) -> None:
        self.held: dict[float, NDArray[np.uint8]] = {}

    def __call__(self, far: NDArray[np.float64], bits: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which of these states are new. `bits`: what holds in each, (states, octets)."""
        new = np.empty(len(far), bool)
        for distance in np.unique(far):
            who = np.flatnonzero(far == distance)
            held = self.held.get(float(distance))
            if held is None:
                held = self.held[float(distance)] = np.zeros(bits.shape[1], np.uint8)
            new[who] = (bits[who] & ~held).any(axis=1)
            held |= np.bitwise_or.reduce(bits[who], axis=0)
        return new
