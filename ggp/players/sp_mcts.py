"""Monte Carlo tree search for one player (SP-MCTS): it looks again where results differ much."""

from __future__ import annotations

from ggp.players.mcts import Searching, available
from ggp.players.protocol import Table, plays_alone

__all__ = ["KNOWS", "NAME", "available", "player"]

NAME = "sp-mcts"
KNOWS = "rules"


def player(table: Table) -> Searching:
    """A player for this table."""
    plays_alone(table, NAME)
    return Searching(table, spread=True)
