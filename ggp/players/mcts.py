"""Monte Carlo tree search (UCT): random runs, more of them where they came to more."""

from __future__ import annotations

from ggp.model.features import LUCK
from ggp.players.following import Following
from ggp.players.protocol import Player, Table, View
from ggp.players.tree import Tree
from ggp.players.trials import Trials

NAME = "mcts"
KNOWS = "rules"
PLAYS = LUCK | {"simultaneous"}


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class Searching(Following):
    """Grows a tree for each action; a line in it that wins is followed to its end."""

    def __init__(self, table: Table, *, spread: bool = False) -> None:
        super().__init__(table)
        self.spread = spread
        self.trials = Trials(table.world, table.seed)

    def planned(self, view: View) -> list[tuple[bytes, int]]:
        tree = Tree(self.table, self.trials, view, spread=self.spread)
        tree.grow(self.table.playouts)
        world, position, plan = self.table.world, view.position, []
        for action in tree.line():
            plan.append((world.planes(position).tobytes(), action))
            turn = world.turn(position, action)
            position = turn.position if turn is not None else position
        return plan


def player(table: Table) -> Player:
    """A player for this table."""
    if table.world.lucky:
        from ggp.players.guessing import Guessing

        return Guessing(table)
    if table.instance.game.simultaneous:
        from ggp.players.joint_tree import Regretting

        return Regretting(table)
    return Searching(table)
