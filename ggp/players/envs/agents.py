"""What environments of several players have in common: spaces, masks, options that are checked, pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ggp.errors import IllegalAction, PuzzleError
from ggp.language.levels import load
from ggp.model import Instance, Plan
from ggp.players.envs.observing import observing
from ggp.players.envs.painting import painter
from ggp.players.envs.single import RENDERED, counted
from ggp.players.run import Run
from ggp.players.world import World
from ggp.players.worlds import world_of


class Agents:
    """The players of a level as agents of PettingZoo, and the run that they are in.

    `level` is what `ggp.load` takes, or an instance. An observation is a dictionary: the `observation` is
    `planes`, `ids`, `text` or `pixels`, and `action_mask` has a 1 for each action that the agent may take.
    The rewards come at the end: 1, 0 or -1. An agent that does what is not allowed loses, and those who do
    not win; with `illegal="raise"` it is an error instead. A run is cut off (`truncations`) after `steps`
    turns where that is given; what the game itself calls a draw is an end (`terminations`).
    """

    actions: tuple[str, ...]

    def __init__(
        self,
        level: Instance | str,
        *,
        observations: str = "planes",
        illegal: str = "lose",
        steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.instance = load(level) if isinstance(level, str) else level
        self.world = world_of(self.instance)
        self.actions = self.choices_of(self.world)
        if illegal not in ("lose", "raise"):
            raise PuzzleError(f"illegal={illegal!r} says nothing", "write illegal='lose' or illegal='raise'")
        if render_mode is not None and render_mode not in RENDERED:
            raise PuzzleError(f"there is no render mode {render_mode!r}", f"known are {', '.join(RENDERED)}")
        self.strict, self.render_mode = illegal == "raise", render_mode
        self.limit = None if steps is None else counted(steps)
        self.name = f"ggp/{self.instance.name.replace('/', '-')}"
        space, self.seen = observing(self.world, observations)
        self.possible_agents = list(self.world.players)
        mask = spaces.Box(0, 1, (len(self.actions),), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": space, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(len(self.actions)) for agent in self.possible_agents}
        self.run: Run | None = None

    def choices_of(self, world: World) -> tuple[str, ...]:
        """The words of the actions of one agent. Raises PuzzleError for games that are played otherwise."""
        raise NotImplementedError

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent may do, now or at another time."""
        return self.action_spaces[agent]

    def begin(self, seed: int | None) -> Run:
        """A new run. Raises PuzzleError for a seed that is none."""
        if seed is not None and (
            isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0
        ):
            raise PuzzleError(f"{str(seed)[:60]!r} is no seed", "write a whole number from 0 on")
        self.run = Run(self.world, seed)
        return self.run

    def running(self) -> Run:
        """The run. Raises IllegalAction where none has begun."""
        if self.run is None:
            raise IllegalAction("no run has begun", "call `reset` first")
        return self.run

    def mask(self, legal: Any) -> NDArray[np.int8]:
        """A 1 for each of these actions."""
        found = np.zeros(len(self.actions), np.int8)
        found[list(legal)] = 1
        return found

    def not_allowed(self, agent: str, action: int) -> IllegalAction:
        """The error of an agent that does what it may not do."""
        return IllegalAction(
            f"{self.actions[action]} of {agent} is not allowed now", "see `action_mask` first"
        )

    def plan(self) -> Plan:
        """What was done so far, for `ggp.replay`."""
        return self.running().plan()

    def render(self) -> Any:
        """The board as `render_mode` wants it."""
        if self.render_mode is None:
            return None
        state = self.world.shown(self.running().position)
        if self.render_mode == "ansi":
            from ggp.render.terminal import plain

            return plain(self.instance, state)
        return painter(self.instance, 32)(state)

    def close(self) -> None:
        """Nothing is open."""
