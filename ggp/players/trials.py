"""Random runs from a position on, many at once where the world can: what playing at random comes to.

What a run is worth goes from 0 to 1. It is worth something to each player: an array of (runs, players).
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.players.contest import Contest
from ggp.players.distance import Distance
from ggp.players.moving import Moving
from ggp.players.world import Outcome, Turn, World

if TYPE_CHECKING:
    from ggp.transition.native.playouts import Room

OPEN_AT_MOST = 0.9  # what a run is worth that has not won, if it ends as near as can be
DEPTH = 40  # turns of a run, at most; what has not ended then is worth what it looks like
CONTEST_DEPTH = 400  # where several players take turns, and it would be a draw
TOGETHER = 8  # runs from one position, at most: side by side they cost little more than one
LEAVES = 100  # positions that are tried at least, as far as the limit goes
EXPLORING = 0.5  # worth is from 0 to 1

Worths = NDArray[np.float64]


def promise(total: float, tried: int, around: float) -> float:
    """How much a choice calls for another try: its mean, and more where little is known of it (UCB1).

    `around` is the logarithm of how often it and all others were tried.
    """
    return total / tried + EXPLORING * sqrt(around / tried) if tried else inf


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
        self.depth = DEPTH if len(world.players) == 1 else CONTEST_DEPTH
        self.rooms: dict[int, Room] = {}

    def worth(self, position: Any, outcome: Outcome, turns: int = 0) -> float:
        """What an end is worth, from 0 to 1: nothing where it is lost, most where it is won soon."""
        if outcome == "lost":
            return 0.0
        if outcome == "won":
            return 1.0 - 0.05 * min(turns / DEPTH, 1.0)
        return max(OPEN_AT_MOST * (1.0 - self.distance(position) / self.far), 0.0)

    def worths(self, turn: Turn) -> Worths:
        """What is known without a run of a turn that ends one: (1, players)."""
        if turn.gets:
            return (np.array([turn.gets]) + 1.0) / 2.0
        return np.array([[self.worth(turn.position, turn.outcome)]])

    def run(self, position: Any, count: int, most: int | None) -> Worths:
        """What so many runs of at most so many turns come to."""
        depth = self.depth if most is None else min(self.depth, most)
        if isinstance(self.world, Moving):
            return self.together(self.world, position, count, depth)
        return np.array([[self.alone(position, depth)] for _ in range(count)])

    def alone(self, position: Any, depth: int) -> float:
        """One run, turn by turn."""
        outcome: Outcome = "open"
        for made in range(depth):
            legal = self.world.legal(position).nonzero()[0]
            turn = self.world.turn(position, int(self.rng.choice(legal))) if legal.size else None
            if turn is None:
                break
            self.turns += 1
            position, outcome = turn.position, turn.outcome
            if outcome != "open":
                return self.worth(position, outcome, made)
        return self.worth(position, outcome)

    def together(self, world: Moving, position: bytes, count: int, depth: int) -> Worths:
        """Runs side by side in machine code."""
        from ggp.transition.native.playouts import HAS_LOST, HAS_WON, STUCK, emptied, random_runs, room_for

        if count not in self.rooms:
            self.rooms[count] = room_for(count, len(world.actions))
        room = self.rooms[count]
        emptied(room, int(self.rng.integers(1, 2**63)))
        states = np.repeat(world.states(position), count, axis=2)
        if depth:
            random_runs(world.stepper.machine, states, room, depth, world.any_turn, world.stepper.passing)
            self.turns += int(room.made.sum())
        if isinstance(world, Contest):
            whose = np.where(room.stands == STUCK, world.stepper.movers(states), room.last)
            worths: Worths = (world.ends[room.stands, whose] + 1.0) / 2.0
            return worths
        outcomes: dict[int, Outcome] = {HAS_LOST: "lost", HAS_WON: "won"}
        worth = [
            self.worth(states[:, :, lane].tobytes(), outcomes.get(stands, "open"), made - 1)
            for lane, (stands, made) in enumerate(zip(room.stands.tolist(), room.made.tolist(), strict=True))
        ]
        return np.array(worth)[:, np.newaxis]
