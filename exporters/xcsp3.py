"""XCSP3, written by PyCSP3 from the Encoding: arrays in the shape of the board, constraints grouped by rule.

The file asks for a plan that wins. What would be best is a question to a solver, and is written only where
one is asked (`write`). PyCSP3 runs in a process of its own (`pycsp3_worker.py`) and gets the model as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from ggp.encoding import debug
from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.lowering.expressions import Trees
from ggp.engines import processes, xcsp
from ggp.engines.scratch import Scratch
from ggp.engines.texts.exported import FEATURES, Rewrite, compared, faithful, losses, sayable, unfit, wanting
from ggp.engines.xcsp.answers import Declared
from ggp.engines.xcsp.run import Session, Written
from ggp.engines.xcsp.tools import TOOLS, Tool, check, checker_available
from ggp.errors import PuzzleError, SolverError
from ggp.model import Instance, Plan
from ggp.model.export import Check
from ggp.model.names import Names
from ggp.model.result import Clock, Outcome, OutOfTime, Query

__all__ = [
    "FEATURES",
    "NAME",
    "SUFFIX",
    "available",
    "losses",
    "rewritten",
    "text",
    "unfit",
    "verify",
    "write",
]

NAME = "xcsp3"
SUFFIX = ".xml"
# What stands for an operator in an expression; a kind may well be called like one.
RESERVED = """
    abs add and ceil cos dist div eq exp floor ge gt if iff imp in inter le ln log10 lt max min mod mul ne neg
    not notin or pow sdiff set sin sqr sqrt sub subset supset tan union xor
""".split()
VERIFY = 60.0  # seconds for each solver that verifies a file
SPOILT = 4  # variables of a plan that are changed for the checker to notice


def available() -> str | None:
    """None if PyCSP3 is there, else what to install."""
    return None if find_spec("pycsp3") else "install it with `pip install pycsp3`"


def text(instance: Instance, plan: Plan | None = None) -> str:
    """The text of the file; with `plan`, its design is the only one."""
    return write(faithful(instance, plan)).text


def rewritten(instance: Instance, plan: Plan | None, passes: Sequence[Rewrite]) -> str:
    """The text with passes switched on."""
    return write(faithful(instance, plan, passes)).text


def write(
    encoding: Encoding, minimise: bool = False, seconds: float | None = None, *, tables: bool = False
) -> Written:
    """An encoding as a file, with its objective if asked to, and `tables` where expressions would do.

    Raises OutOfTime after so many seconds, SolverError if PyCSP3 fails, and PuzzleError where nothing is to
    be decided: a file must have a variable.
    """
    trees = Trees(encoding, Names(reserved=RESERVED), tables)
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
    worker = Path(xcsp.__file__).with_name("pycsp3_worker.py")
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
    """Let every solver that is here read the text, and hold what it answers against the referee.

    Where there are no inputs they list all plans: each must win, and none that is known may be wanting.
    Where there are, these may be too many, and each finds one.
    """
    encoding = faithful(instance, plan)
    written = replace(write(encoding), text=text)
    known = instance.level.known
    if checker_available() is None:
        yield from judged(encoding, written, (*known.wins, *known.loses))
        yield from spoilt_ones(encoding, written, known.wins)
    every = instance.game.input is None
    lists: dict[str, frozenset[Plan]] = {}
    silent = []
    for tool in TOOLS:
        reason = tool.available()
        if reason is not None:
            silent.append(f"{tool.name} is not here: {reason}")
            continue
        try:
            plans, outcome = listed(tool, encoding, written, every)
        except SolverError as error:  # it cannot read the text, or that says something else than the level
            yield Check(f"{tool.name}: what it answers is in the text", False, str(error))
            continue
        except OutOfTime:
            silent.append(f"{tool.name} came to no end within {VERIFY:.0f} s")
            continue
        if outcome.stop == "time-limit":
            silent.append(f"{tool.name} came to no end within {VERIFY:.0f} s")
        if plans or outcome.complete:
            yield from compared(encoding, tool.name, plans)
        if outcome.complete:
            lists[tool.name] = frozenset(plans)
            yield from wanting(encoding, tool.name, plans, plan)
    names = ", ".join(lists)
    if len(lists) > 1:
        yield Check(f"{names} list the same plans", len(set(lists.values())) == 1)
    ended = bool(lists) or not every
    yield Check("some solver came to the end", ended, "; ".join(silent), open=not ended)


def listed(tool: Tool, encoding: Encoding, written: Written, every: bool) -> tuple[list[Plan], Outcome]:
    """The plans that a solver finds, all or one, and how it ended; raises SolverError.

    Each answer has been put into every constraint of the encoding, whatever the text has of them.
    """
    query = Query("all" if every else "first", clock=Clock(VERIFY))
    session = Session(tool, encoding, query, "all" if every else "one")
    return list(session.plans(written)), session.outcome()


def judged(encoding: Encoding, written: Written, plans: Iterable[Plan]) -> Iterator[Check]:
    """Plans, put into the file: the checker in Choco's jar must agree with the referee."""
    for number, (_, values, won) in enumerate(sayable(encoding, plans), start=1):
        yield accepted(written, values, f"plan {number}", won)


def spoilt_ones(encoding: Encoding, written: Written, plans: Iterable[Plan]) -> Iterator[Check]:
    """The checker must reject a plan that wins when one variable, here and there, has another value."""
    right = (values for _, values, won in sayable(encoding, plans) if won)
    for values in islice(right, 1):
        numbers = list(written.numbers.values())
        for number in numbers[:: max(1, len(numbers) // SPOILT)][:SPOILT]:
            others = (one for one in encoding.variables[number].domain if one != values[number])
            spoilt = {**values, number: next(others, values[number])}
            if debug.broken(encoding, spoilt):
                yield accepted(written, spoilt, f"a plan with variable {number} changed", False)


def accepted(written: Written, values: Values, what: str, right: bool) -> Check:
    """Does the checker accept these values if they are right, and only then?"""
    with Scratch() as folder:
        file, answer = folder / "level.xml", folder / "answer.xml"
        file.write_text(written.text, encoding="utf-8")
        answer.write_text(written.answer(values), encoding="utf-8")
        passed, words = check(file, answer)
    verb = "accepts" if right else "rejects"
    return Check(f"the checker {verb} {what}", passed == right, words if passed != right else "")
