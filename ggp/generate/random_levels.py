"""Random levels of a game, for roll-outs: any arrangement that its maps could hold."""

from __future__ import annotations

import random

from ggp.model import Cell, Game, Instance, Kind, Level, Piece

Cells = list[list[frozenset[Piece]]]


def random_level(
    game: Game, rng: random.Random, *, rows: int, columns: int, horizon: int, border: bool = False
) -> Instance:
    """A level with everything strewn over it; each cell holds what some symbol of the game stands for.

    Kinds that a level must hold are there at least as often as they must; all others get a density of
    their own. With `border` the outermost cells hold a piece of the first kind that never moves.
    """
    allowed = {frozenset(pieces) for _, pieces in game.symbols if pieces} | set(placeable_alone(game))
    board: Cells = [[frozenset() for _ in range(columns)] for _ in range(rows)]
    free = [(row, column) for row in range(rows) for column in range(columns)]
    if border:
        edge = [c for c in free if c[0] in (0, rows - 1) or c[1] in (0, columns - 1)]
        for row, column in edge:
            board[row][column] = frozenset({Piece(game.kinds[0].name)})
        free = [cell for cell in free if cell not in set(edge)]
    for kind in sorted(game.kinds, key=lambda kind: kind.count is None):
        strew(game, kind, rng, board, free, allowed)
    frozen = tuple(tuple(row) for row in board)
    limits = game.design.amounts if game.design is not None else ()
    numbers = dict.fromkeys(["budget", *(limit for limit in limits if isinstance(limit, str))], 0)
    return Instance(game, Level("random", frozen, horizon, numbers=tuple(numbers.items())))


def placeable_alone(game: Game) -> list[frozenset[Piece]]:
    """What the design puts on an empty cell."""
    return [frozenset({Piece(kind)}) for kind in game.design.kinds] if game.design is not None else []


def strew(
    game: Game,
    kind: Kind,
    rng: random.Random,
    board: Cells,
    free: list[Cell],
    allowed: set[frozenset[Piece]],
) -> None:
    """Lay pieces of one kind on random cells that can hold them."""
    pieces = strewn(kind, allowed)
    if not pieces:
        return
    if kind.count is None:
        number = round(rng.uniform(0, 0.4) * len(free))
    else:
        low, high = kind.count
        number = rng.randint(max(low, 1), min(high or 3, 3)) if (high or 3) >= 1 else 0
    cells = free[:]
    rng.shuffle(cells)
    for row, column in cells:
        if number == 0:
            return
        piece = pieces[0] if len(pieces) == 1 else rng.choice(pieces)
        after = least_holding(board[row][column] | {piece}, allowed)
        if after is not None:
            board[row][column] = after
            number -= 1


def strewn(kind: Kind, allowed: set[frozenset[Piece]]) -> list[Piece]:
    """The pieces of a kind that may be laid: in any facing, and with the values that a map can draw."""
    if kind.marker:
        return []
    if kind.values is not None:
        return sorted({p for cell in allowed for p in cell if p.kind == kind.name}, key=str)
    return [Piece(kind.name, facing) for facing in kind.facings or (None,)]


def least_holding(pieces: frozenset[Piece], allowed: set[frozenset[Piece]]) -> frozenset[Piece] | None:
    """The least that a cell can hold with these pieces on it: a peg is never there without its hole.

    None where no cell can hold them, or only with another piece of a kind that is there already.
    """
    if pieces in allowed:
        return pieces
    kinds = {piece.kind for piece in pieces}
    fuller = [one for one in allowed if one > pieces and kinds.isdisjoint(p.kind for p in one - pieces)]
    return min(fuller, key=lambda one: (len(one), sorted(map(str, one))), default=None)
