"""A world whose rules go in scan order, by the referee."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.errors import IllFormed
from ggp.model import Instance
from ggp.model.board import State
from ggp.players.world import Turn, World
from ggp.referee import turns
from ggp.referee.chance import seeded
from ggp.referee.inputs import all_actions


class Ordered(World):
    """Rules in scan order. A position is a packed state of `ggp.referee.turns`."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.packed = turns.turns_of(instance)
        self.actions = tuple(map(str, all_actions(instance)))

    def begin(self, seed: int | None = None) -> turns.Packed:
        start = self.packed.start()
        return start if seed is None or start.chance is None else start._replace(chance=seeded(str(seed)))

    def turn(self, position: turns.Packed, action: int) -> Turn | None:
        try:
            after = self.packed.turn(position, self.actions[action])
        except IllFormed:
            return None
        return None if after == position else Turn(after, "won" if after.won else "open")

    def legal(self, position: turns.Packed) -> NDArray[np.bool_]:
        return np.array([self.turn(position, action) is not None for action in range(len(self.actions))])

    def state(self, position: turns.Packed) -> State:
        return self.packed.state(position)
