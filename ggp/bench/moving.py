"""Puzzles that move: fewest pushes and fewest steps, each solver beside a push search of the literature.

The levels are our own (`cases.toml`), or those of a folder that is given: every file that a game reads, and
lists of level codes with what is known of them (`.jsonl`). Each is solved under the objective that stands in
`cases.toml` for its game. `search` is timed as it is used, from the start of its process to its end; the
others from the instance in memory. A row agrees if its optimum is the baseline's or the known one, and if
it claims nothing above a solution that somebody has published. At the end: how many each solver proved, and
how many turns a second everything makes that plays a level.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ggp
from ggp import registry
from ggp.bench import Record, Say, case, rates
from ggp.bench.baselines import push as baseline_push
from ggp.bench.rates import reason
from ggp.errors import DescriptionError, Place, PuzzleError
from ggp.files.reading import file_bytes
from ggp.model import Instance

NAME = "moving"
LISTS = ".jsonl"
STARTED = "search"  # the solver that is timed with the start of its process
RATE_SECONDS = 1.0


@dataclass(frozen=True)
class Case:
    """A level, the name by which a new process finds it (None: only we have it), and what is known of it."""

    instance: Instance
    name: str
    address: str | None
    optimum: int | None = None
    published: int | None = None


def run(
    repeats: int,
    say: Say,
    folder: Path | None = None,
    time_limit: float | None = None,
    solvers: tuple[str, ...] | None = None,
) -> list[Record]:
    """The rows for each level, a summary for each solver, and the rates; may raise PuzzleError."""
    data = case(NAME)
    if solvers is not None:
        data = data | {"solvers": [name for name in solvers if registry.load("solver", name)]}
    limit = time_limit or float(data["limit"])
    cases = list(from_folder(folder, data) if folder is not None else built_in(data))
    rows: list[Record] = []
    for number, one in enumerate(cases, start=1):
        game = data["games"].get(one.instance.game.name)
        if game is None:
            rows.append(
                Record(NAME, f"{one.name}: left out, the benchmark has no baseline for this game", 0.0, 0)
            )
            continue
        title = f"{number} of {len(cases)}: {one.name}"
        say(f"{title}, baseline")
        baseline, known = measured_baseline(one, game, limit)
        rows.append(baseline)
        for solver in data["solvers"]:
            say(f"{title}, {solver}")
            rows.append(measured(one, solver, game["objective"], limit, repeats, baseline, known))
    rows += summary(rows, ["baseline", *data["solvers"]], limit)
    from ggp import api

    for name in data["rates"]:
        rows += rates.rows(NAME, api.load(name), RATE_SECONDS, say)
    return rows


# --- the levels -----------------------------------------------------------------------------------------


def built_in(data: dict[str, Any]) -> Iterator[Case]:
    """Our own levels."""
    from ggp import api

    for name in data["levels"]:
        instance = api.load(name)
        objective = data["games"][instance.game.name]["objective"]
        yield Case(instance, name, name, dict(instance.level.known.optimum).get(objective))


def from_folder(folder: Path, data: dict[str, Any]) -> Iterator[Case]:
    """The levels of every file in a folder and below it that can be read, or of one file."""
    from ggp.language import levels

    readable = (*levels.extensions(), LISTS)
    inside = [folder] if folder.is_file() else folder.rglob("*")
    files = sorted(path for path in inside if path.suffix in readable and path.is_file())
    if not files:
        remedy = f"files that are read end in {', '.join(readable)}"
        raise PuzzleError(f"there are no files of levels in {folder}", remedy)
    for path in files:
        if path.suffix == LISTS:
            yield from listed(path, data["code-form"])
            continue
        game, kept = levels.read_path(path, None)
        for number, level in enumerate(kept, start=1):
            name = f"{path.name}#{number}"
            yield Case(Instance(game, level), name, f"{path}#{number}")


def listed(path: Path, form: str) -> Iterator[Case]:
    """The levels of a list: a line each with `name`, `code`, and perhaps `optimum` and `published_steps`."""
    from ggp.language import levels

    game, reader, settings = levels.find_form(Path(f"code{form}"), None)
    read = registry.load("level form", reader).read
    for number, line in enumerate(file_bytes(path).decode("utf-8", "replace").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            name, code = str(entry["name"]), str(entry["code"])
        except (ValueError, KeyError, TypeError) as error:
            place = Place(str(path), number)
            raise DescriptionError(f"this is no level: {error}", "write an object a line", place) from None
        (level,) = read(code.encode(), f"{path}:{number}", game, settings)
        published = entry.get("published_steps")
        yield Case(Instance(game, level), name, None, entry.get("optimum"), published)


# --- the rows -------------------------------------------------------------------------------------------


def measured_baseline(one: Case, game: dict[str, Any], limit: float) -> tuple[Record, int | None]:
    """The baseline's row, and the optimum as far as it is known: the baseline's, or the case's."""
    start = time.perf_counter()
    answer = baseline_push.solve(one.instance, baseline_push.Roles.of(game), limit)
    seconds = time.perf_counter() - start
    record = Record(
        NAME,
        f"{one.name}, {game['objective']}: baseline",
        seconds,
        1,
        answer.best,
        answer.proved,
        fits(one, answer.best, answer.proved, one.optimum),
        ratio=1.0 if answer.proved else None,
        limit=limit,
    )
    return record, answer.best if answer.proved and answer.best is not None else one.optimum


