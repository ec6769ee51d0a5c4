"""What random walks ask again and again: an input that gets on with the game, and what the referee says.

Random runs come to the same states over and over, most of all near the start, so each question is asked
once. Which inputs change something is found by the compiled Transition, so that trying many costs little;
but only what to try next is chosen by it. Whether it is a move, and what it does, the referee says.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

from ggp.errors import IllegalAction, IllFormed
from ggp.model import Instance, Piece
from ggp.model.board import Action, State
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import step
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import Boards

MOST = 50_000  # answers that are kept for an instance


class Referee:
    """The referee of one instance, who remembers what was asked before."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.said: dict[tuple[State, Action | None], State] = {}
        self.contents: dict[frozenset[Piece], frozenset[Piece]] = {}

    def step(self, instance: Instance, state: State, action: Action | None = None) -> State:
        """What `ggp.referee.semantics.step` gives for this instance. What it raises is not kept."""
        found = self.said.get((state, action))
        if found is None:
            if len(self.said) >= MOST:
                self.said.clear()
            found = self.said[state, action] = self.lean(step(instance, state, action))
        return found

    def lean(self, state: State) -> State:
        """The same state, sharing the contents of its cells with all others: they take most of the memory."""
        return replace(state, board=tuple(self.contents.setdefault(here, here) for here in state.board))


class RandomWalk:
    """Chooses inputs of one instance, a game of one player with inputs."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.bits = Bits(compile_instance(instance))
        self.actions = tuple(all_actions(instance))
        self.known: dict[tuple[Boards, Action], bool] = {}

    def move(self, state: State, rng: random.Random) -> Action | None:
        """An input that changes something here, each as likely as another; None where there is none."""
        boards = self.bits.pack(state)
        if len(self.known) >= MOST:
            self.known.clear()
        for action in rng.sample(self.actions, len(self.actions)):
            changes = self.known.get((boards, action))
            if changes is None:
                changes = self.known[boards, action] = self.changes(boards, action)
            if changes:
                return action
        return None

    def changes(self, boards: Boards, action: Action) -> bool:
        """Is it an input that changes something?"""
        try:
            return self.bits.act(boards, action, self.instance.game.input) != boards
        except (IllegalAction, IllFormed):
            return False


@lru_cache(maxsize=16)
def referee(instance: Instance) -> Referee:
    """The one that all runs of an instance ask."""
    return Referee(instance)


@lru_cache(maxsize=16)
def random_walk(instance: Instance) -> RandomWalk:
    """The one that all runs of an instance, a game with inputs, share."""
    return RandomWalk(instance)
