"""One level of several players as an environment of PettingZoo (AEC: one agent after another)."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ggp.errors import IllegalAction, PuzzleError
from ggp.language.levels import load
from ggp.model import Instance, Plan
from ggp.players.contest import Contest
from ggp.players.envs.observing import observing
from ggp.players.envs.painting import painter
from ggp.players.envs.single import RENDERED
from ggp.players.run import Run
from ggp.players.worlds import world_of
from ggp.referee.contest import utilities


class PuzzleAECEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A level of several players, who are the agents. Action number n is `env.actions[n]`.

    `level` is what `ggp.load` takes, or an instance. An observation is a dictionary: the `observation` is
    `planes`, `ids`, `text` or `pixels`, and `action_mask` has a 1 for each action that the agent may take.
    The rewards come at the end: 1, 0 or -1. An agent that does what is not allowed loses, and all others
    win; with `illegal="raise"` it is an error instead. A run is cut off (`truncations`) after `steps`
    turns where that is given; what the game itself calls a draw is an end (`terminations`).
    """

    metadata = {"render_modes": list(RENDERED), "is_parallelizable": False, "render_fps": 4}

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
        world = world_of(self.instance)
        if not isinstance(world, Contest):
            raise PuzzleError(
                f"{self.instance.game.name} has one player", "take `ggp.env`, or gymnasium.make"
            )
        if illegal not in ("lose", "raise"):
            raise PuzzleError(f"illegal={illegal!r} says nothing", "write illegal='lose' or illegal='raise'")
        if render_mode is not None and render_mode not in RENDERED:
            raise PuzzleError(f"there is no render mode {render_mode!r}", f"known are {', '.join(RENDERED)}")
        self.metadata = {**self.metadata, "name": f"ggp/{self.instance.name.replace('/', '-')}"}
        self.world, self.actions = world, world.actions
        self.strict, self.limit, self.render_mode = illegal == "raise", steps, render_mode
        space, self.seen = observing(world, observations)
        self.possible_agents = list(world.players)
        mask = spaces.Box(0, 1, (len(self.actions),), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": space, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(len(self.actions)) for agent in self.possible_agents}
        self.run: Run | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None and (
            isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0
        ):
            raise PuzzleError(f"{str(seed)[:60]!r} is no seed", "write a whole number from 0 on")
        self.run = Run(self.world, seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.world.mover(self.run.position)]

    def observe(self, agent: str) -> dict[str, Any]:
        run = self.running()
        return {"observation": self.seen(run.position), "action_mask": self.action_mask(agent)}

    def action_mask(self, agent: str) -> Any:
        """A 1 for each action that an agent may take now; none where it is not its turn, or all is over."""
        run = self.running()
        if run.outcome != "open" or agent != self.agent_selection or any(self.terminations.values()):
            return np.zeros(len(self.actions), np.int8)
        return self.world.legal(run.position).view(np.int8)

    def running(self) -> Run:
        """The run. Raises IllegalAction where none has begun."""
        if self.run is None:
            raise IllegalAction("no run has begun", "call `reset` first")
        return self.run

    def step(self, action: Any) -> None:
        run, agent = self.running(), self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self.world.numbered(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        mover = self.possible_agents.index(agent)
        gets: tuple[float, ...] = ()
        if run.act(number):
            gets = run.gets
        elif self.strict:
            raise IllegalAction(f"{self.actions[number]} is not allowed now", "see `action_mask` first")
        else:
            self.infos[agent]["illegal"] = True
            gets = utilities(len(self.possible_agents), mover, "lost")
        if gets:
            self.rewards = dict(zip(self.possible_agents, gets, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.limit is not None and run.turns >= self.limit:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.next_agent(run, agent)
        self._accumulate_rewards()

    def next_agent(self, run: Run, agent: str) -> str:
        """Whose turn it is next; after the end the agents are asked round once more, as PettingZoo wants."""
        if any(self.terminations.values()) or any(self.truncations.values()):
            return self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
        return self.possible_agents[self.world.mover(run.position)]

    def plan(self) -> Plan:
        """What was done so far, for `ggp.replay`."""
        return self.running().plan()

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        state = self.world.state(self.running().position)
        if self.render_mode == "ansi":
            from ggp.render.terminal import plain

            return plain(self.instance, state)
        return painter(self.instance, 32)(state)

    def close(self) -> None:
        """Nothing is open."""
