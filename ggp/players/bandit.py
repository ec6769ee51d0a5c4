"""Random runs after each action, more of them where they came to more (UCB1); a tree of one turn."""

from __future__ import annotations

from math import log

from ggp.players.protocol import Table, View
from ggp.players.trials import Trials, Worths, at_once, promise
from ggp.players.world import Outcome, Turn

NAME = "bandit"
KNOWS = "rules"


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class Arms:
    """Each action is an arm; what it pays is what random runs after it come to."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.trials = Trials(table.world, table.seed)

    def choose(self, view: View) -> int:
        arms = self.table.world.turns(view.position)
        pulled, paid = dict.fromkeys(arms, 0), dict.fromkeys(arms, 0.0)
        spent, mover = 0, self.table.world.mover(view.position)
        while spent < self.table.playouts:
            promised = {arm: promise(paid[arm], pulled[arm], log(max(spent, 2))) for arm in arms}
            action = max(promised, key=promised.__getitem__)
            worth = self.pull(arms[action], view)[:, mover]
            pulled[action] += worth.size
            paid[action] += float(worth.sum())
            spent += worth.size
        return max(arms, key=lambda arm: paid[arm] / max(pulled[arm], 1))

    def pull(self, turn: Turn, view: View) -> Worths:
        """Some runs after an action."""
        together = at_once(self.table.playouts)
        if turn.outcome != "open":
            return self.trials.worths(turn).repeat(together, axis=0)
        left = None if view.turns_left is None else view.turns_left - 1
        return self.trials.run(turn.position, together, left)

    def ended(self, outcome: Outcome) -> None:
        pass


def player(table: Table) -> Arms:
    """A player for this table."""
    return Arms(table)