def fits(one: Case, value: int | None, proved: bool, known: int | None) -> bool | None:
    """Does an answer agree with what is known? None if nothing can be said."""
    if not proved:
        return None
    if value is None:  # it says that there is no plan
        return None if known is None and one.published is None else False
    if one.published is not None and value > one.published:
        return False
    return None if known is None else value == known


def measured(
    one: Case, solver: str, objective: str, limit: float, repeats: int, baseline: Record, known: int | None
) -> Record:
    """The row of a solver. A refusal, or a solver that is not there, is said in the row."""
    what = f"{one.name}, {objective}: {solver}"
    seconds, made, spent = float("inf"), 0, 0.0
    while made == 0 or (made < repeats and spent < limit / repeats):
        try:
            answer = answered(one, solver, objective, limit)
        except PuzzleError as error:
            return Record(NAME, f"{what}: {reason(error)}", 0.0, 0)
        made, spent, seconds = made + 1, spent + answer["wall"], min(seconds, answer["wall"])
    proved = answer["stop"] in ("optimal", "unsolvable")
    return Record(
        NAME,
        what if answer["stop"] == "optimal" else f"{what}: {answer['stop']}",
        seconds,
        made,
        answer["objective"],
        proved,
        fits(one, answer["objective"], proved, known),
        ratio=baseline.seconds / seconds if proved and baseline.complete else None,
        limit=2.0 if solver == STARTED and objective == "pushes" else limit,
    )


def answered(one: Case, solver: str, objective: str, limit: float) -> dict[str, Any]:
    """The answer to `ggp solve`, and the seconds it took."""
    if solver == STARTED and one.address is not None:
        return in_a_process(one.address, solver, objective, limit)
    from ggp import api

    start = time.perf_counter()
    result = api.solve(one.instance, solver, objective=objective, time_limit=limit)
    return {"stop": result.stop, "objective": result.objective, "wall": time.perf_counter() - start}


def in_a_process(address: str, solver: str, objective: str, limit: float) -> dict[str, Any]:
    """The same from a new Python, as the console script would start it."""
    root = str(Path(ggp.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", "from ggp.cli import main; main()", "solve", address, "--json"]
    command += ["--solver", solver, "--objective", objective, "--time-limit", str(limit)]
    start = time.perf_counter()
    done = subprocess.run(
        command, env=environment, capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    wall = time.perf_counter() - start
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        message = done.stderr.decode(errors="replace").strip().splitlines()
        raise PuzzleError(message[0] if message else "it ended without an answer", "") from None
    return {"stop": answer["stop"], "objective": answer["objective"], "wall": wall}


def summary(rows: list[Record], solvers: list[str], limit: float) -> Iterator[Record]:
    """For each solver and objective: how many levels it settled, in how many seconds in all."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for row in rows:
        task, _, solver = row.what.rpartition(", ")[2].partition(": ")
        groups.setdefault((task, solver.partition(":")[0]), []).append(row)
    for (task, solver), found in groups.items():
        if solver not in solvers:
            continue
        settled = [row for row in found if row.complete]
        disagree = any(row.agrees is False for row in found)
        yield Record(
            NAME,
            f"all {len(found)}, {task}, {solver}: settled",
            sum(row.seconds for row in found),
            1,
            len(settled),
            len(settled) == len(found),
            not disagree,
            limit=limit * len(found),
        )
