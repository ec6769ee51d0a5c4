"""How a game of several players ends, and what each of them gets.

Whoever makes the turn that completes the goal wins, whoever makes the turn that loses is the one who loses.
Nobody wins where the horizon is reached, nor where nobody can move; a player who cannot move loses where the
game says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ggp.model import Instance
from ggp.model.board import State
from ggp.referee.semantics import ending, is_goal, is_lost, legal_actions

Outcome = Literal["open", "won", "lost", "drawn"]
Utilities = tuple[float, ...]


class Ended(NamedTuple):
    """What each player gets, and why in words."""

    utilities: Utilities
    reason: str


def utilities(players: int, mover: int, outcome: Outcome) -> Utilities:
    """What each player gets where one of them won, or lost: who wins takes 1 from all others."""
    own = {"won": 1.0, "lost": -1.0}.get(outcome, 0.0)
    return tuple(own if player == mover else 0.0 - own for player in range(players))


def ended(instance: Instance, states: Sequence[State]) -> Ended | None:
    """What the last of these states means for each player; None where the game goes on."""
    names, turn, horizon = instance.game.players, len(states) - 1, instance.level.horizon
    last = horizon is not None and turn >= horizon
    if turn:
        mover = states[-2].mover
        if is_lost(instance, states[-1]):
            return Ended(utilities(len(names), mover, "lost"), f"{names[mover]} loses at turn {turn}")
        if (last or ending(instance) == "any-turn") and is_goal(instance, states[-1]):
            return Ended(utilities(len(names), mover, "won"), f"{names[mover]} wins at turn {turn}")
    if last:
        return Ended(utilities(len(names), 0, "drawn"), f"a draw: nobody has won at turn {turn}")
    if legal_actions(instance, states[-1]):
        return None
    mover, declared = states[-1].mover, instance.game.input
    if declared is not None and declared.stuck == "loses":
        reason = f"{names[mover]} cannot move at turn {turn}, and loses"
        return Ended(utilities(len(names), mover, "lost"), reason)
    passes = declared is not None and declared.stuck == "passes"
    why = "nobody can move" if passes else f"{names[mover]} cannot move"
    return Ended(utilities(len(names), 0, "drawn"), f"a draw: {why} at turn {turn}")
