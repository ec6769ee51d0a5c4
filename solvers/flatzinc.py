"""Any program that solves FlatZinc: `flatzinc:choco`, `flatzinc:gecode`, `flatzinc:COMMAND {file}`.

Choco is at hand; `flatzinc:NAME` is what `minizinc --solvers` lists so, where MiniZinc is installed.
In a command `{file}` stands for the file and `{seconds}`, where it is given, for the seconds that are left;
it is asked again for each further plan.
"""

from __future__ import annotations

import re

from ggp.engines.csp import flatzinc as engines
from ggp.engines.csp.program import FACTS, FEATURES, Program, Unnamed
from ggp.errors import PuzzleError
from ggp.exporters import flatzinc
from ggp.model.options import SEED, THREADS, Configured, read

__all__ = ["BACKEND", "FACTS", "FEATURES", "NAME", "available", "solve", "versions", "with_argument"]

NAME = "flatzinc"
BACKEND = flatzinc.BACKEND
OPTIONS = {"seed": SEED, "threads": THREADS}
NONE = Unnamed("say which: --solver flatzinc:choco, flatzinc:gecode or 'flatzinc:COMMAND {file}'")
available, versions, solve = NONE.available, NONE.versions, NONE.solve


def with_argument(text: str) -> Program | Configured:
    """What stands behind `flatzinc:`. Raises PuzzleError for what names no program."""
    if "{file}" in text:
        return Program(engines.by_command(text), flatzinc.write, BACKEND)
    word, options = read(text, OPTIONS, NAME)
    word = word or (engines.AT_HAND if options else "")
    if re.fullmatch(r"[A-Za-z][\w.-]*", word) is None:
        raise PuzzleError(f"{word[:40]!r} names no program that solves FlatZinc", NONE.how)
    tool = engines.CHOCO if word == engines.AT_HAND else engines.through_minizinc(word)
    named = Program(tool, flatzinc.write, BACKEND)
    return Configured(named, options, f"{NAME}:{text}") if options else named
