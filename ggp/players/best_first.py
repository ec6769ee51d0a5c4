"""Searches, the position first that seems nearest to the goal (as PuzzleScriptAI), and follows its find."""

from __future__ import annotations

import heapq
from typing import Any

from ggp.players.distance import Distance
from ggp.players.following import Following
from ggp.players.protocol import Table, View, plays_alone
from ggp.players.world import World

NAME = "best-first"
KNOWS = "rules"

Way = dict[Any, tuple[Any, int] | None]  # how each position was reached


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class BestFirst(Following):
    """Looks at as many positions as a table allows; without a way to win it goes to the nearest one seen."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.distance = Distance(table.world)

    def planned(self, view: View) -> list[tuple[bytes, int]]:
        return searched(self.table.world, self.distance, view, self.table.playouts)


def searched(world: World, distance: Distance, view: View, most: int) -> list[tuple[bytes, int]]:
    """The way to a win, or else to the position that seems nearest, of `most` positions."""
    start = view.position
    came: Way = {start: None}
    turns = {start: 0}
    queue: list[tuple[float, int, Any]] = [(distance(start), 0, start)]
    nearest, best = float("inf"), start
    while queue and len(came) < most:
        far, _, position = heapq.heappop(queue)
        if far < nearest and position != start:
            nearest, best = far, position
        if view.turns_left is not None and turns[position] >= view.turns_left:
            continue
        made = turns[position] + 1
        for action, turn in world.turns(position).items():
            again = turn.position in turns and turns[turn.position] <= made
            if again or turn.outcome == "lost":
                continue
            came[turn.position] = position, action
            turns[turn.position] = made
            if turn.outcome == "won":
                return way_to(world, came, turn.position)
            heapq.heappush(queue, (distance(turn.position), len(came), turn.position))
    return way_to(world, came, best)


def way_to(world: World, came: Way, end: Any) -> list[tuple[bytes, int]]:
    """What is seen and done on the way to a position."""
    way: list[tuple[bytes, int]] = []
    step = came[end]
    while step is not None:
        before, action = step
        way.append((world.planes(before).tobytes(), action))
        step = came[before]
    return way[::-1]


def player(table: Table) -> BestFirst:
    """A player for this table."""
    plays_alone(table, NAME)
    return BestFirst(table)
