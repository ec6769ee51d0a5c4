"""Search where rules are in scan order: through the same states, by turns of the referee's."""

from __future__ import annotations

from collections.abc import Callable

from ggp.errors import IllFormed
from ggp.model import Instance, Objective
from ggp.referee.inputs import all_actions
from ggp.referee.scanning.turn import no_pause
from ggp.referee.turns import Packed, Turns
from ggp.search.moving import Move, StateSearch


class ScanSearch(StateSearch[Packed]):
    """Search over packed states. A level is won by a turn, which is kept in its state."""

    def __init__(
        self, instance: Instance, objective: Objective | None, pause: Callable[[], None] = no_pause
    ) -> None:
        self.turns = Turns(instance, pause)
        self.begin(instance, objective, self.turns.start())
        self.words = [(action, action.verb) for action in all_actions(instance)]

    def judge(self, boards: Packed) -> tuple[bool, bool]:
        """(the turn that led here won, the game is lost)."""
        return boards.won, False

    def moves(self, boards: Packed) -> tuple[Move[Packed], ...]:
        """The inputs that change something; one after which a turn has no end is none."""
        if boards not in self.led_to:
            found = []
            for action, word in self.words:
                try:
                    after = self.turns.turn(boards, word)
                except IllFormed:
                    continue
                if after != boards:
                    cost = 0 if self.objective is not None and self.objective.counts != "turns" else 1
                    found.append(Move(action, after, cost))
            self.led_to[boards] = tuple(found)
        return self.led_to[boards]
