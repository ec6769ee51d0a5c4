"""A file of XCSP3: as it is for the programs that read such files, as an Encoding for all other solvers."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from itertools import product

from ggp import registry
from ggp.engines import processes
from ggp.engines.csp.run import Talk
from ggp.engines.csp.tools import ACE, CHOCO, CPMPY, Tool, Wanted, by_command, check, checker_available
from ggp.engines.instances import xcsp3
from ggp.engines.instances.encoding import assignment
from ggp.engines.instances.xcsp.encoding import encoding_of
from ggp.engines.scratch import Scratch
from ggp.errors import NotAvailable, PuzzleError, SolverError
from ggp.model.options import Options
from ggp.model.result import Clock, Once, Outcome, OutOfTime, Trace, Want
from ggp.tasks.instances.encoded import Assignment, Encoded, Refuted, Source, asked, module_of, written

READ_XCSP3 = {"ace": ACE, "choco": CHOCO, "cpmpy": CPMPY}
DIRECT = "xcsp:"
REFUSALS = ("INVALID", "Wrong value")  # of the checker; whatever else it stops with is no verdict
FIRST = "ask for one plan: `first` (`--first`)"


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
        encoding = written(lambda: encoding_of(file, clock.check), clock)
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
    if not passed and processes.OUT_OF_MEMORY.search(words):
        raise MemoryError("an answer was found, and the checker of XCSP3 had too little memory to judge it")
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
