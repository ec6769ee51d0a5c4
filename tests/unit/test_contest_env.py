"""Levels of several players as environments of PettingZoo: its checks pass, runs are the referee's."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test

import ggp
import ggp.players.envs as envs
from ggp.errors import IllegalAction, NotAvailable, PuzzleError, UnsupportedFeature
from ggp.language.levels import games, levels, load
from ggp.referee.trajectory import replay
from tests.unit.test_contest import paint
from tests.unit.test_simultaneous import coins

SEVERAL = [name for game in games() for name in levels(game) if len(load(name).game.players) > 1]
TOGETHER = [name for name in SEVERAL if load(name).game.simultaneous]
CONTESTS = [name for name in SEVERAL if name not in TOGETHER]
FIRST = [name for name in CONTESTS if name == levels(name.split("/")[0])[0]]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """The checker warns of what is meant to be: dictionaries, and the names of players."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def walk(env: Any, seed: int) -> None:
    """Allowed actions at random, to the end."""
    rng = Random(seed)
    env.reset(seed=seed)
    for agent in env.agent_iter(500):
        observed, _, terminated, truncated, _ = env.last()
        allowed = np.flatnonzero(observed["action_mask"]).tolist()
        assert agent == env.agent_selection and (terminated or truncated or allowed)
        env.step(None if terminated or truncated else rng.choice(allowed))


@pytest.mark.parametrize("name", CONTESTS)
def test_the_checks_of_pettingzoo_pass(name: str) -> None:
    api_test(ggp.env(name), num_cycles=100)


@pytest.mark.parametrize("name", FIRST)
def test_equal_seeds_do_the_same(name: str) -> None:
    seed_test(lambda: ggp.env(name), num_cycles=30)


@pytest.mark.parametrize("kind", ["ids", "pixels"])
def test_the_checks_pass_whatever_is_observed(kind: str) -> None:
    api_test(ggp.env("tic-tac-toe/empty", observations=kind), num_cycles=20)


def test_texts_are_in_their_space() -> None:
    """The checks of PettingZoo ask every observation for its type of numbers, and texts have none."""
    env = ggp.env("tic-tac-toe/empty", observations="text")
    env.reset()
    env.step(4)
    observed = env.observe("o")
    assert env.observation_space("o").contains(observed) and observed["observation"].split()[1] == ".x."
    walk(env, 1)


@pytest.mark.parametrize("stuck", ["draws", "loses", "passes"])
def test_three_agents_get_what_the_referee_says(stuck: str) -> None:
    one = paint(
        f'stuck = "{stuck}"\nagain = "bonus"', 'win = ["count c = 2"]\nlose = ["count a on gold >= 1"]'
    )
    env, seen = ggp.env(one), set()
    assert env.possible_agents == ["a", "b", "c"]
    for seed in range(12):
        total = dict.fromkeys(env.possible_agents, 0.0)
        rng = Random(seed)
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observed, reward, terminated, _, _ = env.last()
            total[agent] += reward
            allowed = np.flatnonzero(observed["action_mask"]).tolist()
            env.step(None if terminated else rng.choice(allowed))
        assert replay(one, env.plan()).utilities == tuple(total.values())
        seen.add(tuple(total.values()))
    assert len(seen) > 1


def test_who_does_what_is_not_allowed_loses_or_is_told() -> None:
    env = ggp.env("tic-tac-toe/empty")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.terminations == {"x": True, "o": True} and env.rewards == {"x": 1.0, "o": -1.0}
    assert env.infos["o"]["illegal"] and not env.observe("x")["action_mask"].any()
    strict = ggp.env("tic-tac-toe/empty", illegal="raise")
    strict.reset()
    strict.step(4)
    with pytest.raises(IllegalAction, match="not allowed"):
        strict.step(4)
    strict.step(0)
    assert strict.agent_selection == "x", "nothing was changed by what was not allowed"


@pytest.mark.parametrize("action", [-1, 9, 1.5, "up", True, np.array([1, 2])])
def test_what_is_no_action(action: Any) -> None:
    env = ggp.env("tic-tac-toe/empty")
    env.reset()
    with pytest.raises(IllegalAction, match="no action"):
        env.step(action)


@pytest.mark.parametrize("seed", [-1, 1.5, "one", True])
def test_what_is_no_seed(seed: Any) -> None:
    with pytest.raises(PuzzleError, match="no seed"):
        ggp.env("tic-tac-toe/empty").reset(seed=seed)


