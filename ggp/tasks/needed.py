"""Which placements of a design a plan needs: those without which its run is another one."""

from __future__ import annotations

from ggp.model import Cell, Instance, Piece, Plan
from ggp.model.board import width
from ggp.referee.trajectory import Verdict, replay


def matters(instance: Instance, plan: Plan) -> bool:
    """Does leaving out any one placement of a winning plan change the run, or whether it wins?

    Where there is no run, or every cell must be filled, each of them does.
    """
    if each_matters(instance):
        return True
    whole = replay(instance, plan)
    for cell, piece in plan.design:
        fewer = replay(instance, Plan(tuple(one for one in plan.design if one[0] != cell), plan.actions))
        if (whole.won, without(instance, whole, cell, piece)) == (
            fewer.won,
            without(instance, fewer, cell, piece),
        ):
            return False
    return True


def each_matters(instance: Instance) -> bool:
    """Is there no run that a placement could leave as it is, or must every cell be filled?"""
    game = instance.game
    return game.design is None or game.design.fill or (game.input is None and not game.physics)


def without(
    instance: Instance, verdict: Verdict, cell: Cell, piece: Piece
) -> list[tuple[frozenset[Piece], ...]]:
    """The boards of a run, apart from this piece on this cell."""
    at = cell[0] * width(instance) + cell[1]
    boards = [state.board for state in verdict.states]
    return [(*board[:at], board[at] - {piece}, *board[at + 1 :]) for board in boards]
