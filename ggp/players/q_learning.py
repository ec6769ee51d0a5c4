"""Tabular Q-learning (Watkins, 1989): knows no rules, practises, and goes on learning as it plays."""

from __future__ import annotations

from collections import defaultdict

from ggp.players.protocol import Table, View, plays_alone, view_of
from ggp.players.run import Run
from ggp.players.world import UTILITY, Outcome

NAME = "q-learning"
KNOWS = "play"
LEARNING, DISCOUNT, EXPLORING = 0.5, 0.97, 0.2
STEPS_PER_PLAYOUT = 50  # of practice before the first run that counts: more where a table allows more
LONGEST = 400  # steps of a run of practice


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class Learning:
    """Keeps what each action was worth on each board that it saw."""

    def __init__(self, table: Table) -> None:
        self.rng = table.rng
        self.worth: defaultdict[bytes, dict[int, float]] = defaultdict(dict)
        self.last: tuple[bytes, int] | None = None
        steps = table.playouts * STEPS_PER_PLAYOUT
        while steps > 0:
            seed = table.rng.randrange(2**31) if table.world.lucky else None
            steps -= self.practise(Run(table.world, seed), min(steps, LONGEST))

    def practise(self, run: Run, most: int) -> int:
        """Play a run, looking for better ways now and then; how many steps it took."""
        for step in range(most):
            view = view_of(run)
            if not view.legal:
                break
            tries = self.rng.random() < EXPLORING
            run.act(self.chosen(view, self.rng.choice(view.legal) if tries else None))
            if run.outcome != "open":
                self.ended(run.outcome)
                return step + 1
        self.last = None
        return most

    def choose(self, view: View) -> int:
        return self.chosen(view, None)

    def chosen(self, view: View, given: int | None) -> int:
        """The action of most worth, or the given one; what was learned by the last one is kept."""
        known = self.worth[view.observed]
        self.learn(DISCOUNT * max((known.get(action, 0.0) for action in view.legal), default=0.0))
        best = max(known.get(action, 0.0) for action in view.legal)
        action = given
        if action is None:
            action = self.rng.choice([one for one in view.legal if known.get(one, 0.0) == best])
        self.last = view.observed, action
        return action

    def learn(self, target: float) -> None:
        """The last action came to this."""
        if self.last is not None:
            board, action = self.last
            before = self.worth[board].get(action, 0.0)
            self.worth[board][action] = before + LEARNING * (target - before)

    def ended(self, outcome: Outcome) -> None:
        self.learn(UTILITY[outcome])
        self.last = None


def player(table: Table) -> Learning:
    """A player for this table."""
    plays_alone(table, NAME)
    return Learning(table)
