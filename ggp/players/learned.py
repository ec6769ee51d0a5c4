"""Has only a learned model: it watches itself play at random, learns the rules, and plans with these."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ggp import registry
from ggp.errors import PuzzleError
from ggp.harness.learning import shell_of
from ggp.model import Instance
from ggp.model.board import Action, State, height, width
from ggp.players.best_first import searched
from ggp.players.distance import Distance
from ggp.players.following import Following
from ggp.players.moving import Moving
from ggp.players.protocol import Table, View, plays_alone
from ggp.players.run import Run
from ggp.players.world import Outcome, World
from ggp.players.worlds import world_of
from ggp.referee.inputs import parse_action
from ggp.referee.trajectory import Trajectory

NAME = "learned"
KNOWS = "play"
LEARNER = "events"
RUNS, TURNS = 20, 10  # of practice
RELEARNED = 20  # surprises in play from which it learns anew


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    reason: str | None = registry.load("learner", LEARNER).available()
    return reason


class Learned(Following):
    """Knows the kinds, inputs and goal, and what it saw; without rules that explain it, it plays anything."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        instance = table.instance
        if not isinstance(table.world, Moving):
            what = f"{instance.name} has not just an input each turn"
            raise PuzzleError(f"there is nothing to learn from: {what}", "take another level")
        self.seen = [self.practice(Run(table.world)) for _ in range(RUNS)]
        self.last: tuple[State, int] | None = None
        self.believed: World | None = None
        self.surprises = 0
        self.learn()

    def practice(self, run: Run) -> Trajectory:
        """A random run, legal or not: what is no move changes nothing."""
        states, inputs = [run.world.state(run.position)], list[Action | None]()
        while run.outcome == "open" and len(inputs) < TURNS:
            action = self.table.rng.randrange(len(run.world.actions))
            run.act(action)
            states.append(run.world.state(run.position))
            inputs.append(parse_action(run.world.actions[action]))
        return self.trajectory(states, inputs)

    def trajectory(self, states: list[State], inputs: list[Action | None]) -> Trajectory:
        """What was seen of a run."""
        instance = self.table.instance
        return Trajectory(height(instance), width(instance), tuple(states), tuple(inputs))

    def learn(self) -> None:
        """Have rules made of all that was seen."""
        self.plan, self.believed = [], None
        instance = self.table.instance
        learner: Any = registry.load("learner", LEARNER)
        try:
            game = learner.learn(shell_of(instance.game), self.seen, self.table.seed).game
            self.believed = world_of(Instance(replace(game, goal=instance.game.goal), instance.level))
        except PuzzleError:
            return
        self.distance = Distance(self.believed)

    def choose(self, view: View) -> int:
        state = self.table.world.state(view.position)  # the board that is seen
        self.compare(state)
        action = super().choose(view)
        self.last = state, action
        return action

    def compare(self, state: State) -> None:
        """Was the last turn as the rules say? Else there is something to be learned."""
        if self.last is None:
            return
        before, action = self.last
        said = self.expected(before, action)
        if said != state.board and self.surprises < RELEARNED:
            self.surprises += 1
            word = parse_action(self.table.world.actions[action])
            self.seen.append(self.trajectory([before, state], [word]))
            self.learn()

    def expected(self, before: State, action: int) -> object:
        """The board that the learned rules lead to."""
        if self.believed is None:
            return None
        turn = self.believed.turn(self.position_of(before), action)
        return before.board if turn is None else self.believed.state(turn.position).board

    def position_of(self, state: State) -> bytes:
        """A board as a position of the learned world."""
        stepper: Any = getattr(self.believed, "stepper", None)
        packed: bytes = stepper.pack(state).tobytes()
        return packed

    def planned(self, view: View) -> list[tuple[bytes, int]]:
        if self.believed is None:
            return []
        here = view._replace(position=self.position_of(self.table.world.state(view.position)))
        return searched(self.believed, self.distance, here, self.table.playouts)

    def ended(self, outcome: Outcome) -> None:
        super().ended(outcome)
        self.last = None


def player(table: Table) -> Learned:
    """A player for this table."""
    plays_alone(table, NAME)
    return Learned(table)
