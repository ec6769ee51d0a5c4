"""A plan of any number of turns, asked for in one question beside those that are asked about one by one.

To rule out run after run may take longer than to find a plan among long ones, and the other way round. So
once it takes a while, another session is asked about all turns up to the last, in a thread. All of its turns
are played, also those after a win; a board that wins may have no turn after it, so that there is no such plan
proves nothing. It can be done without, so it is given up where memory is short.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from threading import Thread
from types import TracebackType
from typing import Any

from ggp.encoding.layers import Layers
from ggp.encoding.literals import Lit
from ggp.encoding.room import short
from ggp.encoding.sizes import TooLarge
from ggp.encoding.unroll import horizons
from ggp.errors import PuzzleError
from ggp.model import Plan
from ggp.model.result import Clock, OutOfTime

SOON = 10.0  # seconds: what is answered by then is not asked about here
EARLY = 0.25  # of all of the time, if that is less
HASTE = 2.0  # seconds, where any plan will do: then there is nothing to be proved meanwhile
SHARE = 0.9  # of the time that is left. On one processor it has half of that, and the other session the rest
SHORTEST = 32  # turns that are asked about first, if there are more
ASKED = 1 << 43  # numbers from here on say that so many turns are asked about; `turn.py` has those below


class Reached(Exception):
    """It has a plan. Raised by who looks at the clock."""

    def __init__(self, plan: Plan) -> None:
        super().__init__("a plan was found beside")
        self.plan = plan


class Ahead:
    """One question about runs of `least` to `last` turns, as long as it is in use with `with`.

    `layers` has the turn, and `opened` opens a session on a clock. Whoever looks at the `clock` meanwhile
    begins it after a while, sooner where `any_will_do`, and gets Reached where it has a plan.
    """

    def __init__(
        self,
        layers: Layers,
        least: int,
        last: int,
        opened: Callable[[Clock], AbstractContextManager[Any]],
        clock: Clock,
        any_will_do: bool = False,
    ) -> None:
        self.soon = HASTE if any_will_do else SOON
        self.layers, self.least, self.last, self.opened = layers, least, last, opened
        self.clock, self.before, self.begun = clock, clock.look, clock.seconds
        self.plan: Plan | None = None
        self.thread: Thread | None = None
        self.error: BaseException | None = None
        self.over = False

    def __enter__(self) -> Ahead:
        self.clock.look = self.look
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clock.look, self.over = self.before, True
        if self.thread is not None and self.thread.ident is not None:
            self.thread.join()
        if self.error is not None and kind is None:
            raise self.error
        if self.plan is not None and kind is not None and issubclass(kind, (OutOfTime, MemoryError)):
            raise Reached(self.plan) from error  # there is a plan, whatever the other session came to

    def look(self) -> None:
        """Begin, or see what came of it. Raises Reached."""
        if self.before is not None:
            self.before()
        if self.error is not None:
            raise self.error
        if self.plan is not None:
            raise Reached(self.plan)
        limit, left = self.clock.limit, self.clock.left
        soon = self.soon if limit is None else min(self.soon, EARLY * limit)
        if self.thread is None and self.clock.seconds - self.begun > soon and not short():
            mine = Clock(None if left is None else SHARE * left)
            mine.look = self.leave
            self.thread = Thread(target=self.ask, args=(mine,), daemon=True)
            with suppress(RuntimeError):  # there may be no more threads
                self.thread.start()

    def leave(self) -> None:
        """Raises OutOfTime where nobody waits for it any more, or where memory is short."""
        if self.over or short():
            raise OutOfTime

    def ask(self, clock: Clock) -> None:
        """Ask, in the thread. Where that fails there is no plan: the other session goes on."""
        try:
            with self.opened(clock) as session:
                self.plan = self.found(session, clock)
        except (OutOfTime, MemoryError, OSError, PuzzleError):
            return
        except BaseException as error:  # handed over, and raised where it can be seen
            self.error = error

    def found(self, session: Any, clock: Clock) -> Plan | None:
        """A plan, if there is one, of longer and longer runs."""
        layers, goals = self.layers.anew(), dict[int, Lit]()
        for turns in horizons(max(self.least, SHORTEST), self.last):
            whole = self.grown(layers, turns, goals, clock)
            if not goals:
                return None
            # Solvers do better with what is said for good than with what is assumed.
            assumed = [] if turns == self.last or not whole else [ASKED + turns]
            layers.new.clauses.append([*(-one for one in assumed), *goals.values()])
            ones = session.solve(layers.added(), assumed)
            if ones is not None:
                return self.shortened(layers, goals, set(ones))
            if not whole:
                break
        return None

    def grown(self, layers: Layers, turns: int, goals: dict[int, Lit], clock: Clock) -> bool:
        """Write so many turns, with the goal after each; False where there is no room for all of them."""
        for turn in range(layers.turn, turns + 1):
            clock.check()
            try:
                if turn > layers.turn:
                    layers.grow()
            except TooLarge:
                return False
            goal = layers.goal()
            if turn >= self.least and not isinstance(goal, bool):
                goals[turn] = goal
        return True

    def shortened(self, layers: Layers, goals: dict[int, Lit], chosen: set[Lit]) -> Plan:
        """The plan up to the first board that wins, without inputs that change nothing."""
        end = next(turn for turn, goal in goals.items() if (abs(goal) in chosen) == (goal > 0))
        plan = layers.plan([*chosen])
        boards = [
            [layers.moved(number, turn) in chosen for number in layers.one.places.values()]
            for turn in range(end + 1)
        ]
        changed = zip(plan.actions, boards, boards[1:], strict=False)
        return Plan(plan.design, tuple(action for action, before, after in changed if before != after))
