"""The journal keeps each record as soon as there is one.

It is a file of one JSON object a line. It is only ever appended to, so after a kill at any moment all but its
last line are whole; a last line that is not is cut off when the journal is next opened, and its job is run
again.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType, TracebackType

from ggp.errors import DescriptionError, PuzzleError
from ggp.files.reading import json_value
from ggp.harness.records import Record, Shape, misfit

LARGEST = 1_000_000_000  # bytes of a journal


class Journal:
    """Records by key, each written down before `add` returns. With no path they are in memory only.

    Opening it takes a lock, so that two comparisons never write into one folder. Raises PuzzleError where
    another one does, where it is no regular file or too large, and where a line other than the last is no
    record, or not one of the given shape.
    """

    def __init__(self, path: Path | None, shape: Shape = MappingProxyType({})) -> None:
        self.path = path
        self.shape = shape
        self.records: dict[str, Record] = {}
        self.file: io.FileIO | None = None
        self.size = 0  # bytes that are whole

    def __enter__(self) -> Journal:
        if self.path is not None:
            try:
                # A pipe that nobody else has open would be waited for.
                flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK
                self.file = io.FileIO(os.open(self.path, flags, 0o666), "a+")
            except OSError as error:
                raise PuzzleError(
                    f"cannot write {self.path}: {error.strerror}", "choose another place (-o)"
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
            raise PuzzleError(message, "wait for it, or choose another place (-o)") from None
        data = whole_of(file, str(self.path))
        for key, record, size in records_in(data, str(self.path), self.shape):
            self.records[key] = record
            self.size += size
        file.truncate(self.size)
        if self.path is not None and not data:
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


def whole_of(file: io.FileIO, name: str) -> bytes:
    """The bytes of an open journal; raises PuzzleError where it is no regular file, or too large for one."""
    seen = os.fstat(file.fileno())
    if not stat.S_ISREG(seen.st_mode):
        raise PuzzleError(f"{name} is not a regular file", "move it away, or choose another place (-o)")
    if seen.st_size > LARGEST:
        message = f"{name} has {seen.st_size:,} bytes, and a journal has at most {LARGEST:,}"
        raise PuzzleError(message, "move it away; every run will then be made again")
    file.seek(0)
    return file.read()


def records_in(data: bytes, file: str, shape: Shape) -> Iterator[tuple[str, Record, int]]:
    """The key, the record and the length of each line of a journal, without a last line that is not whole.

    Raises PuzzleError for any other line that is no record, or has a value that is none of its key.
    """
    remedy = "move the file away; every run will then be made again"
    lines = data.splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        entry = entry_of(line)
        if entry is None and number < len(lines):
            raise PuzzleError(f"{file}:{number} is no record", remedy)
        if entry is None:
            return
        wrong = misfit(entry[1], shape)
        if wrong is not None:
            raise PuzzleError(f"{file}:{number} is no record: `{wrong}` is missing, or no such thing", remedy)
        yield *entry, len(line)


def entry_of(line: bytes) -> tuple[str, Record] | None:
    """The key and the record of a line; None where it is not one."""
    if not line.endswith(b"\n"):
        return None
    try:
        record = json_value(line, "", LARGEST)
    except DescriptionError:
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
