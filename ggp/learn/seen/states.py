"""States of a described game as boards of tokens, and back: a token is the text of a piece."""

from __future__ import annotations

from functools import lru_cache

from ggp.learn.boards import Board, Stack
from ggp.model import Piece
from ggp.model.board import State


def board_of_state(state: State, rows: int, columns: int) -> Board:
    """A state as a board of tokens; a state does not know its sides, so they are given."""
    return Board(rows, columns, tuple(map(stack_of, state.board)))


def state_of(board: Board) -> State:
    """A board of tokens as a state."""
    return State(tuple(map(pieces_of, board.cells)))


# The same few things stand in the cells of all boards.
@lru_cache(maxsize=4096)
def stack_of(pieces: frozenset[Piece]) -> Stack:
    """The pieces of a cell as tokens."""
    return frozenset(map(str, pieces))


@lru_cache(maxsize=4096)
def pieces_of(stack: Stack) -> frozenset[Piece]:
    """The tokens of a cell as pieces."""
    return frozenset(map(piece_of, stack))


def piece_of(token: str) -> Piece:
    """A token as the piece that it is the text of."""
    kind, _, variant = token.partition(":")
    return Piece(kind, int(variant) if variant.isdecimal() else variant or None)
