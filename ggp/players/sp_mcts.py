"""Monte Carlo tree search for one player (SP-MCTS): it looks again where results differ much."""

from __future__ import annotations

from ggp.players.mcts import Searching, available
from ggp.players.protocol import Table

__all__ = ["KNOWS", "NAME", "available", "player"]

NAME = "sp-mcts"
KNOWS = "rules"


def player(table: Table) -> Searching:
    """A player for this table."""
    return Searching(table, spread=True)
