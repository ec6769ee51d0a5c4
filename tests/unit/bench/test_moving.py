"""The benchmark of puzzles that move: its baseline, its levels from a folder, its rows and its rates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ggp import bench
from ggp.bench import case, moving, rates
from ggp.bench.baselines import push as baseline_push
from ggp.errors import DescriptionError, NotAvailable, PuzzleError, UnknownName
from ggp.language.levels import load

DATA = case("moving")
ROLES = {name: baseline_push.Roles.of(game) for name, game in DATA["games"].items()}
TINY = "####\n#@ #\n#$.#\n####\n\n######\n#@$ .#\n######\n"


@pytest.mark.parametrize("name", [*DATA["levels"], "sokoban/stuck", "psychopath/garden", "psychopath/sealed"])
def test_the_baseline_finds_the_known_optimum(name: str) -> None:
    one = load(name)
    game = one.game.name
    answer = baseline_push.solve(one, ROLES[game], 30.0)
    known = dict(one.level.known.optimum).get(DATA["games"][game]["objective"])
    assert answer.proved and answer.best == known


def test_the_baseline_stops_when_its_time_is_over() -> None:
    answer = baseline_push.solve(load("sokoban/crossing"), ROLES["sokoban"], 0.0)
    assert (answer.best, answer.proved) == (None, False)


def test_levels_from_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "case", lambda name: DATA | {"rates": []})
    (tmp_path / "pair.xsb").write_text(TINY)
    code = "size:0,0,3,3 char:1,0 winspace:1,2 movable:0,1 movable:1,1 movable:2,1"
    wrong = {"name": "wrong", "code": code, "optimum": 9, "published_steps": 8}
    entries = [wrong, {"name": "open", "code": code}]
    (tmp_path / "codes.jsonl").write_text("\n".join(map(json.dumps, entries)))
    found = bench.run("moving", 1, folder=tmp_path, time_limit=20.0, solvers=("search", "null"))
    rows = {row.what: row for row in found}
    best = [what for what in rows if "search" in what]
    assert len(best) == 4 + 2
    assert rows["pair.xsb#2, pushes: search"].solutions == 2
    assert rows["pair.xsb#2, pushes: search"].agrees
    assert rows["open, turns: search"].agrees
    # What the list claims is not so: the row says it, and so does the summary.
    assert rows["wrong, turns: baseline"].agrees is False
    assert rows["all 2, turns, baseline: settled"].agrees is False
    assert rows["pair.xsb#1, pushes: search: unsolvable"].complete
    assert rows["all 2, pushes, search: settled"].solutions == 2
    assert any("null" in what for what in rows)


def test_an_answer_above_a_published_solution_disagrees() -> None:
    one = moving.Case(load("sokoban/first"), "first", None, None, published=5)
    assert moving.fits(one, 6, True, None) is False
    assert moving.fits(one, 5, True, None) is None
    assert moving.fits(one, 5, True, 5) is True
    assert moving.fits(one, None, True, None) is False, "somebody has published a plan"
    assert moving.fits(one, None, True, 5) is False, "it says that there is no plan, and there is one"
    assert moving.fits(one, None, False, 5) is None


def test_bad_folders_and_lists_are_named(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="no files of levels"):
        bench.run("moving", 1, folder=tmp_path)
    (tmp_path / "codes.jsonl").write_text('{"name": "a"}\n')
    with pytest.raises(DescriptionError, match="no level"):
        bench.run("moving", 1, folder=tmp_path)
    with pytest.raises(UnknownName, match="nobody"):
        bench.run("moving", 1, folder=tmp_path, solvers=("nobody",))
    with pytest.raises(PuzzleError, match="its own|of its own"):
        bench.run("seed", 1, folder=tmp_path)


def test_rates_have_a_row_for_everything_that_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(one: object, seconds: float) -> tuple[int, float]:
        raise NotAvailable("it cannot run here", "install it")

    monkeypatch.setattr(rates, "puzzlescript", missing)
    rows = list(rates.rows("moving", load("sokoban/first"), 0.01, lambda line: None))
    assert len(rows) == 6
    assert all(row.rate and row.rate > 0 for row in rows[:4])
    assert rows[5].rate is None and "cannot run here" in rows[5].what
