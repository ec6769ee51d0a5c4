"""A world with an input each turn, in machine code (`ggp.transition.stepper`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.model import Instance, Piece
from ggp.model.board import State
from ggp.players.world import Outcome, Turn, World
from ggp.referee.semantics import ending
from ggp.transition.stepper import States, Stepper


class Moving(World):
    """An input each turn. A position is the bytes of the boards that vary."""

    def __init__(self, instance: Instance, loose: tuple[Piece, ...] = ()) -> None:
        self.instance = instance
        self.stepper = Stepper(instance, loose)
        self.actions = tuple(map(str, self.stepper.actions))
        self.shape = (len(self.stepper.varying), self.stepper.words, 1)
        self.any_turn = ending(instance) == "any-turn"
        self.last: bytes | None = None

    def begin(self, seed: int | None = None) -> bytes:
        return self.stepper.begin(1).tobytes()

    def at(self, state: State) -> bytes:
        return self.stepper.pack(state).tobytes()

    def states(self, position: bytes) -> States:
        """The position as the stepper has it."""
        return np.frombuffer(bytearray(position), np.uint64).reshape(self.shape)

    def expanded(self, position: bytes) -> tuple[NDArray[np.uint8], States]:
        """What each action comes to, and the states they lead to; kept for the position asked for last."""
        if position != self.last:
            self.found = self.stepper.all_turns(self.states(position))
            self.last = position
        return self.found

    def turn(self, position: bytes, action: int) -> Turn | None:
        told, after = self.expanded(position)
        if not told[action] & 1:
            return None
        return Turn(after[:, :, action].tobytes(), self.outcome(int(told[action])))

    def outcome(self, told: int) -> Outcome:
        """What the bits of a turn say of the run. Where the goal must hold at the horizon, see `Run`."""
        if told & 4:
            return "lost"
        return "won" if told & 2 and self.any_turn else "open"

    def legal(self, position: bytes) -> NDArray[np.bool_]:
        return (self.expanded(position)[0] & 1).view(np.bool_)

    def state(self, position: bytes) -> State:
        return self.stepper.unpack(self.states(position))

    def planes(self, position: bytes) -> NDArray[np.uint8]:
        made: NDArray[np.uint8] = self.stepper.planes(self.states(position))[0]
        return made
