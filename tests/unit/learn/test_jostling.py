"""All go at once, each its own way; of two that head for one cell the first one comes there."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

import ggp.learn.whole  # noqa: F401  # before its parts, of which it is the first
from ggp.errors import NotLearned
from ggp.learn.boards import Board, Turn
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.one_pass.jostling import learn_jostling
from ggp.model import OFFSETS, Cell

HEIGHT, WIDTH = 5, 6
AGAINST = {"up": "down", "down": "up", "left": "right", "right": "left"}
BY_COLUMNS = [(row, column) for column in range(WIDTH) for row in range(HEIGHT)]
Things = dict[Cell, str]


def played(things: Things, word: str, order: Sequence[Cell]) -> Things:
    """The player and cats go, kites go the other way: cell by cell in this order, until nothing more goes."""
    ways = {"player": word, "cat": word, "kite": AGAINST[word]}
    left = {cell: ways[name] for cell, name in things.items() if name in ways}
    things, again = dict(things), True
    while again:
        again = False
        for cell in order:
            down, right = OFFSETS[left[cell]] if cell in left else (0, 0)
            to = cell[0] + down, cell[1] + right
            if cell in left and to in order and to not in things:
                things[to] = things.pop(cell)
                del left[cell]
                again = True
    return things


def board(things: Things) -> Board:
    """What stands where."""
    cells = (frozenset({things[at]} if at in things else ()) for at in map(cell_of, range(HEIGHT * WIDTH)))
    return Board(HEIGHT, WIDTH, tuple(cells))


def cell_of(index: int) -> Cell:
    return divmod(index, WIDTH)


def turns_of(names: Sequence[str], order: Sequence[Cell], number: int = 400) -> list[Turn]:
    """Turns on random boards with these things."""
    rng, found = random.Random(7), []
    for _ in range(number):
        things = dict(zip(rng.sample(BY_COLUMNS, len(names)), names, strict=True))
        word = rng.choice(list(OFFSETS))
        found.append(Turn(board(things), word, board(played(things, word, order))))
    return found


CROWD = ["player", *["cat"] * 3, *["kite"] * 3, *["wall"] * 3]


@pytest.mark.parametrize("order", [BY_COLUMNS, BY_COLUMNS[::-1]])
def test_who_comes_first_is_told_by_where_they_meet(order: Sequence[Cell]) -> None:
    turns = turns_of(CROWD, order)
    learned, others = turns[:200], turns[200:]
    program = learn_jostling(learned, structure_of(learned), (16.0,))
    assert not any(map(program.wrong, others))
    assert program.passing and program.cost < 12  # a mark for each, and a step for each


def test_where_nobody_meets_it_is_not_asked() -> None:
    turns = turns_of(["player", "cat", "cat", "wall"], BY_COLUMNS, 200)
    with pytest.raises(NotLearned, match="nobody heads"):
        learn_jostling(turns, structure_of(turns), (16.0,))