@pytest.mark.parametrize("options", [{"illegal": "stay"}, {"render_mode": "loud"}, {"observations": "smell"}])
def test_options_that_are_none(options: dict[str, Any]) -> None:
    with pytest.raises(PuzzleError):
        ggp.env("tic-tac-toe/empty", **options)


def test_a_run_that_is_cut_off() -> None:
    env = ggp.env("shove/first", steps=3)
    env.reset()
    for _ in range(3):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert all(env.truncations.values()) and not any(env.terminations.values())
    walk(ggp.env("shove/first", steps=3), 1)


def test_a_step_before_the_beginning() -> None:
    with pytest.raises(IllegalAction, match="no run has begun"):
        ggp.env("tic-tac-toe/empty").step(1)


def test_pictures_and_maps() -> None:
    env = ggp.env("tic-tac-toe/empty", render_mode="ansi")
    env.reset()
    env.step(0)
    assert env.render().splitlines()[0] == "x.."
    env = ggp.env("tic-tac-toe/empty", render_mode="rgb_array")
    env.reset()
    assert env.render().ndim == 3


def test_gymnasium_and_batches_refuse_with_the_way_out() -> None:
    with pytest.raises(UnsupportedFeature, match="several players"):
        gymnasium.make(envs.identifier("tic-tac-toe/empty"))
    with pytest.raises(UnsupportedFeature, match="several players"):
        ggp.env("tic-tac-toe/empty", num_envs=4)


def test_without_pettingzoo_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envs, "find_spec", lambda name: None)
    with pytest.raises(NotAvailable, match=r"ggp\[envs\]"):
        ggp.env("tic-tac-toe/empty")


# --- all at the same time ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOGETHER)
def test_the_checks_of_parallel_environments_pass(name: str) -> None:
    parallel_api_test(ggp.env(name), num_cycles=100)
    parallel_seed_test(lambda: ggp.env(name), num_cycles=30)


def test_what_agents_get_who_move_together_is_what_the_referee_says() -> None:
    one, seen = load("riders/small"), set()
    env = ggp.env(one)
    for seed in range(12):
        rng = Random(seed)
        observed, _ = env.reset(seed=seed)
        while env.agents:
            masks = {agent: np.flatnonzero(observed[agent]["action_mask"]).tolist() for agent in env.agents}
            assert all(masks.values())
            chosen = {agent: rng.choice(able) for agent, able in masks.items()}
            observed, rewards, over, late, _ = env.step(chosen)
        assert replay(one, env.plan()).utilities == tuple(rewards.values()) and all(over.values())
        assert not any(late.values()) and not observed["red"]["action_mask"].any()
        seen.add(tuple(rewards.values()))
    assert len(seen) == 3


def test_who_of_several_does_what_is_not_allowed() -> None:
    one = coins("again: even:1 here, odd:1 here => remove even here", horizon=5)
    strict, env = ggp.env(one, illegal="raise"), ggp.env(one, steps=3)
    for made in (strict, env):
        made.reset()
        made.step({"even": 1, "odd": "pick(0,1)"})
    with pytest.raises(IllegalAction, match="of odd is not allowed"):
        strict.step({"even": 1, "odd": 1})
    assert strict.agents and strict.step({"even": 1, "odd": 0})[1] == {"even": 0.0, "odd": 0.0}
    _, rewards, over, _, infos = env.step({"even": 1, "odd": 1})
    assert rewards == {"even": 1.0, "odd": -1.0} and all(over.values()) and infos["odd"]["illegal"]
    with pytest.raises(IllegalAction, match="has ended"):
        env.step({"even": 1, "odd": 1})


@pytest.mark.parametrize(
    "actions", [None, 1, {}, {"even": 0}, {"even": 0, "odd": 0, "c": 0}, {"even": 0, "odd": 9}]
)
def test_what_are_no_actions_of_several(actions: Any) -> None:
    env = ggp.env(coins(), steps=1)
    with pytest.raises(IllegalAction, match="no run has begun"):
        env.step(actions)
    env.reset()
    with pytest.raises(IllegalAction):
        env.step(actions)
    assert env.render() is None and all(env.step({"even": 0, "odd": 0})[2].values())


def test_an_agent_who_is_none_sees_nothing() -> None:
    env = ggp.env("tic-tac-toe/empty")
    env.reset()
    with pytest.raises(PuzzleError, match="no agent called 'z'"):
        env.observe("z")
