"""`ggp bench verdicts`: what counts as agreeing, and what has a row of its own."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ggp import bench
from ggp.bench import verdicts
from ggp.errors import PuzzleError
from ggp.harness.jobs import Settings
from ggp.harness.records import EMPTY
from ggp.language import levels
from ggp.model import Plan
from ggp.referee.trajectory import plan_to_json

ROOT = Path(__file__).parents[2]
LEVEL = levels.load("takuzu/ambiguous")
WINS = LEVEL.level.known.wins


def record(plans: tuple[Plan, ...], **others: Any) -> dict[str, Any]:
    """The record of a run that came to its end with these answers, all of which win."""
    told = {
        "stop": "satisfied" if plans else "unsolvable",
        "plans": [plan_to_json(LEVEL, plan) for plan in plans],
        "count": len(plans),
        "replayed": True if plans else None,
        "all_seconds": 1.0,
        "note": "",
    }
    return {**EMPTY, **told, **others}


def other(plan: Plan) -> Plan:
    """A plan with a placement less, which nothing is known of."""
    return Plan(plan.design[1:])


@pytest.mark.parametrize(
    ("found", "word", "why"),
    [
        (record(WINS), "agree", ""),
        (record(WINS[::-1]), "agree", ""),
        (record(WINS[1:]), "wrong", "2 answers and no more, but 3 are known"),
        (record(()), "wrong", "0 answers and no more"),
        (record((*WINS[1:], other(WINS[0]))), "wrong", "1 answers that win and are not known"),
        (record(WINS, count=4), "wrong", "4 answers"),
        (record(WINS, replayed=False, fault="no such turn"), "wrong", "no such turn"),
        (
            record((), stop="error", note="it ended early", all_seconds=None),
            "wrong",
            "failed: it ended early",
        ),
        (record(WINS, stop="time-limit", all_seconds=None), "open", "time-limit, 3 of 3 answers"),
        (record((), stop="time-limit", all_seconds=None), "open", "time-limit, 0 of 3 answers"),
        (record((other(WINS[0]),), stop="time-limit", all_seconds=None), "wrong", "not known"),
        (record((), stop="unsupported", note="it lacks a word", all_seconds=None), "refused", "lacks a word"),
    ],
)
def test_what_a_run_says(found: dict[str, Any], word: str, why: str) -> None:
    judged = verdicts.judged(LEVEL, found)
    assert judged[0] == word and why in judged[1]


def test_what_does_not_agree_has_a_row() -> None:
    """And a game's row and a solver's do not say that all is well."""
    some = [
        verdicts.Verdict("a/one", "x", "agree", "", 1.0),
        verdicts.Verdict("a/one", "y", "open", "time-limit, 0 of 1 answers", 20.0),
        verdicts.Verdict("a/two", "x", "wrong", "failed: it fell over", 2.0),
        verdicts.Verdict("a/two", "y", "agree", "", 3.0),
        verdicts.Verdict("b/one", "x", "agree", "", 3.0),
        verdicts.Verdict("b/one", "y", "refused", "it lacks a word", 0.0),
    ]
    alone = {row.what: row.agrees for row in verdicts.exceptions(some)}
    assert alone == {
        "a/one: y open (time-limit, 0 of 1 answers)": None,
        "a/two: x wrong (failed: it fell over)": False,
    }
    assert [(row.what, row.agrees) for row in verdicts.of_levels(some)] == [
        ("a/one: x 1.00, y open", True),
        ("a/two: x wrong, y 3.00", False),
        ("b/one: x 3.00", True),
    ]
    games = {row.what: (row.complete, row.agrees, row.seconds) for row in verdicts.of_games(some)}
    assert games == {
        "a, 2 levels: x 1 (1 wrong), y 1 (1 open)": (False, False, 26.0),
        "b, 1 levels: x 1": (True, True, 3.0),
    }
    solvers = {row.what: (row.complete, row.agrees) for row in verdicts.of_solvers(some)}
    assert solvers == {
        "x, 3 levels: 2 agree, 1 wrong": (True, False),
        "y, 3 levels: 1 agree, 1 open, 1 refused": (False, True),
    }


def test_the_table_of_families_by_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From what the rows of levels say; rows of games, of solvers and of single runs say nothing there."""
    some = [
        verdicts.Verdict("a/one", "x", "agree", "", 1.0),
        verdicts.Verdict("a/one", "cp-y", "open", "time-limit", 20.0),
        verdicts.Verdict("a/two", "x", "agree", "", 6.0),
        verdicts.Verdict("a/two", "cp-y", "refused", "it lacks a word", 0.0),
        verdicts.Verdict("b/one", "x", "agree", "", 3.0),
    ]
    ways = (verdicts.exceptions, verdicts.of_levels, verdicts.of_games, verdicts.of_solvers)
    (tmp_path / "found.json").write_text(
        json.dumps([{"what": row.what} for way in ways for row in way(some)])
    )
    monkeypatch.syspath_prepend(ROOT / "docs")
    families = import_module("families")
    assert list(families.lines(families.figures([tmp_path / "found.json"])))[2:] == [
        "| `a/one` | 1.00 | open |",
        "| `a/two` | 6.00 | - |",
        "| each of the other 1, at most | 3.00 | 0.00 |",
    ]


def test_some_levels_whole() -> None:
    """Two levels, one of which has no answer, a solver that takes them and one that does not."""
    said: list[str] = []
    names = ["takuzu/small", "takuzu/contradiction"]
    rows = verdicts.rows(names, ["cp-sat", "pyperplan"], Settings(time_limit=60), said.append)
    assert [row.what.partition(" ")[0] for row in rows[:2]] == [f"{name}:" for name in names]
    assert [(row.what, row.agrees) for row in rows[2:]] == [
        ("takuzu, 2 levels: cp-sat 2", True),
        ("cp-sat, 2 levels: 2 agree", True),
        ("pyperplan, 2 levels: 2 refused", None),
        ("the checker accepts 1 of 1 answers", True),
    ]
    assert said[0] == "1 of 2: takuzu/small" and len(said) == 4


def test_the_checker_is_asked_about_each_answer() -> None:
    """It rejects a digit that is wrong, and so does the referee; then the two agree."""
    (cell, piece), *rest = WINS[0].design
    wrong = Plan(((cell, piece._replace(variant=1 - int(piece.variant or 0))), *rest))
    said = [(row.what, row.agrees) for row in verdicts.checked(LEVEL, {WINS[0], wrong})]
    accepts, rejects = (f"{LEVEL.name}: the checker {verb} plan" for verb in ("accepts", "rejects"))
    first, second = (rejects, accepts) if piece.variant else (accepts, rejects)
    assert said == [(f"{first} 1", True), (f"{second} 2", True)]


def test_levels_of_which_nothing_is_known() -> None:
    with pytest.raises(PuzzleError, match="everything is known"):
        bench.run("verdicts", folder=levels.__file__)  # type: ignore[arg-type]
