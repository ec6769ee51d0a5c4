"""A level of several players who take turns, as a world."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ggp.errors import UnsupportedFeature
from ggp.model import Instance, Piece
from ggp.players.moving import Moving
from ggp.players.world import Turn
from ggp.referee.contest import Outcome, seen_by, utilities


class Contest(Moving):
    """An input each turn, of one player after another. A position also holds whose turn it is."""

    def __init__(self, instance: Instance, loose: tuple[Piece, ...] = ()) -> None:
        if instance.game.design is not None or instance.game.input is None:
            raise UnsupportedFeature(
                f"in {instance.game.name} several players have no inputs, or place something before the run",
                "take a game in which they take turns",
            )
        super().__init__(instance, loose)
        self.shape = (self.shape[0] + 1, *self.shape[1:])
        self.stuck = instance.game.input.stuck

    def mover(self, position: bytes) -> int:
        return int(self.states(position)[-1, 0, 0])

    def turn(self, position: bytes, action: int) -> Turn | None:
        return self.turns(position).get(action)

    def turns(self, position: bytes) -> dict[int, Turn]:
        if position != self.turned_from:
            self.found_turns = self.reached(position)
            self.turned_from = position
        return self.found_turns

    turned_from: bytes | None = None

    def reached(self, position: bytes) -> dict[int, Turn]:
        """All legal turns: who has won or lost by them, and who cannot move after them."""
        from ggp.transition.native.lanes import LOST, WON

        told, after = self.expanded(position)
        legal, mover = np.flatnonzero(told & 1), self.mover(position)
        there = np.ascontiguousarray(after[:, :, legal])
        moves_on: list[bool] = [bool(row.any()) for row in self.stepper.legal(there)]
        found: dict[int, Turn] = {}
        for index, action in enumerate(legal.tolist()):
            came_to = there[:, :, index].tobytes()
            gets: tuple[float, ...] = ()
            if told[action] & LOST:
                gets = self.gets(mover, "lost")
            elif told[action] & WON and self.any_turn:
                gets = self.gets(mover, "won")
            elif not moves_on[index]:
                gets = self.out_of_actions(int(there[-1, 0, index]))
            found[action] = Turn(came_to, seen_by(mover, gets), gets)
        return found

    def gets(self, mover: int, outcome: Outcome) -> tuple[float, ...]:
        """What each player gets where one has won or lost."""
        return utilities(len(self.players), mover, outcome)

    def out_of_actions(self, mover: int) -> tuple[float, ...]:
        """What each player gets where this one cannot move."""
        return self.gets(mover, "lost" if self.stuck == "loses" else "drawn")

    @cached_property
    def ends(self) -> NDArray[np.float64]:
        """What each player gets at the end of a random run (`ggp.transition.native.playouts`).

        By how the run stands, and by who made the last turn, or whose turn it is where nobody can move.
        """
        from ggp.transition.native.playouts import HAS_LOST, HAS_WON, STUCK

        players = range(len(self.players))
        outcomes: dict[int, Outcome] = {HAS_WON: "won", HAS_LOST: "lost"}
        return np.array(
            [
                [self.gets(player, outcomes.get(stands, "drawn")) for player in players]
                if stands != STUCK
                else [self.out_of_actions(player) for player in players]
                for stands in range(STUCK + 1)
            ]
        )
