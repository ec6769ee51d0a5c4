"""A census of a folder of PuzzleScript files: which are taken, and which of their levels are solved in time.

Published censuses of the games that people made with PuzzleScript give a solver a few seconds a level; this
one asks `search` the same. Files are read and levels solved in processes that are ended when their time is
up, so nothing can stop it. Every plan that was found is played in a real engine, where one is installed
(`ggp.engines.puzzlescript`).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ggp.bench.census.plays import replayed
from ggp.bench.census.rows import NUMBERS, Counted
from ggp.engines.puzzlescript import HOME
from ggp.errors import PuzzleError
from ggp.files.kept import digest
from ggp.files.reading import file_bytes
from ggp.harness.jobs import Job, Settings, fingerprint, our_versions, source_fingerprint
from ggp.harness.journal import Journal
from ggp.harness.pool import Pool
from ggp.harness.records import RUN_SHAPE
from ggp.harness.runner import answers
from ggp.importers import puzzlescript
from ggp.model import Instance

SOLVER = "search"
JOURNAL = "census.jsonl"  # a record a level, as they come
LIMIT = 5.0  # seconds a level
READING = 60.0  # seconds a file, for whatever is in it
Say = Callable[[str], None]


@dataclass(frozen=True)
class Census:
    """What came of all files; `engine` says with what plans were played, or why none were."""

    games: tuple[Counted, ...]
    limit: float
    engine: str

    @property
    def totals(self) -> dict[str, Any]:
        """The sums, with how many files there are and how many were taken."""
        sums = {name: sum(getattr(one, name) for one in self.games) for name in NUMBERS}
        return {"files": len(self.games), "compiled": sum(not one.said for one in self.games), **sums}

    @property
    def sound(self) -> bool:
        """Did nothing hang, take too long, go wrong or differ?"""
        return not any(self.totals[what] for what in ("hangs", "overruns", "failed", "differing"))

    def to_json(self) -> dict[str, Any]:
        """As data."""
        games = [one.to_json() for one in self.games]
        return {"limit": self.limit, "engine": self.engine, "totals": self.totals, "games": games}


def census(
    folder: Path, limit: float | None, workers: int, say: Say = lambda _: None, output: Path | None = None
) -> Census:
    """Count a folder. With `output`, what was counted is kept there, and not counted again the next time.

    Raises PuzzleError where the folder holds no PuzzleScript file, and where nothing can be kept.
    """
    limit = LIMIT if limit is None else limit
    files = sorted(path for path in folder.rglob("*") if path.suffix in puzzlescript.EXTENSIONS)
    files = [path for path in files if path.is_file()]
    if not files:
        raise PuzzleError(f"there is no PuzzleScript file in {folder}", "their names end in .txt or .ps")
    settings = Settings(limit, workers=workers)
    games: list[Counted] = []
    texts: dict[str, str] = {}
    with Journal(None if output is None else output / JOURNAL, RUN_SHAPE) as journal, Pool(workers) as pool:
        for path in files:
            name = str(path.relative_to(folder))
            say(f"{name}, {len(games) + 1} of {len(files)}")
            got = apart(path)
            if isinstance(got, str):
                games.append(Counted(name, got))
                continue
            text = file_bytes(path)
            one = counted(name, jobs_of(text, got, settings), pool, journal)
            if one.plans:
                texts[name] = text.decode(errors="replace")
            games.append(one)
    said = replayed([one for one in games if one.plans], texts, say)
    return Census(tuple(games), limit, said)


# --- reading and solving ----------------------------------------------------------------------------------


def apart(path: Path, seconds: float = READING) -> list[Instance] | str:
    """The levels of a file, read in a process of its own, or why there are none."""
    fork = get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    process = fork.Process(target=read, args=(path, sender), daemon=True)
    process.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(seconds) else f"it was not read within {seconds:g} s"
    except EOFError:
        return "reading it ended without an answer"
    finally:
        process.kill()
        process.join()
        receiver.close()


def read(path: Path, sender: Connection) -> None:
    """Send the levels of a file, or why there are none."""
    try:
        game, levels = puzzlescript.read(file_bytes(path), str(path))
        sender.send([Instance(game, level) for level in levels])
    except PuzzleError as error:
        sender.send(str(error.findings[0]).partition("\n")[0])


def jobs_of(text: bytes, instances: Sequence[Instance], settings: Settings) -> list[Job]:
    """What is asked for the levels of a file; a key changes with whatever could change its answer."""
    asked = (digest(text), settings.time_limit, our_versions(), source_fingerprint())
    return [
        Job(
            "solve",
            SOLVER,
            fingerprint(json.dumps([number, *asked])),
            instance,
            want="first",
            settings=settings,
            stay=True,
        )
        for number, instance in enumerate(instances)
    ]


def counted(name: str, jobs: Sequence[Job], pool: Pool, journal: Journal) -> Counted:
    """Solve all levels of a game but those that stand in the journal; a job a level, in order."""
    one = Counted(name, levels=len(jobs))
    answers(pool, [job for job in jobs if job.key not in journal.records], journal.add)
    for number, job in enumerate(jobs):
        one.take(number, journal.records[job.key], job.settings.time_limit)
    return one


# --- shown ------------------------------------------------------------------------------------------------

SHOWN = ("levels", "solved", "unsolvable", "out_of_time", "refused", "failed", "hangs", "overruns")
PLAYED = ("replayed", "differing", "unplayed")


def table(found: Census) -> Any:
    """A row a file, and the sums."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False)
    made.add_column("file", overflow="fold")
    for name in (*SHOWN, *PLAYED, "seconds"):
        made.add_column(name.replace("_", " "), justify="right")
    for one in found.games:
        made.add_row(one.file, *row(one.to_json()) if not one.said else ("not taken",))
    made.add_section()
    totals = found.totals
    made.add_row(f"{totals['compiled']} of {totals['files']} files taken", *row(totals))
    return made


def row(numbers: dict[str, Any]) -> Iterable[str]:
    """The cells of a row."""
    return (*(str(numbers[name]) for name in (*SHOWN, *PLAYED)), f"{numbers['seconds']:.1f}")


def lines(found: Census) -> Iterator[str]:
    """What stands below the table."""
    totals = found.totals
    share = 100 * totals["solved"] / totals["levels"] if totals["levels"] else 0.0
    yield f"solved {totals['solved']} of {totals['levels']} levels ({share:.1f} %), {found.limit:g} s a level"
    yield f"engine: {found.engine}"
    if totals["differing"] and found.engine != HOME:
        yield f"what goes otherwise may be newer than that engine: name a checkout of today's with {HOME}"
    yield from (f"{one.file}: {one.said}" for one in found.games if one.said)


def csv_text(found: Census) -> str:
    """A line a file, raw."""
    out = io.StringIO()
    writer = csv.DictWriter(out, ("file", "said", *NUMBERS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(one.to_json() for one in found.games)
    return out.getvalue()
