"""Asks the solver that should be quickest; where that is not sure, two or three of them take turns.

Which one that is, measured levels tell that are like the one at hand (`ggp.analysis.portfolio`): the shipped
ones, or with `auto:FILE` others. The first solver has ten times the time that it is expected to take, at
least two seconds; where the second may well be quicker, or no measured level is like this one, twice it.
Then the second has as long, then both twice as long, and so on; a third one joins when that has come to be
four times as long as at first, for measured levels tell little of one that is hard for both. A solver that
refuses, or ends without an answer, is out.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from ggp import registry
from ggp.errors import PuzzleError
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SCAN, SOLVABLE, missing
from ggp.model.result import Clock, Facts, Once, Outcome, OutOfTime, Query
from ggp.referee.improving import Improving
from ggp.referee.trajectory import played

NAME = "auto"
FEATURES = (SOLVABLE | GOAL_WORDS | SCAN) - {"chance-in-turns"}
FACTS = Facts(engine="", unrolls=True)  # what answers is in `raw`
SHORT, FIRST, PATIENCE = 0.2, 2.0, 10.0  # seconds, seconds, times what is expected
CLOSE = 3.0  # where the second should take less than so many times as long, it may well be quicker
UNANSWERED = ("error", "memory-limit", "time-limit", "unsupported")
LATER = 4  # times the first round: from then on a third one is asked
FAR = 3.0  # from this distance on no measured level is like the one at hand


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
    from ggp.analysis.portfolio import from_file

    from_file(Path(file))
    return Chooser(file)


@dataclass
class Choice:
    """A solver that may be asked, and for how long at first."""

    name: str
    seconds: float
    joins: float = 0.0  # it is not asked for less than this

    @property
    def module(self) -> ModuleType:
        """The solver."""
        return registry.load("solver", self.name)


def choices(instance: Instance, query: Query, file: str = "") -> list[Choice]:
    """The solvers to ask, up to three, the one that should be quickest first."""
    from ggp.analysis.portfolio import from_file, own, profile_of

    table = from_file(Path(file)) if file else own()
    able = [name for name in table.solvers if takes(name, instance, query)]
    guesses = table.guesses(profile_of(instance), query.want, able)[:3]
    if not guesses:
        return [Choice("search", FIRST)]
    first = guesses[0]
    sure = first.distance < FAR and all(one.seconds > CLOSE * first.seconds for one in guesses[1:2])
    seconds = max(FIRST, PATIENCE * first.seconds) if sure else max(SHORT, 2 * first.seconds)
    joins = (0.0, 0.0, LATER * seconds)
    return [Choice(one.solver, seconds, late) for one, late in zip(guesses, joins, strict=False)]


def takes(name: str, instance: Instance, query: Query) -> bool:
    """Can it run here, does it take all that the level needs, and does it answer such questions?"""
    try:
        module = registry.load("solver", name)
    except PuzzleError:
        return False  # a table may name solvers that are not installed here
    if module.available() is not None or missing(instance, module.FEATURES):
        return False
    return module.FACTS.proves and (module.FACTS.lists or query.want in ("first", "best"))


def solve(instance: Instance, query: Query, file: str = "") -> Generator[Plan, None, Outcome]:
    """Ask one after another, longer each time, until one has answered."""
    left = choices(instance, query, file)
    best = Best(instance, query)
    ended: Outcome | PuzzleError | None = None
    for choice in turns(left):
        try:
            query.clock.check()
        except OutOfTime:
            if best.bound is None:
                raise
            return Outcome("time-limit", bound=best.bound, raw="out of time")
        try:
            outcome = yield from best.asked(choice, alone=len(left) == 1)
        except OutOfTime:
            continue
        except PuzzleError as error:
            ended = error
        else:
            if outcome.stop not in UNANSWERED:
                return outcome
            ended = outcome
        left.remove(choice)
    if isinstance(ended, Outcome):
        return ended
    raise ended or AssertionError("there is always somebody to ask")


def turns(left: Sequence[Choice]) -> Iterator[Choice]:
    """One after another, with twice the time in each round, as long as there is one."""
    while left:
        for choice in list(left):
            if choice.seconds >= choice.joins:
                yield choice
        for choice in left:
            choice.seconds *= 2


class Best:
    """What was found so far, over all that were asked: a plan is passed on once, and only if it is better.

    Where all are asked for each is passed on as it is found, so that who wants but a few can stop.
    """

    def __init__(self, instance: Instance, query: Query) -> None:
        self.instance, self.query = instance, query
        self.improved = Improving(instance, query)
        self.listed = Once()
        self.bound: int | None = None  # what was proved: no plan costs less

    def asked(self, choice: Choice, alone: bool) -> Generator[Plan, None, Outcome]:
        """Ask one, within its time. Raises OutOfTime when that has passed."""
        clock = self.query.clock
        left = clock.left
        whole = alone or (left is not None and left <= choice.seconds)
        own = Clock(left if whole else choice.seconds)
        query = replace(self.query, clock=own)
        own_list = Once()
        answers = choice.module.solve(self.instance, query)
        try:
            while True:
                try:
                    plan = next(answers)
                except StopIteration as end:
                    outcome: Outcome = end.value
                    break
                if self.query.want in ("all", "count"):
                    # What another one listed is no news; who lists a plan twice is not covered up for.
                    again = not own_list.first(*played(plan))
                    if self.listed.first(*played(plan)) or again:
                        yield plan
                elif self.improved.by(plan):
                    yield plan
        finally:
            answers.close()
            clock.encoding += own.encoding
            clock.encoded = own.encoded
        if outcome.bound is not None:
            self.bound = max(outcome.bound, outcome.bound if self.bound is None else self.bound)
        if outcome.stop == "time-limit" and not whole:
            raise OutOfTime  # some say so themselves
        bound = self.bound if outcome.stop in UNANSWERED else outcome.bound
        return replace(outcome, bound=bound, raw=": ".join(filter(None, (choice.name, outcome.raw))))
