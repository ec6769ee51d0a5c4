"""One play of a world, from its beginning to its end."""

from __future__ import annotations

from typing import Any

from ggp.errors import IllegalAction
from ggp.model import Plan
from ggp.players.world import Outcome, World
from ggp.referee.contest import joint_utilities, seen_by
from ggp.referee.laying import laid_words
from ggp.referee.semantics import ending, is_goal, winners


class Run:
    """One play of a world, from the beginning to the end that the referee would see.

    `late`: it ended because its turns are used up, with nothing decided. Of several players `gets` has at the
    end what each gets; the outcome is that of the one who made the last turn.
    """

    def __init__(self, world: World, seed: int | None = None) -> None:
        self.world = world
        self.horizon = world.instance.level.horizon
        self.position: Any = world.begin(seed)
        self.said = [laid_words(world.instance, world.state(self.position))] if world.lucky else []
        self.turns = 0
        self.actions: list[int] = []
        self.outcome: Outcome = "open"
        self.gets: tuple[float, ...] = ()
        self.late = False

    def act(self, action: int) -> bool:
        """Do what is legal; False, and nothing is changed, where it is not."""
        if self.outcome != "open":
            raise IllegalAction("the run has ended", "begin a new one: `reset`")
        turn = self.world.turn(self.position, action)
        if turn is None:
            return False
        self.position, self.outcome, self.gets, said = turn
        if self.world.lucky:
            self.said.append(said)
        self.actions.append(action)
        if not self.world.placing(action):
            self.turns += 1
            if self.outcome == "open" and self.turns == self.horizon:
                self.time_up()
        return True

    def time_up(self) -> None:
        """The last turn was made: a goal that must hold now does, or does not."""
        instance, players = self.world.instance, len(self.world.players)
        if instance.game.simultaneous:
            won = winners(instance, self.world.state(self.position)) if ending(instance) == "horizon" else ()
            self.gets = joint_utilities(players, won)
            self.outcome = seen_by(0, self.gets)
            return
        if players > 1:
            self.outcome, self.gets = "drawn", (0.0,) * players
            return
        self.late = ending(instance) == "any-turn"
        held = not self.late and is_goal(instance, self.world.state(self.position))
        self.outcome = "won" if held else "lost"

    def plan(self) -> Plan:
        """What was done, for the referee."""
        design = [self.world.placement(action) for action in self.actions]
        words = [self.world.actions[action] for action in self.actions if not self.world.placing(action)]
        return Plan(tuple(one for one in design if one is not None), tuple(words), chance=tuple(self.said))
