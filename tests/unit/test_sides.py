"""Learned against described: what the table of a comparison says of levels that both sides were put to."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from ggp.harness.jobs import Settings, learn_job
from ggp.harness.records import EMPTY
from ggp.harness.sides import ALL, csv_text, sides
from ggp.harness.work import learn
from ggp.language import levels
from ggp.model import Instance

PLAN = {"actions": ["up"]}
EXACT = {"exact": True, "text": "exact"}
GAMES = {"a/1": "a", "a/2": "a", "b/1": "b"}


def run(level: str, path: str, **more: Any) -> dict[str, Any]:
    usual = {"level": level, "path": path, "solver": "s", "stop": "optimal", "plans": [PLAN], "count": None}
    usual |= {"best": {"turns": 3}, "solutions": 1, "replayed": True, "won": 1, "all_seconds": 1.0}
    usual |= {"seconds": 1.0, "cpu_seconds": 1.0, "sizes": {"variables": 100}}
    usual |= {"certificate": EXACT if path == "learned" else None}
    return {**EMPTY, **usual, **more}


def both(level: str, **more: Any) -> list[dict[str, Any]]:
    return [run(level, "described"), run(level, "learned", **more)]


def test_sides_that_agree_and_how_long_they_took() -> None:
    slow = both("a/2", cpu_seconds=1.4, sizes={"variables": 120})
    [row] = sides([*both("a/1", cpu_seconds=1.0), *slow], GAMES)
    told = {"levels": 2, "equal": 2, "missed": 0, "failed": 0, "certificate": "exact"}
    assert told.items() <= row.items()
    assert row["times"] == pytest.approx(1.2) and row["variables"] == pytest.approx(1.1)


NOTHING = {"stop": "unsolvable", "plans": [], "best": {}, "solutions": 0, "replayed": None, "won": 0}


@pytest.mark.parametrize(
    ("learned", "missed", "failed"),
    [
        ({"best": {"turns": 4}}, 1, 0),
        ({"replayed": False, "won": 0, "best": {}}, 1, 1),
        (NOTHING, 1, 0),
        ({**NOTHING, "stop": "time-limit", "all_seconds": None}, 1, 0),
    ],
)
def test_what_is_worse_is_counted(learned: dict[str, Any], missed: int, failed: int) -> None:
    [row] = sides(both("a/1", **learned), GAMES)
    assert (row["equal"], row["missed"], row["failed"]) == (0, missed, failed)


def test_what_was_not_known_does_not_count() -> None:
    stopped = {"stop": "time-limit", "plans": [], "all_seconds": None}
    records = [run("a/1", "described", **stopped), run("a/1", "learned"), run("a/2", "described")]
    assert sides(records, GAMES) == []


def test_over_all_games_those_count_that_were_learned_exactly() -> None:
    differs = {"exact": False, "text": "differs"}
    rows = sides([*both("a/1"), *both("a/2"), *both("b/1", certificate=differs, **NOTHING)], GAMES)
    assert [(row["game"], row["levels"], row["missed"]) for row in rows] == [
        ("a", 2, 0),
        ("b", 1, 1),
        (ALL, 2, 0),
    ]
    assert [row["game"] for row in csv.DictReader(io.StringIO(csv_text(rows)))] == ["a", "b", ALL]


def test_of_one_game_there_is_nothing_over_all_whatever_solvers_there_are() -> None:
    rows = sides([one | {"solver": name} for name in "st" for one in both("a/1")], GAMES)
    assert [(row["solver"], row["game"]) for row in rows] == [("s", "a"), ("t", "a")]


def test_a_game_of_several_passes_is_shown_what_happens_inside_turns() -> None:
    game, kept = levels.load_game("polar-slide")
    record = learn(learn_job([Instance(game, one) for one in kept], Settings()), lambda word, value: None)
    assert record["certificate"]["text"] == "exact but for bounds"
