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
from ggp.engines.xcsp_answers import Declared
from ggp.engines.xcsp_run import Written
from ggp.errors import Finding, SolverError
from ggp.exporting import Check
from ggp.features import SOLVABLE
from ggp.lowering import readable
from ggp.lowering.expressions import Trees
from ggp.model import Instance, Plan
from ggp.names import Names

NAME = "xcsp3"
SUFFIX = ".xml"
# A file has so many variables and no more: without a horizon there is nothing to write.
FEATURES = (SOLVABLE - {"no-horizon"}) | {"goal:on", "goal:count", "goal:different"}
# What stands for an operator in an expression; a kind may well be called like one.
RESERVED = """
    abs add and ceil cos dist div eq exp floor ge gt if iff imp in inter le ln log10 lt max min mod mul ne neg
    not notin or pow sdiff set sin sqr sqrt sub subset supset tan union xor
""".split()
PATIENCE = 600.0  # seconds after which PyCSP3 is given up
VERIFY = 60.0  # seconds for each solver that verifies a file


def available() -> str | None:
    """None if PyCSP3 is there, else what to install."""
    return None if find_spec("pycsp3") else "install it with `pip install pycsp3`"


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Nothing is lost: the file says exactly which plans win within the horizon."""
    return ()


def export(instance: Instance, plan: Plan | None = None) -> str:
    """The text of the file; with `plan`, its design is the only one."""
    return write(faithful(instance, plan)).text


def faithful(instance: Instance, plan: Plan | None = None) -> Encoding:
    """The encoding that is exported: as it was written, in readable names, with nothing worked out."""
    encoding = readable.lower(encode(instance))
    if plan is None:
        return encoding
    placed = []
    for number, value in encoding.decisions.items():
        if encoding.variables[number].meaning == "design":
            lit = encoding.atom(number, value(plan))
            placed.append(Clause(() if isinstance(lit, bool) else (lit,), Why("what the plan places")))
    return replace(encoding, constraints=[*encoding.constraints, *placed])


def write(encoding: Encoding, minimise: bool = False) -> Written:
    """An encoding as a file, with its objective if asked to. Raises SolverError if PyCSP3 fails."""
    trees = Trees(encoding, Names(reserved=RESERVED))
    model = trees.model(minimise)
    domains = {
        name: encoding.variables[number].domain for number, name in trees.called.items()
    }
    sizes = {array["name"]: tuple(array["size"]) for array in model["arrays"]}
    numbers = {name: number for number, name in trees.called.items()}
    return Written(compiled(json.dumps(model)), numbers, Declared(domains, sizes))


def compiled(model: str) -> str:
    """What PyCSP3 makes of a model."""
    worker = Path(__file__).with_name("pycsp3_worker.py")
    with tempfile.TemporaryDirectory(prefix="ggp-") as folder:
        output = Path(folder, "level.xml")
        # -P: the folder of the script is no place to import from. The seed: the same text each time.
        command = [sys.executable, "-P", str(worker), str(output)]
        environment = {"PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"}
        _, ended = children.run(
            command, given=model.encode(), cwd=Path(folder), env=environment, seconds=PATIENCE
        )
        if ended.code != 0 or not output.is_file():
            raise SolverError(
                f"PyCSP3 {ended}", "see that `pip show pycsp3` names a version that is supported"
            )
        return output.read_text(encoding="utf-8")
