"""FlatZinc: who solves such files, and what they print.

Choco reads it, from the wheel of PyCSP3. Gecode, Chuffed and others are reached through MiniZinc, where that
is installed. They print a line for each variable, `----------` below each solution, and `==========` where
there are no more, or no better.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ggp.engines import java, processes
from ggp.engines.csp.answers import REMEDY, Answer, Declared
from ggp.engines.csp.tools import (
    Tool,
    Wanted,
    called,
    choco_flags,
    of_jar,
    present,
    versions_of_jar,
)
from ggp.errors import PuzzleError, SolverError
from ggp.model.options import Options

SUFFIX = ".fzn"
CHOCO_MAIN = "org.chocosolver.parser.flatzinc.ChocoFZN"
AT_HAND = "choco"
MINIZINC = "minizinc"
EXAMPLE = "such as 'flatzinc:fzn-gecode -a {file}'"
INSTALL = "install MiniZinc from www.minizinc.org or your system's packages"
LINE = re.compile(r"([A-Za-z]\w*) = (true|false|[+-]?\d{1,18});")
SOLUTION, COMPLETE = "----------", "=========="
WORDS = {
    "=====UNSATISFIABLE=====": "UNSATISFIABLE",
    "=====UNSATorUNBOUNDED=====": "UNSATISFIABLE",  # nothing in these files is without bounds
    "=====UNKNOWN=====": "UNKNOWN",
}
WHOLE = "COMPLETE EXPLORATION"


@dataclass
class Reader:
    """Takes the lines of one run, as `ggp.engines.csp.answers` has it."""

    solver: str
    declared: Declared
    status: str | None = None
    done: list[str] = field(default_factory=list)
    given: dict[str, int] = field(default_factory=dict)

    def feed(self, line: str) -> Answer | None:
        """Take a line; an answer if one ends here. Raises SolverError."""
        text = line.strip()
        if text == SOLUTION:
            return self.whole()
        if text == COMPLETE:
            self.done.append(WHOLE)
            self.status = "OPTIMUM FOUND"
        elif text in WORDS:
            self.take_status(WORDS[text])
        elif text.startswith("=====ERROR"):
            raise SolverError(f"{self.solver} says ERROR", REMEDY)
        elif (found := LINE.fullmatch(text)) is not None:
            self.take(found[1], found[2])
        return None

    def take_status(self, word: str) -> None:
        """Note how it ended; where it found something it may not deny that."""
        if word == "UNSATISFIABLE" and self.status is not None:
            raise SolverError(f"{self.solver} answers first {self.status}, then {word}", REMEDY)
        self.status = self.status or word

    def take(self, name: str, text: str) -> None:
        """The value of a variable; of those that the file does not declare none is taken."""
        domain = self.declared.domains.get(name)
        if domain is None:
            return
        value = {"true": 1, "false": 0}.get(text)
        value = int(text) if value is None else value
        if value not in domain:
            raise SolverError(f"{self.solver} answers {name} = {text}, which is not in its domain", REMEDY)
        if self.given.setdefault(name, value) != value:
            raise SolverError(f"{self.solver} answers {name} twice in one solution", REMEDY)

    def whole(self) -> Answer:
        """The solution that ends here."""
        missing = [name for name in self.declared.domains if name not in self.given]
        if missing:
            raise SolverError(f"{self.solver} answers no value for {missing[0]}", REMEDY)
        answer, self.given, self.status = self.given, {}, "SATISFIABLE"
        return answer

    def end(self) -> None:
        """The output is over; raises SolverError if it stopped in the middle of a solution."""
        if self.given:
            raise SolverError(f"{self.solver} stopped in the middle of an answer", REMEDY)


def choco_command(file: Path, want: Wanted, seconds: float | None) -> list[str]:
    """Choco, whose limit is a second longer than ours: where it ends by itself, it came to the end."""
    limit = [] if seconds is None else [f"-limit=[{math.ceil(seconds) + 1}s]"]
    every = ["-a"] if want == "all" else []
    return java.command(present(AT_HAND), CHOCO_MAIN, str(file), *limit, *every, both=True)


CHOCO = Tool(
    f"flatzinc:{AT_HAND}",
    of_jar(AT_HAND),
    versions_of_jar(AT_HAND),
    choco_command,
    proves=lambda words: True,
    flags=choco_flags,
    reader=Reader,
    suffix=SUFFIX,
)


# How solvers speak that keep to the standard of MiniZinc.
STANDARD: dict[str, Any] = {"proves": lambda words: WHOLE in words, "reader": Reader, "suffix": SUFFIX}
OPTIONS = {"seed": "-r", "threads": "-p"}


def through_minizinc(solver: str) -> Tool:
    """A solver that MiniZinc knows by that name."""

    def command(file: Path, want: Wanted, seconds: float | None) -> list[str]:
        limit = [] if seconds is None else ["--time-limit", str(max(1, math.ceil(1000 * seconds)))]
        every = [] if want == "one" else ["-a"]
        return [MINIZINC, "--solver", solver, *every, *limit, str(file)]

    def versions() -> dict[str, str]:
        output, _ = processes.run([MINIZINC, "--version"], seconds=10)
        found = re.search(rb"version (\d[\w.]*)", output)
        return {} if found is None else {MINIZINC: found[1].decode()}

    return Tool(f"flatzinc:{solver}", there(MINIZINC), versions, command, flags=flags, **STANDARD)


def by_command(template: str) -> Tool:
    """The tool that a command line stands for; raises PuzzleError where there is no `{file}` in it."""
    available, command = called(template, EXAMPLE)
    return Tool(f"flatzinc:{template}", available, dict, command, lists=False, **STANDARD)


def flags(options: Options) -> list[str]:
    """Options as the standard of MiniZinc has it."""
    return [part for name, value in options.items() for part in (OPTIONS[name], str(value))]


def there(program: str) -> Callable[[], str | None]:
    """The function that tells whether a program is here."""

    def available() -> str | None:
        try:
            processes.absolute(program, processes.environment())
        except PuzzleError:
            return INSTALL
        return None

    return available
