"""Who is taken by what goes by itself: where it went before is not seen, and a run that is over rests."""

from __future__ import annotations

from itertools import product

import ggp.learn.whole  # noqa: F401  # before its parts, of which it is the first
from ggp.learn.boards import Board, Stack, Turn
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.in_parts.driven import learn_driven
from ggp.model import OFFSETS

SIDE = 3


def turn_of(player: int, guard: int, facing: str, word: str) -> Turn:
    """The player steps, then the guard goes on, takes whom it meets, and turns at an edge.

    Who steps into the guard is taken as well, and then the guard does nothing.
    """

    def stepped(cell: int, way: str) -> int:
        (down, right), (row, column) = OFFSETS[way], divmod(cell, SIDE)
        inside = 0 <= row + down < SIDE and 0 <= column + right < SIDE
        return (row + down) * SIDE + column + right if inside else cell

    before = board(player, guard, facing)
    to = stepped(player, word)
    if to == guard:
        return Turn(before, word, board(None, guard, facing))
    ahead = stepped(guard, facing)
    if ahead == guard:
        return Turn(before, word, board(to, guard, {"up": "down", "down": "up"}[facing]))
    return Turn(before, word, board(None if ahead == to else to, ahead, facing))


def board(player: int | None, guard: int, facing: str) -> Board:
    """Both on a small board."""
    cells = [Stack()] * SIDE**2
    cells[guard] = Stack({f"guard:{facing}"})
    if player is not None:
        cells[player] = Stack({"player"})
    return Board(SIDE, SIDE, tuple(cells))


def test_what_takes_the_player_goes_while_there_is_one() -> None:
    cells = range(SIDE**2)
    turns = [
        turn_of(player, guard, facing, word)
        for player, guard, facing, word in product(cells, cells, ("up", "down"), OFFSETS)
        if player != guard
    ]
    program = learn_driven(turns, structure_of(turns), (16.0,))
    assert len(program.programs) == 2 and not any(map(program.wrong, turns))
