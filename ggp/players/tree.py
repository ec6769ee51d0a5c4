"""Monte Carlo tree search for one player: what is tried more often is what came to more.

UCT (Kocsis and Szepesvari, 2006) by the mean; with `spread`, SP-MCTS (Schadd, Winands, van den Herik,
Chaslot and Uiterwijk, 2008), which also looks again where results differ much, and keeps the best line that
it came by.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from ggp.players.protocol import Table, View
from ggp.players.trials import Trials, at_once, promise
from ggp.players.world import Outcome, World

FEW = 0.25  # the sum of squares that a position which was hardly tried is thought to have besides


class Node:
    """A position in the tree."""

    def __init__(self, position: Any, outcome: Outcome) -> None:
        self.position = position
        self.outcome = outcome
        self.children: dict[int, Node] | None = None  # by action, once it was looked at
        self.visits = 0
        self.total = 0.0
        self.squares = 0.0
        self.done = outcome != "open"  # all of it was seen

    def worth(self, around: int, spread: bool) -> float:
        """How much it calls for another look, among `around` looks at its siblings."""
        found = promise(self.total, self.visits, around)
        if spread and self.visits:
            mean = self.total / self.visits
            squares = max(self.squares - self.visits * mean * mean, 0.0)
            found += sqrt((squares + FEW) / self.visits)
        return found


class Tree:
    """The tree of one question: which action now?"""

    def __init__(self, table: Table, trials: Trials, view: View, *, spread: bool) -> None:
        self.world: World = table.world
        self.trials = trials
        self.spread = spread
        self.left = view.turns_left
        self.root = Node(view.position, "open")
        self.seen: dict[Any, int] = {view.position: 0}  # after how many turns
        self.won: list[int] | None = None  # a line that wins
        self.nodes = 1

    def grow(self, playouts: int) -> None:
        """Spend so many random runs, or find a line that wins."""
        spent, together = 0, at_once(playouts)
        while spent < playouts and self.won is None and not self.root.done:
            path, line = [self.root], list[int]()
            node = self.root
            while node.children:
                action, node = self.chosen(node)
                path.append(node)
                line.append(action)
            if node.outcome == "won":
                self.won = line
                return
            if not node.done and node.children is None and (self.left is None or len(line) < self.left):
                self.expand(node, line)
            left = None if self.left is None else self.left - len(line)
            values = self.trials.run(node.position, together, left) if not node.done else [0.0]
            spent += together
            for one in path:
                one.visits += len(values)
                one.total += sum(values)
                one.squares += sum(value * value for value in values)
            self.close(path)

    def chosen(self, node: Node) -> tuple[int, Node]:
        """The child to look at."""
        assert node.children is not None
        open_ones = {action: one for action, one in node.children.items() if not one.done} or node.children
        around = max(node.visits, 2)
        return max(open_ones.items(), key=lambda item: item[1].worth(around, self.spread))

    def expand(self, node: Node, line: list[int]) -> None:
        """Give a node its children: the positions that the tree has not yet, or after more turns only."""
        node.children = {}
        for action, turn in self.world.turns(node.position).items():
            if turn.outcome == "won":
                self.won = [*line, action]
            made = len(line) + 1
            if self.seen.get(turn.position, made + 1) > made:
                self.seen[turn.position] = made
                self.nodes += 1
                node.children[action] = Node(turn.position, turn.outcome)

    def close(self, path: list[Node]) -> None:
        """Note what need not be looked at any more: nodes all of whose children were seen to the end."""
        for node in reversed(path):
            if node.children is None or not all(child.done for child in node.children.values()):
                return
            node.done = True

    def line(self) -> list[int]:
        """A line that wins, or the action that was tried most."""
        if self.won is not None:
            return self.won
        children = self.root.children or {}
        if not children:
            return []
        return [max(children.items(), key=lambda item: (item[1].outcome != "lost", item[1].visits))[0]]
