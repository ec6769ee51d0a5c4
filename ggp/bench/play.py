"""How fast agents play, and what a tree of random runs is worth beside a search, and against an opponent.

For each level the steps a second through Gymnasium, one run and thousands at once, and of random runs,
beside the referee and the engines that play the exported texts (`ggp.bench.rates`). Then two players on
every level of a game, with one limit of positions or random runs for an action: how many levels each wins.
At last games of two players: how fast a tree of random runs grows, and what it comes to against others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ggp import api, registry
from ggp.bench import Record, Say, case
from ggp.bench.rates import BATCH, Way, measured, rows, timed
from ggp.language import levels
from ggp.model import Instance
from ggp.players.arena import played
from ggp.players.protocol import Table, view_of
from ggp.players.run import Run
from ggp.players.tree import Tree
from ggp.players.trials import Trials
from ggp.players.worlds import world_of
from ggp.referee.contest import seen_by

NAME = "play"
ROUNDS = 8  # of random inputs, which come again
TOGETHER = 64  # random runs side by side
PLAYOUTS = 5_000  # random runs for an action, in games of two players


def run(repeats: int, say: Say) -> list[Record]:
    """The rates, then the players."""
    data = case(NAME)
    found: list[Record] = []
    for name in data["rates"]:
        found += rows(NAME, api.load(name), data["seconds"], say, WAYS)
    for playouts in data["playouts"]:
        found += [contest(name, data["game"], playouts, say) for name in data["players"]]
    duels = data["duels"]
    for level in duels["rates"]:
        found += measured(NAME, api.load(level), data["seconds"], say, DUEL_WAYS)
    for against in duels["against"]:
        found.append(duel(duels["level"], against, duels["playouts"], duels["games"], say))
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


def grown_trees(instance: Instance, seconds: float) -> tuple[int, float]:
    """Trees of random runs from the start, with all that a tree search does beside them."""
    world, table = world_of(instance), Table(instance, PLAYOUTS, 1)
    trials = Trials(world, 1)

    def turns() -> int:
        before = trials.turns
        Tree(table, trials, view_of(Run(world)), spread=False).grow(PLAYOUTS)
        return trials.turns - before

    return timed(seconds, turns)


DUEL_WAYS: tuple[Way, ...] = (
    (f"random runs, {TOGETHER} side by side (turns)", random_runs, None),
    (f"mcts, {PLAYOUTS} random runs for an action (their turns)", grown_trees, 100_000.0),
)


def duel(level: str, against: str, playouts: int, games: int, say: Say) -> Record:
    """What `mcts` comes to against another player; each of them begins every other game."""
    instance, start, came_to = api.load(level), time.perf_counter(), [0, 0, 0]
    tree, other = (
        registry.load("player", name).player(Table(instance, playouts, 1)) for name in ("mcts", against)
    )
    for game in range(games):
        say(f"{level}, mcts against {against}, game {game + 1}")
        place, run = game % 2, Run(world_of(instance))
        while run.outcome == "open":
            player = tree if run.world.mover(run.position) == place else other
            run.act(player.choose(view_of(run)))
        tree.ended(seen_by(place, run.gets))
        came_to[1 - int(run.gets[place])] += 1
    won, drawn, lost = came_to
    how = f"won {won}, drawn {drawn}, lost {lost}"
    what = f"{level}, mcts with {playouts} for an action against {against}: {how}"
    return Record(NAME, what, time.perf_counter() - start, 1, won)


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
