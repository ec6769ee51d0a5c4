"""The table of the Ludii paper (2019): each puzzle of it in its sizes, the literal translation beside ours.

The baseline of a puzzle is the literal file solved by ACE (`ggp.bench.baselines.ludii`): the seconds of that
process, as the paper gives them. Ours is timed from the instance in memory to the first replayed plan, which
takes in the translation; how long the translation alone takes, and what it makes, stands in its own row.

Last, what hints and passes are worth: a level as it is is the baseline, then it is solved with one switched
on. Whether a hint helps depends on the solver, which is why they are measured and none is on by itself. Some
of these levels have no answer, for that is where leaving out what is alike, or saying a sum, counts most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from ggp.bench import Record, Say, best_of, case
from ggp.bench.baselines import ludii as baseline_ludii
from ggp.encoding.constraints import Encoding
from ggp.encoding.occupancy import encode
from ggp.errors import NotAvailable, PuzzleError, UnsupportedFeature
from ggp.model import Instance
from ggp.model.hints import FIRSTS, Hints
from ggp.registry import PASSES

NAME = "ludii"
TRANSLATION_LIMIT = 0.05  # seconds, PyCSP3's process apart


def run(
    repeats: int,
    say: Say,
    folder: Path | None = None,
    time_limit: float | None = None,
    solvers: tuple[str, ...] | None = None,
) -> list[Record]:
    """A row for the translation, the baseline and each solver, for each level of the table.

    Raises PuzzleError for a `folder`: what the table has is what is measured.
    """
    from ggp import api

    if folder is not None:
        raise PuzzleError(f"{NAME} measures the levels of a published table", "leave out --levels")
    data = case(NAME)
    if time_limit is not None:
        data |= {"limit": time_limit, "baseline-limit": time_limit}
    if solvers is not None:
        # Not every solver looks at hints and passes; those that do are told by the case.
        data |= {
            "solvers": solvers,
            "worth-solvers": [one for one in data["worth-solvers"] if one in solvers],
        }
    rows: list[Record] = []
    for number, name in enumerate(data["levels"], start=1):
        instance = api.load(name)
        title = f"{number} of {len(data['levels'])}: {name}"
        say(f"{title}, translation")
        rows.append(translation(repeats, instance))
        say(f"{title}, literal")
        baseline = literal(instance, data["baseline-limit"])
        rows.append(baseline)
        for solver in data["solvers"]:
            say(f"{title}, {solver}")
            rows += ours(repeats, instance, solver, data["limit"], baseline)
    measured = [api.load(name) for name in data["worth"]]
    measured += [with_numbers(api.load(one["level"]), one["numbers"]) for one in data["proofs"]]
    for instance in measured:
        for solver in data["worth-solvers"]:
            say(f"what hints and passes are worth: {instance.name}, {solver}")
            rows += worth(repeats, instance, solver, data["limit"])
    return rows


def with_numbers(instance: Instance, numbers: Mapping[str, int]) -> Instance:
    """The level with other numbers, which its name then says."""
    words = ", ".join(f"{name} {number}" for name, number in numbers.items())
    level = instance.level
    changed = tuple((dict(level.numbers) | dict(numbers)).items())
    return replace(instance, level=replace(level, name=f"{level.name}, {words}", numbers=changed))


def translation(repeats: int, instance: Instance) -> Record:
    """How long it takes to write the encoding, and how large it is."""
    seconds, made, encoding = best_of(repeats, partial(encode, instance))
    sizes = sizes_of(encoding)
    words = ", ".join(f"{number:,} {what}" for what, number in sizes.items())
    what = f"{instance.name}: translation ({words})"
    return Record(NAME, what, seconds, made, limit=TRANSLATION_LIMIT)


def sizes_of(encoding: Encoding) -> dict[str, int]:
    """Variables, the size of the largest domain, and constraints, as the paper counts."""
    largest = max((len(variable.domain) for variable in encoding.variables), default=0)
    sizes = encoding.sizes
    return {
        "variables": sizes["variables"],
        "values": largest,
        "constraints": sizes["constraints"],
    }


def literal(instance: Instance, limit: float) -> Record:
    """The baseline's row. One run: most of it is the start of a Java, and the long ones are very long."""
    found = baseline_ludii.solve(instance, limit)
    what = f"{instance.name}: literal, ace"
    if found.stop == "time-limit":
        what += " (time limit)"
    return Record(NAME, what, found.seconds, 1, solutions=int(bool(found.wins)), agrees=found.wins, ratio=1.0)


def worth(repeats: int, instance: Instance, solver: str, limit: float) -> Iterator[Record]:
    """The row of a level without hints and passes, and one for each of those switched on by itself."""
    plain = replace(instance, game=replace(instance.game, hints=None))
    baseline: Record | None = None
    for row in ours(repeats, plain, solver, limit, None):
        baseline = row
        yield replace(row, what=f"{row.what}, plain", ratio=1.0 if row.solutions or row.complete else None)
    design = instance.game.design
    if baseline is None or not baseline.repeats or design is None:
        return
    for values in FIRSTS:
        hinted = replace(plain, game=replace(plain.game, hints=Hints(design.kinds, values=values)))
        for row in ours(repeats, hinted, solver, limit, baseline):
            yield replace(row, what=f"{row.what}, hint: {values} first")
    for name in PASSES:
        for row in ours(repeats, plain, solver, limit, baseline, (name,)):
            yield replace(row, what=f"{row.what}, {name}")


def ours(
    repeats: int,
    instance: Instance,
    solver: str,
    limit: float,
    baseline: Record | None,
    passes: tuple[str, ...] = (),
) -> Iterator[Record]:
    """The row of one of our solvers; where it found nothing the row says so, and has no ratio."""
    from ggp import api

    try:
        ask = partial(api.solve, instance, solver, want="first", time_limit=limit, passes=passes)
        seconds, made, result = best_of(repeats, ask)
    except UnsupportedFeature:  # its refusal is no measurement
        return
    except NotAvailable as error:
        yield Record(NAME, f"{instance.name}: {solver} ({error.findings[0].message})", 0.0, 0)
        return
    solved, proved = bool(result.plans), result.stop == "unsolvable"
    what = f"{instance.name}: {solver}" if solved else f"{instance.name}: {solver} ({result.stop})"
    ratio = baseline.seconds / seconds if (solved or proved) and baseline is not None else None
    # A plan in the result has been replayed: it solves the puzzle.
    count = len(result.plans)
    yield Record(
        NAME, what, seconds, made, count, complete=proved or None, agrees=solved or None, ratio=ratio
    )
