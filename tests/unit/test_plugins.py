"""Games, solvers, exporters, goal words and learners that others bring, in a folder or a distribution."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TINY = """
name = "tiny-walk"
title = "Tiny walk"
about = "Walk to the flag."
[kinds]
walker = { layer = "piece", tile = "person", count = "1" }
flag = { layer = "floor", tile = "target" }
[symbols]
"." = ""
"@" = "walker"
"F" = "flag"
[input]
moves = ["up", "down", "left", "right"]
[[turn]]
rules = "step: walker here, no walker ahead => walker here -> ahead"
[goal]
when = "any-turn"
win = ["every walker on flag"]
[objectives]
turns = "turns"
[[level]]
name = "row"
horizon = 5
map = "@.F"
"""
SOLVER = """
'''Says that it is out of time.'''
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.model.result import Outcome
NAME = "idle-one"
FEATURES = SOLVABLE | GOAL_WORDS
def available(): return None
def versions(): return {}
def solve(instance, query):
    yield from ()
    return Outcome("time-limit")
"""


def ggp(*words: str, path: Path | None = None, importable: Path | None = None) -> tuple[int, str, str]:
    """Exit status, output and errors of the command line with these plugins."""
    env = {**os.environ, "PYTHONWARNINGS": "error::ImportWarning"}
    env |= {"GGP_PATH": str(path)} if path else {}
    env |= {"PYTHONPATH": os.pathsep.join(map(str, [importable, *sys.path[:1]]))} if importable else {}
    done = subprocess.run(
        [sys.executable, "-m", "ggp", *words], capture_output=True, text=True, env=env, timeout=120
    )
    return done.returncode, done.stdout, done.stderr


def rows(text: str) -> dict[str, dict[str, Any]]:
    """What `ggp list --json` prints, by name."""
    data = json.loads(text)
    return {row["name"]: row for row in (data if isinstance(data, list) else next(iter(data.values())))}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of plugins, one of which cannot be imported."""
    for name, text in {
        "descriptions/tiny-walk.toml": TINY,
        "solvers/idle_one.py": SOLVER,
        "solvers/broken.py": "import a_module_that_is_not_there",
        "solvers/half.py": "NAME = 'half'",
        "solvers/other.py": SOLVER,
        "solvers/search.py": "raise RuntimeError('takes the place of ours')",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_game_of_a_folder_is_there_like_any_other(folder: Path) -> None:
    status, out, err = ggp("solve", "tiny-walk/row", "--solver", "search", "--json", path=folder)
    assert status == 0, err
    assert (json.loads(out)["stop"], json.loads(out)["objective"]) == ("optimal", 2)
    status, out, _ = ggp("list", "games", "--json", path=folder)
    listed = rows(out)
    assert status == 0 and listed["tiny-walk"]["from"] == str(folder)
    assert listed["sokoban"]["from"] == "built-in"
    assert ggp("check", "tiny-walk", path=folder)[0] == 0


def test_what_fails_to_import_costs_itself_only(folder: Path) -> None:
    status, out, _ = ggp("list", "solvers", "--json", path=folder)
    listed = rows(out)
    assert status == 0 and listed["idle-one"]["available"] and not listed["broken"]["available"]
    assert "a_module_that_is_not_there" in listed["broken"]["why"]
    status, _, err = ggp("solve", "tiny-walk/row", "--solver", "broken", path=folder)
    assert status != 0 and "cannot be imported" in err and "Traceback" not in err
    assert ggp("solve", "tiny-walk/row", "--solver", "idle-one", path=folder)[0] == 1
    assert "does not offer FEATURES, available, versions, solve" in listed["half"]["why"]
    assert "calls itself 'idle-one'" in listed["other"]["why"]
    status, _, err = ggp("solve", "tiny-walk/row", "--solver", "half", path=folder)
    assert status != 0 and "does not offer" in err and "Traceback" not in err


def test_what_comes_to_nothing_is_said(folder: Path) -> None:
    status, _, err = ggp("list", "solvers", path=folder)
    assert status == 0 and "the solver search of" in err and "is left out" in err
    for path, said in (
        (folder / "none", "which is no folder"),
        (folder / "solvers", "has none of descriptions/"),
    ):
        status, out, err = ggp("list", "games", path=path)
        assert status == 0 and said in err and "sokoban" in out


def test_ours_is_not_replaced(folder: Path) -> None:
    status, out, _ = ggp("list", "solvers", "--json", path=folder)
    assert status == 0 and rows(out)["search"]["from"] == "built-in" and rows(out)["search"]["available"]


def test_without_plugins_there_are_none() -> None:
    assert ggp("solve", "tiny-walk/row")[0] == 2


def test_an_installed_distribution_brings_a_game_and_a_solver(tmp_path: Path) -> None:
    """As pip leaves it: a package, and metadata with entry points."""
    package = tmp_path / "others_games"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "tiny-walk.toml").write_text(TINY, encoding="utf-8")
    (package / "idle.py").write_text(SOLVER, encoding="utf-8")
    info = tmp_path / "others_games-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others-games\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(
        "[ggp.games]\nall = others_games\nlost = a_package_that_is_not_there\n"
        "[ggp.solvers]\nidle-two = others_games.idle\n"
    )
    status, out, err = ggp("list", "games", "--json", importable=tmp_path)
    assert status == 0, err
    assert rows(out)["tiny-walk"]["from"] == "others-games 1.5"
    assert ggp("solve", "tiny-walk/row", "--solver", "search", importable=tmp_path)[0] == 0
    assert ggp("solve", "tiny-walk/row", "--solver", "idle-two", importable=tmp_path)[0] == 1
