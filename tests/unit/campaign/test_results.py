"""What is measured over records, which answers are wrong, and the ways out: tables, files, frames."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import ggp
from ggp.errors import NotAvailable, PuzzleError
from ggp.harness.campaign import frame, measures
from ggp.harness.campaign.measures import Interval, outcomes, pair, points, scores, virtual_best
from ggp.harness.campaign.results import costed, judged, results, solved
from ggp.harness.campaign.store import Store
from ggp.harness.campaign.tables import summary
from ggp.harness.records import EMPTY, Record
from tests.commands import Ask

ENGINES = {"a": "A", "b": "B", "c": "C", "d": "A"}
MACHINE = {"name": "m", "system": "s", "processor": "p", "cores": 2, "memory_mb": 1000}


def record(label: str, level: str = "g/1", seconds: float | None = 1.0, **more: Any) -> Record:
    """A record; without seconds it came to no end within its 10."""
    made: Record = {
        **EMPTY,
        **{
            "level": level,
            "solver": label,
            "label": label,
            "want": "best",
            "note": "",
            "raw": "",
            "encoded": "",
        },
        **{
            "stop": "time-limit" if seconds is None else "optimal",
            "plans": [],
            "complete": seconds is not None,
        },
        **{"objective": None, "bound": None, "count": None, "solutions": 0, "seconds": seconds or 10.0},
        **{"all_seconds": seconds, "sizes": {}, "versions": {}, "proof": None, "vouched": [], "wrong": ""},
        **{
            "limits": {"wall": 10.0, "cpu": None, "memory": 100},
            "machine": MACHINE,
            "seed": None,
            "repeat": 0,
        },
        **{"asked": {"encoding": None, "passes": []}, "began": 0.0, "ended": 0.0},
    }
    return costed(made | more, "wall")


def plan(value: int) -> dict[str, Any]:
    """What a record with a plan of that value has."""
    return {
        "plans": [{"actions": [str(value)]}],
        "best": {"turns": value},
        "bricks": value,
        "won": 1,
        "replayed": True,
    }


def best(label: str, value: int, seconds: float | None = 1.0, **more: Any) -> Record:
    """A record of a best plan; without seconds nothing was proved of it."""
    proved = {"objective": value, "bound": value if seconds is not None else None}
    return record(label, seconds=seconds, **{**plan(value), **proved, **more})


# --- scores -----------------------------------------------------------------------------------------------


def test_par2_counts_twice_the_limit_and_repeats_are_one_case() -> None:
    found = outcomes([record("a", seconds=2.0), record("a", seconds=None, repeat=1), record("a", "g/2", 4.0)])
    assert found["a"][("g/1", "best")][:4] == (2, 0.5, 11.0, 2.0)
    [score] = scores([record("a", seconds=2.0), record("a", seconds=None, repeat=1), record("a", "g/2", 4.0)])
    assert (score.cases, score.runs, score.solved.value, score.par2.value) == (2, 3, 0.75, 7.5)


def test_points_are_those_of_the_competition() -> None:
    """1 proved; as good as the best: 1 if nobody proved it, else a half; worse, or wrong: nothing."""
    proved, same, worse, none = (
        best("a", 5),
        best("b", 5, None),
        best("c", 6, None),
        record("d", seconds=None),
    )
    assert [points(one, 5, True) for one in (proved, same, worse, none)] == [1, 0.5, 0, 0]
    assert [points(one, 5, False) for one in (same, worse)] == [1, 0]
    assert points(proved | {"wrong": "so"}, 5, True) == 0
    assert {one.entrant: one.points for one in scores([proved, same, worse, none])} == {
        "a": 1,
        "b": 0.5,
        "c": 0,
        "d": 0,
    }
    assert {one.entrant: one.points for one in scores([same, worse])} == {"b": 1, "c": 0}


def test_the_higher_score_is_the_better_one() -> None:
    low, high = best("a", 5, None, highest=True), best("b", 7, None, highest=True)
    assert {one.entrant: one.points for one in scores([low, high])} == {"a": 0, "b": 1}


def test_the_virtual_best_and_what_each_adds() -> None:
    some = [
        record("a", "g/1", 1.0),
        record("b", "g/1", 3.0),
        record("a", "g/2", None),
        record("b", "g/2", 2.0),
    ]
    assert virtual_best(outcomes(some)) == {("g/1", "best"): (1.0, 1.0), ("g/2", "best"): (1.0, 2.0)}
    told = {one.entrant: (one.first, one.adds_solved, one.adds_par2) for one in scores(some)}
    assert told == {"a": (1, 0.0, 2.0), "b": (1, 1.0, 18.0)}
    assert [one.entrant for one in scores(some)] == ["b", "a"], "who solved more stands first"


def test_intervals_hold_the_mean_and_grow_narrow_with_levels() -> None:
    few, many = (
        measures.interval({(f"g/{n}", "best"): float(n % 2) for n in range(count)}) for count in (6, 600)
    )
    assert few.low <= few.value == 0.5 <= few.high and 0.3 < few.high - few.low < 1
    assert many.value == 0.5 and many.high - many.low < 0.1
    assert measures.interval({("g/1", w): float(w == "best") for w in ("best", "all")}) == Interval(
        0.5, 0.5, 0.5
    )


def test_two_solvers_beside_one_another() -> None:
    some = [record("a", f"g/{n}", 1.0 + n) for n in range(4)] + [
        record("b", f"g/{n}", 2.0 + 2 * n) for n in range(3)
    ]
    made = pair(outcomes([*some, record("b", "g/3", None)]), "a", "b")
    assert made.ratio == pytest.approx((2.0, 2.0, 2.0)) and len(made.points) == 4
    assert made.points[-1] == ("g/3", "best", 4.0, None)
    learned = [record("a", path="learned", seconds=3.0), record("a", seconds=1.0)]
    [one] = measures.described_and_learned(outcomes(learned))
    assert (one.one, one.other) == ("a, described", "a, learned") and one.ratio == pytest.approx(
        (3.0, 3.0, 3.0)
    )


# --- wrong ------------------------------------------------------------------------------------------------


def test_what_replay_a_plan_or_a_fact_contradicts_is_wrong_and_counts_nowhere() -> None:
    better, worse = best("a", 4, None), best("b", 5)
    lied = best("c", 3, replayed=False, won=0, fault="it falls", solutions=1)
    told = judged(
        [better, worse, lied, record("a", "g/2", 1.0, want="all", proof="wrong", note="wrong: a file knows")],
        ENGINES,
    )
    assert [bool(one["wrong"]) for one in told] == [False, True, True, True]
    assert "has a plan of 4 turns" in told[1]["wrong"] and "it falls" in told[2]["wrong"]
    assert [solved(one) for one in told] == [False] * 4
    by_name = {one.entrant: one for one in scores(told)}
    assert by_name["b"].solved.value == 0 and by_name["b"].wrong == 1 and by_name["b"].points == 0


def test_the_majority_of_engines_decides_and_a_draw_does_not() -> None:
    def unique(label: str, answers: str) -> Record:
        return record(label, want="unique", answers=answers, stop="satisfied", complete=False)

    told = judged([unique("a", "several"), unique("b", "several"), unique("c", "unique")], ENGINES)
    assert [bool(one["wrong"]) for one in told] == [False, False, True]
    assert "A, B found several answers" in told[2]["wrong"]
    # Two solvers with one engine are one voice, and an unknown engine is none.
    assert not any(
        one["wrong"]
        for one in judged([unique("a", "several"), unique("d", "several"), unique("c", "unique")], ENGINES)
    )
    assert not any(
        one["wrong"]
        for one in judged(
            [unique("x", "several"), unique("c", "unique"), unique("b", "several")], {"b": "B", "c": "C"}
        )
    )


def test_many_repeats_are_judged_in_little_time() -> None:
    """Each would otherwise be held against each."""
    told = judged([best(label, 5, repeat=n) for n in range(3000) for label in "ab"], ENGINES)
    assert all(
        one["proof"] == "agreed" and one["vouched"] == ["b" if one["solver"] == "a" else "a"] for one in told
    )


# --- the ways out -----------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Three solvers on two levels; one of them is wrong."""
    some = [
        best("a", 5),
        best("b", 5, 2.0),
        best("c", 6, 0.5),
        best("a", 7, level="g/2"),
        record("b", "g/2", None),
    ]
    with Store(tmp_path / "s.ggp", write=True) as opened:
        opened.begin('levels = ["g/*"]\n', ENGINES, {})
        for number, one in enumerate(some):
            del one["wrong"]
            opened.add([(str(number), str(number), one | {"ended": float(number)})])
    return tmp_path / "s.ggp"


