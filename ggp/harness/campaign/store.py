"""The store of a campaign: one SQLite file that records are appended to as they come.

Each record is there whole once it is committed, and a kill at any moment loses none that was (a failure of
the power may lose the last ones, which are then made again). One harness writes at a time, and any number of
others may read meanwhile.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType

from ggp.errors import PuzzleError
from ggp.harness.records import Record

APPLICATION = 0x67677063  # stands in the head of the file: this is one of ours
VERSION = 1  # of the tables
TABLES = """
CREATE TABLE campaign (id INTEGER PRIMARY KEY, began REAL NOT NULL, text TEXT NOT NULL);
CREATE TABLE record (key TEXT PRIMARY KEY, run TEXT NOT NULL, ended REAL NOT NULL, body TEXT NOT NULL);
CREATE INDEX record_run ON record (run, ended);
CREATE TABLE game (key TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE level (name TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (name, content));
CREATE TABLE engine (solver TEXT PRIMARY KEY, engine TEXT NOT NULL);
"""
NEWEST = """
SELECT body FROM record AS one WHERE NOT EXISTS (
  SELECT 1 FROM record AS other
  WHERE other.run = one.run AND (other.ended, other.key) > (one.ended, one.key)
)
ORDER BY ended, key
"""
ELSEWHERE = "move it away, or name another store"


class Store:
    """An open store. With `write`, no other harness may write into it meanwhile.

    Raises PuzzleError for a file that is none, is of another version, is damaged or being written by another
    harness, and wherever the disk takes no more; what was committed before stays.
    """

    def __init__(self, path: Path, *, write: bool = False) -> None:
        self.path = path
        self.write = write
        self.lock: io.FileIO | None = None
        self.database: sqlite3.Connection
        if not write and not path.is_file():
            raise PuzzleError(f"there is no store {path}", "`ggp campaign FILE -o STORE` makes one")
        if write:
            self.lock = locked(path)
        try:
            with self.told("open"):
                self.database = self.opened()
                self.check()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if hasattr(self, "database"):
            self.database.close()
        if self.lock is not None:
            self.lock.close()

    def opened(self) -> sqlite3.Connection:
        """The database; a new one gets its tables."""
        if not self.write:
            return readable(self.path)
        database = sqlite3.connect(self.path, isolation_level=None)
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            head = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
            database.executescript(f"BEGIN IMMEDIATE; {head} {TABLES} COMMIT;")
        return database

    def check(self) -> None:
        """Raise PuzzleError for a file that is none of ours, or not whole."""
        application = self.database.execute("PRAGMA application_id").fetchone()[0]
        version = self.database.execute("PRAGMA user_version").fetchone()[0]
        if application != APPLICATION:
            raise PuzzleError(f"{self.path} is a database, and no store of a campaign", ELSEWHERE)
        if version != VERSION:
            message = f"{self.path} is a store of version {version}, and this ggp reads version {VERSION}"
            raise PuzzleError(message, "use the ggp that made it, or name another store")
        found = self.database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        if self.write:
            self.database.execute("PRAGMA journal_mode = WAL")
            self.database.execute("PRAGMA synchronous = NORMAL")

    @contextlib.contextmanager
    def told(self, what: str) -> Iterator[None]:
        """Turn what the database says into a sentence."""
        try:
            yield
        except sqlite3.OperationalError as error:
            message = f"cannot {what} {self.path}: {error}; what was recorded before is whole"
            remedy = "see that there is room and that it may be written, and run the same command again"
            raise PuzzleError(message, remedy) from None
        except sqlite3.DatabaseError as error:
            message = f"{self.path} is no store, or a damaged one: {error}"
            raise PuzzleError(message, ELSEWHERE) from None

    # --- writing ------------------------------------------------------------------------------------------

    def begin(self, text: str, engines: Mapping[str, str], levels: Mapping[str, str]) -> None:
        """Note what is begun: the file of the campaign, what answers in each solver, each level by name."""
        with self.told("write"), self.at_once():
            last = self.database.execute("SELECT text FROM campaign ORDER BY id DESC").fetchone()
            if last is None or last[0] != text:
                row = (time.time(), text)
                self.database.execute("INSERT INTO campaign (began, text) VALUES (?, ?)", row)
            self.database.executemany("INSERT OR REPLACE INTO engine VALUES (?, ?)", engines.items())
            self.database.executemany("INSERT OR IGNORE INTO level VALUES (?, ?)", levels.items())

    def add(self, records: list[tuple[str, str, Record]]) -> None:
        """Keep records by key and run: all of them are there when this returns."""
        rows = [(key, run, body.get("ended", 0.0), packed(body)) for key, run, body in records]
        with self.told("write"), self.at_once():
            self.database.executemany("INSERT OR IGNORE INTO record VALUES (?, ?, ?, ?)", rows)

    def add_game(self, key: str, record: Record) -> None:
        """Keep what came of learning a game."""
        with self.told("write"), self.at_once():
            self.database.execute("INSERT OR REPLACE INTO game VALUES (?, ?)", (key, packed(record)))

    def merge(self, other: Path) -> tuple[int, int]:
        """Take over what another store has and this one has not; (records taken, records that were here)."""
        with Store(other) as source, source.told("read"), self.told("write"), self.at_once():
            before = self.count()
            for table, columns in (("record", 4), ("game", 2), ("level", 2), ("engine", 2)):
                marks = ", ".join("?" * columns)
                rows = source.database.execute(f"SELECT * FROM {table}")
                self.database.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", rows)
            texts = source.database.execute("SELECT began, text FROM campaign ORDER BY id").fetchall()
            mine = {row[0] for row in self.database.execute("SELECT text FROM campaign")}
            news = [row for row in texts if row[1] not in mine]
            self.database.executemany("INSERT INTO campaign (began, text) VALUES (?, ?)", news)
            taken = self.count() - before
            return taken, source.count() - taken

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """All that is written inside, or nothing of it."""
        self.database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.database.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self.database.execute("ROLLBACK")
            raise

    # --- reading ------------------------------------------------------------------------------------------

    def count(self) -> int:
        """How many records there are."""
        return int(self.database.execute("SELECT count(*) FROM record").fetchone()[0])

    def keys(self) -> set[str]:
        """The keys of all records."""
        with self.told("read"):
            return {row[0] for row in self.database.execute("SELECT key FROM record")}

    def records(self, *, every: bool = False) -> Iterator[Record]:
        """The newest record of each run, or every one, in the order in which they came."""
        with self.told("read"):
            query = "SELECT body FROM record ORDER BY ended, key" if every else NEWEST
            for row in self.database.execute(query):
                yield json.loads(row[0])

    def games(self) -> dict[str, Record]:
        """What came of learning, by key."""
        with self.told("read"):
            rows = self.database.execute("SELECT key, body FROM game")
            return {key: json.loads(body) for key, body in rows}

    def engines(self) -> dict[str, str]:
        """What answers in each solver."""
        with self.told("read"):
            return dict(self.database.execute("SELECT solver, engine FROM engine").fetchall())

    def levels(self) -> dict[str, str]:
        """Each level as a description, by name; of several called so the one that came last."""
        with self.told("read"):
            return dict(self.database.execute("SELECT name, content FROM level ORDER BY rowid").fetchall())

    def texts(self) -> list[str]:
        """The files of the campaigns whose records these are."""
        with self.told("read"):
            return [row[0] for row in self.database.execute("SELECT text FROM campaign ORDER BY id")]


def packed(record: Record) -> str:
    """A record as text."""
    return json.dumps(record, separators=(",", ":"))


def locked(path: Path) -> io.FileIO:
    """The right to write into a store; it is given back by the system whatever happens to this process."""
    lock = path.with_name(path.name + "-lock")
    try:
        file = io.FileIO(os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o666), "r+")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PuzzleError(f"cannot write {path}: {reason}", "choose a place that can be written to") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        message = f"another campaign is writing {path}"
        raise PuzzleError(message, "wait for it, or name another store; `--merge` joins them later") from None
    return file


def readable(path: Path) -> sqlite3.Connection:
    """A store for reading, also one in a folder where nothing may be written."""
    place = f"file:{path.absolute().as_posix().replace('%', '%25').replace('?', '%3f').replace('#', '%23')}"
    try:
        database = sqlite3.connect(f"{place}?mode=ro", uri=True, isolation_level=None)
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return database
    except sqlite3.OperationalError:
        return sqlite3.connect(f"{place}?immutable=1", uri=True, isolation_level=None)
