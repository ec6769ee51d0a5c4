"""Asks the solver that suits, and after a second others beside it, in processes; the first answer counts.

Who suits is told by what the level is (`leader`), or with `auto:FILE` by a table of measured levels; who else
is asked, by measured levels that are like the one at hand (`ggp.analysis.portfolio`). A solver that can be
ended here goes on here; another one starts anew in a process. Two are at work at once, three where there
are so many processors. One that refuses, or ends without an answer, makes room for the next.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType

from ggp import registry
from ggp.analysis.portfolio import from_file, own, profile_of
from ggp.engines.beside import Beside, Ended, Word
from ggp.errors import NotAvailable, PuzzleError, Unfit
from ggp.model import Instance, Plan
from ggp.model.board import height, width
from ggp.model.features import GOAL_WORDS, SCAN, SOLVABLE, Need, missing
from ggp.model.result import Clock, Facts, Once, Outcome, OutOfTime, Query, facts_of
from ggp.referee.improving import Improving
from ggp.referee.trajectory import played
from ggp.transition.native.compiling import COMPILING

NAME = "auto"
FEATURES = (SOLVABLE | GOAL_WORDS | SCAN) - {"chance-in-turns"}
FACTS = Facts(engine="", unrolls=True)  # who answers is in the trace
GENERAL = "cp-sat"
MOVING, JOINING = "search", "sat"  # and for what
JOINS = frozenset({"areas", "connected", "loop", "parts"})  # words about what hangs together
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


def available() -> str | None:
    """Always there: `search` is."""
    return None


def versions() -> dict[str, str]:
    """Those of what it asks are told by themselves."""
    return {}


@dataclass(frozen=True)
class Chooser:
    """The solver with a table of somebody's own."""

    file: str
    NAME = NAME
    FEATURES = FEATURES
    FACTS = FACTS

    def available(self) -> str | None:
        """As `available`."""
        return available()

    def versions(self) -> dict[str, str]:
        """As `versions`."""
        return versions()

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """As `solve`."""
        return (yield from solve(instance, query, self.file))


def with_argument(file: str) -> Chooser:
    """What `auto:FILE` stands for. Raises PuzzleError for a file that is no table."""
    from_file(Path(file))
    return Chooser(file)


def solve(instance: Instance, query: Query, file: str = "") -> Generator[Plan, None, Outcome]:
    """Ask one, and others beside when that takes long, until one has answered."""
    with Race(instance, query, file) as race:
        return (yield from race.run())


# --- who is asked -----------------------------------------------------------------------------------------


def leader(instance: Instance, *, encoded: bool = False, pause: Callable[[], None] = lambda: None) -> str:
    """The solver that suits an instance best: the first of these that takes it as it is.

    What moves is searched, without a library that takes a second to load. What must hang together is told to
    a SAT solver as solutions break it; so are picks that are only counted, where the goal looks at more than
    each cell by itself. All else is for CP-SAT; so is all that is asked of encodings, or of options
    (`encoded`), where it takes the instance. Where none takes it, it is the one that lacks least. `pause` is
    called now and then, and may raise.
    """
    game = instance.game
    joins = any(term.word in JOINS for term in (*game.goal.terms, *game.goal.lose))
    moves = game.input is not None or game.physics
    suits = (MOVING,) if moves and not only_counted(instance, pause) else (JOINING,) if moves or joins else ()
    wanted: list[str] = [GENERAL, MOVING] if encoded else [*suits, GENERAL, MOVING]
    for name in wanted:
        if takes(instance, name):
            return name
    return min([GENERAL, *wanted], key=lambda name: len(lacks(instance, name)))


def lacks(instance: Instance, solver: str) -> tuple[Need, ...]:
    """The features of the instance that the solver does not take as they are."""
    return missing(instance, registry.load("solver", solver).FEATURES)


def takes(instance: Instance, solver: str) -> bool:
    """Is the solver there, and does it take the instance as it is?"""
    return registry.load("solver", solver).available() is None and not lacks(instance, solver)


def only_counted(instance: Instance, pause: Callable[[], None]) -> bool:
    """Does it only matter how often each cell is picked, and has search no way of its own to count that?"""
    declared, scan = instance.game.input, instance.game.scan
    if declared is None or declared.pick is None or scan is not None or not takes(instance, MOVING):
        return False
    from ggp.analysis.presses import Presses, cell_by_cell
    from ggp.transition.compiler import compile_instance

    try:
        Presses(instance, compile_instance(instance), pause)
    except Unfit:
        return False
    return not cell_by_cell(instance)


def others(instance: Instance, query: Query, file: str = "") -> list[str]:
    """The solvers that were measured, the one that should be quickest first, of those that may be asked."""
    table = from_file(Path(file)) if file else own()
    able = [name for name in table.solvers if may_be_asked(name, instance, query)]
    return [guess.solver for guess in table.guesses(profile_of(instance), query.want, able)]


def may_be_asked(name: str, instance: Instance, query: Query) -> bool:
    """Can it run here, does it take all that the level needs, and does it answer such questions?"""
    try:
        module = registry.load("solver", name)
    except PuzzleError:
        return False  # a table may name solvers that are not installed here
    facts = facts_of(module)
    return takes(instance, name) and facts.proves and (facts.lists or query.want in ("first", "best"))


def alone(query: Query) -> bool:
    """Is it asked of an encoding, or kept what the solver gets? Then one solver is asked."""
    told = (query.passes, query.given, query.encoding, query.trace.log, query.trace.keep)
    return any(one is not None for one in told) or not query.presolve


# --- asking them ------------------------------------------------------------------------------------------


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


class Answers:
    """What was found so far, over all that were asked: a plan is passed on once, and only if it is better.

    Where all are asked for each is passed on as it is found, so that who wants but a few can stop.
    """

    def __init__(self, instance: Instance, query: Query) -> None:
        self.trace, self.lists = query.trace, query.want in ("all", "count")
        self.trace.by = ""
        self.improved = Improving(instance, query)
        self.listed = Once()
        self.by_each: dict[str, Once] = {}
        self.bound: int | None = None  # what was proved: no plan costs less

    def of(self, name: str, plans: Generator[Plan, None, Outcome]) -> Generator[Plan, None, Outcome]:
        """Those of one solver that are news."""
        try:
            while True:
                try:
                    plan = next(plans)
                except StopIteration as end:
                    outcome: Outcome = end.value
                    return outcome
                if self.news(name, plan):
                    yield plan
        finally:
            plans.close()

    def news(self, name: str, plan: Plan) -> bool:
        """Is a plan to be passed on? Then it is whose the answer is so far."""
        if self.lists:
            # What another one listed is no news; who lists a plan twice is not covered up for.
            again = not self.by_each.setdefault(name, Once()).first(*played(plan))
            new = self.listed.first(*played(plan)) or again
        else:
            new = self.improved.by(plan)
        self.trace.by = name if new else self.trace.by
        return new

    def anew(self, name: str) -> None:
        """One begins from the start, so it lists again what it has listed."""
        self.by_each.pop(name, None)

    def proved(self, bound: int | None) -> None:
        """One has proved that no plan costs less."""
        if bound is not None:
            self.bound = bound if self.bound is None else max(bound, self.bound)