def test_the_command_says_what_is_wrong_first(store: Path, ask: Ask) -> None:
    answer = ask("results", store)
    lines = answer.out.splitlines()
    assert answer.status == 1 and lines[0].startswith("WRONG: g/1, best, c, described:")
    assert "5 records of 2 levels, 3 of them solved, 1 wrong." in lines
    rows = {line.split()[0]: line.split() for line in lines if line[:2] in ("a ", "b ", "c ", "vi")}
    assert (
        rows["a"][1:4] == ["2", "of", "2"]
        and rows["c"][1:4] == ["0", "of", "1"]
        and rows["virtual"][2:5] == ["2", "of", "2"]
    )
    assert "Not asked about all 2 cases: c." in lines
    fine = ask("results", store, "--solver", "a", "--solver", "b", "--versus", "a,b")
    assert (
        fine.status == 0 and "b takes 2.00 times as long as a (2.00 to 2.00), on the 1 of 2 cases" in fine.out
    )
    beside = json.loads(ask("results", store, "--json", "--versus", "a,b", "--solver", "[ab]").out)["versus"]
    assert (beside["one"], beside["other"], beside["cases"], beside["both_solved"]) == ("a", "b", 2, 1)
    assert beside["ratio"]["value"] == pytest.approx(2)
    told = json.loads(ask("results", store, "--json", "--level", "*/1").out)
    assert told["records"] == 3 and [one["label"] for one in told["wrong"]] == ["c"]
    assert told["scores"][0]["entrant"] == "a" and told["virtual_best"]["solved"] == 1
    assert ask("results", store, "--level", "nothing").out.startswith("No record is there")
    for bad in (["--versus", "a"], ["--versus", "a,z"], ["--csv", store.parent / "no" / "x.csv"]):
        refused = ask("results", store, *bad)
        assert refused.status == 2 and refused.out == ""
        assert "error" in ask("results", store, "--json", *bad).data


