"""One level as an environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ggp.errors import IllegalAction, PuzzleError, UnsupportedFeature
from ggp.language.levels import load
from ggp.model import Instance, Plan
from ggp.players.envs.observing import observing
from ggp.players.envs.painting import painter
from ggp.players.run import Run
from ggp.players.worlds import world_of

REWARDS: Mapping[str, float] = {"won": 1.0, "lost": -1.0, "step": 0.0}
RENDERED = ("rgb_array", "ansi")


class PuzzleEnv(gymnasium.Env[Any, Any]):
    """A level. Action number n is `env.unwrapped.actions[n]`.

    `level` is what `ggp.load` takes, or an instance. `observations` is `planes`, `ids`, `text` or `pixels`.
    `rewards` replaces some of `REWARDS`. An action that the game does not allow now is no turn and changes
    nothing; it costs a step, `info["illegal"]` is true, and with `illegal="raise"` it is an error.
    `info["action_mask"]` and `action_masks()` have a 1 for each action that is allowed.

    A run ends (`terminated`) when it is won or lost. It is cut off (`truncated`) after as many steps as the
    level has turns, or `steps` where that is given. A goal that must hold at the horizon is judged there,
    and that is an end. Placing something before the run is a step, and no turn.
    """

    metadata = {"render_modes": list(RENDERED), "render_fps": 4}

    def __init__(
        self,
        level: Instance | str,
        *,
        observations: str = "planes",
        rewards: Mapping[str, float] | None = None,
        illegal: str = "stay",
        steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.instance = load(level) if isinstance(level, str) else level
        self.world = world_of(self.instance)
        for_one(self.instance)
        self.rewards = all_rewards(rewards)
        if illegal not in ("stay", "raise"):
            raise PuzzleError(f"illegal={illegal!r} says nothing", "write illegal='stay' or illegal='raise'")
        if render_mode is not None and render_mode not in RENDERED:
            raise PuzzleError(f"there is no render mode {render_mode!r}", f"known are {', '.join(RENDERED)}")
        self.strict = illegal == "raise"
        self.render_mode = render_mode
        self.actions = self.world.actions
        self.action_space = spaces.Discrete(len(self.actions))
        self.observation_space, self.observe = observing(self.world, observations)
        self.limit = self.most_steps() if steps is None else counted(steps)
        self.run: Run | None = None
        self.steps = 0
        self.draw: Callable[[Any], NDArray[np.uint8]] | None = None

    def most_steps(self) -> int | None:
        """As many as there are turns, and one for each placement and the release."""
        horizon = self.instance.level.horizon
        placements = sum(self.world.placing(action) for action in range(len(self.actions)))
        if horizon is None and self.instance.game.input is not None:
            return None
        return placements + (horizon or 0 if self.instance.game.input is not None else 0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if self.world.lucky and seed is None:
            seed = int(self.np_random.integers(2**31))
        self.run = Run(self.world, seed)
        self.steps = 0
        if self.run.outcome != "open":
            raise PuzzleError(f"{self.instance.name} is over before it begins", "take another level")
        return self.observe(self.run.position), self.info(False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        run, number = self.running(), self.world.numbered(action)
        legal = run.act(number)
        if not legal and self.strict:
            raise IllegalAction(f"{self.actions[number]} is not allowed now", "ask `action_masks()` first")
        self.steps += 1
        terminated = run.outcome != "open" and not run.late
        truncated = not terminated and (run.late or self.steps == self.limit)
        if truncated and not run.late:  # nothing more may be done
            run.outcome, run.late = "lost", True
        reward = self.rewards["step"] + (self.rewards[run.outcome] if terminated else 0.0)
        return self.observe(run.position), reward, terminated, truncated, self.info(not legal)

    def running(self) -> Run:
        """The run that goes on. Raises IllegalAction where there is none."""
        if self.run is None or self.run.outcome != "open":
            what = "no run has begun" if self.run is None else "the run has ended"
            raise IllegalAction(what, "call `reset` first")
        return self.run

    def info(self, illegal: bool) -> dict[str, Any]:
        """What is told beside the observation."""
        run = self.run
        assert run is not None
        told = {"action_mask": self.action_masks(), "illegal": illegal, "turn": run.turns}
        return told if run.outcome == "open" or run.late else told | {"outcome": run.outcome}

    def action_masks(self) -> NDArray[np.int8]:
        """A 1 for each action that is allowed now; none is after the end."""
        if self.run is None or self.run.outcome != "open":
            return np.zeros(len(self.actions), np.int8)
        return self.world.legal(self.run.position).view(np.int8)

    def plan(self) -> Plan:
        """What was done so far, for `ggp.replay`."""
        return Plan() if self.run is None else self.run.plan()

    def render(self) -> Any:
        if self.render_mode is None or self.run is None:
            return None
        state = self.world.shown(self.run.position)
        if self.render_mode == "ansi":
            from ggp.render.terminal import plain

            return plain(self.instance, state)
        if self.draw is None:
            self.draw = painter(self.instance, 32)
        return self.draw(state)


def for_one(instance: Instance) -> None:
    """Raise UnsupportedFeature where several players take turns: Gymnasium knows one agent."""
    if len(instance.game.players) > 1:
        message = f"{instance.game.name} has several players, and Gymnasium's environments have one agent"
        raise UnsupportedFeature(message, f"take ggp.env({instance.name!r})", instance.game.place)


def all_rewards(given: Mapping[str, float] | None) -> dict[str, float]:
    """The rewards, with those that were given. Raises PuzzleError for one that is none."""
    if not isinstance(given or {}, Mapping):
        raise PuzzleError(f"rewards: {str(given)[:60]!r} is no table of them", f"known are {REWARDS}")
    for name, reward in (given or {}).items():
        if name not in REWARDS or isinstance(reward, bool) or not isinstance(reward, (int, float)):
            raise PuzzleError(
                f"rewards: {str(name)[:60]!r}: {str(reward)[:60]!r} is none", f"known are {REWARDS}"
            )
    return {**REWARDS, **{name: float(reward) for name, reward in (given or {}).items()}}


def counted(steps: object) -> int:
    """After how many steps a run is cut off. Raises PuzzleError for no number of them: it would never be."""
    if type(steps) is not int or steps < 1:
        raise PuzzleError(
            f"steps={str(steps)[:60]!r} is no number of steps", "write a whole number from 1 on"
        )
    return steps
