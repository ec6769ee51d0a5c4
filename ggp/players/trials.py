"""Random runs from a position on, many at once where the world can: what playing at random comes to."""

from __future__ import annotations

from math import inf, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.players.distance import Distance
from ggp.players.world import Moving, Outcome, World

OPEN_AT_MOST = 0.9  # what a run is worth that has not won, if it ends as near as can be
DEPTH = 40  # turns of a run, at most
TOGETHER = 8  # runs from one position, at most: side by side they cost little more than one
LEAVES = 100  # positions that are tried at least, as far as the limit goes
EXPLORING = 0.5  # worth is from 0 to 1


def promise(total: float, tried: int, around: int) -> float:
    """How much a choice calls for another try: its mean, and more where little is known of it (UCB1)."""
    return total / tried + EXPLORING * sqrt(log(around) / tried) if tried else inf


def at_once(playouts: int) -> int:
    """How many runs are made from one position, where so many may be made in all."""
    return max(1, min(TOGETHER, playouts // LEAVES))


class Trials:
    """Makes random runs in one world; `turns` counts the turns made so far."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.rng = np.random.default_rng(seed)
        self.distance = Distance(world)
        self.far = max(self.distance(world.begin()), 1.0)
        self.turns = 0

    def worth(self, position: Any, outcome: Outcome, turns: int = 0) -> float:
        """What an end is worth, from 0 to 1: nothing where it is lost, most where it is won soon."""
        if outcome == "lost":
            return 0.0
        if outcome == "won":
            return 1.0 - 0.05 * min(turns / DEPTH, 1.0)
        return max(OPEN_AT_MOST * (1.0 - self.distance(position) / self.far), 0.0)

    def run(self, position: Any, count: int, most: int | None) -> list[float]:
        """What so many runs of at most so many turns come to."""
        depth = DEPTH if most is None else min(DEPTH, most)
        if isinstance(self.world, Moving):
            return self.together(self.world, position, count, depth)
        return [self.alone(position, depth) for _ in range(count)]

    def alone(self, position: Any, depth: int) -> float:
        """One run, turn by turn."""
        outcome: Outcome = "open"
        for made in range(depth):
            legal = self.world.legal(position).nonzero()[0]
            turn = self.world.turn(position, int(self.rng.choice(legal))) if legal.size else None
            if turn is None:
                break
            self.turns += 1
            position, outcome, _ = turn
            if outcome != "open":
                return self.worth(position, outcome, made)
        return self.worth(position, outcome)

    def together(self, world: Moving, position: bytes, count: int, depth: int) -> list[float]:
        """Runs side by side in machine code."""
        stepper = world.stepper
        states = np.repeat(world.states(position), count, axis=2)
        worth = np.full(count, np.nan)
        going = np.ones(count, np.bool_)
        for made in range(depth):
            actions = self.drawn(stepper.legal(states), going)
            told = stepper.advance(states, actions)
            self.turns += int((actions >= 0).sum())
            for lane in np.flatnonzero((told > 1) & going):
                outcome = world.outcome(int(told[lane]))
                if outcome != "open":
                    worth[lane] = self.worth(position, outcome, made)
            going = (actions >= 0) & np.isnan(worth)
            if not going.any():
                break
        for lane in np.flatnonzero(np.isnan(worth)):
            worth[lane] = self.worth(states[:, :, lane].tobytes(), "open")
        return [float(one) for one in worth]

    def drawn(self, legal: NDArray[np.bool_], going: NDArray[np.bool_]) -> NDArray[np.int64]:
        """A random legal action of each run that goes on; -1 for the others, and where there is none."""
        dice = self.rng.random(legal.shape) * legal
        chosen = dice.argmax(axis=1)
        stuck = ~legal.any(axis=1) | ~going
        return np.where(stuck, -1, chosen)
