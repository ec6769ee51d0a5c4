"""Players that make a plan and follow it, as long as what happens is what was planned."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ggp.players.protocol import Table, View
from ggp.players.world import Outcome


class Following(ABC):
    """Asks for a plan, and for another at its end, and where the board is not what the plan says."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.plan: list[tuple[bytes, int]] = []  # what should be seen, and what is done then

    @abstractmethod
    def planned(self, view: View) -> list[tuple[bytes, int]]:
        """A plan from here; empty where there is none."""

    def choose(self, view: View) -> int:
        if not self.plan or self.plan[0][0] != view.observed or self.plan[0][1] not in view.legal:
            self.plan = self.planned(view)
        if not self.plan:
            return self.without(view)
        return self.plan.pop(0)[1]

    def without(self, view: View) -> int:
        """What is done without a plan."""
        return self.table.rng.choice(view.legal)

    def ended(self, outcome: Outcome) -> None:
        self.plan = []
