"""Random inputs that get on with a game are moves of the referee, and none is missed."""

from __future__ import annotations

import random

import pytest

from ggp.analysis.random_walk import RandomWalk, Referee
from ggp.errors import IllegalAction, UnsupportedFeature
from ggp.language import levels
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, legal_actions, step
from ggp.tasks.exporting import export, verify


@pytest.mark.parametrize("name", ["sokoban/first", "peg-solitaire/first", "boulder-dash/first"])
def test_each_is_a_move_and_each_move_comes_up(name: str) -> None:
    instance, rng = levels.load(name), random.Random(1)
    walk, state = RandomWalk(instance), initial_state(instance)
    changing = {action for action in legal_actions(instance, state) if step(instance, state, action) != state}
    assert {walk.move(state, rng) for _ in range(60)} == changing


def test_where_nothing_can_be_done_there_is_none() -> None:
    instance, rng = levels.load("peg-solitaire/first"), random.Random(1)
    walk, state = RandomWalk(instance), initial_state(instance)
    for _ in range(100):
        move = walk.move(state, rng)
        if move is None:
            break
        state = step(instance, state, move)
    assert walk.move(state, rng) is None and legal_actions(instance, state) == ()


def test_verification_takes_a_number_of_turns_where_it_plays() -> None:
    instance = levels.load("sokoban/first")
    text = export(instance, "vgdl").text
    checks = verify(instance, "vgdl", text, turns=777)
    detail = next(check.detail for check in checks if check.what.startswith("random play in the built-in"))
    assert int(detail.split()[0]) >= 777
    with pytest.raises(UnsupportedFeature, match="not verified by playing"):
        verify(instance, "null", "", turns=5)


def test_the_referee_who_remembers_says_the_same_each_time() -> None:
    """Errors are not kept: with them would be kept whatever was at work when they were raised."""
    instance, rng = levels.load("peg-solitaire/first"), random.Random(2)
    remembering, state = Referee(instance), initial_state(instance)
    actions, legal = tuple(all_actions(instance)), legal_actions(instance, state)
    assert 0 < len(legal) < len(actions)
    asked = rng.choices(actions, k=200)
    for action in asked:
        if action in legal:
            assert remembering.step(instance, state, action) == step(instance, state, action)
            continue
        with pytest.raises(IllegalAction, match="changes nothing"):
            remembering.step(instance, state, action)
    assert {action for _, action in remembering.said} == set(asked) & set(legal)
