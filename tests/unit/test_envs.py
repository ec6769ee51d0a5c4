"""Levels as environments of Gymnasium: its checker passes, runs are the referee's, bad input is refused."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ggp
import ggp.players.envs as envs
from ggp.errors import IllegalAction, NotAvailable, PuzzleError, UnsupportedFeature
from ggp.language.levels import games, levels, load
from ggp.model import Instance
from ggp.players.envs.names import level_names
from ggp.players.envs.single import PuzzleEnv
from ggp.referee.semantics import is_goal, legal_actions
from tests.puzzlescript_games import instance as imported
from tests.slow import few_or_many, slow_unless
from tests.solver_levels import FIRST
from tests.solver_levels import LEVELS as NAMES

ALL = [name for game in games() for name in levels(game)]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """The checker warns of what is meant to be: no spec where there is no registry, bounds of pictures."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def walk(env: Any, seed: int, steps: int) -> Iterator[tuple[Any, ...]]:
    """Random allowed steps; what each came to."""
    rng = Random(seed)
    _, info = env.reset(seed=seed)
    for _ in range(steps):
        allowed = np.flatnonzero(info["action_mask"]).tolist()
        if not allowed:
            return
        chosen = rng.choice(allowed)
        came_to = env.step(chosen)
        info = came_to[-1]
        yield chosen, *came_to
        if came_to[2] or came_to[3]:
            return


def test_every_level_is_registered_under_its_name() -> None:
    assert list(level_names()) == ALL
    assert {envs.identifier(name) for name in ALL} <= set(gymnasium.registry)


@pytest.mark.parametrize("name", slow_unless(FIRST, NAMES))
def test_the_checker_passes(name: str) -> None:
    env = gymnasium.make(envs.identifier(name))
    check_env(env.unwrapped, skip_render_check=name != "sokoban/first")


@pytest.mark.parametrize("kind", ["ids", "text", "pixels"])
@pytest.mark.parametrize("name", ["lemmings/seed", "lasertank/first", "skyscrapers/small"])
def test_the_checker_passes_whatever_is_observed(name: str, kind: str) -> None:
    check_env(ggp.env(name, observations=kind), skip_render_check=True)


def test_it_can_be_made_without_importing_anything_of_ours() -> None:
    program = (
        "import gymnasium\n"
        "env = gymnasium.make('ggp.players.envs:ggp/lights-out-small-v0')\n"
        "many = gymnasium.make_vec('ggp/lights-out-small-v0', num_envs=3)\n"
        "own = gymnasium.make('ggp/level-v0', level='queens/6')\n"
        "print(env.reset(seed=1)[0].shape, many.reset(seed=1)[0].shape, own.action_space)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout.split("Discrete")[0].strip().endswith("2, 2)"), done.stderr
    assert "Discrete(37)" in done.stdout


@pytest.mark.parametrize("name", ["sokoban/first", "peg-solitaire/first", "lemmings/pair", "queens/5x5"])
def test_a_run_is_what_the_referee_says(name: str) -> None:
    instance = load(name)
    env = ggp.env(instance)
    for seed in range(6):
        env.reset(seed=seed)
        for _, _, reward, terminated, truncated, info in walk(env, seed, 200):
            if terminated:
                verdict = ggp.replay(instance, env.plan())
                assert verdict.won == (reward > 0) == (info["outcome"] == "won"), verdict.reason
            elif truncated:
                assert reward == 0 and not ggp.replay(instance, env.plan()).won


@pytest.mark.parametrize("name", ["sokoban/first", "lasertank/first"])
def test_known_plans_win(name: str) -> None:
    instance = load(name)
    for plan in instance.level.known.wins:
        env = ggp.env(instance)
        env.reset()
        ends = [env.step(env.actions.index(word))[1:4] for word in plan.actions]
        assert ends[-1] == (1.0, True, False) and all(end == (0.0, False, False) for end in ends[:-1])


@pytest.mark.parametrize("name", ["sokoban/corner", "peg-solitaire/first", "samegame/colours"])
def test_masks_are_the_legal_actions_and_planes_the_board(name: str) -> None:
    instance = load(name)
    env = ggp.env(instance)
    for _, observation, _, terminated, truncated, info in walk(env, 3, 30):
        if terminated or truncated:
            break
        state = env.world.state(env.run.position)
        legal = {str(action) for action in legal_actions(instance, state)}
        masked = {word for word, one in zip(env.actions, info["action_mask"], strict=True) if one}
        assert masked == legal
        pieces = [piece for here in state.board for piece in here]
        assert observation.sum() == len(pieces)


