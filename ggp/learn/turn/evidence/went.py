"""Who went a step where the input points, of all that stand in one line.

Of several that are alike no change tells who went where. But if as many are in each line as before, it is
known: how many of a line are beyond a cell after the turn, and were not before, is how many went over its
edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.program import pointing
from ggp.learn.fit.toil import spend
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import changing
from ggp.model import OFFSETS, Cell


class Went(NamedTuple):
    """Of the things of a name on one board, the cells of those that went where the input points, and not."""

    gone: frozenset[Cell]
    stayed: frozenset[Cell]


Goers = Mapping[Token, Went]
"""For each name of which that is known."""


def goers_of(turn: Turn, structure: Structure) -> Goers:
    """Who went a step where the input points, by the names of which as many are in each line as before."""
    way = pointing(structure, turn.word)
    found = {}
    for name in changing([turn], structure):
        if way is not None and name not in structure.facing and structure.named(name) == {name}:
            went = went_along(turn, name, way)
            if went is not None:
                found[name] = went
    for name in set().union(*turn.before.cells) - set(changing([turn], structure)) - structure.facing.keys():
        found[name] = Went(frozenset(), frozenset(cells_with(turn.before, name)))
    return found


def went_along(turn: Turn, name: Token, way: str) -> Went | None:
    """The same of one name; None where some went elsewhere, came, or are gone."""
    spend(len(turn.before.cells))
    gone: set[Cell] = set()
    for line in lines_of(turn.before, way):
        over = 0
        for cell in line:
            here = name in (turn.before.at(cell) or ())
            over += here - (name in (turn.after.at(cell) or ()))
            if over not in (0, 1):
                return None
            if over and not here:
                return None  # it went on, or jumped
            if over:
                gone.add(cell)
        if over:
            return None
    return Went(frozenset(gone), frozenset(cells_with(turn.before, name)) - gone)


def lines_of(board: Board, way: str) -> Iterator[list[Cell]]:
    """The rows or columns of a board, each in the order in which one goes along."""
    down, right = OFFSETS[way]
    count, length = (board.height, board.width) if right else (board.width, board.height)
    for number in range(count):
        line = [(number, at) if right else (at, number) for at in range(length)]
        yield line if down + right > 0 else line[::-1]


def cells_with(board: Board, name: Token) -> list[Cell]:
    """The cells in which it stands."""
    return [divmod(index, board.width) for index, stack in enumerate(board.cells) if name in stack]


def in_two_lines(turn: Turn, some: Goers, names: Sequence[Token], structure: Structure) -> bool:
    """Did things go in two lines at once? Of one line, who goes first may have pushed the others."""
    _, right = OFFSETS[pointing(structure, turn.word) or "up"]
    gone = (cell for name in names if name in some for cell in some[name].gone)
    return len({cell[0] if right else cell[1] for cell in gone}) > 1
