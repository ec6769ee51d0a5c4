"""What play puts on a board. One made for the goal may hold more, of which no rule need speak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from ggp.learn.boards import Board, Episode, Stack, Token


@dataclass
class Usual:
    """All that play put into one cell, and of what it had two or more on a board.

    To see what wins, all crates are put on gates, and a second exit is made. What becomes of them no play
    tells: of one ring, what is on the ring and what is on some ring are the same.
    """

    stacks: set[Stack] = field(default_factory=set)
    several: set[Token] = field(default_factory=set)

    def see(self, episodes: Iterable[Episode]) -> None:
        """Add what some runs show."""
        for board in {board for one in episodes for board in one.boards()}:
            self.stacks.update(board.cells)
            self.several |= twice_on(board)

    def has(self, board: Board) -> bool:
        """Does it hold nothing but what play could put there, for all that was seen?"""
        return self.stacks.issuperset(board.cells) and self.several >= twice_on(board)


def twice_on(board: Board) -> set[Token]:
    """The tokens that a board holds in two cells or more."""
    return {token for token, number in Counter(chain.from_iterable(board.cells)).items() if number > 1}
