"""Records: what one looks like, and the journal that keeps each one as soon as there is one.

A record is a dict with the keys of `ggp solve --json` and those that `EMPTY` adds. A journal is a file of
one JSON object a line. It is only ever appended to, so after a kill at any moment all but its last line are
whole; a last line that is not is cut off when the journal is next opened, and its job is run again.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from ggp.errors import PuzzleError
from ggp.harness.jobs import Job
from ggp.result import Result, to_json

Record = dict[str, Any]

EMPTY: Mapping[str, Any] = {
    "path": "described",  # or learned
    "want": "all",  # or best, where the player makes turns
    "solutions": None,  # how many plans are listed
    "best": {},  # of each of the game's objectives, over the plans
    "bricks": None,  # of its first objective
    "encode_seconds": None,
    "first_seconds": None,
    "all_seconds": None,  # to the last plan, and the proof that there are no more or no better ones
    "replayed": None,  # does every plan win by the described rules? None: there is no plan
    "won": 0,  # how many do
    "fault": "",  # why one does not
    "memory_mb": None,  # the most that was held at once, where it was seen
    "rollouts": None,
    "examples": None,
    "certificate": None,  # {"exact": bool, "text": str, "scope": str}
    "learn_seconds": None,
}
"""What a record has besides the keys of a result."""


def of_result(job: Job, result: Result, plans: list[dict[str, Any]]) -> Record:
    """The record of a result; `plans` are its plans as JSON data."""
    aimless = job.want == "best" and job.instance is not None and not job.instance.game.objectives
    done = result.complete or result.stop == "optimal" or (aimless and result.stop == "satisfied")
    return {
        **to_json(result, plans),
        **EMPTY,
        "level": job.level,
        "path": job.path,
        "want": job.want,
        "solutions": len(plans),
        "encode_seconds": round(result.encoding, 6) or None,
        "first_seconds": None if result.first is None else round(result.first, 6),
        "all_seconds": round(result.seconds, 6) if done else None,
    }


def unfinished(
    job: Job, stop: str, note: str, *, seconds: float = 0.0, plans: Sequence[dict[str, Any]] = ()
) -> Record:
    """The record of a run that came to no result of its own; `plans` are those that it had shown before."""
    result = Result(job.level, job.name, stop, (), False, versions=dict(job.versions), note=note)  # type: ignore[arg-type]
    record = of_result(job, result, list(plans))
    ran = seconds > 0 or bool(plans)
    return {**record, "seconds": round(seconds, 6), "solutions": len(plans) if ran else None}


def with_model(record: Record, model: Record) -> Record:
    """A record of the learned path together with what is known of its model."""
    keys = ("rollouts", "examples", "certificate")
    return {**record, **{key: model.get(key) for key in keys}, "learn_seconds": model.get("seconds")}


# --- the journal ----------------------------------------------------------------------------------------


class Journal:
    """Records by key, each written down before `add` returns. With no path they are in memory only.

    Opening it takes a lock, so that two comparisons never write into one folder. Raises PuzzleError where
    another one does, and where a line other than the last is no record.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.records: dict[str, Record] = {}
        self.file: io.FileIO | None = None
        self.size = 0  # bytes that are whole

    def __enter__(self) -> Journal:
        if self.path is not None:
            try:
                self.file = self.path.open("a+b", buffering=0)
            except OSError as error:
                raise PuzzleError(
                    f"cannot write {self.path}: {error.strerror}", "choose another -o"
                ) from None
            try:
                self.take_up(self.file)
            except BaseException:
                self.file.close()
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.file is not None:
            self.file.close()

    def take_up(self, file: io.FileIO) -> None:
        """Lock the file, read what an earlier comparison wrote, and cut off a last line that is not whole."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = f"another comparison is writing {self.path}"
            raise PuzzleError(message, "wait for it, or choose another -o") from None
        file.seek(0)
        lines = file.read().splitlines(keepends=True)
        for number, line in enumerate(lines, start=1):
            entry = entry_of(line)
            if entry is None:
                if number < len(lines):
                    remedy = "move the file away; every run will then be made again"
                    raise PuzzleError(f"{self.path}:{number} is no record", remedy)
                break
            self.records[entry[0]] = entry[1]
            self.size += len(line)
        file.truncate(self.size)
        if self.path is not None and not lines:
            sync_folder(self.path.parent)

    def add(self, key: str, record: Record) -> None:
        """Keep a record, on disk when this returns. Raises PuzzleError where the disk takes no more."""
        if self.file is not None:
            line = json.dumps({"key": key, **record}).encode() + b"\n"
            try:
                written = 0
                while written < len(line):
                    written += self.file.write(line[written:]) or 0
                os.fsync(self.file.fileno())
            except OSError as error:
                with contextlib.suppress(OSError):
                    self.file.truncate(self.size)
                message = f"cannot write {self.path}: {error.strerror}"
                raise PuzzleError(message, "make room, and run the same command again") from None
            self.size += len(line)
        self.records[key] = record


def entry_of(line: bytes) -> tuple[str, Record] | None:
    """The key and the record of a line; None where it is not one."""
    if not line.endswith(b"\n"):
        return None
    try:
        record = json.loads(line)
    except ValueError:
        return None
    if not isinstance(record, dict) or not isinstance(record.get("key"), str):
        return None
    return record.pop("key"), record


def sync_folder(folder: Path) -> None:
    """See that a file made in a folder is still there after a power failure."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


