"""What a player is drawn over is remembered where what comes after it hangs on it, and nowhere else."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import islice
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ggp.learn.boards import Episode, stacks_of, turns_of
from ggp.watch import rollouts
from ggp.watch.covered import Covered
from ggp.watch.environments import GymWorld
from tests.in_one_pass import learn_in_one_pass
from tests.slow import slow_unless

FLOOR, WALL, MAN, PAD, COIN, WATER = range(6)
MOVES = [(-1, 0), (0, 1), (1, 0), (0, -1)]


class DrawnOver:
    """A player is drawn over what it stands on, which becomes something when it goes."""

    action_space = SimpleNamespace(n=4)

    def __init__(self, becomes: Mapping[int, int], shift: int = 0) -> None:
        """`shift`: what is added to all codes, so that the floor is one of its own."""
        self.becomes, self.shift = becomes, shift

    def reset(self, seed: int) -> tuple[Any, dict[str, str]]:
        rng = np.random.default_rng(seed)
        self.grid = rng.choice([FLOOR, WALL, PAD, COIN], (4, 5), p=[0.5, 0.1, 0.25, 0.15])
        self.at = 1, 1
        self.grid[self.at] = FLOOR
        return self.drawn(), {}

    def drawn(self) -> Any:
        shown = self.grid.copy()
        shown[self.at] = MAN
        return shown + self.shift

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, str]]:
        (row, column), (down, right) = self.at, MOVES[action]
        to = row + down, column + right
        if 0 <= to[0] < 4 and 0 <= to[1] < 5 and self.grid[to] not in (WALL, WATER):
            self.grid[self.at] = self.becomes.get(self.grid[self.at], FLOOR)
            self.at = to
        return self.drawn(), 0.0, False, False, {}


def watched(env: DrawnOver, seed: int, number: int) -> tuple[GymWorld, list[Episode]]:
    """The world, and so many roll-outs."""
    world = GymWorld(env, tried=40)
    return world, list(islice(rollouts(world, random.Random(seed)), number))


@pytest.mark.parametrize(("becomes", "shift"), slow_unless([(WATER, 0)], [(PAD, 1), (WATER, 0)]))
def test_what_is_hidden_is_remembered(becomes: int, shift: int) -> None:
    world, runs = watched(DrawnOver({PAD: becomes}, shift), 1, 15)
    assert world.covered.by == {f"p0-{MAN + shift}"}
    assert world.covered.grounds == {frozenset({f"p0-{PAD + shift}"})}
    assert frozenset({f"p0-{MAN + shift}", f"p0-{PAD + shift}"}) in stacks_of(runs)
    program = learn_in_one_pass(runs).program
    _, fresh = watched(DrawnOver({PAD: becomes}, shift), 2, 10)
    assert not any(map(program.wrong, turns_of(fresh)))


def test_what_is_taken_is_not() -> None:
    world, _ = watched(DrawnOver({}), 1, 1)
    assert world.covered == Covered(), "coins and pads are gone once somebody was there"
