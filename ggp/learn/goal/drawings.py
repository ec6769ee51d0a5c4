"""A picture that each level draws for itself: what stood together on the boards on which a level was won.

Looked for only where nothing says of all levels at once what wins. Of a level's won boards the largest patch
of things that they have in common is taken: what is part of it may be there by chance, but a plan that makes
all of it wins for certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ggp.learn.boards import Board, Episode, Token
from ggp.learn.goal.goals import said
from ggp.learn.seen.structure import Structure
from ggp.model import Cell, Drawing, Piece

PICTURE = "picture"  # the name of what a level draws

Patch = frozenset[tuple[Cell, Token]]
"""Things and where they stand, counted from the uppermost row and the leftmost column."""


def pictures_of(episodes: Sequence[Episode], structure: Structure) -> dict[Board, Patch]:
    """The picture of each level (by its bare board) that was won; empty where most are not told apart."""
    levels: dict[Board, list[Episode]] = {}
    for episode in episodes:
        levels.setdefault(episode.bare(), []).append(episode)
    found: dict[Board, Patch] = {}
    unclear = 0
    for level, runs in levels.items():
        known = {board: told for run in runs for board, told in said(run, "won")}
        won = [board for board, told in known.items() if told]
        if won:
            patch = common(won, structure)
            if patch is None or any(shows(board, patch) for board, told in known.items() if told is False):
                unclear += 1
            else:
                found[level] = patch
    return found if len(found) > unclear else {}


def common(boards: Sequence[Board], structure: Structure) -> Patch | None:
    """The largest patch of at least two things that all boards show; None where there is none."""
    shared = set(patches(boards[0], structure))
    for board in boards[1:]:
        shared = {part for one in shared for part in overlaps(one, loose(board, structure))}
    return max((one for one in shared if len(one) > 1), key=lambda one: (len(one), sorted(one)), default=None)


def loose(board: Board, structure: Structure) -> dict[Cell, list[Token]]:
    """What can move or change, by cell."""
    found = {}
    for index, stack in enumerate(board.cells):
        here = sorted(stack - structure.fixed)
        if here:
            found[divmod(index, board.width)] = here
    return found


def patches(board: Board, structure: Structure) -> Iterator[Patch]:
    """The patches of what can move, cells side by side or corner to corner."""
    left = loose(board, structure)
    while left:
        patch, edge = {}, [next(iter(left))]
        while edge:
            row, column = cell = edge.pop()
            if cell in left:
                patch[cell] = left.pop(cell)
                edge += [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        yield placed((cell, token) for cell, here in patch.items() for token in here)


def placed(things: Iterable[tuple[Cell, Token]]) -> Patch:
    """The things counted from their own corner."""
    listed = list(things)
    top, left = min(cell[0] for cell, _ in listed), min(cell[1] for cell, _ in listed)
    return frozenset(((row - top, column - left), token) for (row, column), token in listed)


def overlaps(patch: Patch, other: Mapping[Cell, Sequence[Token]]) -> Iterator[Patch]:
    """What a patch shares with a board, wherever it is laid."""
    for (row, column), token in patch:
        for (down, right), here in other.items():
            if token in here:
                shift = down - row, right - column
                both = [(c, t) for c, t in patch if t in other.get((c[0] + shift[0], c[1] + shift[1]), ())]
                yield placed(both)


def shows(board: Board, patch: Patch) -> bool:
    """Is the patch anywhere on a board?"""
    return any(
        all(token in (board.at((row + down, column + right)) or ()) for (row, column), token in patch)
        for down in range(board.height)
        for right in range(board.width)
    )


def drawing_of(patch: Patch, pieces: Mapping[Token, Piece]) -> Drawing:
    """A patch as a level draws it."""
    rows = 1 + max(cell[0] for cell, _ in patch)
    columns = 1 + max(cell[1] for cell, _ in patch)
    here: dict[Cell, set[Piece]] = {}
    for cell, token in patch:
        here.setdefault(cell, set()).add(pieces[token])
    return tuple(
        tuple(frozenset(here.get((row, column), ())) for column in range(columns)) for row in range(rows)
    )
