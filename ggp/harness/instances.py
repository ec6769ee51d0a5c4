"""Files of instances by several solvers, each run in a process of its own: `ggp compare FILE...`.

A run is `ggp solve FILE --json`, which has judged its answers by the lines of the file. What is said besides
(none, none better) is held against the other runs, as for levels.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ggp import registry
from ggp.engines.instances import reading
from ggp.engines.processes import Child
from ggp.errors import PuzzleError, SolverError
from ggp.harness.jobs import solver_names
from ggp.harness.records import EMPTY, Record
from ggp.harness.vouching import vouched
from ggp.model.result import Result, facts_of, to_json
from ggp.tasks.instances import aim_of
from ggp.tasks.instances.xcsp import READ_XCSP3

GRACE = 20.0  # seconds for a start, and for what ends late
ASKED = ("stop", "plans", "objective", "seconds", "first", "encoding", "sizes", "versions", "note", "options")


@dataclass(frozen=True)
class Limits:
    """What each run may take: seconds, and megabytes of each process."""

    seconds: float
    megabytes: int


def compare_files(
    files: Sequence[str], solvers: Sequence[str] | None, limits: Limits, say: Callable[[str], None]
) -> list[Record]:
    """A record of each solver's run on each file (without names: all that read it), and who vouches for it.

    `say` hears which run begins. Raises DescriptionError for a file that cannot be read, and UnknownName for
    a solver that is not there, before any run.
    """
    if solvers is not None:
        solvers = solver_names(solvers)
    runs = [
        (file, aim_of(Path(file)), solver)
        for file in dict.fromkeys(files)
        for solver in solvers or readers(file)
    ]
    records = []
    for file, sign, solver in runs:
        say(f"{solver} is at work on {file}")
        records.append(record_of(file, sign, solver, answer_of(file, solver, limits)))
    return vouched(records, dict(engines(records)))


def readers(file: str) -> list[str]:
    """The solvers that can run here and take such a file."""
    modules = {name: registry.load("solver", name) for name in registry.SOLVERS}
    ready = {
        name: one for name, one in modules.items() if hasattr(one, "BACKEND") and one.available() is None
    }
    able = [name for name, one in ready.items() if facts_of(one).engine != ""]  # (those want a command)
    first = READ_XCSP3 if reading.format_of(file) == reading.XML else {}
    return [*first, *(name for name in able if name not in first)]


def answer_of(file: str, solver: str, limits: Limits) -> dict[str, Any]:
    """What `ggp solve` prints, or an error in its place."""
    told = ["--time-limit", str(limits.seconds), "--memory-limit", str(limits.megabytes)]
    command = [sys.executable, "-m", "ggp", "solve", "--solver", solver, "--json", *told, "--", file]
    try:
        with Child(command, seconds=limits.seconds + GRACE) as child:
            found: dict[str, Any] = json.loads("\n".join(child))
    except SolverError as error:  # it prints without end
        return {"stop": "error", "note": str(error)}
    except ValueError:
        late = child.ended is not None and child.ended.timed_out
        return {"stop": "time-limit" if late else "error", "note": "" if late else f"{solver} {child.ended}"}
    return {"stop": "error", "note": found["error"]} if "error" in found else found


def record_of(file: str, sign: int | None, solver: str, found: dict[str, Any]) -> Record:
    """The record of a run; `sign` as of `aim_of`."""
    value, plans, stop = found.get("objective"), found.get("plans", []), found["stop"]
    wrong = found.get("proof") == "wrong"
    done = stop in ("optimal", "unsolvable") or (stop == "satisfied" and sign is None)
    return {
        **to_json(Result(file, solver, stop, (), stop in ("optimal", "unsolvable")), []),
        **EMPTY,
        **{key: found[key] for key in ASKED if key in found},
        "path": "file",
        "want": "first" if sign is None else "best",
        "proof": "wrong" if wrong else None,
        "bound": value if stop == "optimal" else None,
        "best": {} if value is None or sign is None else {"cost" if sign > 0 else "worth": value},
        "highest": sign is not None and sign < 0,
        "solutions": len(plans),
        "encode_seconds": found.get("encoding") or None,
        "first_seconds": found.get("first"),
        "all_seconds": found.get("seconds") if done and not wrong else None,
        "replayed": not wrong if plans or wrong else None,
        "won": 0 if wrong else len(plans),
        "fault": found.get("note", "") if wrong else "",
        "encoded": found.get("encoded", "file"),  # a run that ended before it could say
    }


def engines(records: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """What answers in each solver; empty where it is not known."""
    for name in dict.fromkeys(record["solver"] for record in records):
        try:
            engine = facts_of(registry.load("solver", name)).engine
        except PuzzleError:  # none that there is: its run says so
            engine = ""
        yield name, name.partition(":")[0] if engine is None else engine
