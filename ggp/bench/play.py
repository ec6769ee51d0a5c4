"""How fast agents play, and what a tree of random runs is worth beside a search.

For each level the steps a second through Gymnasium, one run and thousands at once, and of random runs,
beside the referee and the engines that play the exported texts (`ggp.bench.rates`). Then two players on
every level of a game, with one limit of positions or random runs for an action: how many levels each wins.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ggp import api, registry
from ggp.bench import Record, Say, case
from ggp.bench.rates import BATCH, Way, rows, timed
from ggp.language import levels
from ggp.model import Instance
from ggp.players.arena import played
from ggp.players.protocol import Table
from ggp.players.trials import Trials
from ggp.players.world import Run, world_of

NAME = "play"
ROUNDS = 8  # of random inputs, which come again
TOGETHER = 64  # random runs side by side


def run(repeats: int, say: Say) -> list[Record]:
    """The rates, then the players."""
    data = case(NAME)
    found: list[Record] = []
    for name in data["rates"]:
        found += rows(NAME, api.load(name), data["seconds"], say, WAYS)
    for playouts in data["playouts"]:
        found += [contest(name, data["game"], playouts, say) for name in data["players"]]
    return found


def one_environment(instance: Instance, seconds: float) -> tuple[int, float]:
    """One run through `gymnasium.make`, with masks and planes; ended ones begin anew."""
    import gymnasium

    import ggp.players.envs  # noqa: F401 - it registers the levels

    env = gymnasium.make("ggp/level-v0", level=instance)
    env.reset(seed=1)
    env.action_space.seed(1)
    actions = [int(env.action_space.sample()) for _ in range(1000)]

    def turns() -> int:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return len(actions)

    return timed(seconds, turns)


def many_environments(**options: Any) -> Callable[[Instance, float], tuple[int, float]]:
    """So many runs at once, as a vector environment."""

    def way(instance: Instance, seconds: float) -> tuple[int, float]:
        many = api.env(instance, num_envs=BATCH, **options)
        many.reset(seed=1)
        rng = np.random.default_rng(1)
        given = [rng.integers(0, len(many.actions), BATCH) for _ in range(ROUNDS)]

        def turns() -> int:
            for actions in given:
                many.step(actions)
            return ROUNDS * BATCH

        return timed(seconds, turns)

    return way


def random_runs(instance: Instance, seconds: float) -> tuple[int, float]:
    """Random runs of allowed actions from the start, as tree searches make them."""
    world = world_of(instance)
    trials = Trials(world, 1)

    def turns() -> int:
        before = trials.turns
        trials.run(world.begin(), TOGETHER, None)
        return trials.turns - before

    return timed(seconds, turns)


WAYS: tuple[Way, ...] = (
    ("Gymnasium, one environment (steps)", one_environment, 50_000.0),
    (f"Gymnasium, {BATCH} at once, words (steps)", many_environments(observations="words", masks=False), 5e6),
    (f"Gymnasium, {BATCH} at once, planes (steps)", many_environments(masks=False), 5e6),
    (f"Gymnasium, {BATCH} at once, planes and masks (steps)", many_environments(), None),
    (f"random runs, {TOGETHER} side by side (turns)", random_runs, 100_000.0),
)


def contest(name: str, game: str, playouts: int, say: Say) -> Record:
    """How many levels of a game a player wins. Where they are known not to be solvable they are left out."""
    module: Any = registry.load("player", name)
    start, won, solvable = time.perf_counter(), 0, list(winnable(game))
    for instance in solvable:
        say(f"{instance.name}, {name}, {playouts} for an action")
        run, player = Run(world_of(instance)), module.player(Table(instance, playouts, 1))
        played(run, player)
        won += run.outcome == "won"
    what = f"{game}, {name}, {playouts} for an action: wins {won} of {len(solvable)} levels"
    return Record(NAME, what, time.perf_counter() - start, 1, won)


def winnable(game: str) -> Iterator[Instance]:
    """The levels of a game that can be won."""
    for name in levels.levels(game):
        instance = levels.load(name)
        if instance.level.known.solvable:
            yield instance
