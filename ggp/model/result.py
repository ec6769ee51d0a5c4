"""What is asked of a solver, and what it answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, Protocol

from ggp.errors import PuzzleError
from ggp.model import Instance, Objective, Plan
from ggp.model.shown import Shown, line, number_of

Want = Literal["best", "first", "all", "count"]
Stop = Literal[
    "optimal",
    "satisfied",
    "unsolvable",
    "horizon-exhausted",
    "time-limit",
    "memory-limit",
    "unsupported",
    "error",
]
Answers = Literal["unique", "several", "none", "unknown"]
Proof = Literal["checked", "agreed", "claimed", "wrong"]
"""Who vouches for the negative part of an answer (no plan, no better one, no more): something else that
verified a proof, other solvers, only the solver itself; or it is refuted."""


class OutOfTime(Exception):
    """The time limit has passed. Raised inside a solver and caught by whoever runs it."""


FOREVER = 1e9  # seconds: thirty years


class Clock:
    """Counts the seconds of a run against a limit (None: no limit), and those spent on encoding.

    `breakable`: an alarm may end the run wherever it is. `look` is called by whoever looks at the clock, and
    may raise OutOfTime. Raises PuzzleError for a limit that is no number of seconds.
    """

    def __init__(self, limit: float | None = None) -> None:
        if limit is not None and not (isinstance(limit, int | float) and limit >= 0):
            raise PuzzleError(f"{str(limit)[:60]!r} is no time limit", "give seconds, from 0 on")
        # What no run comes to is no limit: timers of the system take no such number.
        self.limit = None if limit is not None and limit > FOREVER else limit
        self.start = time.perf_counter()
        self.encoding = 0.0  # whoever encodes adds to it
        self.encoded = ""  # the name of the encoding, once one was chosen
        self.breakable = True
        self.unwritten = False  # was the time up while the question was written down?
        self.look: Callable[[], None] | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.start

    @property
    def left(self) -> float | None:
        """Seconds left, never below 0; None without a limit."""
        return None if self.limit is None else max(0.0, self.limit - self.seconds)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Inside the question is written down, by code of ours: its seconds count, an alarm may end it."""
        started, before = self.seconds, self.breakable
        self.breakable = True
        try:
            yield
        except OutOfTime:
            self.unwritten = True
            raise
        finally:
            self.breakable = before
            self.encoding += self.seconds - started

    def hear(self) -> None:
        """Let who looks along have a look; for those who wait for something that keeps the limit itself."""
        if self.look is not None:
            self.look()

    def check(self) -> None:
        """Raise OutOfTime when the limit has passed."""
        self.hear()
        if self.limit is not None and self.seconds > self.limit:
            raise OutOfTime


class Once:
    """Remembers what was there, in 16 bytes each: there may be millions of answers."""

    def __init__(self) -> None:
        self.seen: set[bytes] = set()

    def first(self, *what: object) -> bool:
        """Is this the first time? Things are alike if they are written alike."""
        before = len(self.seen)
        self.seen.add(blake2b(repr(what).encode(), digest_size=16).digest())
        return len(self.seen) > before


@dataclass
class Trace:
    """What is kept of a run beside its answer: what the solver prints (`log`), what it gets (`keep`).

    `by` is whose answer it is, or the last plan, where one solver asks others.
    """

    log: Path | None = None
    keep: Path | None = None
    kept: int = 0
    by: str = ""

    def say(self, text: str) -> None:
        """Note what the solver prints."""
        if self.log is not None:
            with self.log.open("a", encoding="utf-8") as file:
                file.write(text if text.endswith("\n") else f"{text}\n")

    def file(self, suffix: str) -> Path | None:
        """Where the next text that the solver gets is kept; None where nothing is."""
        if self.keep is None:
            return None
        self.kept += 1
        return self.keep / f"level-{self.kept}{suffix}"

    def got(self, suffix: str, text: Callable[[], str]) -> None:
        """Keep what the solver gets, if that is wanted."""
        file = self.file(suffix)
        if file is not None:
            file.write_text(text(), encoding="utf-8")


