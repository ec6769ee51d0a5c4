"""The baseline for puzzles that move: push search as the literature has it, in plain Python.

A state is where the things to be pushed stand and what the agent can reach (for pushes, breadth first), or
where it stands (for steps, by cost and Manhattan distance). Squares from which a thing can be pushed to no
target are dead. It knows the rules of pushing one thing at a time; `Roles` says which kinds play which part.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from ggp.errors import UnsupportedFeature
from ggp.model import Cell, Instance

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
CELLS = 30_000_000  # most cells of all states kept: some two gigabytes


@dataclass(frozen=True)
class Roles:
    """The kinds that play a part. `target`: where things (or, with `exit`, the agent) must get to."""

    solid: str
    thing: str
    agent: str
    target: str
    exit: bool = False

    @classmethod
    def of(cls, table: Mapping[str, object]) -> Roles:
        """The roles as `cases.toml` has them."""
        names = {name: str(table[name]) for name in ("solid", "thing", "agent", "target")}
        return cls(**names, exit=bool(table.get("exit", False)))


@dataclass(frozen=True)
class Answer:
    """The fewest pushes or steps (None: no plan, or given up), whether that is proved, and the work."""

    best: int | None
    proved: bool
    states: int


class Board:
    """The cells of an instance by the parts that they play."""

    def __init__(self, instance: Instance, roles: Roles) -> None:
        found: dict[str, set[Cell]] = {}
        for row, line in enumerate(instance.level.board):
            for column, here in enumerate(line):
                for piece in here:
                    found.setdefault(piece.kind, set()).add((row, column))
        rows, columns = len(instance.level.board), len(instance.level.board[0])
        inside = {(row, column) for row in range(rows) for column in range(columns)}
        self.free = frozenset(inside - found.get(roles.solid, set()))
        self.things = frozenset(found.get(roles.thing, set()))
        self.targets = frozenset(found.get(roles.target, set()))
        agents = found.get(roles.agent, set())
        if len(agents) != 1:
            raise UnsupportedFeature("the baseline needs one agent", "leave this level out")
        (self.agent,) = agents

    def reach(self, start: Cell, things: frozenset[Cell]) -> dict[Cell, int]:
        """The cells that can be walked to, with the steps it takes."""
        steps = {start: 0}
        todo = deque([start])
        while todo:
            row, column = todo.popleft()
            for down, right in STEPS:
                after = row + down, column + right
                if after in self.free and after not in things and after not in steps:
                    steps[after] = steps[row, column] + 1
                    todo.append(after)
        return steps

    def live(self) -> frozenset[Cell]:
        """The cells from which a thing alone can be pushed to a target: all others are dead squares."""
        live, todo = set(self.targets), list(self.targets)
        while todo:
            row, column = todo.pop()
            for down, right in STEPS:
                before, agent = (row - down, column - right), (row - 2 * down, column - 2 * right)
                if before in self.free and agent in self.free and before not in live:
                    live.add(before)
                    todo.append(before)
        return frozenset(live)


def fewest_pushes(instance: Instance, roles: Roles, seconds: float) -> Answer:
    """Breadth first over pushes, until every thing is on a target."""
    board, end = Board(instance, roles), time.perf_counter() + seconds
    live = board.live()
    queue = deque([(board.things, board.agent, 0)])
    seen: set[tuple[frozenset[Cell], Cell]] = set()
    while queue:
        if time.perf_counter() > end or (len(seen) + len(queue)) * len(board.things) > CELLS:
            return Answer(None, False, len(seen))
        things, agent, pushes = queue.popleft()
        reach = board.reach(agent, things)
        state = things, min(reach)
        if state in seen:
            continue
        seen.add(state)
        if things <= board.targets:
            return Answer(pushes, True, len(seen))
        for row, column in things:
            for down, right in STEPS:
                after = row + down, column + right
                if (row - down, column - right) in reach and after in live and after not in things:
                    queue.append((things - {(row, column)} | {after}, (row, column), pushes + 1))
    return Answer(None, True, len(seen))


def fewest_steps(instance: Instance, roles: Roles, seconds: float) -> Answer:
    """By cost and Manhattan distance, until the agent is on a target."""
    board, end = Board(instance, roles), time.perf_counter() + seconds

    def distance(cell: Cell) -> int:
        return min((abs(cell[0] - row) + abs(cell[1] - column) for row, column in board.targets), default=0)

    start = board.things, board.agent
    best = {start: 0}
    queue = [(distance(board.agent), 0, 0, start)]
    entries = 0
    while queue:
        if time.perf_counter() > end or len(best) * len(board.things) > CELLS:
            return Answer(None, False, len(best))
        _, cost, _, state = heapq.heappop(queue)
        things, agent = state
        if best[state] < cost:
            continue
        if agent in board.targets:
            return Answer(cost, True, len(best))
        reach = board.reach(agent, things)
        follow = [(things, cell, steps) for cell, steps in reach.items() if cell in board.targets]
        for (row, column), steps in reach.items():
            for down, right in STEPS:
                at, after = (row + down, column + right), (row + 2 * down, column + 2 * right)
                if at in things and after in board.free and after not in things:
                    follow.append((things - {at} | {after}, at, steps + 1))
        for new, cell, steps in follow:
            if cost + steps < best.get((new, cell), cost + steps + 1):
                best[new, cell] = cost + steps
                entries += 1
                heapq.heappush(queue, (cost + steps + distance(cell), cost + steps, -entries, (new, cell)))
    return Answer(None, True, len(best))


def solve(instance: Instance, roles: Roles, seconds: float) -> Answer:
    """The baseline's answer under what it counts: steps where the agent has an exit, else pushes."""
    return (fewest_steps if roles.exit else fewest_pushes)(instance, roles, seconds)
