"""What has changed in a turn: what has gone from which cell, and what has come."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.sights import Example
from ggp.learn.seen.structure import Structure
from ggp.model import OFFSETS, Cell

Changed = tuple[str, Cell, Token]
"""`+` or `-`, the cell, and what comes there or goes."""

KEPT = 20_000  # turns of which is kept what has changed


@lru_cache(maxsize=KEPT)
def changes_of(turn: Turn) -> tuple[Changed, ...]:
    """What has gone and what has come, with its cell. Each way of learning asks for that, so it is kept."""
    if turn.before == turn.after:
        return ()
    found: list[Changed] = []
    for index, (old, new) in enumerate(zip(turn.before.cells, turn.after.cells, strict=True)):
        if old is not new and old != new:
            cell = divmod(index, turn.before.width)
            found += (("-", cell, token) for token in sorted(old - new))
            found += (("+", cell, token) for token in sorted(new - old))
    return tuple(found)


def changing(turns: Iterable[Turn], structure: Structure) -> list[str]:
    """The names of what was ever seen to come or go."""
    found = {
        structure.name(token)
        for turn in turns
        if turn.before != turn.after
        for _, _, token in changes_of(turn)
    }
    return sorted(found)


def as_done(example: Example) -> frozenset[Changed]:
    """What a mover changed, with cells counted from its own."""
    row, column = example.at
    return frozenset((sign, (at[0] - row, at[1] - column), token) for sign, at, token in example.changes)


def distance(a: Cell, b: Cell) -> int:
    """Rows or columns between two cells, whichever is more."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def moved(board: Board, token: Token, source: Cell, target: Cell) -> Board:
    """The board with one thing on another cell."""
    return changed(board, (("-", source, token), ("+", target, token)))


def changed(board: Board, changes: Iterable[Changed]) -> Board:
    """The board after some changes."""
    cells = list(board.cells)
    for sign, (row, column), token in changes:
        index = row * board.width + column
        cells[index] = cells[index] - {token} if sign == "-" else cells[index] | {token}
    return Board(board.height, board.width, tuple(cells))


def names_beside(cell: Cell, board: Board, structure: Structure) -> set[str]:
    """What stands in a cell and next to it."""
    row, column = cell
    cells = [cell, *((row + down, column + right) for down, right in OFFSETS.values())]
    return {structure.name(one) for there in cells for one in structure.at(board, there) or ()}