def test_files(store: Path, ask: Ask) -> None:
    folder = store.parent
    ask(
        "results",
        store,
        "--csv",
        folder / "r.csv",
        "--lines",
        folder / "r.jsonl",
        "--page",
        folder / "r.html",
    )
    rows = list(csv.DictReader((folder / "r.csv").open(encoding="utf-8")))
    assert [row["label"] for row in rows] == ["a", "b", "c", "a", "b"] and rows[0]["objective"] == "5"
    assert [row["solved"] for row in rows] == ["True", "True", "False", "True", "False"]
    lines = [json.loads(line) for line in (folder / "r.jsonl").read_text("utf-8").splitlines()]
    assert lines[0]["plans"] == plan(5)["plans"] and lines[2]["wrong"]


def test_frames_and_parquet(store: Path, tmp_path: Path, ask: Ask) -> None:
    polars = pytest.importorskip("polars", reason="the extra `frames` is not installed")
    made = ggp.results(store, "polars")
    assert made.shape[0] == 5 and made["solved"].sum() == 3 and made.schema["seconds"] == polars.Float64
    assert ggp.results(store, level="g/2", solver=["a", "b"])["objective"].to_list() == [7, None]
    assert ask("results", store, "--parquet", tmp_path / "r.parquet").status == 1
    assert polars.read_parquet(tmp_path / "r.parquet").equals(made)
    with pytest.raises(PuzzleError, match="no filter called 'levl'"):
        ggp.results(store, levl="x")


def test_frames_of_pandas(store: Path) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    assert ggp.results(store, "pandas")["solved"].sum() == 3


def test_without_a_library_for_frames(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "find_spec", lambda name: None)
    with pytest.raises(NotAvailable, match="no library for frames here"):
        ggp.results(store)
    with pytest.raises(NotAvailable, match="no polars here"):
        ggp.results(store, "polars")


def test_older_versions_are_left_out_and_said(store: Path) -> None:
    with Store(store, write=True) as opened:
        opened.add([("newer", "0", best("a", 5) | {"ended": 99.0})])
    found = results(store)
    assert (
        len(found.records) == 5
        and found.older == 1
        and any("older versions" in line for line in summary(found))
    )
    assert len(results(store, every=True).records) == 6


def test_seconds_of_the_processor_count_where_they_are_asked_for() -> None:
    """Its own limit is what a failure costs, and the wall's where there was none."""
    quick = record("a", seconds=9.0, cpu_seconds=2.0)
    late = record("a", "g/2", None, cpu_seconds=5.0, limits={"wall": 10.0, "cpu": 4.0, "memory": 100})
    lost = record("a", "g/3", None, cpu_seconds=5.0)
    by_wall, by_cpu = (
        outcomes([costed(one, clock) for one in (quick, late, lost)])["a"] for clock in ("wall", "cpu")
    )
    assert [by_wall[f"g/{n}", "best"].par2 for n in (1, 2, 3)] == [9.0, 20.0, 20.0]
    assert [by_cpu[f"g/{n}", "best"].par2 for n in (1, 2, 3)] == [2.0, 8.0, 20.0]
    assert by_cpu["g/1", "best"].seconds == 2.0
