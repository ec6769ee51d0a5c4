"""Monte Carlo tree search for one player: what is tried more often is what came to more.

UCT (Kocsis and Szepesvari, 2006) by the mean; with `spread`, SP-MCTS (Schadd, Winands, van den Herik,
Chaslot and Uiterwijk, 2008), which also looks again where results differ much, and keeps the best line that
it came by.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from ggp.players.protocol import Table, View
from ggp.players.trials import Trials
from ggp.players.world import Outcome, World

TOGETHER = 8  # random runs from one leaf
EXPLORING = 0.5  # worth is from 0 to 1
FEW = 1_000.0  # how much a position that was hardly tried is thought to differ


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
        if not self.visits:
            return float("inf")
        mean = self.total / self.visits
        found = mean + EXPLORING * sqrt(log(around) / self.visits)
        if spread:
            found += sqrt(max(self.squares - self.visits * mean * mean, 0.0) / self.visits + FEW / around**2)
        return found


class Tree:
    """The tree of one question: which action now?"""

    def __init__(self, table: Table, trials: Trials, view: View, *, spread: bool) -> None:
        self.world: World = table.world
        self.trials = trials
        self.spread = spread
        self.left = view.turns_left
        self.root = Node(view.position, "open")
        self.seen: set[Any] = {view.position}
        self.won: list[int] | None = None  # a line that wins
        self.nodes = 1

    def grow(self, playouts: int) -> None:
        """Spend so many random runs, or find a line that wins."""
        spent = 0
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
            values = self.trials.run(node.position, TOGETHER, left) if not node.done else [0.0]
            spent += TOGETHER
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
        """Give a node its children: the positions that are not in the tree yet."""
        node.children = {}
        for action, turn in self.world.turns(node.position).items():
            if turn.outcome == "won":
                self.won = [*line, action]
            if turn.position not in self.seen:
                self.seen.add(turn.position)
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
