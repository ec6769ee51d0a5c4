"""Thousands of runs at once, each with chance of its own: they go as single ones with the same seeds."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from ggp.players.luck import MOST_SEED, Dealt, Lucky
from ggp.players.moving import Moving
from ggp.referee.dice import Seeded
from ggp.transition.native.lanes import CHANGED, LOST, WON
from ggp.transition.stepper import States

MOST_DRAWN = 2**31  # seeds of runs that begin without one
Told = NDArray[np.uint8]


class Same:
    """Runs that all begin in one way: nothing is left to chance."""

    def __init__(self, world: Moving, count: int) -> None:
        self.stepper, self.count = world.stepper, count
        self.begun = self.stepper.begin(1)
        self.planes, self.legal, self.advance = self.stepper.planes, self.stepper.legal, self.stepper.advance

    def begin(self, seeds: Sequence[int | None]) -> States:
        """All runs before their first turns."""
        return self.stepper.begin(self.count)

    def begin_again(self, states: States, which: NDArray[np.bool_]) -> None:
        """Begin some of the runs anew."""
        states[:, :, which] = self.begun


class Dealing:
    """Runs of a game in which chance has a part, or something is hidden."""

    def __init__(self, world: Lucky, count: int) -> None:
        self.world, self.count = world, count

    def begin(self, seeds: Sequence[int | None]) -> States:
        """All runs before their first turns, each with its seed."""
        self.seeds = list(seeds)
        self.generators: list[Any] = [None] * self.count  # of the seeds of further runs
        self.lays = np.zeros(self.count, np.bool_)
        self.dice = [0] * self.count
        states = np.ascontiguousarray(np.repeat(self.world.bare, self.count, axis=2))
        self.deal(states, range(self.count), seeds)
        return states

    def deal(self, states: States, runs: Sequence[int], seeds: Sequence[int | None]) -> None:
        """Put runs before their first turns; one without a seed draws it, as a single environment does."""
        drawn = [self.drawn(run) if seed is None else seed for run, seed in zip(runs, seeds, strict=True)]
        begun, dice = self.world.begun(drawn)
        states[:, :, runs] = begun
        self.lays[runs] = bool(self.world.late)
        for run, number in zip(runs, dice, strict=True):
            self.dice[run] = number

    def drawn(self, run: int) -> int:
        """A seed for a run that begins anew."""
        if self.generators[run] is None:
            self.generators[run] = seeding.np_random(self.seeds[run])[0]
        return int(self.generators[run].integers(MOST_DRAWN))

    def begin_again(self, states: States, which: NDArray[np.bool_]) -> None:
        """Begin some of the runs anew."""
        runs = np.flatnonzero(which).tolist()
        self.deal(states, runs, [None] * len(runs))

    def planes(self, states: States) -> NDArray[np.uint8]:
        """What is seen of all runs."""
        return self.world.masked(self.world.stepper.planes(states))

    def legal(self, states: States) -> NDArray[np.bool_]:
        """What is allowed in each run."""
        legal = self.world.stepper.legal(states)
        legal[self.lays] = True
        return legal

    def advance(self, states: States, actions: NDArray[np.int64]) -> Told:
        """Make a turn in each run; an action below zero is none."""
        world = self.world
        laying = np.flatnonzero(self.lays & (actions >= 0)).tolist()
        asked = laying if world.lays_only else range(self.count)
        dice = {run: Seeded(Random(self.dice[run])) for run in asked}
        if laying:
            laid = states[:, :, laying]
            picks = [world.numbered_actions[one] for one in actions[laying].tolist()]
            world.within.lay(laid, [dice[run] for run in laying], picks)
            states[:, :, laying] = laid
        told = world.advance(states, actions, list(dice.values()))
        for run in laying:
            if not told[run] & CHANGED:  # it is a move all the same, for chance has laid something
                after = world.judged(world.state(Dealt(states[:, :, run].tobytes())))
                told[run] = CHANGED | {"won": WON, "lost": LOST}.get(after, 0)
        self.lays[laying] = False
        if not world.lays_only:
            for run in np.flatnonzero(told & CHANGED).tolist():
                self.dice[run] = dice[run].rng.randrange(MOST_SEED)
        return told
