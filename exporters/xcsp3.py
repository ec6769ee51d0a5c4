"""XCSP3, written by PyCSP3 from the Encoding: arrays in the shape of the board, constraints grouped by rule.

The file asks for a plan that wins. What would be best is a question to a solver, and is written only where a
solver is asked (`write`). PyCSP3 runs in a process of its own (`pycsp3_worker.py`) and gets the model as JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from ggp import children
from ggp.encoding import Clause, Encoding, Why
from ggp.encodings.occupancy import encode
from ggp.engines import xcsp_files, xcsp_tools
from ggp.errors import Finding, SolverError
from ggp.exporting import Check
from ggp.features import SOLVABLE
from ggp.lowering import readable
from ggp.lowering.expressions import model
from ggp.model import Instance, Plan
from ggp.names import Names
from ggp.result import Clock

NAME = "xcsp3"
SUFFIX = ".xml"
# A file has so many variables and no more: without a horizon there is nothing to write.
FEATURES = (SOLVABLE - {"no-horizon"}) | {"goal:on", "goal:count", "goal:different"}
# What stands for an operator in an expression; a kind may well be called like one.
RESERVED = """
    abs add and ceil cos dist div eq exp floor ge gt if iff imp in inter le ln log10 lt max min mod mul ne neg
    not notin or pow sdiff set sin sqr sqrt sub subset supset tan union xor
""".split()
PATIENCE = 300.0  # seconds after which PyCSP3 is given up


def available() -> str | None:
    """None if PyCSP3 is there, else what to install."""
    return None if find_spec("pycsp3") else "install it with `pip install pycsp3`"


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Nothing is lost: the file says when a plan wins, and a file that could not is refused."""
    return ()


def export(instance: Instance, plan: Plan | None = None) -> str:
    """The text of the file; with `plan`, its design is the only one."""
    return write(faithful(instance, plan))


def faithful(instance: Instance, plan: Plan | None = None) -> Encoding:
    """The encoding that is exported: as it was written, in readable names, with nothing worked out."""
    encoding = readable.lower(encode(instance))
    if plan is None:
        return encoding
    placed = [
        Clause((lit,) if lit > 0 else (lit,), Why("placed by the plan"))
        for number, value in encoding.decisions.items()
        if encoding.variables[number].meaning == "design"
        for lit in (encoding.atom(number, value(plan)),)
        if not isinstance(lit, bool)
    ]
    return replace(encoding, constraints=[*encoding.constraints, *placed])
