"""What has changed in a turn: what has gone from which cell, and what has come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ggp.learn.boards import Token, Turn
from ggp.learn.fit.sights import Example
from ggp.learn.seen.structure import Structure
from ggp.model import Cell

Changed = tuple[str, Cell, Token]
"""`+` or `-`, the cell, and what comes there or goes."""


def changes_of(turn: Turn) -> Iterator[Changed]:
    """What has gone and what has come, with its cell."""
    if turn.before == turn.after:
        return
    for index, (old, new) in enumerate(zip(turn.before.cells, turn.after.cells, strict=True)):
        if old != new:
            cell = divmod(index, turn.before.width)
            yield from (("-", cell, token) for token in sorted(old - new))
            yield from (("+", cell, token) for token in sorted(new - old))


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
