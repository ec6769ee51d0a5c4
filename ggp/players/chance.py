"""Takes any allowed action, each as likely as the others: what every other player must beat."""

from __future__ import annotations

from ggp.players.protocol import Table, View
from ggp.players.world import Outcome

NAME = "random"
KNOWS = "play"


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class AnyAction:
    """Draws an action."""

    def __init__(self, table: Table) -> None:
        self.rng = table.rng

    def choose(self, view: View) -> int:
        return self.rng.choice(view.legal)

    def ended(self, outcome: Outcome) -> None:
        pass


def player(table: Table) -> AnyAction:
    """A player for this table."""
    return AnyAction(table)