def test_ids_tell_every_piece() -> None:
    env = ggp.env("sokoban/first", observations="ids")
    observation, _ = env.reset()
    assert observation.shape == (2, 5, 6)
    assert sorted(np.unique(observation[0])) == [0, 1, 2, 3] and sorted(np.unique(observation[1])) == [0, 1]


def test_a_goal_at_the_horizon_is_judged_there() -> None:
    instance = load("lights-out/small")
    late = Instance(instance.game, replace(instance.level, when="horizon", horizon=2))
    env = ggp.env(late)
    env.reset()
    assert env.step(0)[2:4] == (False, False)
    _, reward, terminated, truncated, _ = env.step(1)
    assert terminated and not truncated
    assert (reward > 0) == is_goal(late, env.world.state(env.run.position))


def test_rewards_and_steps_are_as_stated() -> None:
    env = ggp.env("sokoban/first", rewards={"step": -0.25, "won": 5}, steps=3)
    env.reset()
    up, left = env.actions.index("up"), env.actions.index("left")
    assert [env.step(action)[1:4] for action in (up, up, left)] == [
        (-0.25, False, False),
        (-0.25, False, False),
        (-0.25, False, True),
    ]


def test_an_illegal_action_changes_nothing_and_is_told() -> None:
    env = ggp.env("sokoban/first")
    before, info = env.reset()
    barred = int(np.flatnonzero(info["action_mask"] == 0)[0]) if not info["action_mask"].all() else None
    while barred is None:
        before, *_, info = env.step(env.actions.index("up"))
        barred = next(iter(np.flatnonzero(info["action_mask"] == 0)), None)
    after, reward, terminated, truncated, info = env.step(barred)
    assert (
        info["illegal"] and (before == after).all() and (reward, terminated, truncated) == (0.0, False, False)
    )
    strict = ggp.env("lights-out/first", illegal="raise")
    strict.reset()
    strict.step(0)  # any press is allowed there
    with pytest.raises(IllegalAction, match="not allowed now"):
        env.strict = True
        env.step(barred)


@pytest.mark.parametrize("action", [-1, 4, 1.0, True, "north", None, np.array([1]), np.array([0.5])])
def test_what_is_no_action(action: Any) -> None:
    env = ggp.env("sokoban/first")
    env.reset()
    with pytest.raises(IllegalAction, match="there is no action"):
        env.step(action)


def test_words_and_whole_numbers_are_actions() -> None:
    env = ggp.env("sokoban/first")
    for action in ("up", 0, np.int64(0), np.array(0)):
        env.reset()
        assert not env.step(action)[-1]["illegal"]


def test_steps_before_the_beginning_and_after_the_end() -> None:
    env = ggp.env("sokoban/first", steps=1)
    with pytest.raises(IllegalAction, match="no run has begun"):
        env.step(0)
    env.reset()
    env.step(0)
    with pytest.raises(IllegalAction, match="the run has ended"):
        env.step(0)
    assert not env.action_masks().any()


@pytest.mark.parametrize("seed", [1.5, "a", -1, np.float64(2), [1, 2.5]])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    for env in (ggp.env("sokoban/first"), ggp.env("sokoban/first", num_envs=2)):
        with pytest.raises(gymnasium.error.Error):
            env.reset(seed=seed)


@pytest.mark.parametrize(
    "options",
    [
        {"observations": "smells"},
        {"illegal": "perhaps"},
        {"rewards": {"draw": 1}},
        {"rewards": {"won": "much"}},
        {"render_mode": "human"},
        {"num_envs": 0},
        {"num_envs": 2, "observations": "text"},
    ],
)
def test_options_that_are_none(options: dict[str, Any]) -> None:
    with pytest.raises(PuzzleError):
        ggp.env("sokoban/first", **options)


def test_without_gymnasium_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envs, "find_spec", lambda name: None)
    with pytest.raises(NotAvailable, match=r"ggp\[envs\]"):
        ggp.env("sokoban/first")