@dataclass(frozen=True)
class Query:
    """A question: which plans, best by which objective (None: any will do), within which time.

    `best`: one plan, as good as any; `first`: any one; `all`: every plan in which each placement matters;
    `count`: how many plans there are, idle placements included.
    """

    want: Want = "best"
    objective: Objective | None = None
    limit: int | None = None  # stop after so many plans
    clock: Clock = field(default_factory=Clock)
    # What was switched on: a rewrite of the encoding as it was written. Unused by what has no encoding.
    passes: Callable[[Any], Any] | None = None
    encoding: str | None = None  # by name; without, the first that applies
    presolve: bool = True  # leave out of an encoding what propagation settles, before the solver gets it
    options: Mapping[str, int | str] = field(default_factory=dict)  # of the solver: `ggp.model.options`
    trace: Trace = field(default_factory=lambda: Trace())
    given: Any = None  # an Encoding that is asked about as it is, where the question is no level's


@dataclass(frozen=True)
class Outcome:
    """How a solver's run ended. `raw` is the solver's own word for it; `bound` is proved of the objective:
    no plan costs less (a score is a cost below 0, see `Objective.cost`).

    `whole`: it is known that no loop of a turn that was asked about goes on beyond its bound.
    """

    stop: Stop
    complete: bool = False
    count: int | None = None  # where the solver can tell without listing
    bound: int | None = None
    sizes: dict[str, int] = field(default_factory=dict)
    raw: str = ""
    note: str = ""
    whole: bool = False


@dataclass(frozen=True)
class Facts:
    """What is known of a solver: what follows from its answers, and what it costs to ask it.

    - `proves`: where it finds nothing, or nothing better, there is nothing.
    - `lists`: it can tell all plans, and how many there are; else it refuses to be asked.
    - `engine`: what answers in it, where that is another solver or another way of the same one ("": it is not
      known). Two solvers with one engine cannot vouch for one another.
    - `starts`: the seconds that any answer takes, since a process or several are started.
    - `unrolls`: it writes down all turns at once, so that long runs on large boards take it long.
    - `pace`: it proves nearly all shipped levels within seconds (`quick`), or the small ones (`plain`); a
      `slow` one takes seconds for these, too.
    - `variants`: what it takes after a colon.
    - `breakable`: it is code of ours that starts nothing and leaves nothing behind, so that it may be ended
      wherever it is when its time is up.
    - `listens`: wherever it is, it soon looks at the clock (`Clock.check`, or `hear` while it waits), so that
      it may be ended there by what that raises, and leaves nothing behind.
    """

    proves: bool = True
    lists: bool = True
    engine: str | None = None
    starts: float = 0.0
    unrolls: bool = False
    pace: Literal["quick", "plain", "slow"] = "plain"
    variants: tuple[str, ...] = ()
    breakable: bool = False
    listens: bool = False


def facts_of(module: object) -> Facts:
    """What a solver says is known of it; of one that says nothing, what is so of most."""
    found = getattr(module, "FACTS", None)
    return found if isinstance(found, Facts) else Facts()


class SolverModule(Protocol):
    """What a module in `solvers/` offers. Importing it imports no third-party solver."""

    NAME: str
    FEATURES: frozenset[str]
    FACTS: Facts

    def available(self) -> str | None:
        """None if it can run here, else a sentence that says what to install."""

    def versions(self) -> dict[str, str]:
        """The versions of what it runs."""

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """Yield plans as they are found (for `best`, better and better ones) and return the outcome.

        OutOfTime may be raised anywhere. Nothing that is yielded is believed before it is replayed.
        """


