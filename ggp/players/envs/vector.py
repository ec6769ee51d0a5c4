"""Thousands of runs of one level at once, as a vector environment of Gymnasium, in machine code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ggp.errors import IllegalAction, PuzzleError, UnsupportedFeature
from ggp.language.levels import load
from ggp.model import Instance
from ggp.players.envs.dealing import Dealing, Same
from ggp.players.envs.observing import numbering, observing
from ggp.players.envs.single import all_rewards, counted, for_one
from ggp.players.luck import Lucky
from ggp.players.moving import Moving
from ggp.players.worlds import world_of
from ggp.transition.native.lanes import CHANGED, LOST, WON
from ggp.transition.stepper import States

Array = NDArray[Any]
MOST = 1_000_000  # runs at once


class PuzzleVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` runs of a level, each as in `PuzzleEnv`, for games with an input each turn and nothing to
    place. Where chance has a part, run n goes as the single one with the seed of the first plus n.

    `observations` is `planes`, `ids`, or `words`: the boards that vary as machine words, 64 cells each,
    which costs next to nothing. Without `masks` there is no `action_mask` in the info, which saves trying
    every action. A run that has ended begins anew at the next step, whatever its action is then
    (`AutoresetMode.NEXT_STEP`).
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        level: Instance | str,
        num_envs: int = 1,
        *,
        observations: str = "planes",
        rewards: Mapping[str, float] | None = None,
        steps: int | None = None,
        masks: bool = True,
    ) -> None:
        self.instance = load(level) if isinstance(level, str) else level
        world = world_of(self.instance)
        for_one(self.instance)
        if not isinstance(world, Moving) and not (isinstance(world, Lucky) and world.stepper.judged):
            raise UnsupportedFeature(
                f"{self.instance.name} does not run in batches: only games with an input each turn do",
                "take gymnasium.make_vec(..., vectorization_mode='sync')",
            )
        if not isinstance(num_envs, int) or not 1 <= num_envs <= MOST:
            raise PuzzleError(f"num_envs={num_envs!r} is no number of runs", f"write 1 to {MOST:,}")
        self.world = world
        self.runs = Dealing(world, num_envs) if isinstance(world, Lucky) else Same(world, num_envs)
        self.num_envs = num_envs
        self.rewards = all_rewards(rewards)
        self.masks = masks
        self.actions = world.actions
        self.limit = self.instance.level.horizon if steps is None else counted(steps)
        self.single_action_space = spaces.Discrete(len(self.actions))
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space, self.observe = self.observer(observations)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.states: States | None = None

    def observer(self, kind: str) -> tuple[spaces.Space[Any], Callable[[States], Array]]:
        """The space of one observation, and what makes those of all runs."""
        if kind == "words":
            if isinstance(self.world, Lucky) and self.world.hiding:
                raise PuzzleError("words show what is hidden", "take observations='planes', or 'ids'")
            shape = self.runs.begin([0] * self.num_envs).shape[:2]
            return spaces.Box(0, 2**64 - 1, shape, np.uint64), lambda states: states.transpose(2, 0, 1).copy()
        if kind not in ("planes", "ids"):
            raise PuzzleError(
                f"a batch has no observations {str(kind)[:60]!r}", "known are planes, ids, words"
            )
        space, _ = observing(self.world, kind)
        if kind == "planes":
            return space, self.runs.planes
        numbers = numbering(self.world)
        return space, lambda states: numbers(self.runs.planes(states))

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        self.states = self.runs.begin(self.seeds_of(seed))
        self.steps = np.zeros(self.num_envs, np.int64)
        self.turns = np.zeros(self.num_envs, np.int64)
        self.done = np.zeros(self.num_envs, np.bool_)
        return self.observe(self.states), self.info(np.zeros(self.num_envs, np.bool_))

    def seeds_of(self, seed: int | list[int | None] | None) -> list[int | None]:
        """The seed of each run: one after another from the first, as Gymnasium has it. Raises PuzzleError."""
        count = self.num_envs
        for one in seed if isinstance(seed, list) else [seed]:
            super().reset(seed=one)  # it says what is no seed
        if isinstance(seed, list):
            if len(seed) != count:
                raise PuzzleError(f"{len(seed)} seeds for {count} runs", "give one for each, or one number")
            return list(seed)
        return [None] * count if seed is None else [seed + run for run in range(count)]

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        if self.states is None:
            raise IllegalAction("no run has begun", "call `reset` first")
        chosen = self.checked(actions)
        if self.done.any():
            chosen = np.where(self.done, -1, chosen)
            self.runs.begin_again(self.states, self.done)
        told = self.runs.advance(self.states, chosen)
        again = self.done
        self.steps = np.where(again, 0, self.steps + 1)
        self.turns = np.where(again, 0, self.turns + ((told & CHANGED) != 0))
        terminated, truncated, rewards = self.outcome(told, again)
        illegal = ((told & CHANGED) == 0) & ~again
        self.done = terminated | truncated
        return self.observe(self.states), rewards, terminated, truncated, self.info(illegal)

    def outcome(self, told: NDArray[np.uint8], again: Array) -> tuple[Array, Array, Array]:
        """Which runs have ended, which were cut off, and the rewards."""
        turned = (told & CHANGED) != 0
        lost = turned & ((told & LOST) != 0)
        won = turned & ((told & WON) != 0)
        if not self.world.any_turn:  # the goal is asked at the horizon only, and there it is an end
            last = turned & (self.turns == self.instance.level.horizon)
            won, lost = won & last, lost | (last & ~won)
        terminated = won | lost
        late = self.steps == self.limit if self.limit is not None else np.zeros(self.num_envs, np.bool_)
        rewards = np.where(again, 0.0, self.rewards["step"])
        rewards += np.where(won, self.rewards["won"], 0.0) + np.where(lost, self.rewards["lost"], 0.0)
        return terminated, late & ~terminated & ~again, rewards

    def checked(self, actions: Any) -> NDArray[np.int64]:
        """The actions, as whole numbers within bounds, one a run; raises IllegalAction."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise IllegalAction(f"actions of shape {given.shape}", f"give {self.num_envs} whole numbers")
        if given.dtype.kind not in "iu":
            raise IllegalAction(f"actions of type {given.dtype}", "give whole numbers")
        if given.min() < 0 or given.max() >= len(self.actions):
            wrong = given[(given < 0) | (given >= len(self.actions))][0]
            raise IllegalAction(f"there is no action {wrong}", f"they are 0 to {len(self.actions) - 1}")
        return given.astype(np.int64)

    def info(self, illegal: Array) -> dict[str, Any]:
        """What is told beside the observations."""
        told = {"illegal": illegal, "turn": self.turns}
        return told | {"action_mask": self.action_masks()} if self.masks else told

    def action_masks(self) -> NDArray[np.int8]:
        """For each run a 1 for each action that is allowed now."""
        assert self.states is not None
        return self.runs.legal(self.states).view(np.int8)
