"""The benchmark of stepping: both sides make turns of the same level, and a level that is won begins anew."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ggp import bench
from ggp.bench import stepping
from ggp.engines import puzzlescript as engine
from ggp.errors import PuzzleError
from ggp.transition.in_order.stepper import InOrder
from ggp.transition.stepper import Stepper
from tests.commands import Ask
from tests.puzzlescript_games import PUSH, instance, text

ONE_WITH_ONE = f"{PUSH}\n[ Crate ] [ Ball ] -> [ Mark ] [ ]"


def test_a_file_is_stepped_and_searched(tmp_path: Path) -> None:
    """Beside the engine where there is one, and else without it."""
    (tmp_path / "small.txt").write_text(text(maps="#p*.o#/#....#"))
    rows = bench.run("stepping", 1, folder=tmp_path, time_limit=0.02)
    here = engine.available() is None
    theirs, ours, states = rows
    assert ours.what == "small.txt, rules as passes, 4096 states (turns)" and ours.rate and states.rate
    assert bool(theirs.rate) == here == bool(ours.ratio) == bool(ours.least)
    assert states.least is None  # that is asked of what the benchmark names itself


def test_our_games_are_stepped_many_at_once_and_one_by_one() -> None:
    rows = bench.run("stepping", 1, time_limit=0.02, games=("sokoban",))
    assert [row.what.partition(", ")[2] for row in rows[1:]] == [
        "compiled rules, 4096 states (turns)",
        "one state (turns)",
    ]


def test_what_can_be_no_passes_is_stepped_in_scan_order(tmp_path: Path) -> None:
    (tmp_path / "small.txt").write_text(text(ONE_WITH_ONE, "p**.b/..o.b"))
    rows = bench.run("stepping", 1, folder=tmp_path, time_limit=0.02)
    assert "in scan order" in rows[1].what and rows[1].rate
    assert rows[2].what.endswith("its rules are not taken as passes") and rows[2].rate is None


@pytest.mark.parametrize(
    ("make", "stepper", "turn"),
    [(stepping.by_passes, Stepper, "advance"), (stepping.in_order, InOrder, "all_turns")],
)
def test_a_level_that_is_won_begins_anew(
    make: Callable[..., Callable[[], int]], stepper: type, turn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here one key wins and all others do nothing, so all states are always at the start."""
    one = instance(PUSH, "#po#", wins="Some Target on Player")
    seen = []
    step = getattr(stepper, turn)

    def watched(self: object, states: Any, *given: object) -> object:
        seen.append(states.copy())
        return step(self, states, *given)

    monkeypatch.setattr(stepper, turn, watched)
    turns = make(stepping.passes_of(one) if stepper is Stepper else one)
    for _ in range(3):
        turns()
    assert len(seen) >= 3 and all((states == seen[0]).all() for states in seen)


@pytest.mark.parametrize(
    ("rate", "least", "bench_name", "status"),
    [(4.0, 5.0, "stepping", 1), (5.0, 5.0, "stepping", 0), (None, 5.0, "stepping", 0), (4.0, 5.0, "play", 0)],
)
def test_the_command_fails_where_it_is_slower_than_it_must_be(
    rate: float | None, least: float, bench_name: str, status: int, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = bench.Record(bench_name, "small.txt, one state (turns)", 1.0, 1, rate=rate, least=least)
    module = SimpleNamespace(run=lambda repeats, say: [row])
    monkeypatch.setitem(sys.modules, bench.BENCHES[bench_name], module)  # type: ignore[arg-type]
    answer = ask("bench", bench_name)
    assert answer.status == status and bool(answer.err) == bool(status)


def test_what_the_benchmark_names_must_be_faster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "small.txt"
    path.write_text(text(maps="#p*.o#/#....#"))
    monkeypatch.setattr(stepping, "paths", lambda folder, demos: [path])
    monkeypatch.setattr(stepping.levels, "games", lambda: [])
    monkeypatch.setattr(engine, "available", lambda: None)
    monkeypatch.setattr(engine, "rate", lambda *given: (1_000, 1.0))
    _, ours, states = bench.run("stepping", 1, time_limit=0.02)
    assert ours.least == 5_000 and states.least == 50_000


@pytest.mark.skipif(engine.available() is not None, reason="there is no PuzzleScript engine")
def test_the_engine_is_timed() -> None:
    made, seconds = engine.rate(text(maps="#p*.o#"), 0, ["right", "left"], 0.05)
    assert made > 100 and seconds >= 0.05


def test_a_folder_without_a_map_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text(text(maps="message nothing"))
    with pytest.raises(PuzzleError, match="no map"):
        bench.run("stepping", 1, folder=tmp_path)