@dataclass(frozen=True)
class Result(Shown):
    """The answer to a query, every plan of it replayed by the referee.

    `objective` is the best plan's value, `bound` what is proved of it, `seconds` wall time from the
    instance in memory to the answer; `values` has each objective's value for each plan.
    """

    level: str
    solver: str
    stop: Stop
    plans: tuple[Plan, ...]
    complete: bool
    count: int | None = None
    objective: int | None = None
    bound: int | None = None
    seconds: float = 0.0
    first: float | None = None  # seconds to the first plan
    encoding: float = 0.0  # seconds of them spent on making encodings
    encoded: str = ""  # the name of the encoding; "" where the solver has none
    presolve: bool | None = None  # was what propagation settles left out of it? None where there is none
    sizes: dict[str, int] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    raw: str = ""  # the solver's own word for how it ended
    note: str = ""
    proof: Proof | None = None  # None where nothing negative is said
    vouched: tuple[str, ...] = ()  # who: the checker, or the other solvers that agree
    instance: Instance | None = field(default=None, compare=False)  # what was asked of; for pictures
    options: Mapping[str, int | str] = field(default_factory=dict)  # that the solver was given
    highest: bool = False  # the objective is to be as high as can be, so that no plan has more than the bound

    def __repr__(self) -> str:
        """The answer in short."""
        return line("Result", self.level, [*self.asked(), f"{self.solver}: {self.stop}", *self.facts()])

    @property
    def side(self) -> str:
        """On which side of the bound all plans are."""
        return "at most" if self.highest else "at least"

    def asked(self) -> list[str]:
        """What was asked beside what the level says: in a few words each."""
        return [] if self.instance is None else self.instance.level.question.words()

    def facts(self) -> list[str]:
        """The value, how many plans, who vouches for it, the time: in a few words each."""
        parts = []
        if self.objective is not None:
            bound = "" if self.bound in (None, self.objective) else f" ({self.side} {self.bound})"
            parts.append(f"objective {self.objective}{bound}")
        elif self.bound is not None:
            parts.append(f"{self.side} {self.bound}")
        if self.count is not None:
            idle = self.count - len(self.plans)
            extra = f" and {idle} more with idle placements" if idle and self.plans else ""
            listed = len(self.plans) or self.count
            parts.append(f"{number_of('plan', listed)}{extra}{', no more' if self.complete else ''}")
        if self.proof is not None:
            by = f" by {', '.join(self.vouched)}" if self.vouched else ""
            parts.append(f"proof {self.proof}{by}")
        return [*parts, f"{self.seconds:.3f} s"]

    @property
    def answered(self) -> bool:
        """Was the question answered? What something contradicts is no answer."""
        return self.stop in ("optimal", "satisfied", "unsolvable") and self.proof != "wrong"

    @property
    def negative(self) -> bool:
        """Does it say something of plans that are not there: none, no better one, no more?"""
        return negative(self.stop, self.complete, self.bound)


def negative(stop: str, complete: bool, bound: int | None) -> bool:
    """Does an answer that ended so say something of plans that are not there?"""
    return complete or bound is not None or stop in ("optimal", "unsolvable", "horizon-exhausted")


def answers_of(result: Result) -> Answers:
    """How many answers there are, by a result for which two were enough."""
    if len(result.plans) > 1:
        return "several"
    if not result.answered or not (result.complete or not result.plans):
        return "unknown"
    return "unique" if result.plans else "none"


def to_json(result: Result, plans: list[dict[str, Any]]) -> dict[str, Any]:
    """The object that `ggp solve --json` prints; `plans` are the plans as JSON data."""
    return {
        "level": result.level,
        "solver": result.solver,
        "stop": result.stop,
        "plans": plans,
        "complete": result.complete,
        "count": result.count,
        "objective": result.objective,
        "bound": result.bound,
        "highest": result.highest,
        "seconds": round(result.seconds, 6),
        "first": None if result.first is None else round(result.first, 6),
        "encoding": round(result.encoding, 6),
        "encoded": result.encoded,
        "presolve": result.presolve,
        "sizes": result.sizes,
        "versions": result.versions,
        "raw": result.raw,
        "note": result.note,
        "proof": result.proof,
        "vouched": list(result.vouched),
        "options": dict(result.options),
        "question": {} if result.instance is None else result.instance.level.question.data(),
    }
