"""Takes the action after which the goal seems nearest, or no opponent wins at once; among equals any."""

from __future__ import annotations

from ggp.players.distance import Distance
from ggp.players.protocol import Table, View
from ggp.players.world import Outcome, Turn

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
        worth, mover = {}, self.table.world.mover(view.position)
        for action, turn in self.table.world.turns(view.position).items():
            far = (
                self.distance(turn.position)
                if turn.outcome == "open"
                else 0.0
                if turn.outcome == "won"
                else FAR
            )
            worth[action] = (
                turn.outcome != "won",
                self.gives_away(turn, mover),
                turn.position in self.been,
                far,
            )
        best = min(worth.values())
        return self.table.rng.choice([action for action, found in worth.items() if found == best])

    def gives_away(self, turn: Turn, mover: int) -> bool:
        """Does the turn lose against another player, or let one win at once?"""
        world = self.table.world
        if turn.outcome != "open" or len(world.players) == 1:
            return len(world.players) > 1 and turn.outcome == "lost"
        if world.mover(turn.position) == mover:
            return False
        return any(after.outcome == "won" for after in world.turns(turn.position).values())

    def ended(self, outcome: Outcome) -> None:
        self.been = set()


def player(table: Table) -> Nearest:
    """A player for this table."""
    return Nearest(table)
