"""How far boards are from a goal, by the steps that things were seen to take (`ggp.search.guided.ways`).

Where one side of a condition stays where it is ("every target on crate"), each of its cells gets one of the
other side, the nearest ones first. What cannot be measured is guessed as in `aims`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import Unfit
from ggp.model import Instance, Piece
from ggp.model.scan import ScanGoal
from ggp.search.guided.aims import NEAR, Aim, Cells, Far, Group, Planes, aims_of, far
from ggp.search.guided.ways import Steps, Ways

MOST_PAIRS = 400  # of things and places: with more of them two may get the same
LARGEST = 20_000  # pairs: more are not measured


class Brought(NamedTuple):
    """What moves has to come to cells that stay: `steps` to each of them from all cells.

    `every`: all of them have to be served, each cell that stays, or (`by_thing`) each thing that moves.
    `most` is what one costs that nothing can come to.
    """

    moves: Group
    steps: Steps
    every: bool
    by_thing: bool
    most: float

    def far(self, planes: Planes, wrong: Cells) -> NDArray[np.float64] | None:
        """The guess; things that have to go are added to `wrong`. None where there are too many of them."""
        states, most = len(planes), self.most
        things = self.moves.cells(planes).reshape(states, -1)
        count = int(things.sum(axis=1).max(initial=0))
        if count * len(self.steps) > LARGEST:
            return None
        which, cells = np.nonzero(things)
        place = np.arange(len(which)) - np.searchsorted(which, which)
        where = np.full((states, count), self.steps.shape[1])
        where[which, place] = cells
        padded = np.concatenate([self.steps, np.full((len(self.steps), 1), np.inf)], axis=1)
        pairs = padded[:, where].transpose(1, 0, 2)  # (states, cells that stay, things)
        away = things & ~(self.steps == 0).any(axis=0)
        wrong |= away.reshape(wrong.shape)
        if not pairs[0].size:
            served = 0 if self.by_thing else len(self.steps)
            return np.full(states, most * (served if self.every else 1))
        if not self.every:
            nearest: NDArray[np.float64] = np.minimum(pairs.min(axis=(1, 2)), most)
            return nearest
        asked = things.sum(axis=1) if self.by_thing else np.full(states, len(self.steps))
        if len(self.steps) * count > MOST_PAIRS:
            least = np.minimum(pairs.min(axis=1 if self.by_thing else 2), most)
            there = where < self.steps.shape[1] if self.by_thing else np.ones_like(least, bool)
            shared: NDArray[np.float64] = np.where(there, least, 0.0).sum(axis=1)
            return shared
        return matched(pairs, asked, most)


def matched(pairs: NDArray[np.float64], asked: NDArray[np.int64], most: float) -> NDArray[np.float64]:
    """The sum of steps where the nearest pairs are matched first; what is asked beyond costs the most."""
    states, rows, columns = pairs.shape
    total, every = np.zeros(states), np.arange(states)
    left = asked.astype(float)
    for _ in range(min(rows, columns)):
        flat = pairs.reshape(states, -1).argmin(axis=1)
        row, column = flat // columns, flat % columns
        steps = pairs[every, row, column]
        there = np.isfinite(steps)
        total += np.where(there, steps, 0.0)
        left -= there
        pairs[every, row, :] = np.inf
        pairs[every, :, column] = np.inf
    found: NDArray[np.float64] = total + np.maximum(left, 0.0) * most
    return found


def closeness(
    instance: Instance, pieces: Sequence[Piece], pause: Callable[[], None], changed: Sequence[int]
) -> Far | None:
    """What measures how far boards of rules in scan order are from the goal; None where nothing can.

    `pieces` are those of the planes, `changed` the planes that were seen to come, go or move.
    """
    scan = instance.game.scan
    if scan is None:
        return None
    aims, agent = aims_of(instance, pieces)
    kinds = {kind.name for kind in instance.game.kinds}
    try:
        ways = Ways(instance, {pieces[plane].kind for plane in changed} & kinds, pause)
    except Unfit:
        return None
    brought = [measure(goal, aim, ways) for goal, aim in zip(scan.goals, aims, strict=True)]
    walks = ways.steps(ways.agent) if ways.agent else None
    if walks is None and not any(brought):
        return None

    def guessed(planes: Planes) -> NDArray[np.float64]:
        total = np.zeros(len(planes))
        wrong = np.zeros((len(planes), *planes.shape[2:]), bool)
        for aim, one in zip(aims, brought, strict=True):
            measured = None if one is None else one.far(planes, wrong)
            total += far(aim, planes, wrong) if measured is None else measured
        if agent.planes:
            total += NEAR * approach(agent.cells(planes), wrong, walks)
        return total

    return guessed


def approach(walkers: Cells, wrong: Cells, walks: Steps | None) -> NDArray[np.float64]:
    """The steps of the agent to the nearest of what is wrong, but for what it is itself."""
    states = len(walkers)
    here = walkers.reshape(states, -1)
    asked = wrong.reshape(states, -1) & ~here
    one = here.argmax(axis=1)
    rows, columns = np.divmod(np.arange(here.shape[1]), walkers.shape[2])
    straight = (np.abs(rows[one][:, None] - rows) + np.abs(columns[one][:, None] - columns)).astype(float)
    seen = straight if walks is None else walks.T[one]
    steps = np.where(np.isfinite(seen), seen, straight)  # what leads there may be what was left out
    least = np.where(asked, steps, np.inf).min(axis=1)
    return np.where(np.isfinite(least) & here.any(axis=1), least, 0.0)


def measure(goal: ScanGoal, aim: Aim, ways: Ways) -> Brought | None:
    """How an aim is measured; None where it is not: both sides move, or neither was seen to."""
    if goal.ground is None or goal.quantifier == "no" or aim.ground is None:
        return None
    what, ground = ways.moving(goal.what.kinds), ways.moving(goal.ground.kinds)
    if bool(what) == bool(ground):
        return None
    moving, crowd, group = (what, goal.ground, aim.what) if what else (ground, goal.what, aim.ground)
    cells = ways.there(crowd.kinds, crowd.together)
    steps = ways.steps(moving, cells) if cells else None
    if steps is None:
        return None
    # Where some lead nowhere from the start on, what was seen is not how they get there.
    came = np.isfinite(steps[:, ways.there(ways.kinds(moving))])
    every, by_thing = goal.quantifier == "every", bool(what)
    enough = came.any(axis=0 if by_thing else 1)
    if not came.any() or (every and not enough.all() and not by_thing):
        return None
    longest = steps[np.isfinite(steps)].max()
    return Brought(group, steps, every, by_thing, max(float(ways.rows + ways.columns), longest))
