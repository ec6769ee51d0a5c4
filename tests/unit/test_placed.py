"""Level codes: words with a column and a row."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.errors import DescriptionError
from ggp.language import levels
from ggp.language.levels import builtin
from ggp.language.readers import placed
from tests.level_files import SOKOBAN

PSYCHOPATH = builtin("psychopath")[0]
CODE = "size:10,40,3,2 char:0,0 movable:1,0 movable:1,0 winspace:2,1 block:0,1"


def test_a_level_code() -> None:
    level = placed.read_code(CODE, "mine", PSYCHOPATH)
    assert (level.name, level.horizon, len(level.board), len(level.board[0])) == ("mine", None, 2, 3)
    shown = {(r, c): str(*here) for r, row in enumerate(level.board) for c, here in enumerate(row) if here}
    assert shown == {(0, 0): "player", (0, 1): "movable", (1, 0): "block", (1, 2): "exit"}


def test_files_of_level_codes(tmp_path: Path) -> None:
    file = tmp_path / "two.psychopath"
    file.write_text(f"; first\n{CODE}\n\n  {CODE}\n")
    assert levels.load(f"{file}#2").name == "psychopath/two-2"
    (tmp_path / "one.txt").write_text(CODE)
    assert levels.load(f"psychopath:{tmp_path / 'one.txt'}").name == "psychopath/one"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("char:0,0", "mine:1:1: error: the line says nowhere how large the map is\n  write `size:0,0,width,"),
        ("size:0,0,2,2 size:0,0,2,2", "mine:1:14: error: the line says 2 times how large the map is"),
        ("size:2,2 char:0,0", "mine:1:1: error: `size` has 2 numbers, and takes 4"),
        ("size:0,0,0,2", "mine:1:1: error: the width is 0\n  write 1 to 1000"),
        ("size:0,0,2,-1", "mine:1:1: error: the height is -1"),
        ("size:0,0,1000,1000", "mine:1:1: error: the map has 1000000 cells\n  at most 100000"),
        (
            "size:0,0,2,2 chr:0,0",
            "mine:1:14: error: there is no word 'chr' in this form\n  did you mean `char",
        ),
        (
            "size:0,0,2,2 char:0",
            "mine:1:14: error: `char` has 1 number, and takes 2\n  write `char:COLUMN,ROW`",
        ),
        ("size:0,0,2,2 char 0,0", "mine:1:14: error: 'char' is no word with numbers\n  write `WORD:NUMBER"),
        ("size:0,0,2,2 char:x,0", "mine:1:14: error: 'char:x,0' is no word with numbers"),
        (
            "size:0,0,2,3 char:2,0",
            "mine:1:14: error: column 2, row 0 is not on this map of 2 columns and 3 rows",
        ),
        ("size:0,0,2,2 char:0,-1", "mine:1:14: error: column 0, row -1 is not on this map"),
        ("size:0,0,2,2 char:0,0 char:1,1 winspace:0,0", "mine:1:23: error: this is `player` number 2"),
        ("size:0,0,2,2 char:1,1", "mine:1:1: error: the map has 0 of `exit`, and must hold at least 1"),
        (
            "size:0,0,2,2 char:0,0 winspace:1,1 block:0,0",
            "mine:1:36: error: `block` and `player` share a cell",
        ),
    ],
)
def test_faults_in_a_level_code(code: str, message: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        placed.read_code(code, "mine", PSYCHOPATH)
    assert message in str(caught.value)


def test_every_line_with_a_fault_is_told() -> None:
    text = f"char:0,0\n{CODE}\nsize:1\n"
    with pytest.raises(DescriptionError) as caught:
        placed.read(text.encode(), "x.psychopath", PSYCHOPATH, dict(PSYCHOPATH.forms)["placed"])
    assert [finding.place and finding.place.line for finding in caught.value.findings] == [1, 3]
    with pytest.raises(DescriptionError, match="there is no level in this file"):
        placed.read(b"; nothing", "x.psychopath", PSYCHOPATH, dict(PSYCHOPATH.forms)["placed"])


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"pieces": {"char": "player"}}, "size"),
        ({"size": ["size", "width"], "pieces": {"char": "player"}}, "size"),
        ({"size": ["size", "width", "width"], "pieces": {"char": "player"}}, "size"),
        ({"size": ["size", "width", "height"]}, "pieces"),
        ({"size": ["size", "width", "height"], "pieces": {"char": "hero"}}, "pieces"),
        ({"size": ["size", "width", "height"], "pieces": {"char": "player:up"}}, "pieces"),
    ],
)
def test_bad_settings_of_level_codes(settings: dict[str, object], what: str) -> None:
    with pytest.raises(DescriptionError, match=f"has a bad `{what}`"):
        placed.read(CODE.encode(), "x.psychopath", PSYCHOPATH, settings)


def test_a_game_without_level_codes() -> None:
    with pytest.raises(DescriptionError, match="sokoban reads no levels of words with numbers"):
        placed.read_code(CODE, "mine", SOKOBAN)
