"""The harness: whatever a solver does becomes a row, and so does what learning does."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ggp
from ggp import registry
from ggp.errors import PuzzleError, UnknownName
from ggp.harness.jobs import Settings, make_jobs, question, solver_names
from ggp.harness.records import Record
from ggp.harness.runner import compare
from ggp.harness.table import Shown, columns, notes, summary
from ggp.language.levels import load
from tests.comparing import LEVEL, Compare, only
from tests.slow import slow_unless

# --- what a solver can do -----------------------------------------------------------------------------


DONE = {  # solver: how it stops, what is noted, and how many plans of it count
    "crash": ("error", "crashed with SIGSEGV", 2),
    "crash-early": ("error", "crashed with SIGSEGV", 2),
    "quits": ("error", "without an answer, with exit status 0", 1),
    "exits": ("error", "SystemExit: 3", 0),
    "breaks": ("error", "ValueError: <b>broken</b>", 1),
    "unsure": ("error", "it said MAYBE; which is no status", 0),
    "abort": ("memory-limit", "ran out of memory; it said: terminate called", 0),
    # Whether it is refused more or caught with too much depends on who looks first.
    "eat": ("memory-limit", "it asked for more than 400 MB|it held 40", 1),
    "lie": ("error", "does not win", 1),
    "missing": ("unsupported", "missing cannot run here; install it with `get missing`", None),
    "narrow": ("unsupported", "", None),
    "fragile": ("error", "crashed with SIGABRT", 1),
    "talk": ("satisfied", "", 6),
    "leave": ("satisfied", "", 6),
}


def test_whatever_a_solver_does_is_a_row(fakes: Compare) -> None:
    """And whoever comes next answers as if nothing had been."""
    comparison = fakes(*DONE, "search", memory_limit=400)
    assert [record["solver"] for record in comparison.records] == [*DONE, "search"]
    *records, fine = comparison.records
    for record, (stop, note, plans) in zip(records, DONE.values(), strict=True):
        assert (record["stop"], record["solutions"]) == (stop, plans), record
        assert any(one in record["note"] for one in note.split("|")), record
        assert (record["path"], record["level"]) == ("described", LEVEL)
        assert json.loads(json.dumps(record)) == record
        assert set(record) == set(fine), "every record has the same keys"
    assert fine["stop"] == "satisfied" and fine["solutions"] == 6
    rows = Shown(comparison.records).table(columns(comparison.records), short=True).row_count
    assert rows == len(DONE) + 1


@pytest.mark.parametrize("solver", slow_unless(["stuck"], ["hang", "stuck"]))
def test_a_solver_that_hangs_is_ended_and_its_plans_are_kept(fakes: Compare, solver: str) -> None:
    start = time.monotonic()
    record = only(fakes(solver, time_limit=0.5))
    assert record["stop"] == "time-limit" and "did not stop by itself" in record["note"]
    assert (record["solutions"], record["won"], record["replayed"]) == (1, 1, True)
    assert record["bricks"] == 3 and record["first_seconds"] is not None and record["all_seconds"] is None
    assert 0.5 < record["seconds"] < 5 and time.monotonic() - start < 15


def test_the_memory_of_all_that_a_solver_starts_counts(fakes: Compare) -> None:
    record = only(fakes("feed", memory_limit=200))
    assert record["stop"] == "memory-limit" and "MB and was ended" in record["note"]
    assert record["memory_mb"] > 200


def test_a_lie_and_a_disagreement_are_complaints(fakes: Compare) -> None:
    comparison = fakes("search", "lie", "forget")
    search, lie, forget = comparison.records
    assert (lie["replayed"], lie["won"], lie["solutions"]) == (False, 1, 1)
    assert search["replayed"] and forget["replayed"]
    assert (forget["proof"], forget["all_seconds"]) == ("wrong", None), "it takes no part in rankings"
    complaints = comparison.complaints()
    assert len(complaints) == 2
    assert "lie" in complaints[0] and "does not win" in complaints[0]
    assert "forget: wrong: the level's file has a plan" in complaints[1]
    assert any(line.startswith("DIFFERS") for line in summary(comparison.records))


def test_a_level_that_nobody_answers_is_a_complaint(fakes: Compare) -> None:
    assert fakes("missing", "crash").complaints() == [f"{LEVEL}, described: no solver answered"]


def test_what_several_runs_say_stands_there_once() -> None:
    record = {"level": "a/b", "path": "described", "solver": "s", "note": "no", "fault": "no"}
    assert notes([record]) == ["a/b, described, s: no"]
    assert notes([record, record | {"path": "learned"}]) == ["s (2 runs): no"]
    assert notes([record, record | {"solver": "t"}]) == ["s, t (2 runs): no"]


# --- the real ones ------------------------------------------------------------------------------------


def test_real_solvers_agree_on_every_sort_of_game() -> None:
    levels = [load(name) for name in (LEVEL, "sokoban/first", "sudoku/paper-4x4")]
    comparison = compare(levels, solvers=["cp-sat", "search"], paths=["described"])
    assert comparison.complaints() == []
    assert [record["solutions"] for record in comparison.records] == [6, 6, 1, 1, 1, 1]
    assert [record["bricks"] for record in comparison.records] == [3, 3, 6, 6, None, None]
    assert [record["want"] for record in comparison.records] == ["all"] * 2 + ["best"] * 2 + ["all"] * 2
    assert all(record["replayed"] and record["all_seconds"] > 0 for record in comparison.records)
    encoded = comparison.records[0]
    assert 0 < encoded["encode_seconds"] < encoded["all_seconds"] < 2, "imports are not in the times"
    assert encoded["sizes"]["variables"] > 0
    assert summary(comparison.records)[0].startswith(
        f"{LEVEL}: 2 of 2 runs came to an end, all with the same 6"
    )


@pytest.mark.parametrize(
    ("workers", "stop"), slow_unless([(2, "satisfied")], [(2, "satisfied"), (1, "time-limit")])
)
def test_workers_work_beside_one_another(fakes: Compare, workers: int, stop: str) -> None:
    """Each of the two ends when the other one has begun."""
    limit = 20.0 if workers > 1 else 0.5
    comparison = fakes("meet-1", "meet-2", time_limit=limit, workers=workers)
    assert comparison.records[0]["stop"] == stop


def test_it_is_one_call_in_python(fakes: Compare) -> None:
    comparison = ggp.compare(LEVEL, solvers=["search"], paths=["described"], time_limit=20)
    assert only(comparison)["solutions"] == 6


# --- what is run --------------------------------------------------------------------------------------


def test_levels_of_one_name_must_be_one_level(tmp_path: Path) -> None:
    seed = load(LEVEL)
    other = replace(seed, level=replace(seed.level, horizon=20))
    with pytest.raises(PuzzleError, match="two different levels are called lemmings/seed"):
        compare([seed, other], solvers=["search"])


def test_names_are_checked_before_anything_runs() -> None:
    with pytest.raises(UnknownName, match="no solver called 'nosuch'"):
        compare([load(LEVEL)], solvers=["nosuch"])
    with pytest.raises(UnknownName, match="no path called 'lerned'"):
        compare([load(LEVEL)], paths=["lerned"])
    assert "null" not in solver_names(None) and solver_names(["null", "null"]) == ("null",)


def test_keys_change_with_whatever_could_change_the_answer() -> None:
    def key(level: str = LEVEL, solver: str = "search", version: str = "1", **settings: Any) -> str:
        versions = {solver: {"it": version}}
        [job] = make_jobs([load(level)], [solver], ["described"], Settings(**settings), versions)
        return job.key

    keys = [
        key(),
        key("sokoban/first"),
        key(solver="cp-sat"),
        key(version="2"),
        key(time_limit=1.0),
        key(memory_limit=1),
    ]
    assert len(set(keys)) == len(keys)
    assert key() == keys[0] and key(workers=2) == keys[0], "how many run at a time is no part of the question"


def test_a_changed_level_has_another_key(tmp_path: Path) -> None:
    text = registry.description_text("lemmings").decode("utf-8")
    file = tmp_path / "mine.toml"
    keys = set()
    for horizon in ("horizon = 19", "horizon = 20"):
        file.write_text(text.replace("horizon = 19", horizon), encoding="utf-8")
        [job] = make_jobs([load(f"{file}#seed")], ["search"], ["described"], Settings(), {})
        keys.add(job.key)
    assert len(keys) == 2


def test_a_game_is_learned_once_for_all_its_levels(tmp_path: Path) -> None:
    sokoban = load("sokoban/first")
    jobs = make_jobs([sokoban, load(LEVEL), sokoban], ["search", "cp-sat"], ["learned"], Settings(), {})
    assert [job.kind for job in jobs] == ["learn", "solve", "solve"] * 2
    assert [job.after == jobs[0].key for job in jobs] == [False, True, True, False, False, False]
    assert len({job.key for job in jobs}) == 6


def test_what_is_asked_depends_on_what_the_player_decides() -> None:
    assert question(load(LEVEL)) == "all" and question(load("sokoban/first")) == "best"


# --- the learned path ---------------------------------------------------------------------------------


def test_an_exactly_learned_game_does_as_well(fakes: Compare) -> None:
    comparison = fakes("cp-sat", "search", paths=["described", "learned"])
    assert comparison.complaints() == []
    assert [record["path"] for record in comparison.records] == ["described"] * 2 + ["learned"] * 2
    described, _, learned, _ = comparison.records
    assert learned["sizes"] == described["sizes"] and learned["plans"] == described["plans"]
    assert (learned["rollouts"], learned["examples"], learned["learn_seconds"]) == (250, 999, 1.25)
    assert learned["certificate"]["exact"] and learned["certificate"]["text"] == "exact"
    assert described["certificate"] is None and described["rollouts"] is None
    assert learned["level"] == LEVEL
    titles = [column.title for column in columns(comparison.records)]
    assert titles[-3:] == ["roll-outs", "examples", "certificate"] and "bricks" in titles


def test_plans_found_by_wrong_rules_are_judged_by_the_described_ones(fakes: Compare) -> None:
    comparison = fakes("search", "cp-sat", paths=["described", "learned"], seed=7)
    learned = comparison.records[2]
    assert learned["certificate"]["exact"] is False
    assert (learned["stop"], learned["solutions"], learned["won"]) == ("satisfied", 108, 6)
    assert learned["replayed"] is False
    assert learned["fault"].startswith("by the described rules: ")
    assert any("what was learned is not what is described" in one for one in comparison.complaints())
    model = comparison.model(comparison.instances[0])
    assert model is not None and model["counterexample"]["before"] is not None


def test_rules_by_which_nothing_wins_do_not_pass_for_a_proof(fakes: Compare) -> None:
    comparison = fakes("search", paths=["described", "learned"], seed=8)
    learned = comparison.records[1]
    assert (learned["stop"], learned["proof"], learned["all_seconds"]) == ("unsolvable", "wrong", None)
    assert any("learned, search: wrong: the level's file says" in one for one in comparison.complaints())


def test_learning_that_fails_is_a_row(fakes: Compare) -> None:
    comparison = fakes("search", paths=["described", "learned"], seed=13)
    assert comparison.records[0]["stop"] == "satisfied"
    assert comparison.records[1]["stop"] == "error"
    assert "the game was not learned: nothing can be learned today" in comparison.records[1]["note"]


def test_an_unknown_learner_is_a_row(fakes: Compare) -> None:
    def run(**options: Any) -> Record:
        # Without the plugin, so that the real learning is asked.
        return only(fakes("search", paths=["learned"], learner="nosuch", plugins=(), **options))

    record = run()
    assert record["stop"] == "error" and "no learner called 'nosuch'" in record["note"]
