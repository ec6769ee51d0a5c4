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
    """The player and cats go, kites the other way, and carts where they face, cell by cell in this order.

    So it goes on until nothing more goes. Boxes go before whoever would go.
    """
    ways = {"player": word, "cat": word, "kite": AGAINST[word], **{f"cart:{way}": way for way in OFFSETS}}
    left = {cell: ways[name] for cell, name in things.items() if name in ways}
    for (row, column), way in list(left.items()):
        ahead = row + OFFSETS[way][0], column + OFFSETS[way][1]
        if things.get(ahead) == "box":
            left[ahead] = way
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
    turns = turns_of(CROWD, order, 160)
    learned, others = turns[:80], turns[80:]
    program = learn_jostling(learned, structure_of(learned), (16.0,))
    assert not any(map(program.wrong, others))
    assert program.passing and program.cost < 12  # a mark for each, and a step for each


def test_carts_go_where_they_face_and_push_boxes_as_players_do_and_then_turn() -> None:
    """Which way all turn then has no part in who comes first."""
    names = ["player", "cart:right", "cart:up", *["box"] * 4, *["wall"] * 2]
    turns = [turned(turn) for turn in turns_of(names, BY_COLUMNS, 140) if not pushed_twice(turn)]
    learned, others = turns[:90], turns[90:]
    program = learn_jostling(learned, structure_of(learned), (16.0,))
    assert sum(map(program.wrong, others)) <= 1  # four rounds are hardly told from three


def turned(turn: Turn) -> Turn:
    """The turn with all carts facing where the input points, at its end."""
    cells = (
        frozenset(f"cart:{turn.word}" if "cart" in name else name for name in stack)
        for stack in turn.after.cells
    )
    return turn._replace(after=turn.after._replace(cells=tuple(cells)))


def pushed_twice(turn: Turn) -> bool:
    """Would two push one box? Which way it goes then is another question."""
    ahead = []
    for at, stack in zip(map(cell_of, range(HEIGHT * WIDTH)), turn.before.cells, strict=True):
        for name in stack:
            way = turn.word if name == "player" else name.partition(":")[2]
            if way:
                ahead.append((at[0] + OFFSETS[way][0], at[1] + OFFSETS[way][1]))
    return any("box" in (turn.before.at(to) or ()) for to in ahead if ahead.count(to) > 1)


def test_where_nobody_meets_it_is_not_asked() -> None:
    turns = turns_of(["player", "cat", "cat", "wall"], BY_COLUMNS, 200)
    with pytest.raises(NotLearned, match="nobody heads"):
        learn_jostling(turns, structure_of(turns), (16.0,))
