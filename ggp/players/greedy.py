"""Takes the action after which the goal seems nearest; among equals any."""

from __future__ import annotations

from ggp.players.distance import Distance
from ggp.players.protocol import Table, View
from ggp.players.world import Outcome

NAME = "greedy"
KNOWS = "rules"
FAR = float("inf")


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class Nearest:
    """Looks one turn ahead. Where it has been in this run it goes only if there is nowhere else."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.distance = Distance(table.world)
        self.been: set[object] = set()

    def choose(self, view: View) -> int:
        self.been.add(view.position)
        worth = {}
        for action, turn in self.table.world.turns(view.position).items():
            far = (
                self.distance(turn.position)
                if turn.outcome == "open"
                else 0.0
                if turn.outcome == "won"
                else FAR
            )
            worth[action] = (turn.outcome != "won", turn.position in self.been, far)
        best = min(worth.values())
        return self.table.rng.choice([action for action, found in worth.items() if found == best])

    def ended(self, outcome: Outcome) -> None:
        self.been = set()


def player(table: Table) -> Nearest:
    """A player for this table."""
    return Nearest(table)
