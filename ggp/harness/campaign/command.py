"""The bodies of `ggp campaign` and `ggp results`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ggp.errors import PuzzleError
from ggp.files.writing import write_whole
from ggp.harness.campaign.file import Campaign, read_campaign, typed_campaign
from ggp.harness.campaign.plan import Part
from ggp.harness.campaign.results import Results
from ggp.harness.campaign.run import Carried, Watch, carry_out
from ggp.harness.campaign.store import Store
from ggp.harness.naming import solver_list
from ggp.harness.pool import Pool, Workers
from ggp.harness.records import Record, finished
from ggp.registry import unknown

if TYPE_CHECKING:
    from ggp.harness.campaign.measures import Pair

WORDS = {  # options of the command line, and the keys of the file
    "level": "levels",
    "solvers": "solvers",
    "paths": "paths",
    "questions": "questions",
    "encodings": "encodings",
    "seeds": "seeds",
    "repeats": "repeats",
    "order": "order",
    "time_limit": "limits.wall",
    "cpu_limit": "limits.cpu",
    "memory_limit": "limits.memory",
}
LISTS = ("paths", "questions", "encodings", "seeds")


class Telling(Watch):
    """Says how far it is, on one line."""

    def __init__(self, update: Callable[[str], None]) -> None:
        self.update = update
        self.total = self.done = self.answered = 0

    def planned(self, total: int, done: int) -> None:
        self.total, self.done = total, done
        self.say("")

    def learning(self, game: str) -> None:
        self.update(f"learning {game}")

    def ended(self, record: Record) -> None:
        self.done += 1
        self.answered += finished(record)
        self.say(f"; {record['level']}, {record['label']}: {record['stop']}")

    def say(self, more: str) -> None:
        """The line."""
        self.update(f"{self.done:,} of {self.total:,} runs{more}")


def run(
    file: Path | None,
    store: Path,
    options: Mapping[str, Any],
    update: Callable[[str], None],
) -> Carried:
    """Carry out the campaign of a file, or of the options, into a store.

    `options` has what `WORDS` names, `workers`, `part` (`K/N`) and `scheduler` (the address of a scheduler of
    Dask, or None). Raises PuzzleError before anything is run where a name or a number is wrong.
    """
    campaign, part = chosen(file, options), part_of(options.get("part"))
    with Store(store, write=True) as kept, workers_of(campaign, options) as workers:
        return carry_out(campaign, kept, workers, watch=Telling(update), part=part)


def chosen(file: Path | None, options: Mapping[str, Any]) -> Campaign:
    """The campaign of a file, or that of the command line; both at once are refused."""
    given: dict[str, Any] = {word: options.get(name) for name, word in WORDS.items()}
    typed = {word: value for word, value in given.items() if value not in (None, ())}
    if file is not None and typed:
        message = f"{file} says what is run, and so do {', '.join(typed)} on the command line"
        raise PuzzleError(message, "write them into the file, or leave it out")
    if file is not None:
        return read_campaign(file)
    if not typed:
        raise PuzzleError("nothing says what is run", "give a FILE, or --level and --solvers")
    typed |= {name: words(typed[name]) for name in LISTS if name in typed}
    if "solvers" in typed:
        typed["solvers"] = solver_list(typed["solvers"]) or []
    if "levels" in typed:
        typed["levels"] = list(typed["levels"])
    return typed_campaign(typed)


def words(text: str) -> list[Any]:
    """The words, or the numbers, with commas between."""
    found = [word.strip() for word in text.split(",")]
    return [int(word) if re.fullmatch("[0-9]{1,12}", word) else word for word in found]


def part_of(text: str | None) -> Part:
    """What `K/N` says. Raises PuzzleError."""
    if text is None:
        return Part()
    found = re.fullmatch("([0-9]{1,6})/([0-9]{1,6})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise PuzzleError(
            f"{text[:40]!r} is no part of a campaign", "write --part 2/5 for the second of five"
        )
    return Part(int(found[1]), int(found[2]))


def workers_of(campaign: Campaign, options: Mapping[str, Any]) -> AbstractContextManager[Workers]:
    """Who does the runs: processes here, or the workers of a scheduler."""
    address = options.get("scheduler")
    if address is None:
        return Pool(options.get("workers") or 1)
    from ggp.harness.campaign.cluster import Cluster

    return Cluster(address, [one.solver for one in campaign.configurations])


def told(carried: Carried, store: Path) -> list[str]:
    """What came of it, in sentences."""
    lines = [f"{carried.total:,} runs: {carried.made:,} made now, {carried.resumed:,} were there already."]
    if carried.unseeded:
        names = ", ".join(carried.unseeded)
        lines.append(f"Run with no seed by the described path, as they draw no lots: {names}.")
    return [*lines, f"See them with: ggp results {store}"]


# --- results ----------------------------------------------------------------------------------------------


def merge(store: Path, others: Sequence[Path]) -> list[str]:
    """Take over the records of other stores; what came of it, in sentences."""
    with Store(store, write=True) as kept:
        taken = [(other, kept.merge(other)) for other in others]
    return [f"{other}: {new:,} records taken, {there:,} were there already." for other, (new, there) in taken]


def show(found: Results, versus: tuple[str, str] | None, say: Callable[[Any], None]) -> None:
    """Print what is measured, wrong answers first."""
    from ggp.harness.campaign import tables

    beside = paired(found, versus)  # before anything is said: it may be no name
    for line in tables.summary(found):
        say(line)
    if not found.records:
        return
    say("")
    say(tables.table(found.records))
    lines = tables.sentences(found)
    if beside is not None:
        lines.insert(0, tables.ratio_text(beside))
    for line in ["", *lines] if lines else []:
        say(line)


def paired(found: Results, versus: tuple[str, str] | None) -> Pair | None:
    """Two solvers beside one another, where that is asked for. Raises UnknownName."""
    from ggp.harness.campaign.measures import outcomes, pair

    by_case = outcomes(found.records) if versus is not None else {}
    for name in versus or ():
        if name not in by_case:
            raise unknown("solver in these records", name, by_case)
    return None if versus is None else pair(by_case, *versus)


def write(found: Results, files: Mapping[str, Path | None]) -> None:
    """Write what is asked for: `csv`, `parquet`, `lines` (JSON) and `page`."""
    from ggp.harness.campaign import frame

    if (path := files.get("portfolio")) is not None:
        from ggp.harness.campaign import choosing

        write_whole(path, choosing.portfolio(found).text().encode())
    if (path := files.get("csv")) is not None:
        write_whole(path, frame.csv_text(found.records).encode())
    if (path := files.get("parquet")) is not None:
        write_whole(path, frame.parquet_bytes(found.records))
    if (path := files.get("lines")) is not None:
        write_whole(path, frame.json_lines(found.records).encode())
    if (path := files.get("page")) is not None:
        from ggp.harness.campaign.page import page

        write_whole(path, page(found).encode())
