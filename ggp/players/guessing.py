"""Monte Carlo tree search where chance has a part or something is hidden.

Each run draws one of the positions that agree with what was seen, and chance as it comes; the tree branches
by what is done and what is then seen. (Information set UCT: Cowling, Powley and Whitehouse, 2012.)
"""

from __future__ import annotations

from math import log
from random import Random
from typing import Any

from ggp.players.belief import belief_of
from ggp.players.luck import Dealt, Lucky
from ggp.players.protocol import Past, Table, View
from ggp.players.trials import promise
from ggp.players.world import Outcome, Turn

DEEPEST = 400  # turns of a random run


class Node:
    """What was seen at one place of the tree, and what came of each action there."""

    def __init__(self) -> None:
        self.visits = 0
        self.tried: dict[int, list[float]] = {}  # by action: how often, and the sum of what came of it
        self.children: dict[tuple[int, bytes], Node] = {}


class Guessing:
    """Grows a tree for each action, and takes the action that was tried most."""

    def __init__(self, table: Table) -> None:
        assert isinstance(table.world, Lucky)
        self.table, self.world = table, table.world
        self.rng: Random = table.rng
        self.belief = belief_of(self.world) if self.world.hiding else None
        self.begun = False

    def choose(self, view: View) -> int:
        if self.belief is not None:
            self.belief.saw(view.observed)
        root = Node()
        for _ in range(self.table.playouts if len(view.legal) > 1 else 0):
            self.grow(root, self.sample(view.position), view.turns_left)
        action = max(view.legal, key=lambda one: root.tried.get(one, [0.0])[0])
        if self.belief is not None:
            self.belief.did(action)
        return action

    def recall(self, past: Past) -> None:
        """A turn of this run that was made without it."""
        if self.belief is not None:
            self.belief.saw(past.view.observed)
            self.belief.did(past.action)

    def sample(self, position: Any) -> Dealt:
        """A position that may be the one at hand."""
        if self.belief is not None:
            return self.belief.sample(self.rng)
        drawn: Dealt = position._replace(dice=self.rng.getrandbits(62))
        return drawn

    def grow(self, node: Node, position: Dealt, left: int | None) -> None:
        """One run: down the tree, one new action, and then at random to the end."""
        path: list[tuple[Node, int, int]] = []
        made = Turn(position, "open")
        while made.outcome == "open" and (left is None or left > 0):
            position = made.position
            legal = self.world.legal(position).nonzero()[0].tolist()
            if not legal:
                break
            untried = [action for action in legal if action not in node.tried]
            action = self.rng.choice(untried) if untried else self.chosen(node, legal)
            turn = self.world.drawn(position, action, self.rng)
            assert turn is not None
            path.append((node, action, self.world.mover(position)))
            left = None if left is None else left - 1
            made = turn
            if untried:
                made = self.at_random(made, left)
                break
            key = action, self.world.planes(made.position).tobytes()
            node = node.children.setdefault(key, Node())
        for one, action, mover in path:
            one.visits += 1
            found = one.tried.setdefault(action, [0.0, 0.0])
            found[0] += 1
            found[1] += self.worth(made, mover)

    def worth(self, end: Turn, player: int) -> float:
        """What an end is worth to a player, from 0 to 1; of one alone all is lost that is not won."""
        if len(self.world.players) > 1:
            return (end.gets[player] + 1.0) / 2.0 if end.gets else 0.5
        return float(end.outcome == "won")

    def chosen(self, node: Node, legal: list[int]) -> int:
        """The action that calls most for another look."""
        around = log(max(node.visits, 2))
        return max(legal, key=lambda one: promise(node.tried[one][1], int(node.tried[one][0]), around))

    def at_random(self, made: Turn, left: int | None) -> Turn:
        """The last turn of a run in which any action is as likely as any other."""
        for _ in range(DEEPEST if left is None else min(left, DEEPEST)):
            if made.outcome != "open":
                break
            turn = self.any_turn(made.position)
            if turn is None:
                break
            made = turn
        return made

    def any_turn(self, position: Dealt) -> Turn | None:
        """What comes of one of the legal actions; None where there is none."""
        actions = list(range(len(self.world.actions)))
        while actions:
            turn = self.world.drawn(position, actions.pop(self.rng.randrange(len(actions))), self.rng)
            if turn is not None:
                return turn
        return None

    def ended(self, outcome: Outcome) -> None:
        self.belief = belief_of(self.world) if self.world.hiding else None
