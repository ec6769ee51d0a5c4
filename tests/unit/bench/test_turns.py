"""The benchmark of random turns: its rows, and that it notices what differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ggp import bench
from ggp.bench import turns
from ggp.bench.reachable import Board
from ggp.errors import UnknownName
from ggp.exporters.vgdl.play import Engine, built_in
from ggp.language.description import write_game
from ggp.language.levels import load_game
from ggp.model import Instance


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of three small levels."""
    game, kept = load_game("sokoban")
    made = tmp_path_factory.mktemp("turns") / "sokoban.toml"
    made.write_text(write_game(game, kept[:3]), encoding="utf-8")
    return made


def rows_of(monkeypatch: pytest.MonkeyPatch, file: Path, wanted: int, *engines: str) -> list[bench.Record]:
    """What the benchmark says of one game, played for so many turns."""
    monkeypatch.setattr(turns, "case", lambda name: bench.case(name) | {"turns": wanted})
    return bench.run("turns", 1, folder=file, solvers=engines)


def test_a_row_says_what_was_played_and_reached(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = rows_of(monkeypatch, file, 300, "vgdl")
    assert row.what.startswith("sokoban, built-in VGDL engine: 3") and "on 3 levels, 0 differ;" in row.what
    count = row.what.rpartition(": ")[2].split()
    assert len(count) == 3 and len(set(count)) == 1 and int(count[0]) >= turns.FEWEST_BOARDS
    assert row.agrees and row.complete and row.rate and row.rate > 0


def test_what_is_not_installed_gets_a_row(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = replace(turns.ENGINES["py-vgdl"], missing=lambda: "it is on no index")
    monkeypatch.setitem(turns.ENGINES, "py-vgdl", missing)
    (row,) = rows_of(monkeypatch, file, 10, "py-vgdl")
    assert row.what == "sokoban, py-vgdl: not installed" and row.agrees is None
    with pytest.raises(UnknownName, match="nobody"):
        rows_of(monkeypatch, file, 10, "nobody")


class Late:
    """The built-in engine, one tick behind."""

    def __init__(self, game: str, level_map: str) -> None:
        self.level, self.waiting = built_in(game, level_map), "noop"

    def __getattr__(self, name: str) -> object:
        return getattr(self.level, name)

    def tick(self, key: str = "noop") -> None:
        """Play the step before."""
        self.level.tick(self.waiting)
        self.waiting = key


def spoilt(game: str, level_map: str) -> Engine:
    """A level that is played wrong."""
    return Late(game, level_map)  # type: ignore[return-value]


def test_an_engine_that_parts_from_the_referee_is_noticed(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = replace(turns.ENGINES["vgdl"], play=turns.play_vgdl(spoilt))
    monkeypatch.setitem(turns.ENGINES, "vgdl", late)
    (row,) = rows_of(monkeypatch, file, 60, "vgdl")
    assert row.agrees is False and ", 0 differ" not in row.what and "sokoban/" in row.what


def test_boards_that_are_missed_and_errors_are_noticed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def one_less(instance: Instance) -> set[Board]:
        return set(sorted(turns.reach_vgdl(built_in)(instance), key=str)[1:])

    fewer = replace(turns.ENGINES["vgdl"], reach=one_less)
    monkeypatch.setitem(turns.ENGINES, "vgdl", fewer)
    (row,) = rows_of(monkeypatch, file, 20, "vgdl")
    assert row.agrees is False and ", 0 differ" in row.what
    broken = replace(turns.ENGINES["vgdl"], play=lambda *arguments: 1 / 0)  # type: ignore[arg-type]
    monkeypatch.setitem(turns.ENGINES, "vgdl", broken)
    (row,) = rows_of(monkeypatch, file, 20, "vgdl")
    assert row.agrees is False and "ZeroDivisionError" in row.what
