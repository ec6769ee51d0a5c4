"""The body of `ggp compare`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ggp import registry
from ggp.harness.jobs import Settings
from ggp.harness.runner import RECORDS, Watch, compare, make_folder
from ggp.harness.table import Shown, notes, summary
from ggp.language import levels


def run(
    names: Sequence[str],
    folder: Path | None,
    as_json: bool,
    options: Mapping[str, Any],
    say: Callable[[Any], None],
    say_json: Callable[[Any], None],
) -> int:
    """Compare, print the table or the records, and write the folder; the exit status is returned.

    `options` has `solvers` and `paths` (names joined by commas, or None), `time_limit` in seconds,
    `memory_limit` in megabytes, and `workers`. The exit status is 0 where every level was answered by every
    path, every plan wins, what was learned is exact, and no two runs differ.
    """
    from ggp.harness.output import write_all

    instances = [levels.load(name) for name in names or (registry.FIRST_LEVEL,)]
    if folder is not None:
        make_folder(folder)
    watch = Watch()
    with ExitStack() as stack:
        if sys.stderr.isatty():
            from ggp.harness.live import Live

            watch = stack.enter_context(Live())
        comparison = compare(
            instances,
            solvers=listed(options["solvers"]),
            paths=listed(options["paths"]),
            settings=Settings(options["time_limit"], options["memory_limit"], options["workers"]),
            folder=folder,
            exports=folder is not None,
            watch=watch,
        )
    if as_json:
        say_json(comparison.records)
    else:
        say(Shown(comparison.records))
        say("")
        for line in (*notes(comparison.records), *summary(comparison.records)):
            say(line)
    if folder is not None:
        missing = write_all(comparison, folder)
        if comparison.resumed:
            missing.append(
                f"{comparison.resumed} runs are from an earlier comparison: {folder / RECORDS} has them"
            )
        for line in () if as_json else (*missing, f"Open {folder / 'index.html'}"):
            say(line)
    return 1 if comparison.complaints() else 0


def listed(names: str | None) -> list[str] | None:
    """The names in `A,B`; None where none are given."""
    if names is None:
        return None
    return [name.strip() for name in names.split(",") if name.strip()] or None
