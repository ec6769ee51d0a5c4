"""Random inputs that get on with a game: found by the compiled Transition, so that trying many costs little.

Only what to try next is chosen here. Whether it is a move, and what it does, the referee says.
"""

from __future__ import annotations

import random

from ggp.algebras.bits import Bits
from ggp.board import Action, State
from ggp.errors import IllegalAction, IllFormed
from ggp.model import Instance
from ggp.semantics import all_actions
from ggp.transition import compile_instance


class Roamer:
    """Chooses inputs of one instance, a game of one player with inputs."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.bits = Bits(compile_instance(instance))
        self.actions = tuple(all_actions(instance))

    def move(self, state: State, rng: random.Random) -> Action | None:
        """An input that changes something here, each as likely as another; None where there is none."""
        boards, declared = self.bits.pack(state), self.instance.game.input
        for action in rng.sample(self.actions, len(self.actions)):
            try:
                if self.bits.act(boards, action, declared) != boards:
                    return action
            except (IllegalAction, IllFormed):
                continue
        return None
