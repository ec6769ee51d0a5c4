"""The names by which levels are asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ggp import registry
from ggp.errors import DescriptionError, PuzzleError, UnknownName
from ggp.language import levels
from ggp.language.levels import builtin
from tests.level_files import COLLECTION, LEVEL_TXT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "set.xsb").write_text(COLLECTION)
    (tmp_path / "level.txt").write_text(LEVEL_TXT)
    (tmp_path / "a#b.xsb").write_text(COLLECTION)
    (tmp_path / "mine.toml").write_bytes(registry.description_text("sokoban"))
    (tmp_path / "levels.toml").write_text('game = "sokoban"\n[[level]]\nname = "x"\nmap = "@$."\n')
    (tmp_path / "beside.toml").write_text('game = "mine.toml"\n[[level]]\nmap = "@$."\n')
    (tmp_path / "loop.toml").write_text('game = "loop.toml"\n[[level]]\nmap = "@$."\n')
    (tmp_path / "none.toml").write_text('game = "sokoban"\n')
    (tmp_path / "empty.ps").write_text("")
    (tmp_path / "lemmings").mkdir()
    (tmp_path / "lemmings" / "set.xsb").write_text(COLLECTION)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("lemmings/seed", "lemmings/seed"),
        ("sokoban/first", "sokoban/first"),
        ("lemmings#2", "lemmings/pair"),
        ("hitori#8x8", "hitori/8x8"),
        ("set.xsb", "sokoban/set-1"),
        ("./set.xsb#2", "sokoban/set-2"),
        ("set.xsb#set-2", "sokoban/set-2"),
        ("sokoban:set.xsb#2", "sokoban/set-2"),
        ("mine.toml:set.xsb#2", "sokoban/set-2"),
        ("level.txt", "lemmings/level"),
        ("lemmings:level.txt#1", "lemmings/level"),
        ("a#b.xsb", "sokoban/a-b-1"),
        ("mine.toml", "sokoban/first"),
        ("mine.toml#first", "sokoban/first"),
        ("mine.toml#1", "sokoban/first"),
        ("levels.toml", "sokoban/x"),
        ("beside.toml#1", "sokoban/1"),
        ("lemmings/set.xsb", "sokoban/set-1"),
    ],
)
def test_names_that_load(name: str, full: str, folder: Path) -> None:
    assert levels.load(name).name == full


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        (
            "lemmings/sed",
            UnknownName,
            "there is no level called 'lemmings/sed'\n  did you mean lemmings/seed",
        ),
        ("lemings/seed", UnknownName, "there is no game called 'lemings'\n  did you mean lemmings"),
        ("lemmings", UnknownName, "'lemmings' is a game, not a level\n  write lemmings/seed"),
        ("lemmings#99", UnknownName, "there is no level '99' in lemmings"),
        ("", UnknownName, "there is no game called ''"),
        ("#", UnknownName, "there is no game called '#'"),
        ("\0", UnknownName, "there is no game called"),
        ("x" * 5000, UnknownName, "there is no game called"),
        ("sett.xsb", UnknownName, "there is no file 'sett.xsb'\n  did you mean set.xsb?"),
        ("nowhere/set.xsb", UnknownName, "there is no file 'nowhere/set.xsb'"),
        ("./lemmings", DescriptionError, "lemmings: error: this is a directory\n  name a file in it"),
        (".", DescriptionError, "this is a directory"),
        ("set.xsb#3", UnknownName, "there is no level '3' in set.xsb\n  it has 2, `#1` to `#2`"),
        ("set.xsb#0", UnknownName, "there is no level '0'"),
        ("set.xsb#set-3", UnknownName, "did you mean `set-2` or `set-1`?"),
        ("none.toml", DescriptionError, "none.toml: error: there is no level in this file"),
        ("loop.toml", DescriptionError, "holds levels of 'loop.toml' and no game"),
        ("./a.xyz", UnknownName, "there is no file 'a.xyz'"),
        ("queens:set.xsb", UnknownName, "queens reads no level form but .toml"),
        ("sudoku:levels.toml", DescriptionError, "the map has a '@'"),
        ("empty.ps", DescriptionError, "empty.ps:1:1: error: files that end in '.ps' are games of other"),
        ("/dev/null", DescriptionError, "/dev/null: error: this is not a regular file"),
    ],
)
def test_names_that_do_not(name: str, error: type[PuzzleError], message: str, folder: Path) -> None:
    with pytest.raises(error) as caught:
        levels.load(name)
    assert message in str(caught.value)


def test_a_file_that_no_game_reads(folder: Path) -> None:
    (folder / "a.xyz").write_text("x")
    with pytest.raises(UnknownName) as caught:
        levels.load("a.xyz")
    assert "no game reads files that end in '.xyz'" in str(caught.value)
    assert "write GAME:a.xyz" in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(folder: Path) -> None:
    (folder / "set.xsb").chmod(0)
    with pytest.raises(DescriptionError, match="the file cannot be read"):
        levels.load("set.xsb")


def test_lists() -> None:
    assert levels.games() == tuple(sorted(registry.GAMES))
    assert levels.levels("lemmings")[0] == "lemmings/seed"
    assert levels.load_game("sokoban") == builtin("sokoban")
    with pytest.raises(UnknownName, match="there is no game called 'sokban'"):
        levels.load_game("sokban")


def test_a_game_from_a_file(folder: Path) -> None:
    assert levels.load_game("mine.toml") == builtin("sokoban")


def test_built_in_games_are_read_once() -> None:
    assert levels.load("lemmings/seed").game is levels.load("lemmings/seed").game


def test_importing_is_light() -> None:
    """The parsers are imported when the first file is read, not before."""
    heavy = "{'lark', 'tree_sitter', 'tree_sitter_toml'}"
    code = f"import sys, ggp.language.levels; print(*{heavy} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == ""
