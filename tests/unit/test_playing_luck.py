"""Playing with chance and hidden cells: in a session, in the terminal, in environments, and replayed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from click.testing import CliRunner
from gymnasium.utils.env_checker import check_env

import ggp
import ggp.players.envs
from ggp.cli import cli
from ggp.cli.play.app import PlayApp
from ggp.language.levels import load
from ggp.model import Piece
from ggp.players.expectimax import Expectimax
from ggp.players.guessing import Guessing
from ggp.players.protocol import Table, view_of
from ggp.players.run import Run
from ggp.players.worlds import world_of
from ggp.referee.session import Session
from ggp.referee.trajectory import read_plan, replay
from ggp.render.terminal import plain
from tests.slow import more_of
from tests.unit import test_luck_contest

TINY = "minesweeper/tiny"


def test_the_same_turn_again_brings_no_other_luck() -> None:
    session = Session(load("doubling/classic"), seed=5)
    start, turns = session.state, list[object]()
    action = session.legal_actions()[0]
    for _ in range(3):
        session.act(action)
        turns.append(session.state)
        session.undo()
    assert turns[0] == turns[1] == turns[2] != start
    session.restart()
    assert session.state == start
    assert Session(load("doubling/classic"), seed=6).state != start


def test_a_saved_play_is_replayed_with_what_chance_drew(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"

    async def run() -> PlayApp:
        app = PlayApp(Session(load(TINY), seed=7), file)
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.press("enter", "down", "down", "down", "enter", "ctrl+s")
        return app

    session = asyncio.run(run()).sitting.session
    assert session.turn == 2
    kept = json.loads(file.read_text())
    assert len(kept["chance"][0].split()) == 5 and kept["actions"] == ["pick(0,0)", "pick(3,0)"]
    plan = read_plan(file, load(TINY))
    assert replay(load(TINY), plan).states[-1].board == session.state.board
    again = CliRunner().invoke(cli, ["replay", TINY, str(file)])
    assert again.exit_code == 1 and "the plan stops after turn 2" in again.output
    kept["chance"][0] = kept["chance"][0].replace("mine(", "cover(")
    file.write_text(json.dumps(kept))
    refused = CliRunner().invoke(cli, ["replay", TINY, str(file)])
    assert refused.exit_code != 0 and "which cannot be" in str(refused.exception)


def test_the_screen_does_not_show_what_is_covered() -> None:
    session = Session(load(TINY), seed=7)
    assert plain(session.instance, session.shown) == "\n".join(["????"] * 4)
    assert sum(Piece("mine") in here for here in session.state.board) == 5
    asked = CliRunner().invoke(cli, ["replay", TINY, "--inputs", "pick(0,0)", "--seed", "7"])
    assert asked.output.splitlines()[2:6] == ["1???", "????", "????", "????"]


@pytest.mark.parametrize("level", [TINY, "minesweeper/beginner", "concentration/six", "doubling/sixteen"])
@pytest.mark.parametrize("observations", ["planes", "text"])
def test_environments_of_chance(level: str, observations: str) -> None:
    env = ggp.env(level, observations=observations)
    check_env(env, skip_render_check=True)
    starts = set()
    for seed in (1, 1, 2, 3):
        observed, _ = env.reset(seed=seed)
        starts.add(str(env.run.said))
        assert "*" not in str(observed) or observations == "planes"
    assert len(starts) == {"minesweeper/beginner": 1, "doubling/sixteen": 2}.get(level, 3)
    env.reset(seed=4)
    rng = np.random.default_rng(0)
    for _ in range(200):
        _, _, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        if terminated or truncated or not info["action_mask"].any():
            break
    verdict = ggp.replay(level, env.plan())
    assert verdict.states[-1].board == env.world.state(env.run.position).board


def test_an_environment_without_a_seed_is_another_each_time() -> None:
    env = gymnasium.make(f"ggp/{TINY.replace('/', '-')}-v0").unwrapped
    env.reset(seed=1)
    laid = set()
    for _ in range(4):
        env.reset()
        laid.add(env.run.said[0])  # type: ignore[attr-defined]
    assert len(laid) == 4


@more_of(
    test_luck_contest.test_expectiminimax_is_exact,
    test_luck_contest.test_it_takes_the_leap_where_nothing_else_helps,
)
def test_looking_through_all_that_chance_may_do_is_exact() -> None:
    """On 2x2 to the 16: what is reckoned for the first move is what the best play comes to, within noise."""
    instance = load("doubling/sixteen")
    world = world_of(instance)
    player = Expectimax(Table(instance, playouts=200_000))
    begun = world.told(world.begin(2))
    player.left = 200_000
    reckoned = float(player.best(begun, 1_000)[0])
    assert not player.cut
    worth, games = 0, 15
    for game in range(games):
        run = Run(world, 0)
        run.position = begun._replace(dice=game)
        while run.outcome == "open" and world.legal(run.position).any():
            view = view_of(run)
            values = {action: player.after(view.position, action, 900 - run.turns) for action in view.legal}
            run.act(max(values, key=lambda action: values[action]))
        worth += 1 if run.outcome == "won" else -1
    assert abs(worth / games - reckoned) < 0.5


def test_guessing_remembers_what_was_seen() -> None:
    """With two pairs a player that forgets nothing needs six picks at most, and so always wins."""
    instance = load("concentration/four")
    world, player = world_of(instance), Guessing(Table(instance, playouts=60))
    for seed in range(5):
        run = Run(world, seed)
        while run.outcome == "open":
            run.act(player.choose(view_of(run)))
        player.ended(run.outcome)
        assert run.outcome == "won"
