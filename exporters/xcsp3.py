"""XCSP3, written by PyCSP3 from the Encoding: arrays in the shape of the board, constraints grouped by rule.

The file asks for a plan that wins. What would be best is a question to a solver, and is written only where
one is asked (`write`). PyCSP3 runs in a process of its own (`pycsp3_worker.py`) and gets the model as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.lowering.expressions import Trees
from ggp.encoding.lowering.protocol import unchanged
from ggp.engines import csp, processes
from ggp.engines.csp.answers import Declared
from ggp.engines.csp.run import Written
from ggp.engines.csp.tools import TOOLS, check, checker_available
from ggp.engines.scratch import Scratch
from ggp.engines.texts.exported import FEATURES, faithful, losses, unfit
from ggp.engines.texts.formats import AsIs
from ggp.engines.texts.solved import Solved
from ggp.errors import PuzzleError, SolverError
from ggp.model import Instance, Plan
from ggp.model.export import Check
from ggp.model.names import Names
from ggp.model.result import OutOfTime

__all__ = ["FEATURES", "NAME", "SUFFIX", "available", "losses", "rewritten", "text", "unfit", "verify"]

NAME = "xcsp3"
SUFFIX = ".xml"
# What stands for an operator in an expression; a kind may well be called like one.
RESERVED = """
    abs add and ceil cos dist div eq exp floor ge gt if iff imp in inter le ln log10 lt max min mod mul ne neg
    not notin or pow sdiff set sin sqr sqrt sub subset supset tan union xor
""".split()


def available() -> str | None:
    """None if PyCSP3 is there, else what to install."""
    return None if find_spec("pycsp3") else "install it with `pip install pycsp3`"


def write(
    encoding: Encoding,
    minimise: bool = False,
    seconds: float | None = None,
    *,
    tables: bool = False,
    shifted: bool = False,
) -> Written:
    """An encoding as a file, with its objective if asked to, and `tables` where expressions would do.

    `shifted`: with `x + 3` in an all-different where a variable of its own would stand for that.

    Raises OutOfTime after so many seconds, SolverError if PyCSP3 fails, and PuzzleError where nothing is to
    be decided: a file must have a variable.
    """
    trees = Trees(encoding, Names(reserved=RESERVED), tables, shifted)
    model = trees.model(minimise)
    if not model["arrays"]:
        name = encoding.instance.name
        raise PuzzleError(f"{name} leaves nothing to decide, so there is nothing to write", "just play it")
    domains = {name: encoding.variables[number].domain for number, name in trees.called.items()}
    sizes = {array["name"]: tuple(array["size"]) for array in model["arrays"]}
    numbers = {name: number for number, name in trees.called.items()}
    return Written(compiled(json.dumps(model), seconds), numbers, Declared(domains, sizes))


def compiled(model: str, seconds: float | None) -> str:
    """What PyCSP3 makes of a model."""
    worker = Path(csp.__file__).with_name("pycsp3_worker.py")
    with Scratch() as folder:
        output = folder / "level.xml"
        # -P: the folder of the script is no place to import from. The seed: the same text each time.
        command = [sys.executable, "-P", str(worker), str(output)]
        environment = {"PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"}
        _, ended = processes.run(command, given=model.encode(), cwd=folder, env=environment, seconds=seconds)
        if ended.timed_out:
            raise OutOfTime
        if ended.code != 0 or not output.is_file():
            raise SolverError(
                f"PyCSP3 {ended}", "see that `pip show pycsp3` names a version that is supported"
            )
        return output.read_text(encoding="utf-8")


# --- verification


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Let every solver that is here read the text, and hold what it answers against the referee."""
    encoding = faithful(instance, plan)
    yield from solved(encoding, replace(write(encoding), text=text)).checks(plan)


def solved(encoding: Encoding, written: Written) -> Solved:
    """What holds a file against the encoding that it was written from."""
    judge = accepts if checker_available() is None else None
    return Solved(encoding, unchanged(encoding), written, TOOLS, judge, "the checker")


def accepts(written: Written, values: Values) -> tuple[bool, str]:
    """Does the checker in Choco's jar accept these values? And its words."""
    with Scratch() as folder:
        file, answer = folder / "level.xml", folder / "answer.xml"
        file.write_text(written.text, encoding="utf-8")
        answer.write_text(written.answer(values), encoding="utf-8")
        return check(file, answer)


FORMAT = AsIs(lambda instance, plan, passes: write(faithful(instance, plan, passes)).text)
text, rewritten = FORMAT.text, FORMAT.rewritten
