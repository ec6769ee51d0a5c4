"""Writing text levels: what is written reads back as the level, and what cannot be is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ggp.errors import DescriptionError, UnsupportedFeature
from ggp.goals.count import Count
from ggp.language import levels
from ggp.language.readers import xsb
from ggp.model import Instance, Level, Pattern, Piece, Plan
from ggp.tasks.exporting import export, verify
from tests.commands import Ask
from tests.level_files import SOKOBAN, read_xsb

OURS = levels.levels("sokoban")
WALL, CRATE = frozenset({Piece("wall")}), frozenset({Piece("crate")})
NOTHING: frozenset[Piece] = frozenset()


def told(level: Level) -> Level:
    """All of a level but its name, which a file gives, and what is known of it."""
    return Level("", level.board, level.horizon, level.numbers, title=level.title)


@pytest.mark.parametrize("name", OURS)
def test_what_is_written_reads_back_as_the_level(name: str) -> None:
    instance = levels.load(name)
    (found,) = read_xsb(export(instance, "xsb").text)
    assert told(found) == told(instance.level)
    assert all(check.passed for check in verify(instance, "xsb", export(instance, "xsb").text))


def test_all_of_them_one_after_another_are_a_collection(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "all.xsb"
    file.write_text("\n".join(ask("export", name, "--to", "xsb").out for name in OURS))
    assert ask("check", file).status == 0
    for number, name in enumerate(OURS, start=1):
        assert told(levels.load(f"{file}#{number}").level) == told(levels.load(name).level)


@pytest.mark.parametrize(
    "rows",
    [
        ["@$. "],  # blanks at the end of lines are lost in a file, so empty cells there are drawn otherwise
        [" @$.", "    "],
        ["    ", "@$. ", "    "],
        ["  @ ", "  $ ", "  . "],
        ["+$*"],
    ],
)
def test_empty_cells_at_the_edges_stay(rows: list[str]) -> None:
    (level,) = read_xsb("\n".join(row.replace(" ", "-") for row in rows))
    (found,) = read_xsb(xsb.write(SOKOBAN, level))
    assert found.board == level.board and len(found.board[0]) == len(rows[0])


def test_a_title_of_several_lines_and_none() -> None:
    (level,) = read_xsb("@$.")
    assert xsb.write(SOKOBAN, level) == "@$.\n\n"
    text = xsb.write(SOKOBAN, replace(level, title="one\n two: $$ "))
    assert text == "@$.\n\nTitle: one two: $$\n"
    assert read_xsb(text)[0].title == "one two: $$"


def test_numbers_below_a_map_are_read() -> None:
    first, second = read_xsb("@$.\n\nhorizon: 7\n\n@$.\nAuthor: 12\n")
    assert (first.horizon, second.horizon) == (7, None)
    with pytest.raises(DescriptionError, match=r"levels.xsb:3:1: error: `horizon` is 'soon'\n.*whole number"):
        read_xsb("@$.\n\nHorizon: soon\n")


def test_numbers_that_a_game_asks_for() -> None:
    """Sokoban asks for none, so here its goal does."""
    term = Count(Pattern("crate"), "=", "needed")
    asking = replace(SOKOBAN, goal=replace(SOKOBAN.goal, terms=(*SOKOBAN.goal.terms, term)))
    (level,) = xsb.read(b"@$.\n\nneeded: 1\nother: 2\n", "a.xsb", asking, {})
    assert level.numbers == (("needed", 1),)
    (found,) = xsb.read(xsb.write(asking, level).encode(), "a.xsb", asking, {})
    assert told(found) == told(level)


def test_what_such_a_text_cannot_hold() -> None:
    with pytest.raises(UnsupportedFeature, match="lemmings") as caught:
        export(levels.load("lemmings/seed"), "xsb", allow_loss=True)
    assert "declare [forms.xsb]" in str(caught.value)
    first = levels.load("sokoban/first")
    odd = replace(first.level, board=((frozenset({Piece("player"), Piece("wall")}), WALL),))
    with pytest.raises(UnsupportedFeature, match="no symbol of the game stands for `player wall`"):
        export(Instance(first.game, odd), "xsb", allow_loss=True)
    ending = Instance(first.game, replace(first.level, when="horizon"))
    with pytest.raises(UnsupportedFeature, match="does not hold the ending of the level"):
        export(ending, "xsb")
    assert export(ending, "xsb", allow_loss=True).text == export(first, "xsb").text
    with pytest.raises(UnsupportedFeature, match="does not hold a plan"):
        export(first, "xsb", Plan((), ("left",)))
    blank = replace(SOKOBAN, symbols=tuple(one for one in SOKOBAN.symbols if one[0] not in "-_"))
    open_level = replace(first.level, board=((CRATE, NOTHING),))
    with pytest.raises(DescriptionError, match="row 0 of the map ends in a blank"):
        xsb.write(blank, open_level)


def test_a_text_that_is_another_level_does_not_pass() -> None:
    first = levels.load("sokoban/first")
    text = export(first, "xsb").text
    for wrong in (text.replace("$@ ", " @$"), text.replace("12", "13"), text.replace("@", "")):
        (check,) = verify(first, "xsb", wrong)
        assert not check.passed
