"""A census of a folder of PuzzleScript files: which are taken, and which of their levels are solved in time.

Published censuses of the games that people made with PuzzleScript give a solver a few seconds a level; this
one asks `search` the same. Files are read and levels solved in processes that are ended when their time is
up, so nothing can stop it. Every plan that was found is played in a real engine, where one is installed
(`ggp.engines.puzzlescript`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ggp.engines import puzzlescript as engine
from ggp.errors import NotAvailable, PuzzleError, SolverError
from ggp.files.reading import file_bytes
from ggp.harness.jobs import Job, Settings
from ggp.harness.pool import Pool
from ggp.harness.records import Record
from ggp.harness.runner import answers
from ggp.importers import puzzlescript
from ggp.model import Instance

SOLVER = "search"
LIMIT = 5.0  # seconds a level
READING = 60.0  # seconds a file, for whatever is in it
SLACK = 1.1  # of the limit: what takes longer overran it
PLAYED_AT_ONCE = 20  # games in one process of the engine
NOT_ENDED = "it did not stop by itself"
Say = Callable[[str], None]


@dataclass
class Counted:
    """What came of a file. Counts are of levels; `said` is why it was refused.

    `refused` is what the solver does not take, `failed` what went wrong. Of the plans, `replayed` won in the
    engine, `differing` did not, and `unplayed` were not played.
    """

    file: str
    said: str = ""
    levels: int = 0
    solved: int = 0
    unsolvable: int = 0
    out_of_time: int = 0
    refused: int = 0
    failed: int = 0
    hangs: int = 0
    overruns: int = 0
    replayed: int = 0
    differing: int = 0
    unplayed: int = 0
    seconds: float = 0.0
    plans: list[tuple[int, list[str]]] = field(default_factory=list, repr=False)

    def take(self, number: int, record: Record, limit: float) -> None:
        """Count the answer for one level."""
        self.seconds += record["seconds"]
        self.overruns += record["seconds"] > SLACK * limit
        self.hangs += NOT_ENDED in record["note"]
        if record["plans"]:
            self.solved += 1
            self.plans.append((number, record["plans"][-1]["actions"]))
            return
        stops = {"unsolvable": "unsolvable", "unsupported": "refused"}
        stops |= {"time-limit": "out_of_time", "memory-limit": "out_of_time"}
        counted = stops.get(record["stop"], "failed")
        setattr(self, counted, getattr(self, counted) + 1)

    def to_json(self) -> dict[str, Any]:
        """As data."""
        return {name: value for name, value in asdict(self).items() if name != "plans"}


NUMBERS = tuple(name for name in Counted.__dataclass_fields__ if name not in ("file", "said", "plans"))


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


def census(folder: Path, limit: float | None, workers: int, say: Say = lambda _: None) -> Census:
    """Count a folder. Raises PuzzleError where it holds no PuzzleScript file."""
    limit = LIMIT if limit is None else limit
    files = sorted(path for path in folder.rglob("*") if path.suffix in puzzlescript.EXTENSIONS)
    files = [path for path in files if path.is_file()]
    if not files:
        raise PuzzleError(f"there is no PuzzleScript file in {folder}", "their names end in .txt or .ps")
    settings = Settings(limit, workers=workers)
    games: list[Counted] = []
    texts: dict[str, str] = {}
    with Pool(workers) as pool:
        for path in files:
            name = str(path.relative_to(folder))
            say(f"{name}, {len(games) + 1} of {len(files)}")
            got = apart(path)
            one = Counted(name, got) if isinstance(got, str) else counted(name, got, pool, settings)
            if one.plans:
                texts[name] = file_bytes(path).decode(errors="replace")
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


def counted(name: str, instances: Sequence[Instance], pool: Pool, settings: Settings) -> Counted:
    """Solve all levels of a game."""
    one = Counted(name, levels=len(instances))
    jobs = [
        Job("solve", SOLVER, str(number), instance, want="first", settings=settings, stay=True)
        for number, instance in enumerate(instances)
    ]
    for key, record in answers(pool, jobs).items():
        one.take(int(key), record, settings.time_limit)
    return one


# --- in the real engine -----------------------------------------------------------------------------------


def replayed(games: Sequence[Counted], texts: dict[str, str], say: Say) -> str:
    """Play all plans in the engine and count; what it was played in, or why it was not."""
    home = engine.engine()
    reason = engine.available()
    if reason is not None or home is None:
        for one in games:
            one.unplayed = len(one.plans)
        return f"none: {reason}"
    for start in range(0, len(games), PLAYED_AT_ONCE):
        some = games[start : start + PLAYED_AT_ONCE]
        say(f"plans in the engine, {start + 1} of {len(games)} games")
        played(some, texts)
    return f"PuzzleScript of 2015, npm {engine.VERSION}" if (home / engine.WHOLE).is_file() else engine.HOME


def played(games: Sequence[Counted], texts: dict[str, str]) -> None:
    """Play the plans of some games; one at a time where the engine fails with all of them."""
    try:
        compiled = engine.play([engine.Job(texts[one.file], ()) for one in games])
        jobs = [
            engine.Job(texts[one.file], list(keys_of(one, made.levels)), tests=True)
            for one, made in zip(games, compiled, strict=True)
        ]
        found = engine.play(jobs)
    except (SolverError, NotAvailable):
        if len(games) > 1:
            for one in games:
                played([one], texts)
        else:
            games[0].unplayed = len(games[0].plans)
        return
    for one, job, made in zip(games, jobs, found, strict=True):
        ends = Counter(won(run) for run in made.runs)
        one.replayed, one.differing = ends[True], ends[False]
        one.unplayed = len(one.plans) - len(job.plays)


def keys_of(one: Counted, screens: Sequence[tuple[int, int] | str]) -> Iterator[tuple[int, list[str]]]:
    """(number of the screen, keys) of each plan that keys can say; messages are screens, too."""
    maps = [number for number, screen in enumerate(screens) if not isinstance(screen, str)]
    for number, actions in one.plans:
        if number < len(maps) and set(actions) <= set(engine.KEYS):
            yield maps[number], actions


def won(run: engine.Run) -> bool:
    """Was the level won in the engine?"""
    return any(frame["won"] for frame in run.frames)


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
    yield from (f"{one.file}: {one.said}" for one in found.games if one.said)
