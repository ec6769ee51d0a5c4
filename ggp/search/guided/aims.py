"""How far many boards are from a goal, as PuzzleScriptAI guesses it: steps that pieces would have to go.

It promises nothing: what stands in the way is not asked. It only tells which of two states looks better.
What a goal's words want is read off them in `ggp.search.guided.wishes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.model import Instance, Piece
from ggp.model.scan import Crowd

Planes = NDArray[np.uint8]
"""Zeros and ones: (states, pieces, rows, columns)."""
Cells = NDArray[np.bool_]
"""(states, rows, columns)."""
Far = Callable[[Planes], NDArray[np.float64]]
"""Tells of boards how far each is from a goal."""
NEAR = 0.5  # what the steps of an agent count, beside those of what it has to bring


class Group(NamedTuple):
    """The cells with one of these pieces, or (`together`) all of them; by the numbers of their planes."""

    planes: tuple[int, ...]
    together: bool = False

    def cells(self, planes: Planes) -> Cells:
        """Where it stands."""
        chosen = planes[:, list(self.planes)] != 0
        found: Cells = chosen.all(axis=1) if self.together else chosen.any(axis=1)
        return np.ascontiguousarray(found)  # for what is compiled


class Aim(NamedTuple):
    """What a condition wants: every, some or no cell of `what` on `ground` (None: anywhere)."""

    quantifier: Literal["every", "some", "no"]
    what: Group
    ground: Group | None = None


def aims_of(instance: Instance, pieces: Sequence[Piece]) -> tuple[list[Aim], Group]:
    """What the goal of rules in scan order wants, and the agent. `pieces` are those of the planes."""
    scan = instance.game.scan
    assert scan is not None
    number = {piece.kind: plane for plane, piece in enumerate(pieces)}

    def group(crowd: Crowd) -> Group:
        return Group(tuple(number[kind] for kind in crowd.kinds if kind in number), crowd.together)

    aims = [
        Aim(goal.quantifier, group(goal.what), None if goal.ground is None else group(goal.ground))
        for goal in scan.goals
    ]
    return aims, group(scan.player)


def guess(aims: Sequence[Aim], agent: Group) -> Far:
    """What guesses the distances of boards: (states, )."""

    def guessed(planes: Planes) -> NDArray[np.float64]:
        total = np.zeros(len(planes))
        wrong = np.zeros((len(planes), *planes.shape[2:]), bool)
        for aim in aims:
            total += far(aim, planes, wrong)
        if agent.planes:
            total += NEAR * straight_to(agent.cells(planes), wrong)
        return total

    return guessed


def far(aim: Aim, planes: Planes, wrong: Cells) -> NDArray[np.float64]:
    """The guess for one aim; cells whose pieces have to go, or be met, are added to `wrong`."""
    what = aim.what.cells(planes)
    ground = np.ones_like(what) if aim.ground is None else aim.ground.cells(planes)
    if aim.quantifier == "no":
        wrong |= what & ground
        met: NDArray[np.float64] = (what & ground).sum(axis=(1, 2)).astype(float)
        return met
    from ggp.search.guided.straight import gathered  # compiled: loaded when it is used

    found, steps = np.empty(len(what)), np.empty(what.shape[1:])
    gathered(what, ground, aim.quantifier == "every", float(sum(what.shape[1:])), steps, wrong, found)
    return found


def straight_to(walkers: Cells, wrong: Cells) -> NDArray[np.float64]:
    """The steps to the nearest of what is wrong, but for what the walkers themselves are: (states, )."""
    from ggp.search.guided.straight import approached

    found = np.empty(len(walkers))
    approached(walkers, wrong, np.empty(walkers.shape[1:]), found)
    return found


def lacking(aims: Sequence[Aim], planes: Planes) -> NDArray[np.int64]:
    """How many cells are not as aims want them, or are wanted somewhere and are not there: (states, )."""
    total = np.zeros(len(planes), np.int64)
    for aim in aims:
        what = aim.what.cells(planes)
        ground = np.ones_like(what) if aim.ground is None else aim.ground.cells(planes)
        if aim.quantifier == "some":
            total += ~(what & ground).any(axis=(1, 2))
        else:
            total += (what & (ground if aim.quantifier == "no" else ~ground)).sum(axis=(1, 2))
    return total


def nearest(cells: Cells) -> NDArray[np.float64]:
    """(states, rows, columns): the steps from each cell to the nearest of these; infinite without any."""
    from ggp.search.guided.straight import spread_all

    steps = np.empty(cells.shape)
    spread_all(cells, steps)
    return steps