# --- many at once -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sokoban/first", "peg-solitaire/first", "samegame/first", "bouncers/first"])
@few_or_many("size", 70, 1000)
def test_each_of_many_runs_is_a_run(name: str, size: int) -> None:
    many, instance = ggp.env(name, num_envs=size), load(name)
    alone = [ggp.env(instance) for _ in range(3)]
    watched = [0, size // 2, size - 1]
    observations, info = many.reset(seed=0)
    begun = [env.reset()[1] for env in alone]
    rng = Random(2)
    over = [False] * 3
    for _ in range(25):
        masks = info["action_mask"]
        for place, one in enumerate(watched):
            if not over[place]:
                assert (masks[one] == begun[place]["action_mask"]).all()
        actions = np.array(
            [rng.choice([*np.flatnonzero(mask).tolist(), rng.randrange(mask.size)]) for mask in masks]
        )
        observations, rewards, ended, cut, info = many.step(actions)
        for place, one in enumerate(watched):
            env = alone[place]
            if over[place]:
                expected, begun[place] = env.reset()
                assert (rewards[one], ended[one], cut[one]) == (0.0, False, False)
                over[place] = False
            else:
                expected, reward, terminated, truncated, begun[place] = env.step(int(actions[one]))
                assert (rewards[one], ended[one], cut[one]) == (reward, terminated, truncated)
                over[place] = terminated or truncated
            assert (observations[one] == expected).all()


def test_spaces_hold_what_comes() -> None:
    for kind in ("planes", "ids", "words"):
        many = ggp.env("lasertank/first", num_envs=5, observations=kind)
        observations, _ = many.reset(seed=1)
        assert many.observation_space.contains(observations)
        assert many.observation_space.contains(many.step(many.action_space.sample())[0])


@pytest.mark.parametrize(
    "actions", [[0, 1], [[0, 1, 2]], [0, 1, 9], [0, 1, -1], [0.0, 1.0, 2.0], "up up up", None, [True] * 3]
)
def test_actions_of_a_wrong_shape_or_type(actions: Any) -> None:
    many = ggp.env("sokoban/first", num_envs=3)
    with pytest.raises(IllegalAction, match="no run has begun"):
        many.step([0, 0, 0])
    many.reset()
    with pytest.raises(IllegalAction):
        many.step(actions)


def test_batches_are_for_games_with_inputs() -> None:
    with pytest.raises(UnsupportedFeature, match="vectorization_mode"):
        ggp.env("lemmings/seed", num_envs=2)


# --- games of other systems -------------------------------------------------------------------------------


def test_imported_games_are_environments_too() -> None:
    one = imported("[ > Player | Crate ] -> [ > Player | > Crate ]", "p*.#")
    check_env(ggp.env(one, steps=9), skip_render_check=True)
    env = ggp.env(one)
    env.reset()
    assert not env.step("right")[-1]["illegal"] and env.step("right")[-1]["illegal"]


def test_chance_is_drawn_from_the_seed() -> None:
    one = imported("late [ Mark ] -> [ random Thing ]", "pmmmmmmmm")
    env = ggp.env(one, observations="text")

    def end(seed: int | None) -> str:
        env.reset(seed=seed)
        return str(env.step("action")[0])

    assert len({end(seed) for seed in range(6)}) > 1
    assert end(3) == end(3) and end(None) == end(None)


@pytest.mark.parametrize("name", ["doubling/sixteen", "minesweeper/tiny", "concentration/four"])
def test_a_batch_with_chance_goes_as_single_runs_with_the_same_seeds(name: str) -> None:
    """Over several episodes, with actions that are not allowed among them."""
    size, ends = 5, 0
    many = ggp.env(name, num_envs=size)
    single = gymnasium.vector.SyncVectorEnv([lambda: PuzzleEnv(name)] * size)
    seen, info = many.reset(seed=3)
    assert (seen == single.reset(seed=3)[0]).all()
    rng = np.random.default_rng(1)
    for _ in range(40):
        mask = info["action_mask"]
        actions = (rng.random(mask.shape) * (mask + 0.02)).argmax(axis=1)
        *made, info = many.step(actions)
        *wanted, told = single.step(actions)
        for one, other in zip(made, wanted, strict=True):
            assert (one == other).all()
        assert (info["illegal"] == told["illegal"]).all()
        ends += int(made[2].sum())
    assert ends > 0 or name == "doubling/sixteen"
    with pytest.raises(PuzzleError, match="3 seeds for 5 runs"):
        many.reset(seed=[1, 2, 3])


def test_words_of_a_batch_do_not_show_what_is_hidden() -> None:
    with pytest.raises(PuzzleError, match="show what is hidden"):
        ggp.env("minesweeper/tiny", num_envs=2, observations="words")
    assert ggp.env("doubling/sixteen", num_envs=2, observations="words").reset(seed=1)[0].shape[0] == 2
