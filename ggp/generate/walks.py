"""Levels that are hard to see through: a walk comes first, then what was placed for it is taken away.

For games in which one piece walks by itself once something was placed: a board of platforms is drawn, the
walker is let go, and whenever it looks at an open cell it is settled at random whether something was placed
there. A long walk that used up the budget gets the target at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from ggp.analysis.design import DesignSearch
from ggp.analysis.local import Ask, Reader
from ggp.model import Cell, Game, Instance, Level, Piece

Board = list[list[frozenset[Piece]]]
ATTEMPTS = 400  # walks on one board
PLATFORMS = (2, 6)  # how long they are
OPEN = 0.72  # the part of the inner board that stays open
PLACED = 0.25  # how often something is placed on a cell that is looked at


@dataclass(frozen=True)
class Wish:
    """What a level is to have: its size, its turns and its budget, and the pieces that play the parts."""

    rows: int
    columns: int
    horizon: int
    budget: int
    wall: Piece
    walker: Piece
    target: Piece


def levels(game: Game, wish: Wish, seed: int) -> Iterator[Level]:
    """Levels that can be won, by a walk that takes more than half of the turns and the whole budget."""
    rng = Random(f"{seed}/{wish.rows}x{wish.columns}/{wish.horizon}/{wish.budget}")
    while True:
        board = platforms(rng, wish)
        level = walked(game, wish, board, rng)
        if level is not None:
            yield replace(level, name=f"walk-{seed}")


def platforms(rng: Random, wish: Wish) -> Board:
    """A closed board with platforms, and the walker in one of its upper rows."""
    rows, columns = wish.rows, wish.columns
    edge = {
        (r, c) for r in range(rows) for c in range(columns) if r in (0, rows - 1) or c in (0, columns - 1)
    }
    walls, inner = set[Cell](), (rows - 2) * (columns - 2)
    while len(walls) < (1 - OPEN) * inner:
        row, column = rng.randrange(1, rows - 1), rng.randrange(1, columns - 1)
        length = rng.randint(*PLATFORMS)
        walls |= {(row, c) for c in range(column, min(column + length, columns - 1))}
    wall = frozenset({wish.wall})
    board = [[wall if (r, c) in walls | edge else frozenset() for c in range(columns)] for r in range(rows)]
    upper = [(r, c) for r in range(1, max(2, rows // 4)) for c in range(columns) if not board[r][c]]
    row, column = rng.choice(upper or [(1, 1)])
    board[row][column] = frozenset({wish.walker})
    return board


def walked(game: Game, wish: Wish, board: Board, rng: Random) -> Level | None:
    """The board with a target at the end of a long walk for which the whole budget was placed."""
    level = Level("walk", tuple(map(tuple, board)), horizon=wish.horizon, numbers=(("budget", wish.budget),))
    search = DesignSearch(Instance(game, level))
    best: tuple[int, Cell] | None = None
    for _ in range(ATTEMPTS):
        found = end_of_walk(search, wish, rng)
        if found is not None and (best is None or found > best):
            best = found
    if best is None or best[0] <= wish.horizon // 2:
        return None
    row, column = best[1]
    board[row][column] = frozenset({wish.target})
    return replace(level, board=tuple(map(tuple, board)))


def end_of_walk(search: DesignSearch, wish: Wish, rng: Random) -> tuple[int, Cell] | None:
    """(turn, cell) of the last new cell of one walk, if all was placed by then."""
    decided: dict[int, Piece | None] = {}
    boards, seen, found, used = search.start, set[int](), None, 0
    for turn in range(wish.horizon + 1):
        here = 0
        for plane in search.transition.dynamic:
            here |= boards[plane]
        if here not in seen and not here & (here - 1) and used == wish.budget and here & search.free:
            found = turn, search.cell_of[here]
        seen.add(here)
        after = None
        while after is None:
            try:
                after = search.rules.turn(boards, Reader(decided, search.rules, used >= wish.budget))
            except Ask as ask:
                places = rng.random() < PLACED
                decided[ask.cell] = rng.choice(search.pieces) if places else None
                used += places
        boards = after
    return found


def chosen(
    game: Game, wish: Wish, seed: int, fits: Callable[[Instance], bool] = lambda instance: True
) -> Instance:
    """The first level of a seed that fits."""
    return next(one for one in (Instance(game, level) for level in levels(game, wish, seed)) if fits(one))
