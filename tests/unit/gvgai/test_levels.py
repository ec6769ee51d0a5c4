"""A file of levels goes out to GVGAI as one game file and a map for each level."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ggp.errors import UnsupportedFeature
from ggp.language import levels
from ggp.model import Piece
from ggp.tasks.exporting import export_together, verify_together
from tests.commands import Ask

TWO = [levels.load("sokoban/first"), levels.load("sokoban/corner")]


def test_a_file_of_levels_is_a_game_and_its_maps(tmp_path: Path, ask: Ask) -> None:
    answer = ask("export", "sokoban", "--to", "gvgai", "-o", str(tmp_path / "push.txt"))
    assert answer.status == 0
    maps = sorted(tmp_path.glob("push_lvl*.txt"))
    assert len(maps) == len(levels.every("sokoban"))
    found = levels.every(str(tmp_path / "push.txt"))
    assert [len(one.level.board) for one in found] == [
        len(one.level.board) + 2 for one in levels.every("sokoban")
    ]
    assert all(len(group.rules) <= 5 for one in found for group in one.game.turn)  # type: ignore[union-attr]


def test_each_level_is_verified() -> None:
    text = export_together(TWO, "gvgai").text
    good = list(verify_together(TWO, "gvgai", text, turns=40))
    assert len(good) >= 6 and all(one.passed for one in good)  # and as many by GVGAI, where it is
    broken = text.replace("bounceForward", "killSprite", 1)
    assert not all(one.passed for one in verify_together(TWO, "gvgai", broken, turns=40))


def test_a_limit_of_turns_that_all_share_is_kept() -> None:
    same = [levels.load("sokoban/first"), levels.load("sokoban/first")]
    assert "killIfHasMore" in export_together(same, "gvgai").text
    assert "killIfHasMore" not in export_together(TWO, "gvgai").text


def test_what_is_no_pushing_game_is_refused() -> None:
    with pytest.raises(UnsupportedFeature):
        export_together(levels.every("sudoku")[:2], "gvgai")
    first = levels.load("sokoban/first")
    board = tuple(tuple(here - {Piece("crate")} for here in row) for row in first.level.board)
    none = replace(first, level=replace(first.level, name="none", board=board))  # it is won before it begins
    with pytest.raises(UnsupportedFeature) as caught:  # it says which level is not
        export_together([first, none], "gvgai")
    assert "level none: " in str(caught.value) and "level first: " not in str(caught.value)
