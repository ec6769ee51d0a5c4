"""What the player sees of a state: all but the kinds that are hidden, or that something covers."""

from __future__ import annotations

from ggp.model import Instance, Piece
from ggp.model.board import State, kinds_of


def covering(instance: Instance) -> dict[str, frozenset[str]]:
    """The hidden kinds, and those of the kinds under which each cannot be seen; none: it never is."""
    game = instance.game
    return {
        kind.name: frozenset(kinds_of(game, kind.hidden)) if isinstance(kind.hidden, str) else frozenset()
        for kind in game.kinds
        if kind.hidden
    }


def seen(instance: Instance, state: State) -> State:
    """The state without what is not seen."""
    hiding = covering(instance)
    if not hiding:
        return state
    board = tuple(frozenset(p for p in here if visible(p.kind, here, hiding)) for here in state.board)
    return State(board, state.mover, state.beside, state.lays)


def visible(kind: str, here: frozenset[Piece], hiding: dict[str, frozenset[str]]) -> bool:
    """Is a kind seen where all this stands?"""
    if kind not in hiding:
        return True
    return bool(hiding[kind]) and not any(piece.kind in hiding[kind] for piece in here)
