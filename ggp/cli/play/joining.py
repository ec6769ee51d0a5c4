"""Choices of several at one keyboard who move at the same time: kept until all have chosen, and not shown."""

from __future__ import annotations

from collections.abc import Collection

from ggp.errors import IllegalAction
from ggp.model import Instance
from ggp.model.board import Action, State
from ggp.referee.semantics import is_choice


class Joining:
    """What those at the keys have chosen in a state; `elsewhere` are the places that others take."""

    def __init__(self, instance: Instance, elsewhere: Collection[int] = ()) -> None:
        self.instance = instance
        self.here = [place for place in range(len(instance.game.players)) if place not in elsewhere]
        self.state: State | None = None
        self.chosen: dict[int, str] = {}

    def next(self, state: State) -> int | None:
        """Whose choice is awaited at the keys; None where all have chosen."""
        if self.state is not state:
            self.state, self.chosen = state, {}
        return next((place for place in self.here if place not in self.chosen), None)

    def choose(self, state: State, action: Action) -> None:
        """Choose for the next of those at the keys. Raises IllegalAction where that is no move."""
        place = self.next(state)
        if place is None:
            raise IllegalAction("all have chosen", "wait for the others, or undo")
        if not is_choice(self.instance, state, place, action):
            message = f"{action} of {self.instance.game.players[place]} changes nothing"
            raise IllegalAction(message, "such an input is not a move in this game")
        self.chosen[place] = str(action)

    def take_back(self) -> bool:
        """Take back what was chosen last; False where nothing was."""
        return bool(self.chosen and self.chosen.popitem())
