"""Runs a program on a file of constraints and judges what it answers; for all solvers of XCSP3 and FlatZinc.

Every answer is read against what the file declares, put into every constraint of the encoding, and only then
decoded. A status that does not fit what was answered before is an error, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from itertools import product

from ggp.encoding.choices import answer
from ggp.encoding.constraints import Clause, Encoding, Iff, Values
from ggp.encoding.judging import defined, holds
from ggp.encoding.literals import Why
from ggp.encoding.lowering.protocol import EVERY, FEW_STEPS
from ggp.encoding.lowering.route import Backend
from ggp.encoding.lowering.shifts import Shift, shifts
from ggp.encoding.unroll import Attempt, conclude
from ggp.engines.csp.answers import REMEDY, Answer, Declared
from ggp.engines.csp.tools import Tool, Wanted
from ggp.engines.processes import Child, Ended
from ggp.engines.scratch import Scratch
from ggp.errors import SolverError
from ggp.model import Instance, Plan
from ggp.model.options import Options
from ggp.model.result import Clock, Outcome, Query, Stop, Trace

FILE = "level"
# XCSP3 has words for all of it. But of tasks ACE has no answer where one may start below 0, or a start stands
# twice, and CPMpy names variables that no file has: files with tasks these read by themselves.
CORE = Backend("constraint", EVERY - {"cumulative"}, ("positions", "inverted", "conserved"), native=FEW_STEPS)
# ACE 2.6 falls over the others, under its own name and behind any command.
EVEN = replace(CORE, takes=CORE.takes - {"uneven-all-different", "uneven-regular"})
COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # which ACE prints unless it is told not to
FINE = (0, 10, 20, 30, 40)  # what solvers end with that had their say


@dataclass(frozen=True, slots=True)
class Written:
    """A file, and the way back: the number of each variable that it has, by its name in the file."""

    text: str
    numbers: dict[str, int]
    declared: Declared

    def answer(self, values: Values) -> str:
        """These values as an `<instantiation>` of the file."""
        names = " ".join(self.numbers)
        each = " ".join(str(values[number]) for number in self.numbers.values())
        return f"<instantiation> <list> {names} </list> <values> {each} </values> </instantiation>\n"


Write = Callable[[Encoding, bool, float | None], Written]
"""Writes an encoding, with its objective if asked to, within so many seconds, else OutOfTime is raised."""


def solve(
    tool: Tool, instance: Instance, query: Query, write: Write, backend: Backend = CORE
) -> Generator[Plan, None, Outcome]:
    """Solve through the Encoding, deepening the horizon where the level has none."""

    def ask(attempt: Attempt, query: Query) -> Generator[Plan, None, Outcome]:
        outcome = yield from solve_one(tool, attempt, query, write)
        return conclude(attempt, query, outcome)

    return (yield from answer(instance, query, ask, backend))


def solve_one(tool: Tool, attempt: Attempt, query: Query, write: Write) -> Generator[Plan, None, Outcome]:
    """Answer the question about one encoding; an outcome that knows nothing of other horizons."""
    encoding = attempt.encoding
    best = query.want == "best" and query.objective is not None
    if any(isinstance(one, Clause) and not one.lits for one in encoding.constraints):
        return Outcome("unsolvable", True, sizes=encoding.sizes, raw="contradictory before solving")
    listing = query.want in ("all", "count")
    if not encoding.decisions:
        yield encoding.decode({})
        stop: Stop = "optimal" if best else "satisfied"
        return Outcome(stop, best or listing, None, encoding.offset if best else None)
    if listing and not tool.lists:
        return (yield from one_by_one(tool, encoding, query, write))
    wanted: Wanted = "all" if listing else "best" if best and encoding.minimise else "one"
    session = Session(tool, encoding, query, wanted)
    yield from session.plans(timed(write, encoding, query, wanted == "best"))
    return session.outcome(best)


def timed(write: Write, encoding: Encoding, query: Query, minimise: bool = False) -> Written:
    """Write an encoding on the clock."""
    started = query.clock.seconds
    written = write(encoding, minimise, query.clock.left)
    query.clock.encoding += query.clock.seconds - started
    query.clock.check()
    return written


def one_by_one(tool: Tool, encoding: Encoding, query: Query, write: Write) -> Generator[Plan, None, Outcome]:
    """Every plan from a program that finds one: each time, what it found before is forbidden."""
    found, current = 0, encoding
    while True:
        session = Session(tool, current, query, "one")
        for plan in session.plans(timed(write, current, query)):
            found += 1
            yield plan
        outcome = session.outcome()
        if outcome.stop == "unsolvable":
            return replace(outcome, stop="satisfied" if found else "unsolvable", sizes=encoding.sizes)
        if outcome.stop != "satisfied":
            return outcome
        other = Clause(
            tuple(-current.number(variable, value) for variable, value in session.decided.items()),
            Why(f"not answer {found} again"),
        )
        if not other.lits:
            return replace(outcome, complete=True, sizes=encoding.sizes)
        current = replace(current, constraints=[*current.constraints, other])


@dataclass
class Talk:
    """One run of a program on a text: what it answers, and what the end of it means."""

    tool: Tool
    wanted: Wanted
    clock: Clock
    declared: Declared
    options: Options = field(default_factory=dict)
    trace: Trace = field(default_factory=Trace)
    ended: Ended | None = None
    starved: bool = False  # Java says before it begins that it gets no memory, and not among the errors
    complaint: str = ""  # what it says is wrong, such as an option that it does not know

    def __post_init__(self) -> None:
        self.reader = self.tool.reader(self.tool.name, self.declared)

    def answers(self, text: str) -> Iterator[Answer]:
        """What it answers, as it prints it."""
        prepared = self.tool.prepare()
        if self.clock.limit is not None:
            self.clock.limit += prepared
        with Scratch() as folder:
            file = folder / f"{FILE}{self.tool.suffix}"
            file.write_text(text, encoding="utf-8")
            self.trace.got(self.tool.suffix, lambda: text)
            left = self.clock.left
            command = [*self.tool.command(file, self.wanted, left), *self.tool.flags(self.options)]
            with Child(command, seconds=left, cwd=folder, env=self.tool.env) as child:
                for coloured in child:
                    self.trace.say(coloured)
                    line = COLOUR.sub("", coloured)
                    self.starved |= "OutOfMemoryError" in line
                    if "ERROR" in line:
                        self.complaint = f": {line.strip(' !')[:200]}"
                    answer = self.reader.feed(line)
                    if answer is not None:
                        child.useful()
                        yield answer
            self.ended = child.ended
        if self.ended is not None and self.ended.code is not None and not self.ended.timed_out:
            self.reader.end()

    def outcome(self, found: bool, *, best: bool = False, weighs: bool = True) -> Outcome:
        """What the end of the run means (`best`: the best was asked for); an error where it means nothing.

        `weighs`: the file has an objective. What the best costs is left open.
        """
        assert self.ended is not None
        status = self.reader.status
        raw = status or str(self.ended)
        if self.ended.timed_out:
            return Outcome("time-limit", False, raw=raw)
        if self.ended.starved or (self.starved and status is None):
            return Outcome("memory-limit", False, raw=raw)
        if self.ended.code not in FINE:
            raise SolverError(f"{self.tool.name} {self.ended}", REMEDY)
        if status is None:
            raise SolverError(f"{self.tool.name} {self.ended} without a status{self.complaint}", REMEDY)
        if status == "UNSUPPORTED":
            raise SolverError(f"{self.tool.name} does not support something in the file", REMEDY)
        if (status in ("SATISFIABLE", "OPTIMUM FOUND")) != found and status != "UNKNOWN":
            answered = "answered a solution" if found else "answered no solution"
            raise SolverError(f"{self.tool.name} says {status}, but {answered}", REMEDY)
        left = self.clock.left
        late = left is not None and left < 1.0
        cut_off: Stop = "time-limit" if late else "satisfied" if found else "error"
        note = "" if late else f"it ended early, and says {status}"
        unproved = Outcome(cut_off, False, raw=status, note=note)
        if status == "UNSATISFIABLE":
            return Outcome("unsolvable", True, raw=status)
        if status == "UNKNOWN":
            return unproved
        if best:
            proved = status == "OPTIMUM FOUND" or not weighs
            return Outcome("optimal", True, raw=status) if proved else unproved
        if self.wanted != "all":
            return Outcome("satisfied", False, raw=status)
        whole = self.tool.proves(self.reader.done)
        return Outcome("satisfied", True, raw=status) if whole else unproved


@dataclass
class Session:
    """One run of a program on the file of an encoding."""

    tool: Tool
    encoding: Encoding
    query: Query
    wanted: Wanted
    decided: dict[int, int] = field(default_factory=dict)  # the last answer's decisions, apart from open ones
    found: int = 0
    best: int | None = None
    unsaid: dict[int, Shift] = field(default_factory=dict)  # what the file has no variable for

    def __post_init__(self) -> None:
        self.talk = self.speaking(Declared({}, {}))

    def speaking(self, declared: Declared) -> Talk:
        """A run of the program."""
        query = self.query
        return Talk(self.tool, self.wanted, query.clock, declared, query.options, query.trace)

    def plans(self, written: Written) -> Iterator[Plan]:
        """The plans that it answers, each once, as it prints them."""
        self.talk = self.speaking(written.declared)
        said = set(written.numbers.values())
        self.unsaid = {v: shift for v, shift in shifts(self.encoding).items() if v not in said}
        seen: set[Plan] = set()
        for given in self.talk.answers(written.text):
            for values in self.judged(given, written.numbers):
                plan = self.encoding.decode(values)
                if plan not in seen:
                    seen.add(plan)
                    self.found += 1
                    yield plan

    def judged(self, answer: Answer, numbers: dict[str, int]) -> Iterator[Values]:
        """The values of an answer that keeps every constraint; all of them where it left some open."""
        given = {numbers[name]: value for name, value in answer.items() if name in numbers}
        decisions = [v for v in self.encoding.decisions if v in given and given[v] is None]
        domains = [self.encoding.variables[v].domain for v in decisions]
        fixed = {v: value for v, value in given.items() if value is not None} | self.encoding.settled
        # What is open and no decision can have any value, for no constraint that is left speaks of it.
        rest = {
            v: self.encoding.variables[v].domain[0] for v in given if v not in fixed and v not in decisions
        }
        self.decided = {
            v: value
            for v, value in given.items()
            if value is not None and v in self.encoding.decisions and v not in self.encoding.fixed
        }
        for chosen in product(*domains):  # with many left open these are more than can ever be gone through
            self.query.clock.check()
            values = {**rest, **fixed, **dict(zip(decisions, chosen, strict=True))}
            values |= {v: values[one] + added for v, (one, added) in self.unsaid.items()}
            for constraint in self.encoding.constraints:
                if isinstance(constraint, Iff):  # a part that the file writes out where it is used
                    variable = self.encoding.atoms[abs(constraint.lit)][0]
                    if variable not in values:
                        values[variable] = defined(self.encoding, constraint, values)[1]
                if not holds(self.encoding, constraint, values):
                    raise SolverError(
                        f"{self.tool.name} answers what breaks a constraint: {constraint.why}", REMEDY
                    )
            self.note_cost(values)
            yield values
            if self.query.want == "first":
                return

    def note_cost(self, values: Values) -> None:
        """Keep the least cost seen."""
        cost = self.encoding.offset + sum(
            weight
            for weight, lit in self.encoding.minimise
            if (values[self.encoding.atoms[abs(lit)][0]] == self.encoding.atoms[abs(lit)][1]) == (lit > 0)
        )
        self.best = cost if self.best is None else min(self.best, cost)

    def outcome(self, best: bool = False) -> Outcome:
        """What the end of the run means (`best`: the best was asked for); an error where it means nothing."""
        outcome = self.talk.outcome(self.found > 0, best=best, weighs=bool(self.encoding.minimise))
        bound = self.best if outcome.stop == "optimal" else None
        return replace(outcome, bound=bound, sizes=self.encoding.sizes)
