"""Which of several boards shows most that was not seen: what stands on and beside the things that move.

A rule asks what stands near to what it moves. So the board to play next is the one on which most of that is
new; things with other movers near by count less, for nobody sees what each of several did.
"""

from __future__ import annotations

from collections.abc import Collection

from ggp.learn.boards import Board, Stack, Token
from ggp.learn.turn.crowd.crowds import REACH
from ggp.learn.turn.evidence.changes import distance
from ggp.model import OFFSETS, Cell

ALONE, CROWDED = 20, 3  # what something new counts beside a thing that is alone, and beside another
Sight = tuple[Token, Stack, Cell, Stack | None]
"""A thing that moves, all that is in its cell, the step to a cell beside it, and what is there."""


def sights(board: Board, movers: Collection[Token]) -> dict[Sight, int]:
    """All that stands beside things that move, with what that is in their cells, and how much each tells."""
    found: dict[Sight, int] = {}
    there = [
        (divmod(index, board.width), stack)
        for index, stack in enumerate(board.cells)
        if not stack.isdisjoint(movers)
    ]
    for cell, stack in there:
        alone = not any(other != cell and distance(cell, other) <= 2 * REACH for other, _ in there)
        for token in stack.intersection(movers):
            for down, right in OFFSETS.values():
                sight = token, stack, (down, right), board.at((cell[0] + down, cell[1] + right))
                found[sight] = max(found.get(sight, 0), ALONE if alone else CROWDED)
    return found


class Novelty:
    """What was seen so far beside the things that move, and how much of a board is new."""

    def __init__(self, movers: Collection[Token]) -> None:
        self.movers = movers
        self.known: dict[Sight, int] = {}

    def remember(self, board: Board) -> None:
        """Look at a board that was played."""
        for sight, worth in sights(board, self.movers).items():
            self.known[sight] = max(self.known.get(sight, 0), worth)

    def of(self, board: Board) -> int:
        """How much of a board is new."""
        new = sights(board, self.movers).items()
        return sum(worth for sight, worth in new if worth > self.known.get(sight, 0))