# --- do the runs agree? -----------------------------------------------------------------------------------


def finished(record: Record) -> bool:
    """Did the run answer all that was asked?"""
    return record["all_seconds"] is not None


def disagreements(records: Sequence[Record]) -> list[str]:
    """Sentences that say where a plan did not win, and where two complete runs of a level differ."""
    complaints = [
        f"{name_of(record)}: {refuted(record)}" for record in records if record["replayed"] is False
    ]
    first: dict[str, Record] = {}
    for record in records:
        if not finished(record) or record["replayed"] is False:
            continue
        other = first.setdefault(record["level"], record)
        if answer(other) != answer(record):
            complaints.append(f"{name_of(record)} found {said(record)}; {name_of(other)} found {said(other)}")
    return complaints


def wrongly_learned(records: Sequence[Record]) -> list[str]:
    """The levels whose learned rules are not the described ones."""
    wrong = [
        record["level"]
        for record in records
        if record["certificate"] and record["certificate"]["text"] == "differs"
    ]
    return [f"{level}: what was learned is not what is described" for level in dict.fromkeys(wrong)]


def unanswered(records: Sequence[Record]) -> list[str]:
    """The levels and paths that no run answered."""
    asked = dict.fromkeys((record["level"], record["path"]) for record in records)
    answered = {(record["level"], record["path"]) for record in records if finished(record)}
    return [f"{level}, {path}" for level, path in asked if (level, path) not in answered]


def answer(record: Record) -> Any:
    """What two complete runs of a level must have in common."""
    if record["want"] == "best":
        return record["objective"]
    return record["count"], sorted(json.dumps(plan, sort_keys=True) for plan in record["plans"])


def said(record: Record) -> str:
    """An answer in a few words."""
    if record["want"] == "best":
        return "no plan" if record["objective"] is None else f"a best plan of {record['objective']}"
    listed, count = record["solutions"], record["count"]
    return f"{listed} solutions" + (f" ({count} with idle placements)" if count != listed else "")


def refuted(record: Record) -> str:
    """What is wrong with the plans of a record."""
    wrong = (record["solutions"] or 0) - record["won"]
    return (
        f"{wrong} of {record['solutions']} plans do not win; {record['fault']}" if wrong else record["fault"]
    )


def name_of(record: Record) -> str:
    """A record's level, path and solver."""
    return f"{record['level']}, {record['path']}, {record['solver']}"
