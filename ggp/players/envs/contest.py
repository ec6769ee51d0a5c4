"""One level of several players as an environment of PettingZoo (AEC: one agent after another)."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from ggp.errors import PuzzleError
from ggp.players.envs.agents import Agents
from ggp.players.envs.single import RENDERED
from ggp.players.run import Run
from ggp.players.world import World
from ggp.referee.contest import utilities
from ggp.registry import unknown


class PuzzleAECEnv(Agents, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A level of players who take turns; the options are those of `Agents`.

    Action number n is `env.actions[n]`.
    """

    metadata = {"render_modes": list(RENDERED), "is_parallelizable": False, "render_fps": 4}

    def __init__(self, *level: Any, **options: Any) -> None:
        super().__init__(*level, **options)
        self.metadata = {**self.metadata, "name": self.name}

    def choices_of(self, world: World) -> tuple[str, ...]:
        game = world.instance.game
        if len(game.players) == 1:
            raise PuzzleError(f"{game.name} has one player", "take `ggp.env`, or gymnasium.make")
        if game.simultaneous:
            message = f"in {game.name} all move at the same time"
            raise PuzzleError(message, "take `ggp.env`: a parallel environment")
        return world.actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        run = self.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.world.mover(run.position)]

    def observe(self, agent: str) -> dict[str, Any]:
        run = self.running()
        if agent not in self.possible_agents:
            raise unknown("agent", str(agent), self.possible_agents)
        return {"observation": self.seen(run.position), "action_mask": self.action_mask(agent)}

    def action_mask(self, agent: str) -> Any:
        """A 1 for each action that an agent may take now; none where it is not its turn, or all is over."""
        run = self.running()
        if run.outcome != "open" or agent != self.agent_selection or any(self.terminations.values()):
            return self.mask(())
        return self.mask(self.world.legal(run.position).nonzero()[0])

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
            raise self.not_allowed(agent, number)
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
