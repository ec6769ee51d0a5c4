"""Solving an instance in a file of a solver's format: every answer is judged apart from who gave it.

Clauses and linear rows become an Encoding, for every solver that takes one, and each answer is put into the
lines of the file. XCSP3 goes as it is to the programs that read it, and as an Encoding to all others; each
answer goes to the checker in Choco's jar. An answer that does not hold ends the run: its result is `wrong`.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from types import ModuleType

import ggp
from ggp import registry
from ggp.encoding.constraints import Encoding
from ggp.engines.csp.run import Talk
from ggp.engines.csp.tools import ACE, CHOCO, CPMPY, Tool, Wanted, by_command, check, checker_available
from ggp.engines.instances import reading, xcsp3
from ggp.engines.instances.encoding import assignment, encoding_of
from ggp.engines.instances.problem import Problem
from ggp.engines.instances.xcsp.encoding import encoding_of as spelt
from ggp.engines.scratch import Scratch
from ggp.errors import NotAvailable, PuzzleError, SolverError, in_line
from ggp.model import Objective, Plan
from ggp.model.options import Options
from ggp.model.result import Clock, Once, Outcome, OutOfTime, Query, Result, Trace, Want

COST = Objective("cost", "placements")  # what a file has made least; its name says no more
READ_XCSP3 = {"ace": ACE, "choco": CHOCO, "cpmpy": CPMPY}
DIRECT = "xcsp:"
REFUSALS = ("INVALID", "Wrong value")  # of the checker; whatever else it stops with is no verdict
FIRST = "ask for one plan: `first` (`--first`)"
Assignment = Mapping[str, int | None]
"""A value for each variable; None where any will do."""


class Refuted(Exception):
    """An answer does not hold; the text says what of the file it breaks."""


@dataclass
class FileRun:
    """One question about one file. Iterate over it for the answers as they come; then `result` is set."""

    path: Path
    solver: str | None = None  # None: the first that reads such a file
    want: Want = "best"
    limit: int | None = None
    time_limit: float | None = None
    trace: Trace = field(default_factory=Trace)
    answers: list[Assignment] = field(default_factory=list)
    value: int | float | None = None  # what the file's objective is for the last answer
    result: Result | None = None

    def __post_init__(self) -> None:
        self.clock = Clock(self.time_limit)
        self.kind = reading.format_of(str(self.path))
        text = reading.text_of(self.path)
        self.source: Source
        self.solver = self.solver or usual_solver(str(self.path))
        if self.kind == reading.XML:
            file = xcsp3.read(text, str(self.path))
            self.source, told = xcsp3_of(file, self.solver, self.trace), (file.asks, file.sign)
        elif self.kind is not None:
            problem = reading.read_text(text, self.kind, str(self.path))
            self.source = Rows(module_of(self.solver), self.trace, problem)
            told = problem.asks, problem.sign
        else:
            raise PuzzleError(f"{self.path} is no instance that is read", "see docs/command-line.md")
        self.first: float | None = None
        self.highest = told[0] and told[1] < 0

    def __iter__(self) -> Iterator[Assignment]:
        outcome, proof, note = Outcome("error"), None, ""
        found = self.source.answers(self.want, self.clock)
        try:
            self.clock.check()  # reading takes its time, too
            while True:
                try:
                    answer, self.value = next(found)
                except StopIteration as end:
                    outcome = end.value
                    break
                self.first = self.first or self.clock.seconds
                self.answers.append(answer)
                yield answer
                if self.limit is not None and len(self.answers) >= self.limit and self.want == "all":
                    outcome = Outcome("satisfied", note=f"stopped after {self.limit} answers")
                    break
        except Refuted as error:
            outcome, proof, note = Outcome("error"), "wrong", f"{self.solver} answers what is wrong: {error}"
        except OutOfTime:
            outcome = Outcome("time-limit", raw="out of time")
        except MemoryError:
            outcome = Outcome("memory-limit", raw="MemoryError")
        finally:
            found.close()
        assert self.solver is not None
        listing = self.want in ("all", "count")
        self.result = Result(
            level=str(self.path),
            solver=self.solver,
            stop=outcome.stop,
            plans=(),
            complete=outcome.complete,
            count=len(self.answers) if listing else None,
            objective=None,
            seconds=self.clock.seconds,
            first=self.first,
            encoding=self.clock.encoding,
            encoded=self.source.encoded,
            sizes=outcome.sizes,
            versions={"ggp": ggp.__version__, "python": platform.python_version(), **self.source.versions()},
            note=note or outcome.note,
            proof="wrong" if proof else None,
            options=self.source.given,
            highest=self.highest,
        )
        if not listing:
            del self.answers[:-1]


class Source:
    """What is asked: something that answers. `given` are its options.

    `encoded` names what it gets instead of the file: "" where it reads the file itself.
    """

    given: Options = {}
    encoded = ""

    def answers(
        self, want: Want, clock: Clock
    ) -> Generator[tuple[Assignment, int | float | None], None, Outcome]:
        """Answers that hold, each with its value, and how it ended. Raises Refuted for one that does not."""
        raise NotImplementedError

    def versions(self) -> dict[str, str]:
        """The versions of what answers."""
        raise NotImplementedError


@dataclass
class Encoded(Source):
    """A solver that works through the Encoding."""

    module: ModuleType
    trace: Trace

    encoded = "file"  # as our reader has it

    def __post_init__(self) -> None:
        self.given = getattr(self.module, "options", {})

    def versions(self) -> dict[str, str]:
        found: dict[str, str] = self.module.versions()
        return found


@dataclass
class Rows(Encoded):
    """A file of clauses or rows as an encoding."""

    problem: Problem

    def answers(
        self, want: Want, clock: Clock
    ) -> Generator[tuple[Assignment, int | float | None], None, Outcome]:
        problem = self.problem
        encoding = written(lambda: encoding_of(problem, clock.check), clock)
        found = asked(self.module, encoding, want, clock, self.trace, problem.asks)
        once, cost = Once(), None
        try:
            while True:
                try:
                    values = assignment(next(found))
                except StopIteration as end:
                    outcome: Outcome = end.value
                    break
                broken = next(problem.broken(values), None)
                if broken is not None:
                    raise Refuted(broken)
                if not once.first(values) and want in ("all", "count"):
                    raise Refuted("an answer that was there before")
                cost = problem.cost(values)
                value = problem.value(cost) if problem.asks else None
                yield dict(zip(problem.names, values, strict=True)), value
        finally:
            found.close()
        if outcome.stop == "optimal" and outcome.bound is not None and outcome.bound != cost:
            raise Refuted(f"a best of {outcome.bound}, and what it answers costs {cost}")
        return outcome


def written(write: Callable[[], Encoding], clock: Clock) -> Encoding:
    """The encoding that is written so; the clock hears how long it took."""
    started = clock.seconds
    encoding = write()
    clock.encoding += clock.seconds - started
    return encoding


def asked(
    module: ModuleType, encoding: Encoding, want: Want, clock: Clock, trace: Trace, asks: bool
) -> Generator[Plan, None, Outcome]:
    """A solver about the encoding of a file that asks for what is best, or for any solution."""
    weighs = asks and want == "best"
    if not weighs:
        encoding.minimise = ()  # all are asked for, or any will do
    query = Query(want, COST if weighs else None, None, clock, given=encoding, trace=trace)
    found: Generator[Plan, None, Outcome] = module.solve(encoding.instance, query)
    return found


@dataclass
class Spelt(Encoded):
    """A file of XCSP3 as an encoding."""

    file: xcsp3.File
    note: str = ""

    def answers(
        self, want: Want, clock: Clock
    ) -> Generator[tuple[Assignment, int | float | None], None, Outcome]:
        outcome = yield from self.asked(want, clock)
        return replace(outcome, note="; ".join(part for part in (outcome.note, self.note) if part))

    def asked(
        self, want: Want, clock: Clock
    ) -> Generator[tuple[Assignment, int | float | None], None, Outcome]:
        """The same, without the note."""
        file = self.file
        refuse_list(file, want)
        encoding = written(lambda: spelt(file, clock.check), clock)
        found = asked(self.module, encoding, want, clock, self.trace, file.asks)
        weighs, once, last = file.asks and want == "best", Once(), None
        try:
            while True:
                try:
                    last = dict(zip(file.declared.domains, assignment(next(found)), strict=True))
                except StopIteration as end:
                    outcome: Outcome = end.value
                    break
                if not weighs:  # of better and better ones only the last is judged: it starts a Java
                    if not once.first(*last.values()) and want in ("all", "count"):
                        raise Refuted("an answer that was there before")
                    yield last, judged(file, last)
        except OutOfTime:
            outcome = Outcome("time-limit", raw="out of time")
        finally:
            found.close()
        if weighs and last is not None:
            value = judged(file, last)
            told = None if outcome.bound is None else file.sign * outcome.bound
            if outcome.stop == "optimal" and told is not None and told != value:
                raise Refuted(f"a best of {told}, and what it answers is worth {value}")
            yield last, value
        return outcome


def refuse_list(file: xcsp3.File, want: Want) -> None:
    """Refuse to list the solutions of a file that asks for the best one."""
    if want in ("all", "count") and file.asks:
        raise PuzzleError("the file asks for what is best, so its solutions are not listed", FIRST)


@dataclass
class Xcsp3(Source):
    """A file of XCSP3, and a program that reads it."""

    file: xcsp3.File
    tool: Tool
    options: Options
    trace: Trace

    def __post_init__(self) -> None:
        self.given = self.options

    def versions(self) -> dict[str, str]:
        return self.tool.versions()

    def answers(
        self, want: Want, clock: Clock
    ) -> Generator[tuple[Assignment, int | float | None], None, Outcome]:
        listing, weighs = want in ("all", "count"), self.file.asks and want == "best"
        if listing and not self.tool.lists:
            message = f"{self.tool.name[:80]} finds one solution of a file, and no further ones"
            raise PuzzleError(message, f"{FIRST}, or take one of {', '.join(READ_XCSP3)}")
        refuse_list(self.file, want)
        wanted: Wanted = "all" if listing else "best" if weighs else "one"
        talk = Talk(self.tool, wanted, clock, self.file.declared, self.options, self.trace)
        try:
            return (yield from self.told(talk, want, weighs))
        except SolverError as error:
            raise SolverError(error.findings[0].message, others()) from error

    def told(
        self, talk: Talk, want: Want, weighs: bool
    ) -> Generator[tuple[Assignment, int | float | None], None, Outcome]:
        """What the program answers, each judged. Raises SolverError for what is no answer."""
        listing, clock = want in ("all", "count"), talk.clock
        found, last, once = False, None, Once()  # Choco tells the last one twice
        for answer in talk.answers(self.file.text):
            found, last = True, answer
            if not weighs:  # of better and better ones only the last is an answer
                for whole in self.spelt_out(answer) if listing else (answer,):
                    clock.check()
                    if once.first(*(whole[name] for name in self.file.declared.domains)):
                        yield dict(whole), judged(self.file, whole)
                if want == "first":
                    return Outcome("satisfied")
        if weighs and last is not None:
            yield dict(last), judged(self.file, last)
        return talk.outcome(found, best=weighs, weighs=self.file.asks)

    def spelt_out(self, answer: Assignment) -> Iterator[Assignment]:
        """Each answer that one stands for, which leaves some variables open."""
        free = [name for name, value in answer.items() if value is None]
        for values in product(*(self.file.declared.domains[name] for name in free)):
            yield {**answer, **dict(zip(free, values, strict=True))}


def judged(file: xcsp3.File, answer: Assignment) -> int | None:
    """The value of an answer by the official checker, if the file has one; raises Refuted."""
    given = {
        name: file.declared.domains[name][0] if value is None else value for name, value in answer.items()
    }
    names, values = " ".join(given), " ".join(map(str, given.values()))
    with Scratch() as folder:
        instance, written = folder / "instance.xml", folder / "answer.xml"
        instance.write_text(file.text, encoding="utf-8")
        text = f"<instantiation> <list> {names} </list> <values> {values} </values> </instantiation>\n"
        written.write_text(text, encoding="utf-8")
        passed, words = check(instance, written)
    if not passed and not any(word in words for word in REFUSALS):
        short = " ".join(words.split())[-200:]
        raise SolverError(
            f"{file.name}: the checker of XCSP3 cannot judge it: {short}",
            "take what it judges, or leave that constraint out",
        )
    if not passed:
        raise Refuted(words[-300:])
    last = words.split()[-1] if file.asks else ""
    return int(last) if last.lstrip("-").isdigit() else None


def others() -> str:
    """What to do where a program does not get along with a file of XCSP3."""
    modules = ((name, registry.load("solver", name)) for name in registry.SOLVERS if name not in READ_XCSP3)
    able = [name for name, one in modules if hasattr(one, "BACKEND") and one.available() is None]
    return f"take one that gets what our own reader makes of the file: {', '.join(able)}"


def reader_of(solver: str) -> tuple[Tool | None, Options]:
    """The program that reads XCSP3 by itself, with its options; None where a solver is no such."""
    if solver.startswith(DIRECT):
        return by_command(solver.removeprefix(DIRECT)), {}
    tool = READ_XCSP3.get(solver.partition(":")[0])
    if tool is None:
        return None, {}
    module = registry.load("solver", solver)
    if module.BACKEND is not registry.load("solver", tool.name).BACKEND:
        return None, {}  # of `cpmpy:exact` and such CPMpy is the way there, not the reader
    return tool, getattr(module, "options", {})


def xcsp3_of(file: xcsp3.File, solver: str, trace: Trace) -> Source:
    """A file and the solver of that name: a program that reads XCSP3, or what works through the Encoding.

    Raises PuzzleError, NotAvailable.
    """
    tool, options = reader_of(solver)
    odd = sorted(tool.misreads & file.traits) if tool is not None else []
    module = module_of(solver) if tool is None or odd else None
    for reason in (None if tool is None else tool.available(), checker_available()):
        if reason is not None:
            raise NotAvailable(f"{solver} cannot run here, or nothing that checks it", reason)
    if tool is not None and module is None:
        return Xcsp3(file, tool, options, trace)
    assert module is not None
    misread = f"{solver} is known to misread {' and '.join(odd)}, so it got what our reader makes of the file"
    return Spelt(module, trace, file, misread if odd else "")


def aim_of(path: Path) -> int | None:
    """1 where a file asks for the least, -1 for the most, None where any solution will do.

    Raises PuzzleError for what is no such file, and DescriptionError with the place of what it cannot say.
    """
    kind, text = reading.format_of(str(path)), reading.text_of(path)
    if kind is None:
        raise PuzzleError(f"{path} is no instance that is read", "see docs/command-line.md")
    file = xcsp3.read(text, str(path)) if kind == reading.XML else reading.read_text(text, kind, str(path))
    return file.sign if file.asks else None


def usual_solver(name: str) -> str:
    """The solver of a file for which none is named."""
    return next(iter(READ_XCSP3 if reading.format_of(name) == reading.XML else registry.SOLVERS))


def module_of(solver: str) -> ModuleType:
    """The solver of that name that works through the Encoding; raises PuzzleError, NotAvailable."""
    module: ModuleType = registry.load("solver", solver)
    reason = module.available()
    if reason is not None:
        raise NotAvailable(f"{solver} cannot run here", reason)
    if not hasattr(module, "BACKEND"):
        able = [name for name in registry.SOLVERS if hasattr(registry.load("solver", name), "BACKEND")]
        raise PuzzleError(f"{solver} takes no constraints", f"those that do are {', '.join(able)}")
    return module


def to_json(run: FileRun) -> dict[str, object]:
    """What `ggp solve FILE --json` prints: the keys of a level's result, with assignments as plans."""
    from ggp.model.result import to_json as record

    assert run.result is not None
    plans = [{"assignment": answer} for answer in run.answers] if run.want != "count" else []
    value = value_of(run)
    bound = value if run.result.stop == "optimal" else None
    return {**record(run.result, plans), "objective": value, "bound": bound, "format": run.kind}


def value_of(run: FileRun) -> int | float | None:
    """What the one answer is worth, where one was asked for."""
    return run.value if run.answers and run.want in ("best", "first") else None


def summary(run: FileRun) -> str:
    """The answer in a line."""
    assert run.result is not None
    parts = [f"{in_line(run.result.level)}, {run.result.solver}: {run.result.stop}"]
    value = value_of(run)
    parts += [f"objective {value}"] if value is not None else []
    facts = replace(run.result, objective=None).facts()
    return ", ".join([*parts, *(one.replace("plan", "answer") for one in facts)])
