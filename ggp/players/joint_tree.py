"""Monte Carlo tree search where players move at the same time, by regret matching.

At each position each player keeps how much better it would have been to choose otherwise, and chooses in
proportion to that; the mean of these mixtures, later ones counting more, is what is played (Hart and
Mas-Colell, 2000; Lanctot, Lisy and Winands, 2013; regrets below zero are forgotten: Tammelin, 2014). UCT,
which settles on one action, can be exploited in such games.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from ggp.players.protocol import Table, View
from ggp.players.simultaneous import Simultaneous
from ggp.players.trials import CONTEST_DEPTH, at_once
from ggp.players.world import Outcome

EXPLORING = 0.1  # how often any action is chosen as likely as any other
Gets = tuple[float, ...]


class Node:
    """A position: what each player may choose, regrets what it did not, and has chosen on the whole."""

    def __init__(self, position: Any, choices: list[tuple[int, ...]]) -> None:
        self.position, self.choices = position, choices
        self.regrets = [[0.0] * len(own) for own in choices]
        self.mixed = [[0.0] * len(own) for own in choices]
        self.visits = 0
        self.cells: dict[tuple[int, ...], list[float]] = {}  # of joint choices: visits, and what each got
        self.children: dict[tuple[int, ...], Node | Gets] = {}

    def strategy(self, player: int) -> list[float]:
        """How likely a player is to choose each of its actions now."""
        wanted = self.regrets[player]
        total = sum(wanted)
        return [one / total for one in wanted] if total > 0 else [1.0 / len(wanted)] * len(wanted)

    def mean(self, places: tuple[int, ...], player: int) -> float:
        """What a player got of these choices so far."""
        cell = self.cells.get(places)
        return cell[player + 1] / cell[0] if cell is not None else 0.0

    def note(self, places: tuple[int, ...], gets: Gets) -> None:
        """Add what came of these choices, and regret what would have been better."""
        for player, got in enumerate(gets):
            for other in range(len(self.choices[player])):
                if other != places[player]:
                    instead = (*places[:player], other, *places[player + 1 :])
                    regret = self.regrets[player][other] + self.mean(instead, player) - got
                    self.regrets[player][other] = max(regret, 0.0)
        self.visits += 1
        cell = self.cells.setdefault(places, [0.0] * (1 + len(gets)))
        cell[0] += 1
        for player, got in enumerate(gets):
            cell[player + 1] += got


class Regretting:
    """Grows a tree for each action, and draws from the mean of the mixtures at its root."""

    def __init__(self, table: Table) -> None:
        assert isinstance(table.world, Simultaneous)
        self.table, self.world = table, table.world
        self.rng: Random = table.rng
        self.dice = np.random.default_rng(table.seed)

    def choose(self, view: View) -> int:
        if len(view.legal) == 1:
            return view.legal[0]
        mixture = self.mixture(view.position, view.turns_left, view.player)
        return self.rng.choices(view.legal, mixture)[0]

    def mixture(self, position: Any, left: int | None, player: int) -> list[float]:
        """How likely each of a player's choices should be."""
        root = Node(position, self.world.choices(position))
        spent, together = 0, at_once(self.table.playouts)
        while spent < self.table.playouts:
            spent += self.grow(root, left, together)
        return root.mixed[player]

    def grow(self, node: Node, left: int | None, together: int) -> int:
        """One way down the tree, one new position, random runs from there, and what they say on the way up.

        Returns how many runs of the limit that took.
        """
        spent = 1
        path: list[tuple[Node, tuple[int, ...]]] = []
        gets: Gets = (0.0,) * len(self.world.players)
        while left is None or left > 0:
            places = tuple(self.drawn(node, player) for player in range(len(node.choices)))
            path.append((node, places))
            left = None if left is None else left - 1
            known = node.children.get(places)
            if isinstance(known, Node):
                node = known
                continue
            if known is None:
                known, spent = self.expand(node, places, left, together)
            gets = known
            break
        for one, places in reversed(path):
            one.note(places, gets)
        return spent

    def drawn(self, node: Node, player: int) -> int:
        """The place of what a player chooses; what it would mix is added to the whole."""
        strategy = node.strategy(player)
        mixed = node.mixed[player]
        for place, share in enumerate(strategy):
            mixed[place] += share * node.visits
        if self.rng.random() < EXPLORING:
            return self.rng.randrange(len(strategy))
        return self.rng.choices(range(len(strategy)), strategy)[0]

    def expand(
        self, node: Node, places: tuple[int, ...], left: int | None, together: int
    ) -> tuple[Gets, int]:
        """Give a position a new child; what the game, or random runs from there, come to, and how many."""
        chosen = [own[place] for own, place in zip(node.choices, places, strict=True)]
        turn = self.world.turn(node.position, self.world.joint(chosen))
        assert turn is not None
        if turn.gets:
            node.children[places] = turn.gets
            return turn.gets, 1
        node.children[places] = Node(turn.position, self.world.choices(turn.position))
        depth = CONTEST_DEPTH if left is None else min(left, CONTEST_DEPTH)
        found, _ = self.world.random_runs(turn.position, together, depth, self.dice)
        return tuple(found.mean(axis=0).tolist()), together

    def ended(self, outcome: Outcome) -> None:
        pass
