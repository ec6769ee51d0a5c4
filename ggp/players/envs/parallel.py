"""One level of players who move at the same time as an environment of PettingZoo (parallel)."""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv

from ggp.errors import IllegalAction, PuzzleError
from ggp.players.envs.agents import Agents
from ggp.players.envs.single import RENDERED
from ggp.players.simultaneous import Simultaneous
from ggp.players.world import World, number_of
from ggp.referee.contest import joint_utilities


class PuzzleParallelEnv(Agents, ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A level of players who move at the same time; the options are those of `Agents`.

    Action number n of each agent is `env.actions[n]`. Nobody sees what the others choose in the same step.
    """

    metadata = {"render_modes": list(RENDERED), "render_fps": 4}
    world: Simultaneous

    def __init__(self, *level: Any, **options: Any) -> None:
        super().__init__(*level, **options)
        self.metadata = {**self.metadata, "name": self.name}
        self.agents: list[str] = []

    def choices_of(self, world: World) -> tuple[str, ...]:
        if not isinstance(world, Simultaneous):
            message = f"nobody moves at the same time as others in {world.instance.game.name}"
            raise PuzzleError(message, "take `ggp.env`")
        return world.own

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self.begin(seed)
        self.agents = self.possible_agents[:]
        return self.observed(), {agent: {} for agent in self.agents}

    def observed(self) -> dict[str, Any]:
        """What each agent sees; after the end nothing is allowed."""
        run = self.running()
        board, over = self.seen(run.position), run.outcome != "open"
        allowed = [()] * len(self.possible_agents) if over else self.world.choices(run.position)
        return {
            agent: {"observation": board, "action_mask": self.mask(own)}
            for agent, own in zip(self.possible_agents, allowed, strict=True)
        }

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        run, names = self.running(), self.agents
        chosen = self.chosen(actions)
        able = self.world.choices(run.position)
        wrong = [player for player, action in enumerate(chosen) if action not in able[player]]
        if wrong and self.strict:
            raise self.not_allowed(names[wrong[0]], chosen[wrong[0]])
        if wrong:
            others = [player for player in range(len(chosen)) if player not in wrong]
            run.outcome, run.gets = "lost", joint_utilities(len(chosen), others)
        else:
            run.act(self.world.joint(chosen))
        over = run.outcome != "open"
        late = not over and self.limit is not None and run.turns >= self.limit
        rewards = dict(zip(names, run.gets or (0.0,) * len(names), strict=True))
        infos = {name: {"illegal": True} if player in wrong else {} for player, name in enumerate(names)}
        self.agents = [] if over or late else names
        return self.observed(), rewards, dict.fromkeys(names, over), dict.fromkeys(names, late), infos

    def chosen(self, actions: dict[str, Any]) -> list[int]:
        """The number of each agent's action, in their order. Raises IllegalAction where that is none."""
        if not self.agents:
            raise IllegalAction("the run has ended", "call `reset` first")
        if not isinstance(actions, dict) or set(actions) != set(self.agents):
            given = ", ".join(map(str, actions)) if isinstance(actions, dict) else type(actions).__name__
            wanted = ", ".join(self.agents)
            raise IllegalAction(f"actions of {given[:60] or 'nobody'}", f"give one for each of {wanted}")
        return [number_of(actions[agent], self.actions) for agent in self.possible_agents]
