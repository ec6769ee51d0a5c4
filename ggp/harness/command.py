"""The body of `ggp compare`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ggp import registry
from ggp.errors import PuzzleError
from ggp.harness.jobs import Curves, Settings, encoding_name
from ggp.harness.naming import solver_list
from ggp.harness.records import Record
from ggp.harness.runner import RECORDS, Comparison, Watch, compare, make_folder
from ggp.harness.table import Shown, notes, summary
from ggp.language import levels
from ggp.model import Instance

MOST_ROLLOUTS = 10_000


def run(
    names: Sequence[str],
    folder: Path | None,
    as_json: bool,
    options: Mapping[str, Any],
    say: Callable[[Any], None],
    say_json: Callable[[Any], None],
) -> int:
    """Compare, print the table or the records, and write the folder; the exit status is returned.

    `options` has `games`, `solvers` and `paths` (names joined by commas, or None), `time_limit` in seconds,
    `memory_limit` in megabytes, `workers`, `encoding` (a name or None), `presolve`, and for learning
    curves `rollouts`, `seeds` and `learners`. The exit status is 0 where every level was answered by
    every path, every plan wins, what was learned is exact, and no two runs differ; curves have no part in it.
    """
    instances = chosen(names, listed(options.get("games")))
    if folder is not None:
        make_folder(folder)
    watch = Watch()
    with ExitStack() as stack:
        if sys.stderr.isatty():
            from ggp.harness.live import Live

            watch = stack.enter_context(Live())
        comparison = compare(
            instances,
            solvers=solver_list(options["solvers"]),
            paths=listed(options["paths"]),
            settings=settings_of(options),
            folder=folder,
            exports=folder is not None and not options.get("games"),  # of so many levels they take longest
            curves=curves_of(options),
            watch=watch,
        )
    show(comparison, as_json, bool(options.get("games")), say, say_json)
    if folder is not None:
        for line in kept(comparison, folder):
            if not as_json:
                say(line)
    return 1 if comparison.complaints() else 0


def settings_of(options: Mapping[str, Any]) -> Settings:
    """What each run may take, and which encoding solvers get."""
    limits = (options["time_limit"], options["memory_limit"], options["workers"])
    told = {"encoding": encoding_name(options.get("encoding")), "presolve": options.get("presolve", True)}
    return Settings(*limits, **told)


def show(
    comparison: Comparison,
    as_json: bool,
    of_games: bool,
    say: Callable[[Any], None],
    say_json: Callable[[Any], None],
) -> None:
    """Print the tables, or the records."""
    from ggp.harness.curves import summed

    rows = summed(comparison.points) if comparison.points else []
    beside = comparison.sides()
    if as_json:
        more = ({"curves": rows} if rows else {}) | ({"sides": beside} if of_games else {})
        say_json({"records": comparison.records, **more} if more else comparison.records)
        return
    for text in told(comparison, beside, rows):
        say(text)


def kept(comparison: Comparison, folder: Path) -> list[str]:
    """Write the folder; what is to be said of it."""
    from ggp.harness.output import write_all

    lines = write_all(comparison, folder)
    if comparison.resumed:
        lines.append(f"{comparison.resumed} runs are from an earlier comparison: {folder / RECORDS} has them")
    return [*lines, f"Open {folder / 'index.html'}"]


def told(comparison: Comparison, beside: Sequence[Record], rows: Sequence[Record]) -> Iterator[Any]:
    """What people see of a comparison: its tables, and the lines below each."""
    from ggp.harness.plots import table_text
    from ggp.harness.sides import table_text as sides_text

    yield Shown(comparison.records)
    yield ""
    yield from (*notes(comparison.records), *summary(comparison.records))
    if beside:
        yield from ("", sides_text(beside))
    if rows:
        yield from ("", table_text(rows))
        yield from dict.fromkeys(one["note"] for one in comparison.points if one["stop"] != "done")


def chosen(names: Sequence[str], games: Sequence[str] | None) -> list[Instance]:
    """The levels of these names, and all levels of these games; without any the first level there is."""
    if not names and not games:
        return [levels.load(registry.FIRST_LEVEL)]
    found = [levels.load(name) for name in names]
    for name in games or ():
        game, kept = levels.load_game(name)
        found += [Instance(game, level) for level in kept]
    return list(dict.fromkeys(found))


def curves_of(options: Mapping[str, Any]) -> Curves | None:
    """Which learning curves are asked for; None without any. Raises PuzzleError for what is no number."""
    numbers = listed(options.get("rollouts"))
    if numbers is None:
        if options.get("learners") is not None or (options.get("seeds") or 1) > 1:
            raise PuzzleError("no learning curves are asked for", "say how much is seen: --rollouts 1,2,5,10")
        return None
    from ggp.harness.curves import learner_names

    if not all(one.isdecimal() and 0 < int(one) <= MOST_ROLLOUTS for one in numbers):
        message = f"{options['rollouts'][:80]!r} are no numbers of roll-outs"
        raise PuzzleError(message, f"write 1 to {MOST_ROLLOUTS:,}, with commas: --rollouts 1,2,5,10")
    solver = (solver_list(options["solvers"]) or ["search"])[0]
    learners = learner_names(listed(options.get("learners")))
    return Curves(tuple(sorted({int(one) for one in numbers})), learners, options["seeds"], solver)


def listed(names: str | None) -> list[str] | None:
    """The names in `A,B`; None without a text. Raises PuzzleError for a text without a name."""
    if names is None:
        return None
    found = [name.strip() for name in names.split(",") if name.strip()]
    if not found:
        raise PuzzleError(f"{names!r} names none", "name some, with commas, or leave the option out")
    return found
