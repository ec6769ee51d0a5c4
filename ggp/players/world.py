"""A level as something to be played: numbered actions, positions that can be kept, and what each turn came
to.

A position is a value: it can be kept, compared, hashed, and played on from, as often as one likes. So a
world is also the model that a player plans with. `ggp.players.worlds` finds the quickest sort of world that
an instance has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import IllegalAction, UnsupportedFeature
from ggp.model import Cell, Instance, Piece
from ggp.model.board import State, height, variants, width
from ggp.referee.contest import Outcome as Outcome

UTILITY: dict[Outcome, float] = {"open": 0.0, "won": 1.0, "lost": -1.0, "drawn": 0.0}


class Turn(NamedTuple):
    """Where an action leads, whether the run has ended there, and what chance said.

    Where several players take turns the outcome is that of the one who made the turn, and `gets` says at the
    end what each of them gets.
    """

    position: Any
    outcome: Outcome
    gets: tuple[float, ...] = ()
    said: tuple[str, ...] = ()


class World(ABC):
    """One level. `actions` has the words of each action, as plans write them."""

    instance: Instance
    actions: tuple[str, ...]
    lucky = False  # chance has a part, or something is hidden: see `ggp.players.luck`

    @abstractmethod
    def begin(self, seed: int | None = None) -> Any:
        """The first position; the seed is for games in which chance has a part."""

    @abstractmethod
    def turn(self, position: Any, action: int) -> Turn | None:
        """What comes of an action; None where it is illegal, or the rules collide."""

    @abstractmethod
    def legal(self, position: Any) -> NDArray[np.bool_]:
        """Which actions are legal."""

    @abstractmethod
    def state(self, position: Any) -> State:
        """The position as the referee knows it."""

    def at(self, state: State) -> Any:
        """The position of a state between two turns. Raises UnsupportedFeature in worlds that know none."""
        raise UnsupportedFeature(f"{self.instance.name} is played from its beginning only", "", None)

    def shown(self, position: Any) -> State:
        """What the player sees of the position."""
        return self.state(position)

    def told(self, position: Any) -> Any:
        """What a player that plans is given of a position."""
        return position

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays."""
        return self.instance.game.players

    def mover(self, position: Any) -> int:
        """The number of the player whose turn it is."""
        return 0

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece that may be seen between turns, in the order of the planes."""
        seen = (kind for kind in self.instance.game.kinds if not kind.marker)
        return tuple(Piece(kind.name, one) for kind in seen for one in variants(self.instance, kind))

    def planes(self, position: Any) -> NDArray[np.uint8]:
        """A board of zeros and ones for each piece: (pieces, rows, columns)."""
        columns = width(self.instance)
        out = np.zeros((len(self.pieces), height(self.instance), columns), np.uint8)
        number = {piece: plane for plane, piece in enumerate(self.pieces)}
        for index, here in enumerate(self.state(position).board):
            for piece in here:
                out[number[piece], index // columns, index % columns] = 1
        return out

    def turns(self, position: Any) -> dict[int, Turn]:
        """All that can be done: each legal action, and what comes of it."""
        made = {
            int(action): self.turn(position, int(action)) for action in np.flatnonzero(self.legal(position))
        }
        return {action: turn for action, turn in made.items() if turn is not None}

    def placing(self, action: int) -> bool:
        """Is this action part of a design, and no turn?"""
        return False

    def placement(self, action: int) -> tuple[Cell, Piece] | None:
        """What an action places, and where; None for one that places nothing."""
        return None

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each action."""
        return {word: number for number, word in enumerate(self.actions)}

    def numbered(self, action: Any) -> int:
        """An action that somebody hands in, as its number; raises IllegalAction where there is none."""
        if isinstance(action, str) and action in self.number:
            return self.number[action]
        return number_of(action, self.actions)


def number_of(action: Any, words: Sequence[str]) -> int:
    """An action that somebody hands in, as its number among these words; raises IllegalAction."""
    if isinstance(action, str) and action in words:
        return words.index(action)
    whole = isinstance(action, (int, np.integer)) or (
        isinstance(action, np.ndarray) and action.shape == () and action.dtype.kind in "iu"
    )
    if not whole or isinstance(action, bool) or not 0 <= int(action) < len(words):
        some = ", ".join(f"{number} {word}" for number, word in enumerate(words[:4]))
        more = ", ..." if len(words) > 4 else ""
        raise IllegalAction(
            f"there is no action {str(action)[:60]!r}",
            f"write a whole number from 0 to {len(words) - 1} ({some}{more})",
        )
    return int(action)
