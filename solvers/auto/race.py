"""One question, put to several solvers: the first here, others in processes beside it."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing
from dataclasses import replace
from queue import Empty, SimpleQueue
from types import TracebackType

from ggp import registry
from ggp.engines.beside import Beside, Ended, Word
from ggp.errors import NotAvailable, PuzzleError
from ggp.model import Instance, Plan
from ggp.model.board import height, width
from ggp.model.result import Clock, Outcome, OutOfTime, Query, facts_of
from ggp.solvers.auto.answers import Answers
from ggp.solvers.auto.choosing import GENERAL, JOINING, MOVING, alone, leader, others, takes
from ggp.transition.native.compiling import COMPILING

HEAD = 1.0  # seconds that the first one has for itself, of the processor where it goes on
WAITING = 2.0  # seconds of the clock after which it has none left, for it may wait for a process of its own
# Before those that take longer to load than most small puzzles take to search, the search has a glance. It is
# counted, not timed, so that the same one answers everywhere: on a small board 24 looks at the clock are some
# 0.07 seconds. On a larger one each takes longer, so there are fewer; and where there would be few, none.
GLANCE = {GENERAL: 30, JOINING: 15}  # looks at the clock
SMALL, FEW = 200, 3  # so many cells have all of them; fewer looks than that are not worth the trouble
MOST = 3  # are asked in all, and at once
LOOK = 0.05  # seconds between two looks at what those beside have said
TELLING = 0.5  # seconds before the time is up at which plans of a list that came from beside are passed on
UNANSWERED = ("error", "memory-limit", "time-limit", "unsupported")


class Overtaken(OutOfTime):
    """Another one has answered. Raised where the one that is at work here looks at the clock."""


class Race:
    """One question, put to several solvers; to be used with `with`. `file`: their table, if not our own.

    `names`: who may still be asked, once that was looked up, which takes longer than most answers.
    """

    def __init__(self, instance: Instance, query: Query, file: str = "") -> None:
        self.instance, self.query, self.clock, self.file = instance, query, query.clock, file
        self.alone = alone(query)
        self.names: list[str] | None = [] if self.alone else None
        self.answers = Answers(instance, query)
        self.beside: dict[str, Beside] = {}
        self.words: SimpleQueue[Word] = SimpleQueue()
        self.heard: deque[Word] = deque()
        self.looked, self.began, self.came = 0.0, busy(), waited()
        self.ended: Outcome | PuzzleError = Outcome("error", raw="nobody was asked")  # without an answer

    def __enter__(self) -> Race:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as stack:
            for one in self.beside.values():
                stack.callback(one.stop)

    def run(self) -> Generator[Plan, None, Outcome]:
        """Ask one here until others are at work as well; then wait for the first answer."""
        if self.file:
            self.names = others(self.instance, self.query, self.file) or [MOVING]
            self.first = self.names.pop(0)
            del self.names[0 if self.alone else MOST - 1 :]
        else:
            self.first = leader(self.instance, encoded=self.alone, pause=self.clock.check)
            if self.may_glance():
                outcome = yield from self.opening()
                if outcome is not None:
                    return outcome
        outcome = yield from self.here()
        return (yield from self.wait()) if outcome is None else outcome

    # --- here

    def may_glance(self) -> bool:
        """Is it a puzzle in which nothing moves, that would be given to something large at once?"""
        still = self.instance.game.input is None and not self.instance.game.physics
        if not still or self.first not in GLANCE or self.alone:
            return False
        return glances(self.instance, self.first) >= FEW and takes(self.instance, MOVING)

    def opening(self) -> Generator[Plan, None, Outcome | None]:
        """Ask the search for a moment before the first one; None where it gave no answer."""
        first, self.first = self.first, MOVING
        left = iter(range(glances(self.instance, first)))

        def look() -> None:
            if next(left, None) is None:
                raise Overtaken

        outcome = yield from self.here(look=look)
        self.answers.anew(MOVING)
        self.first = first
        return outcome

    def here(
        self, whole: bool = False, look: Callable[[], None] | None = None
    ) -> Generator[Plan, None, Outcome | None]:
        """Ask the first one here; None where it gave no answer, or others are to go on.

        `whole`: with all the time, though it cannot be ended. `look`: what it calls as it looks at the clock.
        """
        module, clock = registry.load("solver", self.first), self.clock
        breakable = facts_of(module).breakable
        goes_on = breakable or facts_of(module).listens or self.alone or whole
        if breakable:
            clock.breakable = True
        elif not goes_on:
            clock = Clock(HEAD if clock.left is None else min(HEAD, clock.left))
        try:
            plans = module.solve(self.instance, replace(self.query, clock=clock))
            if goes_on and not (self.alone or whole):
                plans = looking(clock, look or self.look, plans)
            outcome = yield from self.answers.of(self.first, plans)
        except PuzzleError as error:
            self.ended = error
            return None
        except OutOfTime:
            outcome = Outcome("time-limit", raw="out of time")
        finally:
            clock.breakable = False
            if clock is not self.clock:
                self.clock.encoding, self.clock.encoded = clock.encoding, clock.encoded
        if self.counts(outcome):
            self.query.trace.by = self.first
            return outcome
        if not goes_on and outcome.stop == "time-limit" and self.clock.left != 0:
            self.answers.anew(self.first)
            if not self.begin(self.first):  # with all the time that is left
                return (yield from self.here(whole=True))
        return None

    def look(self) -> None:
        """What the one that is at work here calls as it looks at the clock. Raises Overtaken."""
        now = time.perf_counter()
        if now - self.looked < LOOK or (busy() - self.began < HEAD and waited() - self.came < WAITING):
            return
        self.looked, breakable = now, self.clock.breakable
        self.clock.breakable = False  # what is begun is to be ended as well
        while not self.words.empty():
            word = self.words.get()
            if isinstance(word.said, Plan):
                self.heard.append(word)
                if self.enough():
                    raise Overtaken
            elif self.ends(word.who, word.said):
                self.heard.append(word)
                raise Overtaken
        if self.late():
            raise Overtaken
        self.fill(1)
        self.clock.breakable = breakable

    def enough(self) -> bool:
        """Have those beside told as many plans as are wanted? Whoever lists them may go on for ever."""
        limit, plans = self.query.limit, (isinstance(word.said, Plan) for word in self.heard)
        return self.answers.lists and limit is not None and sum(plans) >= limit

    def late(self) -> bool:
        """Is it time to pass on what those beside have listed? What comes after the limit is no answer."""
        left = self.clock.left
        listed = self.answers.lists and any(isinstance(word.said, Plan) for word in self.heard)
        return listed and left is not None and left < TELLING

    # --- beside

    def fill(self, busy: int = 0) -> None:
        """Let others begin, as long as there is room; so many are at work here."""
        while self.clock.left != 0 and self.names != [] and len(self.beside) + busy < room():
            if self.names is None:
                known = others(self.instance, self.query)
                self.names = [name for name in known if name != self.first][: MOST - 1]
            else:
                self.begin(self.names.pop(0))

    def begin(self, name: str) -> bool:
        """Let one begin in a process of its own. Can it be started?"""
        try:
            self.beside[name] = Beside(name, self.instance, self.query, self.words)
        except NotAvailable as error:
            self.ended = error
            return False
        return True

    def wait(self) -> Generator[Plan, None, Outcome]:
        """Listen to those beside until one has answered, all have given up, or time is over."""
        while True:
            if not self.heard:  # else nobody need begin: it may be enough
                self.fill()
            word = self.next_word()
            if word is None:
                break
            if isinstance(word.said, Plan):
                if self.answers.news(word.who, word.said):
                    yield word.said
                continue
            if self.ends(word.who, word.said):
                outcome, encoding, encoded = word.said
                self.clock.encoding, self.clock.encoded = self.clock.encoding + encoding, encoded
                self.query.trace.by = word.who
                return outcome
        if isinstance(self.ended, PuzzleError):
            raise self.ended
        return replace(self.ended, bound=self.answers.bound)

    def next_word(self) -> Word | None:
        """What is said next; None if nothing more is to come, or not in time."""
        if self.heard:
            return self.heard.popleft()
        if not self.beside:
            return None
        try:
            return self.words.get(timeout=self.clock.left)
        except Empty:
            self.ended = Outcome("time-limit", raw="out of time")
            return None

    def ends(self, who: str, ended: Ended) -> bool:
        """One of those beside has come to its end: with an answer?"""
        if who in self.beside:
            self.beside.pop(who).stop()
        return self.counts(ended.outcome)

    def counts(self, outcome: Outcome) -> bool:
        """Is it an answer? Else what it has proved is kept."""
        if outcome.stop not in UNANSWERED:
            return True
        self.ended = outcome
        self.answers.proved(outcome.bound)
        return False


def looking(
    clock: Clock, look: Callable[[], None], plans: Generator[Plan, None, Outcome]
) -> Generator[Plan, None, Outcome]:
    """The same plans. Who looks at the clock while one is worked out looks further; not who is given one."""
    with closing(plans):
        while True:
            clock.look = look
            try:
                plan = next(plans)
            except StopIteration as end:
                outcome: Outcome = end.value
                return outcome
            finally:
                clock.look = None
            yield plan


def glances(instance: Instance, first: str) -> int:
    """How often the search may look at the clock before that one is asked."""
    most = GLANCE[first]
    return min(most, most * SMALL // (height(instance) * width(instance)))


def busy() -> float:
    """The seconds that this process has used, but for those of the compiler, which comes once a machine."""
    return time.process_time() - COMPILING.seconds


def waited() -> float:
    """The seconds of the clock, but for those of the compiler."""
    return time.perf_counter() - COMPILING.seconds


def room() -> int:
    """How many may be at work at once."""
    return max(2, min(MOST, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2))
