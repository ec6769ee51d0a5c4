"""Monte Carlo tree search: what is tried more often is what came to more for whoever moves there.

UCT (Kocsis and Szepesvari, 2006) by the mean, for one player or for several with a utility each; with
`spread`, SP-MCTS (Schadd, Winands, van den Herik, Chaslot and Uiterwijk, 2008), which also looks again where
results differ much. What was searched to its end is not looked at again (Winands, Bjornsson and Saito, 2008);
one player follows the best line that was come by.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from ggp.players.protocol import Table, View
from ggp.players.trials import Trials, Worths, at_once, promise
from ggp.players.world import Turn, World

FEW = 0.25  # the sum of squares that a position which was hardly tried is thought to have besides
Ends = tuple[float, ...]


class Node:
    """A position in the tree; `mover` is the number of the player whose turn it is."""

    def __init__(self, turn: Turn, mover: int, players: int) -> None:
        self.position, self.outcome = turn.position, turn.outcome
        self.mover = mover
        self.children: dict[int, Node] | None = None  # by action, once it was looked at
        self.visits = 0
        self.total = [0.0] * players
        self.squares = 0.0  # of the first player
        self.done = turn.outcome != "open"  # all of it was seen
        self.proved: Ends | None = None  # what each of several players gets, once that is known

    def worth(self, player: int, around: float, spread: bool) -> float:
        """How much it calls for another look by a player; `around`: see `promise`."""
        found = promise(self.total[player], self.visits, around)
        if spread and self.visits:
            mean = self.total[0] / self.visits
            squares = max(self.squares - self.visits * mean * mean, 0.0)
            found += sqrt((squares + FEW) / self.visits)
        return found

    def mean(self, player: int) -> float:
        """What it is thought to be worth to a player."""
        return self.found(player) if self.proved is None else (self.proved[player] + 1.0) / 2.0

    def found(self, player: int) -> float:
        """What random runs came to for a player."""
        return self.total[player] / max(self.visits, 1)


class Tree:
    """The tree of one question: which action now?"""

    def __init__(self, table: Table, trials: Trials, view: View, *, spread: bool) -> None:
        self.world: World = table.world
        self.players = len(self.world.players)
        self.trials = trials
        self.spread = spread
        self.left = view.turns_left
        self.root = self.node(Turn(view.position, "open"))
        self.seen: dict[Any, int] = {view.position: 0}  # after how many turns
        self.won: list[int] | None = None  # a line that wins, for a single player
        self.known_nodes: dict[tuple[Any, int], Node] = {}
        self.nodes = 1

    def node(self, turn: Turn) -> Node:
        """The node of a position."""
        mover = self.world.mover(turn.position) if turn.outcome == "open" else 0
        made = Node(turn, mover, self.players)
        made.proved = turn.gets or None
        return made

    def grow(self, playouts: int) -> None:
        """Spend so many random runs, or find a line that wins, or all that there is."""
        spent, together = 0, at_once(playouts)
        while spent < playouts and self.won is None and not self.root.done:
            path, line = [self.root], list[int]()
            node = self.root
            while node.children:
                action, node = self.chosen(node)
                path.append(node)
                line.append(action)
            if node.outcome == "won" and self.players == 1:
                self.won = line
                return
            if not node.done and node.children is None and (self.left is None or len(line) < self.left):
                self.expand(node, line)
            left = None if self.left is None else self.left - len(line)
            values = self.trials.run(node.position, together, left) if not node.done else self.known(node)
            spent += together
            self.count(path, values)
            self.close(path)

    def known(self, node: Node) -> Worths:
        """What is known of a position that was searched to its end; one player's is a loss."""
        return self.trials.worths(Turn(node.position, "lost", node.proved or ()))

    def count(self, path: list[Node], values: Worths) -> None:
        """Add the results of runs to all positions that they went through."""
        totals, squares = values.sum(axis=0).tolist(), float((values[:, 0] ** 2).sum())
        for one in path:
            one.visits += len(values)
            one.squares += squares
            for player, total in enumerate(totals):
                one.total[player] += total

    def chosen(self, node: Node) -> tuple[int, Node]:
        """The child to look at."""
        assert node.children is not None
        open_ones = {action: one for action, one in node.children.items() if not one.done} or node.children
        around, mover = log(max(node.visits, 2)), node.mover
        return max(open_ones.items(), key=lambda item: item[1].worth(mover, around, self.spread))

    def expand(self, node: Node, line: list[int]) -> None:
        """Give a node its children.

        For a single player only those positions that the tree has not yet, or after more turns: the way does
        not matter. Among several each may have to answer each, so they share them.
        """
        node.children = {}
        for action, turn in self.world.turns(node.position).items():
            made = len(line) + 1
            if self.players == 1:
                if turn.outcome == "won":
                    self.won = [*line, action]
                if self.seen.get(turn.position, made + 1) <= made:
                    continue
                self.seen[turn.position] = made
            node.children[action] = self.shared(turn, made)

    def shared(self, turn: Turn, made: int) -> Node:
        """The node of a position after so many turns."""
        found = self.known_nodes.get((turn.position, made))
        if found is None:
            self.nodes += 1
            found = self.known_nodes[turn.position, made] = self.node(turn)
        return found

    def close(self, path: list[Node]) -> None:
        """Note what need not be looked at any more: nodes of which the best was seen, or all to the end."""
        for node in reversed(path):
            if node.children is None:
                if not node.done:
                    return
                continue
            children = node.children.values()
            proved = [one.proved for one in children if one.proved is not None]
            best = max(proved, key=lambda ends: ends[node.mover], default=None)
            wins = best is not None and best[node.mover] > 0
            if not wins and not all(child.done for child in children):
                return
            node.done, node.proved = True, best

    def line(self) -> list[int]:
        """A line that wins, or the action that was tried most; of several players the one that is best."""
        if self.won is not None:
            return self.won
        children = self.root.children or {}
        if not children:
            return []
        if self.players > 1:
            return [self.best(children)]
        return [max(children.items(), key=lambda item: (item[1].outcome != "lost", item[1].visits))[0]]

    def best(self, children: dict[int, Node]) -> int:
        """What is best for whoever moves: what was proved, or what was tried most among what was not.

        Of what is worth the same that where random runs came to most: it is easier to go wrong there.
        """
        mover = self.root.mover
        open_ones = [action for action, one in children.items() if one.proved is None]
        tried = max(open_ones, key=lambda action: children[action].visits, default=None)
        known = [action for action, one in children.items() if one.proved is not None]
        choices = [*known, *([] if tried is None else [tried])]
        return max(choices, key=lambda action: (children[action].mean(mover), children[action].found(mover)))
