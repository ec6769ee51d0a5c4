"""Sokoban in plain Python, from the rules in English. Knows nothing of ggp.

The player steps up, right, down or left onto a cell without a wall or a crate. Stepping against a crate
pushes it one cell on, if no wall and no crate is there. Nothing leaves the board. It is won as soon as every
crate is on a target. A step that is not possible is not a move.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

Cell = tuple[int, int]
STEPS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


class State(NamedTuple):
    """What can change."""

    player: Cell
    crates: frozenset[Cell]


class Level(NamedTuple):
    """A map: what cannot change, and how it starts."""

    height: int
    width: int
    walls: frozenset[Cell]
    targets: frozenset[Cell]
    start: State


def read(rows: list[str]) -> Level:
    """The level that rows of the usual symbols show."""
    marks = {(row, column): mark for row, line in enumerate(rows) for column, mark in enumerate(line)}

    def where(symbols: str) -> frozenset[Cell]:
        return frozenset(cell for cell, mark in marks.items() if mark in symbols)

    (player,) = where("@+")
    return Level(len(rows), len(rows[0]), where("#"), where(".*+"), State(player, where("$*")))


def step(level: Level, state: State, direction: str) -> State | None:
    """The state after a step, None if it is not possible."""
    down, right = STEPS[direction]

    def beyond(cell: Cell) -> Cell:
        return cell[0] + down, cell[1] + right

    def free(cell: Cell) -> bool:
        inside = 0 <= cell[0] < level.height and 0 <= cell[1] < level.width
        return inside and cell not in level.walls and cell not in state.crates

    to = beyond(state.player)
    if free(to):
        return State(to, state.crates)
    if to in state.crates and free(beyond(to)):
        return State(to, state.crates - {to} | {beyond(to)})
    return None


def won(level: Level, state: State) -> bool:
    """Is every crate on a target?"""
    return state.crates <= level.targets


def moves(level: Level, state: State) -> Iterator[tuple[str, State, int]]:
    """Each possible step: its direction, where it leads to, and how many crates it pushes."""
    for direction in STEPS:
        after = step(level, state, direction)
        if after is not None:
            yield direction, after, int(after.crates != state.crates)


def reachable(level: Level, depth: int) -> list[int]:
    """How many states are first reached after 0, 1, ... `depth` steps; won or not makes no difference."""
    seen, border = {level.start}, [level.start]
    counts = [1]
    for _ in range(depth):
        border = list(dict.fromkeys(after for state in border for _, after, _ in moves(level, state)))
        border = [state for state in border if state not in seen]
        seen.update(border)
        counts.append(len(border))
    return counts


def fewest(level: Level, count: str, horizon: int) -> tuple[int, list[str]] | None:
    """The fewest `turns` or `pushes` of a plan within the horizon, and that plan; None without one."""
    queue: list[tuple[int, int, list[str], State]] = [(0, 0, [], level.start)]
    soonest: dict[State, int] = {}  # the fewest steps with which a state was left so far
    while queue:
        cost, steps, plan, state = heappop(queue)
        if won(level, state):
            return cost, plan
        if steps == horizon or soonest.get(state, horizon) <= steps:
            continue
        soonest[state] = steps
        for direction, after, pushes in moves(level, state):
            more = 1 if count == "turns" else pushes
            heappush(queue, (cost + more, steps + 1, [*plan, direction], after))
    return None


def plans(level: Level, horizon: int) -> list[tuple[str, ...]]:
    """Every plan of at most `horizon` steps that wins with its last step and not before."""
    found, todo = [], [(level.start, ())]
    while todo:
        state, plan = todo.pop()
        if won(level, state):
            found.append(plan)
        elif len(plan) < horizon:
            todo += [(after, (*plan, direction)) for direction, after, _ in moves(level, state)]
    return found
