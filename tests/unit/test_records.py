"""Records are written at once, and a comparison that is killed goes on where it was."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from ggp.errors import PuzzleError
from ggp.harness.jobs import Job
from ggp.harness.journal import Journal
from ggp.harness.records import EMPTY, disagreements, unanswered, unfinished, with_model
from ggp.language.levels import load
from tests.comparing import TESTS, start
from tests.slow import few_or_many

# --- the journal --------------------------------------------------------------------------------------


def test_what_is_added_can_be_read_at_once_and_later(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    with Journal(file) as journal:
        journal.add("one", {"stop": "satisfied", "note": "é\n\u2028"})
        assert json.loads(file.read_text("utf-8")) == {"key": "one", "stop": "satisfied", "note": "é\n\u2028"}
        journal.add("two", {"stop": "error"})
    with Journal(file) as journal:
        assert journal.records == {
            "one": {"stop": "satisfied", "note": "é\n\u2028"},
            "two": {"stop": "error"},
        }
        journal.add("three", {})
    assert len(file.read_bytes().splitlines()) == 3


def test_without_a_path_it_is_in_memory() -> None:
    with Journal(None) as journal:
        journal.add("one", {"stop": "error"})
        assert journal.records == {"one": {"stop": "error"}}


def test_a_torn_last_line_is_cut_off_wherever_it_was_torn(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    with Journal(file) as journal:
        journal.add("one", {"a": 1})
        whole = file.read_bytes()
        journal.add("two", {"b": "é", "c": [1, {"d": None}]})
    both = file.read_bytes()
    for end in range(len(whole), len(both)):
        file.write_bytes(both[:end])
        with Journal(file) as journal:
            assert journal.records == {"one": {"a": 1}}
            assert file.read_bytes() == whole
            journal.add("two", {"b": 2})
        with Journal(file) as journal:
            assert journal.records == {"one": {"a": 1}, "two": {"b": 2}}


@pytest.mark.parametrize("last", [b"\x00\x00\x00\n", b"[]\n", b"{}\n", b'{"key": 1}\n', b"\xff\n", b"\n"])
def test_a_last_line_that_is_no_record_is_cut_off(tmp_path: Path, last: bytes) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(b'{"key": "one"}\n' + last)
    with Journal(file) as journal:
        assert journal.records == {"one": {}}
    assert file.read_bytes() == b'{"key": "one"}\n'


def test_another_line_that_is_no_record_is_an_error_that_says_where(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(b'{"key": "one"}\nbroken\n{"key": "two"}\n')
    with pytest.raises(PuzzleError, match=r"records\.jsonl:2 is no record"), Journal(file):
        pass
    assert b"broken" in file.read_bytes(), "nothing is thrown away"


def test_two_comparisons_do_not_write_into_one_folder(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    with Journal(file), pytest.raises(PuzzleError, match="another comparison is writing"), Journal(file):
        pass
    with Journal(file) as journal:
        assert journal.records == {}


def test_a_journal_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").mkdir()
    with pytest.raises(PuzzleError, match="cannot write"), Journal(tmp_path / "records.jsonl"):
        pass


def test_a_record_is_on_the_disk_before_add_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[tuple[str, int]] = []
    file = tmp_path / "records.jsonl"
    with Journal(file) as journal:
        sync = os.fsync
        monkeypatch.setattr(os, "fsync", lambda n: (order.append(("sync", file.stat().st_size)), sync(n)))
        journal.add("one", {})
    assert order == [("sync", len(b'{"key": "one"}\n'))]


def test_a_full_disk_is_an_error_and_leaves_whole_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "records.jsonl"
    with Journal(file) as journal:
        journal.add("one", {})
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(PuzzleError, match="No space left on device"):
                journal.add("two", {})
        assert file.read_bytes() == b'{"key": "one"}\n' and journal.records == {"one": {}}
        journal.add("two", {})
    assert keys(file) == ["one", "two"]


# --- what records say ---------------------------------------------------------------------------------


def record(**values: Any) -> dict[str, Any]:
    job = Job("solve", "a", instance=load("lemmings/seed"))
    made = unfinished(job, "satisfied", "")
    plan = {"design": [[1, 1, "brick"]], "actions": []}
    made |= {"solutions": 1, "count": 1, "plans": [plan], "all_seconds": 1.0, "replayed": True, "won": 1}
    return made | values


def test_every_record_has_every_key() -> None:
    assert set(EMPTY) <= set(record()) and {"level", "solver", "stop", "plans", "versions"} <= set(record())
    learned = with_model(record(), {"rollouts": 5, "examples": 6, "certificate": None, "seconds": 1.5})
    assert (learned["rollouts"], learned["examples"], learned["learn_seconds"]) == (5, 6, 1.5)
    assert set(learned) == set(record())


def test_runs_agree_when_they_list_the_same_plans_in_any_order() -> None:
    plans = [{"design": [[1, 1, "brick"]], "actions": []}, {"design": [[1, 2, "brick"]], "actions": []}]
    both = record(plans=plans, solutions=2, count=2)
    assert disagreements([both, {**both, "plans": plans[::-1]}]) == []
    assert len(disagreements([both, record()])) == 1
    assert disagreements([both, record(all_seconds=None)]) == [], "one that was cut short says nothing"
    assert len(disagreements([both, {**both, "count": 3}])) == 1


def test_best_plans_agree_when_they_are_as_good() -> None:
    best = record(want="best", stop="optimal", objective=6)
    other = {**best, "plans": [{"design": [], "actions": ["up"]}]}
    assert disagreements([best, other]) == []
    assert len(disagreements([best, {**other, "objective": 7}])) == 1


def test_a_level_is_answered_when_one_run_answers_it() -> None:
    cut = record(all_seconds=None)
    assert unanswered([cut, record()]) == []
    assert unanswered([cut, record(path="learned")]) == ["lemmings/seed, described"]


# --- kill -9 ------------------------------------------------------------------------------------------


def keys(file: Path) -> list[str]:
    """The keys of the whole lines of a journal."""
    if not file.exists():
        return []
    lines = file.read_bytes().splitlines(keepends=True)
    return [json.loads(line)["key"] for line in lines if line.endswith(b"\n")]


@few_or_many("times", 2, 10)
def test_a_comparison_killed_at_random_moments_loses_and_doubles_nothing(tmp_path: Path, times: int) -> None:
    sys.path.insert(0, str(TESTS))
    try:
        import harness_fakes
    finally:
        sys.path.remove(str(TESTS))
    folder, log = tmp_path / "out", tmp_path / "log"
    journal, rng = folder / "records.jsonl", random.Random(20)
    solvers, seen, kills = harness_fakes.SLOW[: 2 * times + 4], list[str](), 0
    while kills < times:
        process: subprocess.Popen[bytes] = start(folder, solvers, log)
        before = len(seen)
        # Half of them while records are written, half at any moment, the start included.
        if kills % 2:
            wait_for(lambda count=before: len(keys(journal)) > count, process)
        time.sleep(rng.uniform(0, 0.5))
        left = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        assert process.wait() == -9, "it came to its end before it could be killed: make the solvers slower"
        assert psutil.wait_procs(left, timeout=10)[1] == [], "a killed comparison left processes behind"
        kills += 1
        now = keys(journal)
        assert now[:before] == seen and len(set(now)) == len(now), "a record was lost or doubled"
        seen = now
    assert 0 < len(seen) < len(solvers)
    assert start(folder, solvers, log).wait(120) == 0
    assert keys(journal)[: len(seen)] == seen
    records = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    assert sorted(one["solver"] for one in records) == sorted(solvers)
    assert len({one["key"] for one in records}) == len(solvers)
    assert all(one["solutions"] == 6 and one["replayed"] for one in records)
    # Only what was under way when it was killed may have been run again.
    assert len(solvers) <= len(log.read_text("utf-8").splitlines()) <= len(solvers) + kills


def wait_for(condition: Any, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
