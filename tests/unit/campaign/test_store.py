"""The store of a campaign: whole at any moment, one writer at a time, merged without doubling."""

from __future__ import annotations

import json
import resource
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ggp.errors import PuzzleError
from ggp.harness.campaign.store import VERSION, Store
from tests.commands import Ask

BODY = {"level": "a/b", "label": "x", "ended": 1.0, "note": "é\u2028"}


def filled(file: Path, *keys: str, ended: float = 1.0) -> Path:
    """A store with these records, one transaction each."""
    with Store(file, write=True) as store:
        store.begin("levels = []", {"x": "X"}, {"a/b": "text"})
        for key in keys:
            store.add([(key, f"run of {key}", {**BODY, "key": key, "ended": ended})])
    return file


def keys_in(file: Path) -> set[str]:
    with Store(file) as store:
        return store.keys()


def test_what_is_added_is_there(tmp_path: Path) -> None:
    file = filled(tmp_path / "s.ggp", "1", "2")
    with Store(file) as store:
        assert [one["key"] for one in store.records()] == ["1", "2"] and store.count() == 2
        assert next(store.records())["note"] == BODY["note"]
        assert (store.engines(), store.levels(), store.texts()) == (
            {"x": "X"},
            {"a/b": "text"},
            ["levels = []"],
        )
    filled(file, "2", "3")
    assert keys_in(file) == {"1", "2", "3"}, "one key, one record"


def test_the_newest_record_of_a_run_counts(tmp_path: Path) -> None:
    with Store(tmp_path / "s.ggp", write=True) as store:
        store.add(
            [(key, "run", {"key": key, "ended": at}) for key, at in (("1", 5.0), ("2", 9.0), ("3", 7.0))]
        )
        assert [one["key"] for one in store.records()] == ["2"]
        assert [one["key"] for one in store.records(every=True)] == ["1", "3", "2"]


def test_one_writes_and_others_read(tmp_path: Path) -> None:
    file = filled(tmp_path / "s.ggp", "1")
    with Store(file, write=True) as store:
        with pytest.raises(PuzzleError, match="another campaign is writing"):
            Store(file, write=True)
        store.add([("2", "2", BODY)])
        assert keys_in(file) == {"1", "2"}, "while it is being written"
    filled(file, "3")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (f"PRAGMA user_version = {VERSION + 1}", f"of version {VERSION + 1}"),
        ("PRAGMA application_id = 7", "no store of a campaign"),
    ],
)
def test_a_store_of_another_version_or_none(tmp_path: Path, change: str, words: str) -> None:
    file = filled(tmp_path / "s.ggp", "1")
    database = sqlite3.connect(file)
    database.execute(change)
    database.commit()
    database.close()
    for write in (False, True):
        with pytest.raises(PuzzleError, match=words):
            Store(file, write=write)


def test_what_is_no_database(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "text").write_text("no database at all, but long enough to be looked at\n" * 99, "utf-8")
    (tmp_path / "folder").mkdir()
    for name, words in (("text", "no store"), ("folder", "no store"), ("nothing", "there is no store")):
        answer = ask("results", tmp_path / name)
        assert answer.status == 2 and words in answer.err and "Traceback" not in answer.err
    answer = ask("campaign", "--level", "queens/4", "--solvers", "null", "-o", tmp_path / "text")
    assert answer.status == 2 and "no store" in answer.err


# --- torn, full, read-only --------------------------------------------------------------------------------


def test_wherever_the_log_is_torn_whole_records_stay(tmp_path: Path) -> None:
    """As after a kill: the log is still there. What was torn off is gone, and nothing else."""
    file = tmp_path / "s.ggp"
    code = (
        "import os, sys; sys.path[:0] = [sys.argv[2]]\n"
        "from pathlib import Path; from ggp.harness.campaign.store import Store\n"
        "store = Store(Path(sys.argv[1]), write=True)\n"
        "for n in range(6): store.add([(str(n), str(n), {'key': str(n), 'fill': 'x' * 3000})])\n"
        "os.kill(os.getpid(), 9)\n"
    )
    root = str(Path(__file__).parents[3])
    done = subprocess.run([sys.executable, "-c", code, str(file), root], timeout=60)
    assert done.returncode == -signal.SIGKILL
    log, main = file.with_name("s.ggp-wal").read_bytes(), file.read_bytes()
    found = set()
    for number, end in enumerate(range(len(log), 0, -max(1, len(log) // 40))):
        copy = tmp_path / f"{number}.ggp"
        copy.write_bytes(main)
        copy.with_name(copy.name + "-wal").write_bytes(log[:end])
        try:
            kept = keys_in(copy)
        except PuzzleError:  # the tables themselves were torn off
            continue
        assert kept == set(map(str, range(len(kept))))
        found.add(len(kept))
        filled(copy, "new")
        assert keys_in(copy) == kept | {"new"}
    assert found >= {6, 5, 3}


def test_a_store_whose_end_is_missing_is_refused(tmp_path: Path) -> None:
    file = filled(tmp_path / "s.ggp", *map(str, range(300)))
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2 // 4096 * 4096])
    with pytest.raises(PuzzleError, match="damaged"):
        Store(file)


def test_a_full_disk_ends_in_a_sentence_and_nothing_is_lost(tmp_path: Path) -> None:
    file = filled(tmp_path / "s.ggp", "1")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Store(file, write=True) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, before[1]))
        try:
            with pytest.raises(PuzzleError, match=r"cannot write .*s\.ggp.*recorded before is whole"):
                for number in range(1000):
                    store.add([(f"more {number}", str(number), {"fill": "x" * 1000})])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    kept = keys_in(file)
    assert "1" in kept and {f"more {n}" for n in range(number)} == kept - {"1"} and number > 10


def test_a_folder_that_is_read_only(tmp_path: Path, ask: Ask) -> None:
    answer = ask("campaign", "--level", "queens/4", "--solvers", "null", "-o", "/proc/store.ggp")
    assert answer.status == 2 and "cannot write /proc/store.ggp" in answer.err


# --- merging ----------------------------------------------------------------------------------------------


def test_stores_are_merged_without_doubling(tmp_path: Path, ask: Ask) -> None:
    one = filled(tmp_path / "one.ggp", "1", "2")
    other = filled(tmp_path / "other.ggp", "2", "3", "4", ended=2.0)
    with Store(one, write=True) as store:
        assert store.merge(other) == (2, 1)
        assert store.merge(other) == (0, 3)
        assert [one["key"] for one in store.records()] == ["1", "2", "3", "4"] and store.texts() == [
            "levels = []"
        ]
        with pytest.raises(PuzzleError, match="there is no store"):
            store.merge(tmp_path / "nothing.ggp")
        sqlite3.connect(tmp_path / "bad.ggp").executescript("CREATE TABLE x (y); PRAGMA user_version = 1")
        with pytest.raises(PuzzleError, match="no store of a campaign"):
            store.merge(tmp_path / "bad.ggp")
    assert json.loads(json.dumps(sorted(keys_in(one)))) == ["1", "2", "3", "4"]
