"""Solving an instance in a file of a solver's format: every answer is judged apart from who gave it.

Clauses and linear rows become an Encoding, for every solver that takes one, and each answer is put into the
lines of the file (`encoded`). XCSP3 goes as it is to the programs that read it, and as an Encoding to all
others; each answer goes to the checker in Choco's jar (`xcsp`). An answer that does not hold ends the run:
its result is `wrong`.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import ggp
from ggp import registry
from ggp.engines.instances import reading, xcsp3
from ggp.errors import PuzzleError, in_line
from ggp.model.result import Clock, Outcome, OutOfTime, Result, Trace, Want
from ggp.tasks.instances.encoded import Assignment, Refuted, Rows, Source, module_of
from ggp.tasks.instances.xcsp import READ_XCSP3, xcsp3_of


@dataclass
class FileRun:
    """One question about one file. Iterate over it for the answers as they come; then `result` is set."""

    path: Path
    solver: str | None = None  # None or "auto": the first that reads such a file
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
        if self.solver in (None, "auto"):
            self.solver = usual_solver(str(self.path))
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
        except MemoryError as error:
            outcome = Outcome("memory-limit", raw="MemoryError", note=str(error))
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
