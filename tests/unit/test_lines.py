"""Boards on a line: read, written, and refused with the place of what is wrong."""

from __future__ import annotations

import random
from dataclasses import replace
from math import isqrt
from pathlib import Path

import pytest

from ggp.errors import DescriptionError, Place, UnknownName, UnsupportedFeature
from ggp.language.levels import builtin, load
from ggp.language.readers import lines
from ggp.model import Game, Instance, Level
from ggp.referee.semantics import initial_state
from ggp.render.terminal import plain
from ggp.tasks.exporting import export, verify

SUDOKU = builtin("sudoku")[0]
EASY = ".47....38.5.6.....3.91.8.456...47...5.13.24.7...58...241.7.98.6.....3.1.87....92."


def read_lines(text: str, game: Game = SUDOKU) -> tuple[Level, ...]:
    return lines.read(text.encode(), "set/many.sdm", game, dict(game.forms)["lines"])


def drawn(level: Level) -> list[str]:
    instance = Instance(SUDOKU, level)
    return plain(instance, initial_state(instance, (), partial=True)).split()


def test_boards_on_lines() -> None:
    text = f"# a collection\n{EASY}\n\n{EASY.replace('.', '0')}; rated 3\n.4...1.3.....3.1\n"
    first, second, small = read_lines(text)
    assert [first.name, second.name, small.name] == ["many-1", "many-2", "many-3"]
    assert (first.title, second.title) == ("", "rated 3")
    assert first.board == second.board == load("sudoku/easy-9x9").level.board
    assert drawn(small) == [
        ".4..",
        ".1.3",
        "....",
        ".3.1",
    ]
    assert second.place == Place("set/many.sdm", 4, 1)


@pytest.mark.parametrize("side", [4, 9, 16, 25])
def test_lines_of_all_sizes_come_back(side: int) -> None:
    chance, box = random.Random(side), isqrt(side)
    digits = ((row * box + row // box + column) % side for row in range(side) for column in range(side))
    text = "".join(chance.choice([".", "123456789ABCDEFGHIJKLMNOP"[digit]]) for digit in digits)
    (level,) = read_lines(text)
    assert lines.write(SUDOKU, level.board) == text
    assert len(level.board) == side


def test_a_level_in_a_file_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "many.sdk"
    path.write_text(f"{EASY}\n.4...1.3.....3.1\n")
    assert len(load(f"{path}#2").level.board) == 4
    with pytest.raises(UnknownName, match="there is no level '3'"):
        load(f"{path}#3")
    other = tmp_path / "many.txt"
    other.write_text(f"{EASY}\n")
    assert load(f"sudoku:{other}").level.board == load(f"latin-square:{other}").level.board


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            EASY[:-1],
            "set/many.sdm:1:1: error: 80 characters are no square board\n  64 are one of 8 by 8, 81 are",
        ),
        (f"\n {EASY[:40]}x{EASY[41:]}", "set/many.sdm:2:42: error: the map has a 'x', which is not a symbol"),
        ("# nothing\n", "there is no map in this file"),
        (" ; a title", "error: 0 characters are no square board"),
        ("5" + "." * 15, "set/many.sdm:1:1: error: there is no `digit:5` in this level"),
        (".........", "`boxes` needs a side that is a square number"),
    ],
)
def test_faults_in_lines(text: str, message: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        read_lines(text)
    assert message in str(caught.value)


def test_every_line_with_a_fault_is_told_of() -> None:
    with pytest.raises(DescriptionError) as caught:
        read_lines(f"{EASY}1\n{EASY}\n12\n")
    assert [finding.place and finding.place.line for finding in caught.value.findings] == [1, 3]


def test_lines_are_exported_and_refused() -> None:
    instance = load("sudoku/easy-9x9")
    text = export(instance, "lines").text
    assert text == f"{EASY}\n"
    assert [check.passed for check in verify(instance, "lines", text)] == [True]
    assert [check.passed for check in verify(instance, "lines", text.replace("4", ".", 1))] == [False]
    assert [check.passed for check in verify(instance, "lines", "123")] == [False]
    with pytest.raises(UnsupportedFeature, match="sokoban reads no boards on lines"):
        export(load("sokoban/first"), "lines")
    wide = replace(instance.level, board=instance.level.board[:-1])
    with pytest.raises(UnsupportedFeature, match="a line is a square board, and this one is 8 by 9"):
        export(Instance(instance.game, wide), "lines", allow_loss=True)


def test_a_game_without_an_empty_symbol_reads_no_lines() -> None:
    game = replace(SUDOKU, symbols=tuple(item for item in SUDOKU.symbols if item[1]))
    with pytest.raises(DescriptionError, match="bad `empty`"):
        lines.read(EASY.encode(), "many.sdm", game, {"empty": "0"})
