"""A turn on a turned board: whether the same happens tells how far a game is alike in all directions."""

from __future__ import annotations

import random
from collections.abc import Mapping

from ggp.learn.boards import Board, Token, Turn, word_of
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.symmetry import turned_facing
from ggp.model import DIRECTIONS, Cell

WAYS = [(quarters, flip) for quarters in range(4) for flip in (False, True) if quarters or flip]


def turned(turn: Turn, structure: Structure, rng: random.Random) -> tuple[Board, str | None]:
    """The board before a turn, turned or mirrored at random with all that faces somewhere, and the input."""
    return turned_so(turn, structure, *rng.choice(WAYS), rng)


def turned_so(
    turn: Turn, structure: Structure, quarters: int, flip: bool, rng: random.Random
) -> tuple[Board, str | None]:
    """The same by so many quarter turns, and then with left and right exchanged (`flip`) or not.

    What has no such facing gets any of its own; an input without one for the new direction stays.
    """
    old = turn.before
    tokens = {token: facing_so(token, structure, quarters, flip, rng) for token in structure.tokens}
    height, width = (old.width, old.height) if quarters % 2 else (old.height, old.width)
    cells = [frozenset[Token]()] * len(old.cells)
    for index, stack in enumerate(old.cells):
        row, column = turned_cell(divmod(index, old.width), old, quarters, flip)
        cells[row * width + column] = frozenset(tokens.get(token, token) for token in stack)
    return Board(height, width, tuple(cells)), turned_word(turn.word, old, structure, quarters, flip)


def facing_so(token: Token, structure: Structure, quarters: int, flip: bool, rng: random.Random) -> Token:
    """The token of the same kind that faces where this one does after the turn; any of the kind if none."""
    if token not in structure.facing:
        return token
    name, facing = structure.facing[token]
    family = {way: other for other, (kind, way) in structure.facing.items() if kind == name}
    way = turned_facing(facing, quarters, flip)
    return family[way] if way in family else rng.choice(list(family.values()))


def turned_cell(cell: Cell, board: Board, quarters: int, flip: bool) -> Cell:
    """Where a cell comes to: quarter turns clockwise, then an exchange of left and right."""
    (row, column), height, width = cell, board.height, board.width
    for _ in range(quarters):
        row, column, height, width = column, height - 1 - row, width, height
    return (row, width - 1 - column) if flip else (row, column)


def turned_word(
    word: str | None, board: Board, structure: Structure, quarters: int, flip: bool
) -> str | None:
    """The input that is to the turned board what a word is to the board."""
    if word is None:
        return None
    words = {way: other for other, way in structure.toward.items()}
    parts = word_of(word)
    toward = direction_so(
        parts.toward if parts.cell is not None else parts.verb, structure, words, quarters, flip
    )
    if parts.cell is None:
        return toward or word
    row, column = turned_cell(parts.cell, board, quarters, flip)
    return f"{parts.verb}({row},{column}{f',{toward}' if toward is not None else ''})"


def direction_so(
    word: str | None, structure: Structure, words: Mapping[str, str], quarters: int, flip: bool
) -> str | None:
    """The word for a direction after the turn; the word itself where it has none, or there is none."""
    way = structure.toward.get(word or "")
    return words.get(turned_facing(way, quarters, flip), word) if way in DIRECTIONS else word
