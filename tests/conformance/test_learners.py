"""Every learner in the registry: what it says it learned is what was seen, and it notices what it got wrong.

The referee plays here, by the described rules; the learner sees trajectories, and the game without rules.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from types import ModuleType

import pytest

from ggp import registry
from ggp.errors import IllegalAction, PuzzleError
from ggp.generate.random_levels import random_level
from ggp.harness.learning import shell_of
from ggp.language import levels
from ggp.language.description.writing import write_game
from ggp.learn.protocol import LearnerModule
from ggp.model import Game, Instance, Level
from ggp.model.board import Action, State
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, step
from ggp.referee.trajectory import Trajectory

LEARNERS = list(registry.LEARNERS)
GAMES = ("lemmings", "sokoban")
LEARN_THESE = {"tree", "events"}  # a new learner may refuse what it has no rules for


def learner_of(name: str) -> ModuleType:
    module = registry.load("learner", name)
    if module.available() is not None:
        pytest.skip(f"{name}: {module.available()}")
    return module


def played(instance: Instance, rng: random.Random, turns: int = 8) -> Trajectory:
    """A run with random inputs."""
    actions = list(all_actions(instance))
    states, inputs = [initial_state(instance)], []
    for _ in range(turns):
        inputs.append(rng.choice(actions) if actions else None)
        states.append(after_turn(instance, states[-1], inputs[-1]))
    return Trajectory(len(instance.level.board), len(instance.level.board[0]), tuple(states), tuple(inputs))


def after_turn(instance: Instance, state: State, action: Action | None) -> State:
    """The state after an input, as an engine has it: what is no move changes nothing."""
    try:
        return step(instance, state, action)
    except IllegalAction:
        return state


def play(game: Game, seed: int, number: int) -> list[Trajectory]:
    rng = random.Random(seed)
    return [played(random_level(game, rng, rows=5, columns=5, horizon=8), rng) for _ in range(number)]


def wrong(game: Game, seen: Sequence[Trajectory]) -> list[tuple[State, State]]:
    """The turns after which these rules give another board than was seen."""
    found = []
    for trajectory in seen:
        wide = trajectory.width
        for (before, after), action in zip(pairwise(trajectory.states), trajectory.inputs, strict=True):
            rows = [before.board[at : at + wide] for at in range(0, len(before.board), wide)]
            instance = Instance(game, Level("seen", tuple(map(tuple, rows)), 10, when="horizon"))
            if after_turn(instance, State(before.board), action).board != after.board:
                found.append((before, after))
    return found


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_learned_explains_what_was_seen(name: str, game: str) -> None:
    """Or it is refused. And the learner itself says so, of what it saw and of what contradicts it."""
    module = learner_of(name)
    described, _ = levels.load_game(game)
    shell, seen = shell_of(described), play(described, 5, 40)
    assert wrong(shell, seen), "there is something to learn"
    try:
        model = module.learn(shell, seen, 0)
    except PuzzleError as refused:
        assert refused.findings[0].remedy
        assert name not in LEARN_THESE
        return
    assert model.examples > 0
    assert replace(model.game, turn=(), physics=(), classes=()) == replace(shell, classes=())
    assert wrong(model.game, seen) == []
    assert not module.surprises(shell, model, seen)
    still = [standing_still(one) for one in seen]
    assert wrong(model.game, still), "these cannot be turns of the game"
    assert module.surprises(shell, model, still)


def standing_still(seen: Trajectory) -> Trajectory:
    """The run in which no turn changes anything."""
    return replace(seen, states=tuple(seen.states[0] for _ in seen.states))


@pytest.mark.parametrize("name", LEARNERS)
def test_the_same_play_gives_the_same_game(name: str) -> None:
    module = learner_of(name)
    described, kept = levels.load_game("lemmings")
    shell, seen = shell_of(described), play(described, 6, 20)
    try:
        first, again = (module.learn(shell, seen, 3).game for _ in range(2))
    except PuzzleError:
        assert name not in LEARN_THESE
        return
    assert write_game(first, kept) == write_game(again, kept)


def test_the_template_learns_that_nothing_moves() -> None:
    module: LearnerModule = registry.load("learner", "null")  # type: ignore[assignment]
    described, _ = levels.load_game("lemmings")
    seen = [standing_still(one) for one in play(described, 7, 5)]
    model = module.learn(shell_of(described), seen)
    assert wrong(model.game, seen) == [] and model.examples == 40
