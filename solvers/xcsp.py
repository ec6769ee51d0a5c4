"""Any program that solves XCSP3 files, by its command line: `--solver 'xcsp:COMMAND {file}'`.

`{file}` stands for the file and `{seconds}`, where it is given, for the seconds that are left. The program
answers as in the competitions, with `s` and `v` lines, and is asked again for each further plan.
"""

from __future__ import annotations

from ggp.encoding.constraints import Encoding
from ggp.encoding.lowering.route import routed
from ggp.engines.csp.program import FACTS, FEATURES, Program, Unnamed
from ggp.engines.csp.run import EVEN, Written
from ggp.engines.csp.tools import by_command
from ggp.exporters import xcsp3

__all__ = ["BACKEND", "FACTS", "FEATURES", "NAME", "available", "solve", "versions", "with_argument"]

NAME = "xcsp"
BACKEND = EVEN
NONE = Unnamed("give it a command: --solver 'xcsp:COMMAND {file}'")
available, versions, solve = NONE.available, NONE.versions, NONE.solve


def with_argument(command: str) -> Program:
    """What `xcsp:COMMAND` names. Raises PuzzleError for a command that cannot be one."""
    return Program(by_command(command), write)


def write(encoding: Encoding, minimise: bool = False, seconds: float | None = None) -> Written:
    """The file of the encoding without what not every program takes; see `ggp.exporters.xcsp3.write`."""
    return xcsp3.write(routed(encoding, BACKEND).encoding, minimise, seconds)
