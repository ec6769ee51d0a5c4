"""Levels that are hard to see through: a walk comes first, then what was placed for it is taken away.

For games in which one piece walks by itself once something was placed: a board of platforms is drawn, the
walker is let go, and whenever it looks at an open cell it is settled at random whether something was placed
there. A long walk that used up the budget gets the target at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from ggp.analysis.design import DesignSearch, Node
from ggp.analysis.local import Ask, Reader
from ggp.errors import IllFormed
from ggp.model import Cell, Game, Instance, Level, Piece

Board = list[list[frozenset[Piece]]]
ATTEMPTS = 400  # walks on one board
PLATFORMS = (2, 6)  # how long they are
OPEN = 0.72  # the part of the inner board that stays open
PLACED = (0.05, 0.3)  # how often something is placed on a cell that is looked at, on one walk and another


class End(NamedTuple):
    """How a walk came to a cell: what was placed by then, at which turn, and how many cells were decided."""

    used: int
    turn: int
    decided: int


@dataclass(frozen=True)
class Wish:
    """What a level is to have: its size, its turns, its numbers, and the pieces that play the parts.

    All that the numbers allow is placed: they are those that limit what is placed, each of them once.
    """

    rows: int
    columns: int
    horizon: int
    numbers: tuple[tuple[str, int], ...]
    wall: Piece
    walker: Piece
    target: Piece
    prefers: Callable[[End], int] = lambda end: end.turn  # of the ends of walks: the greatest

    @property
    def shown(self) -> str:
        """Its size, its turns and its numbers, as they belong to a seed."""
        numbers = "+".join(str(number) for _, number in self.numbers)
        return f"{self.rows}x{self.columns}/{self.horizon}/{numbers}"


def levels(game: Game, wish: Wish, seed: int) -> Iterator[Level]:
    """Levels that can be won, by a walk that takes more than half of the turns and the whole budget."""
    rng = Random(f"{seed}/{wish.shown}")
    while True:
        level = attempt(game, wish, rng)
        if level is not None:
            yield replace(level, name=f"walk-{seed}")


def attempt(game: Game, wish: Wish, rng: Random, tick: Callable[[], None] = lambda: None) -> Level | None:
    """A new board with a target at the end of a walk; None if there was no walk long enough."""
    return walked(game, wish, platforms(rng, wish), rng, tick)


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


def walked(
    game: Game, wish: Wish, board: Board, rng: Random, tick: Callable[[], None] = lambda: None
) -> Level | None:
    """The board with a target at the end of a long walk for which all that may be placed was placed."""
    level = Level("walk", tuple(map(tuple, board)), horizon=wish.horizon, numbers=wish.numbers)
    search = DesignSearch(Instance(game, level))
    ends = dict[int, End]()
    for _ in range(ATTEMPTS):
        tick()
        visit(search, rng, ends)
    # Where one walk came with less placed, the target would not ask for all of it.
    late = [
        (wish.prefers(end), cell)
        for cell, end in ends.items()
        if end.used == search.limit and end.turn > wish.horizon // 2
    ]
    if not late:
        return None
    row, column = search.cell_of[max(late)[1]]
    board[row][column] = frozenset({wish.target})
    return replace(level, board=tuple(map(tuple, board)))


def visit(search: DesignSearch, rng: Random, ends: dict[int, End]) -> None:
    """Go one walk, and keep of each open cell how it came there, if that is better than before.

    A walk is over where all is as it was at an earlier turn and nothing was settled since: from there it goes
    round, asks nothing and comes nowhere new. Most walks do so long before the horizon.
    """
    often = rng.uniform(*PLACED)

    def choose(cell: int, pieces: list[Piece]) -> Piece | None:
        return rng.choice(pieces) if rng.random() < often else None

    seen = set[int]()
    settled = dict[tuple[int, ...], int]()  # how many cells were when the boards were last like that
    for node in released(search, choose):
        if settled.get(node.boards) == len(node.decided):
            return
        settled[node.boards] = len(node.decided)
        here = standing(search, node.boards)
        if here not in seen and here & search.free and not here & (here - 1):
            came = End(node.used, node.turn, len(node.decided))
            ends[here] = min(ends.get(here, came), came, key=lambda end: (end.used, -end.turn, -end.decided))
        seen.add(here)


def released(search: DesignSearch, choose: Callable[[int, list[Piece]], Piece | None]) -> Iterator[Node]:
    """A run turn by turn, from the start to the horizon or to where it breaks off.

    Whenever it looks at an open cell (a bit) while more may be placed, `choose` says what was placed there,
    of the pieces that are left. What is yielded is always the same node, at another turn.
    """
    node = Node(search.start, 0, {}, 0)
    while True:
        yield node
        if node.turn >= search.horizon or not stepped(search, node, choose):
            return


def stepped(search: DesignSearch, node: Node, choose: Callable[[int, list[Piece]], Piece | None]) -> bool:
    """Go on by one turn; False where the run breaks off."""
    while True:
        left = [piece for piece in search.pieces if search.left(piece, node)]
        try:
            spent = node.used >= (search.limit or 0) or not left
            node.boards = search.rules.turn(node.boards, Reader(node.decided, search.rules, spent))
        except Ask as ask:
            node.decided[ask.cell] = choose(ask.cell, left)
            node.used += node.decided[ask.cell] is not None
        except IllFormed:
            return False
        else:
            node.turn += 1
            return True


def standing(search: DesignSearch, boards: tuple[int, ...]) -> int:
    """The cells on which something stands that moves, as bits."""
    here = 0
    for plane in search.transition.dynamic:
        here |= boards[plane]
    return here


def chosen(
    game: Game, wish: Wish, seed: int, fits: Callable[[Instance], bool] = lambda instance: True
) -> Instance:
    """The first level of a seed that fits."""
    return next(one for one in (Instance(game, level) for level in levels(game, wish, seed)) if fits(one))
