"""`ggp bench proofs`: a row for each claim, and what it came to."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp import bench
from ggp.bench import proofs
from ggp.language import levels
from ggp.proof import Evidence


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if these were all levels."""
    kept = [levels.load("sokoban/first"), levels.load("akari/ambiguous")]
    monkeypatch.setattr(proofs, "shipped", lambda: kept)


@pytest.mark.usefixtures("two")
def test_each_claim_is_checked_and_said_by_what() -> None:
    best, every, total = bench.run("proofs")
    assert best.what == "sokoban/first: best, none below 6 (search), referee, 47 states"
    assert best.agrees and best.complete
    assert every.what.startswith("akari/ambiguous: all, 2 and no more (search), proof checker, ")
    assert total.what == "2 answers: 2 checked" and total.agrees


@pytest.mark.usefixtures("two")
def test_what_is_wrong_or_open_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = iter([Evidence("wrong", "referee", 0, "there is a better one"), Evidence(None, note="no time")])
    monkeypatch.setattr(proofs, "evidence", lambda claim, clock: next(found))
    best, every, total = bench.run("proofs")
    assert best.agrees is False and best.what.endswith("wrong: there is a better one")
    assert every.agrees is None and not every.complete and every.what.endswith("claimed: no time")
    assert total.what == "2 answers: 1 claimed, 1 wrong" and total.agrees is False


def test_levels_of_a_file_are_taken(tmp_path: Path) -> None:
    file = tmp_path / "level.toml"
    file.write_text(
        'game = "sudoku"\n[[level]]\nname = "own"\nhorizon = 0\nmap = """\n'
        "12..\n..12\n2..1\n.1..\n" + '"""\n',
        encoding="utf-8",
    )
    row, total = bench.run("proofs", folder=file, solvers=("cp-sat",))
    assert row.what.startswith("sudoku/own: all, ") and row.agrees
    assert total.agrees


def test_a_level_that_nobody_answers_in_time_has_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "shipped", lambda: [levels.load("sokoban/crossing")])
    row, total = bench.run("proofs", time_limit=0.01, solvers=("cp-sat",))
    assert row.what == "sokoban/crossing: best, no answer within the limit" and row.agrees is None
    assert total.what == "1 answers: 1 not answered"
