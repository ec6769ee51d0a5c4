"""Lemmings in plain Python, from the rules in English. Knows nothing of ggp.

Each turn a lemming on a target stays; else it falls if nothing is below it; else it walks if nothing is
ahead; else it turns round and does not move. Bricks are as solid as walls, lemmings are not. Nothing leaves
the board: its edge is as good as a wall. Lemmings of one facing that meet are one lemming from then on.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

Cell = tuple[int, int]
Lemming = tuple[int, int, int]  # row, column, -1 for left or 1 for right
FACING = {"<": -1, ">": 1}


class Level(NamedTuple):
    """A map without bricks: its size, the walls and targets, and where the lemmings start."""

    height: int
    width: int
    walls: frozenset[Cell]
    targets: frozenset[Cell]
    lemmings: frozenset[Lemming]

    @property
    def free(self) -> list[Cell]:
        """Where a brick may be placed: on cells that hold nothing."""
        taken = self.walls | self.targets | {lemming[:2] for lemming in self.lemmings}
        every = ((row, column) for row in range(self.height) for column in range(self.width))
        return [cell for cell in every if cell not in taken]


def read(rows: list[str]) -> Level:
    """The level that rows of `X < > T` and space show."""
    marks = {(row, column): mark for row, line in enumerate(rows) for column, mark in enumerate(line)}
    return Level(
        len(rows),
        len(rows[0]),
        frozenset(cell for cell, mark in marks.items() if mark == "X"),
        frozenset(cell for cell, mark in marks.items() if mark == "T"),
        frozenset((*cell, FACING[mark]) for cell, mark in marks.items() if mark in FACING),
    )


def step(level: Level, bricks: frozenset[Cell], lemmings: frozenset[Lemming]) -> frozenset[Lemming]:
    """Where the lemmings are one turn later."""

    def free(row: int, column: int) -> bool:
        inside = 0 <= row < level.height and 0 <= column < level.width
        return inside and (row, column) not in level.walls and (row, column) not in bricks

    after = set()
    for row, column, facing in lemmings:
        if (row, column) in level.targets:
            after.add((row, column, facing))
        elif free(row + 1, column):
            after.add((row + 1, column, facing))
        elif free(row, column + facing):
            after.add((row, column + facing, facing))
        else:
            after.add((row, column, -facing))
    return frozenset(after)


def run(
    level: Level, bricks: frozenset[Cell], horizon: int, when: str
) -> tuple[bool, list[frozenset[Lemming]]]:
    """(is it won, the lemmings at each turn). With `any-turn` the run ends when all are on a target."""
    turns = [level.lemmings]
    while True:
        home = all(lemming[:2] in level.targets for lemming in turns[-1])
        last = len(turns) > horizon
        if home and (last or when == "any-turn"):
            return True, turns
        if last:
            return False, turns
        turns.append(step(level, bricks, turns[-1]))


def designs(level: Level, budget: int) -> Iterator[frozenset[Cell]]:
    """Every set of bricks that the budget allows."""
    for number in range(budget + 1):
        yield from map(frozenset, combinations(level.free, number))


def winning(level: Level, budget: int, horizon: int, when: str) -> list[frozenset[Cell]]:
    """Every set of bricks that wins."""
    return [bricks for bricks in designs(level, budget) if run(level, bricks, horizon, when)[0]]


def every_brick_matters(level: Level, bricks: frozenset[Cell], horizon: int, when: str) -> bool:
    """Is the run another one whenever one of the bricks is left out?"""
    whole = run(level, bricks, horizon, when)
    return all(run(level, bricks - {brick}, horizon, when) != whole for brick in bricks)
