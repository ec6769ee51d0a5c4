"""States of a described game as boards of tokens, and back: a token is the text of a piece."""

from __future__ import annotations

from ggp.learn.boards import Board
from ggp.model import Piece
from ggp.model.board import State


def board_of_state(state: State, rows: int, columns: int) -> Board:
    """A state as a board of tokens; a state does not know its sides, so they are given."""
    return Board(rows, columns, tuple(frozenset(map(str, here)) for here in state.board))


def state_of(board: Board) -> State:
    """A board of tokens as a state."""
    return State(tuple(frozenset(map(piece_of, stack)) for stack in board.cells))


def piece_of(token: str) -> Piece:
    """A token as the piece that it is the text of."""
    kind, _, variant = token.partition(":")
    return Piece(kind, int(variant) if variant.isdecimal() else variant or None)
