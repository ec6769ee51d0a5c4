"""Many turns in one question, put to a session: which of them wins is left open.

Where a refutation proves nothing, as of turns that are cut down (`ggp.transition.seen`), it is no use to go
through them one by one. So longer and longer runs are asked about, and then better plans than the last one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ggp.encoding.layers import Layers, Session
from ggp.encoding.literals import Lit
from ggp.encoding.unroll import horizons
from ggp.model import Plan

ASKED = 1 << 43  # numbers from here on say which turns are asked about; `ggp.encoding.turn` has those below
SHORTEST = 8  # turns that are soon asked about


class Longest:
    """Layers of turns that are asked about from `least` turns on. All turns are played, also after a win."""

    def __init__(self, layers: Layers, session: Session, least: int) -> None:
        self.layers, self.session, self.least = layers, session, least
        self.goals = [layers.goal()]
        self.free = count(ASKED)

    def plans(self, horizon: int, better: bool) -> Iterator[Plan]:
        """The first plan that is found and, if wanted, better ones, down to the fewest turns.

        Raises OutOfTime, and TooLarge where so many turns are too much.
        """
        for turns in horizons(max(self.least, SHORTEST), horizon):
            plan = self.within(turns, last=turns == horizon)
            while plan is not None:
                yield plan
                plan = self.within(len(plan.actions) - 1, last=True) if better else None
                if plan is None:
                    return
            self.least = turns + 1

    def within(self, turns: int, *, last: bool) -> Plan | None:
        """A plan of so many turns at most, if there is one; after the `last` question none is longer."""
        while self.layers.turn < turns:
            self.layers.grow()
            self.goals.append(self.layers.goal())
        goals: list[Lit] = [goal for goal in self.goals[self.least : turns + 1] if not isinstance(goal, bool)]
        if not goals:
            return None
        # Solvers do better with what is said for good than with what is assumed.
        assumed = [] if last else [next(self.free)]
        self.layers.new.clauses.append([*(-one for one in assumed), *goals])
        ones = self.session.solve(self.layers.added(), assumed)
        if ones is None:
            return None
        chosen = set(ones)
        end = next(turn for turn in range(self.least, turns + 1) if self.goals[turn] in chosen)
        plan = self.layers.plan(ones)
        boards = [self.board(turn, chosen) for turn in range(end + 1)]
        changed = zip(plan.actions, boards, boards[1:], strict=False)
        return Plan(plan.design, tuple(action for action, before, after in changed if before != after))

    def board(self, turn: int, chosen: set[Lit]) -> list[bool]:
        """What varies of the board before a turn: inputs that change nothing are in no plan."""
        return [self.layers.moved(number, turn) in chosen for number in self.layers.one.places.values()]
