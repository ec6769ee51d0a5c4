"""A board on which things of one kind have changed places with such of another that face alike.

What happens there tells how far two kinds are alike. There are as many of each as before.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ggp.learn.boards import Board, Stack, Token
from ggp.learn.seen.structure import Structure
from ggp.model import DIRECTIONS

Place = tuple[Token, int]
"""A thing, and the number of its cell."""


def exchanged(board: Board, where: Sequence[int], structure: Structure, rng: random.Random) -> Board | None:
    """The board with all things of some kind in these cells exchanged, or one of them; None if it has none.

    One for which no thing faces alike stays.
    """
    names = sorted({structure.name(token) for index in where for token in board.cells[index]})
    if not names:
        return None
    name = rng.choice(names)
    own = [(t, n) for n in where for t in sorted(board.cells[n]) if structure.name(t) == name]
    if rng.random() < 0.5:
        own = [rng.choice(own)]
    elsewhere = [n for n in range(len(board.cells)) if n not in where]
    others = alike(board, elsewhere, structure)
    facings = [facing_of(token, structure) for token, _ in own]
    kinds = [one for one, known in others.items() if one != name and known.keys() & set(facings)]
    if not kinds:
        return None
    spare = others[rng.choice(kinds)]
    cells: list[Stack] = list(board.cells)
    for (token, here), facing in zip(own, facings, strict=True):
        if spare.get(facing):
            other, there = spare[facing].pop(rng.randrange(len(spare[facing])))
            cells[here] = cells[here] - {token} | {other}
            cells[there] = cells[there] - {other} | {token}
    return Board(board.height, board.width, tuple(cells))


def alike(board: Board, where: Sequence[int], structure: Structure) -> dict[str, dict[str, list[Place]]]:
    """The things in some cells, by kind and by facing."""
    found: dict[str, dict[str, list[Place]]] = {}
    for index in where:
        for token in sorted(board.cells[index]):
            kind = found.setdefault(structure.name(token), {})
            kind.setdefault(facing_of(token, structure), []).append((token, index))
    return found


def facing_of(token: Token, structure: Structure) -> str:
    """What a token faces; "" for one that faces nothing."""
    facing = structure.facing[token][1] if token in structure.facing else ""
    return facing if facing in DIRECTIONS else ""
