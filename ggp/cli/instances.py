"""`ggp solve FILE` and `ggp compare FILE...` for instances in files of solvers' formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ggp.cli.console import complain, progress, say, say_json
from ggp.errors import PuzzleError

if TYPE_CHECKING:
    from ggp.model.result import Trace
    from ggp.tasks.instances import FileRun

SHOWN = 20  # answers that are written out; the rest is counted
LONGEST = 400  # characters of one


def is_instance(name: str) -> bool:
    """Is it the name of such a file?"""
    from ggp.engines.instances.reading import format_of

    return format_of(name) is not None


def refuse_given(given: Sequence[str]) -> None:
    """Refuse options that mean something of levels alone."""
    if given:
        raise PuzzleError(f"{', '.join(given)}: of levels, not of instances in files", "leave it out")


def solve_file(
    name: str,
    solver: str,
    want: str | None,
    limit: int | None,
    time_limit: float | None,
    trace: Trace,
    as_json: bool,
) -> int:
    """Solve a file and say what came of it; the exit status."""
    from ggp.tasks.instances import FileRun, summary, to_json

    if want == "unique":
        raise PuzzleError("--unique is a question about levels", "take --all --limit 2")
    run = FileRun(Path(name), solver, want or "best", limit, time_limit, trace)  # type: ignore[arg-type]
    with progress(f"{run.solver} is at work") as update:
        for number, _ in enumerate(run, start=1):
            update(f"{run.solver}: answer {number}")
    assert run.result is not None
    if as_json:
        say_json(to_json(run))
    else:
        say(summary(run))
        show(run)
    if run.result.note:
        complain(run.result.note)
    return 0 if run.result.answered else 1


def compare_files(names: Sequence[str], options: Mapping[str, Any], as_json: bool) -> int:
    """Compare what solvers say of files; exit status 0 where each was answered and no two runs differ."""
    from ggp.harness.instances import Limits, compare_files
    from ggp.harness.naming import solver_list
    from ggp.harness.records import disagreements, unanswered
    from ggp.harness.table import Shown, notes, summary

    others = [name for name in names if not is_instance(name)]
    if others:
        raise PuzzleError(f"{others[0]} is no file of constraints", "compare levels and such files apart")
    limits = Limits(options["time_limit"], options["memory_limit"])
    with progress("solvers are at work") as update:
        records = compare_files(names, solver_list(options["solvers"]), limits, update)
    if as_json:
        say_json(records)
    else:
        for line in (Shown(records), "", *notes(records), *summary(records)):
            say(line)
    return 1 if disagreements(records) or unanswered(records) else 0


def show(run: FileRun) -> None:
    """The answers, a line each: what is not 0."""
    for answer in run.answers[:SHOWN] if run.want != "count" else ():
        text = " ".join(
            f"{name}={'*' if value is None else value}" for name, value in answer.items() if value != 0
        )
        text = text or "all are 0"
        say(text if len(text) <= LONGEST else f"{text[:LONGEST]} ... (--json has all)")
    if len(run.answers) > SHOWN and run.want != "count":
        say(f"... and {len(run.answers) - SHOWN} more (--json has all)")
