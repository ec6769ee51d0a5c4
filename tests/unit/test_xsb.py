"""Collections of text levels (`.xsb`, `.sok`), and boards of all sizes that are read from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ggp.api import solve
from ggp.language import levels
from ggp.model import Piece
from ggp.referee.semantics import initial_state
from ggp.render.terminal import plain
from tests.level_files import COLLECTION, SOKOBAN, fault, read_xsb

# --- collections of text levels ---------------------------------------------------------------------------


def test_a_collection() -> None:
    first, second = read_xsb(COLLECTION)
    assert [first.name, second.name] == ["my-levels-1", "my-levels-2"]
    assert [first.title, second.title] == ["The first", "Second"]
    assert (len(first.board), len(first.board[0])) == (4, 6)
    assert first.board[0][4:] == (frozenset(), frozenset())
    assert first.board[2][3] == {Piece("target")}
    assert (len(second.board), len(second.board[0])) == (3, 8)
    assert second.board[0][0] == second.board[0][2] == second.board[1][2] == frozenset()
    assert first.place is not None
    assert (first.place.line, first.place.column) == (6, 1)
    assert first.horizon is None


def test_the_comment_above_is_the_title() -> None:
    assert [level.title for level in read_xsb("; one\n@$.\n; two\n\n@$.\n\n@$.")] == ["one", "two", ""]


def test_line_ends_do_not_matter() -> None:
    assert read_xsb(COLLECTION.replace("\n", "\r\n")) == read_xsb(COLLECTION)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "####\n#@x#\n",
            "set/my levels.xsb:2:3: error: the map has a 'x', which is not a symbol of the game",
        ),
        (
            "; 1\n\n@$.\n\n@$.\n@\n",
            "set/my levels.xsb:6:1: error: this is `player` number 2, and a map holds e",
        ),
        (
            "#.$#\n",
            "set/my levels.xsb:1:1: error: the map has 0 of `player`, and must hold exactly 1\n  draw one",
        ),
        ("@$#\n", "the map has 0 of `target`, and must hold at least 1\n  draw one with `.` or `*` or `+`"),
        ("; nothing but words\n", "set/my levels.xsb: error: there is no map in this file"),
        ("\t@$.\n", "set/my levels.xsb:1:1: error: the map has a '\\t'"),
        ("", "set/my levels.xsb: error: the file is empty"),
        ("@$.\0\n", "set/my levels.xsb:1:4: error: there is a NUL character here"),
        (
            "@$." + "#" * 20_000,
            "set/my levels.xsb:1:10001: error: this line has 20003 characters, the limit is 10000",
        ),
    ],
)
def test_faults_in_a_collection(text: str, message: str) -> None:
    assert message in fault(text, "xsb")


def test_all_levels_with_faults_are_told() -> None:
    message = fault("@$.\n\n@$\n\n@$x\n", "xsb")
    assert ":3:1: error: the map has 0 of `target`" in message
    assert ":5:3: error: the map has a 'x'" in message


SOK = """\
:: A collection in the other form
Set: Mine
Date: -----

Comment:
#####
#@$.#
Comment-End:

Level one
5#|#@$.#|5#
Title: In one line

Solution
3r2(uR)
#####

The second one

 5#
 #@$.#
 ##  #
  4#
Snapshot (1 move)
rU

12
third
#####
#@-.#
#$2-#
5#
"""


def test_the_other_form_of_collections() -> None:
    one, two, three = read_xsb(SOK)
    assert [one.title, two.title, three.title] == ["In one line", "The second one", "third"]
    assert one.board == read_xsb("#####\n#@$.#\n#####\n")[0].board
    assert two.board == read_xsb("-#####\n-#@$.#\n-##--#\n--####\n")[0].board
    assert three.board == read_xsb("#####\n#@-.#\n#$--#\n#####\n")[0].board


def test_both_extensions_are_read(tmp_path: Path) -> None:
    for name in ("mine.sok", "mine.xsb"):
        (tmp_path / name).write_text(SOK)
        assert levels.load(f"{tmp_path / name}#2").name == "sokoban/mine-2"


@pytest.mark.parametrize(
    ("encoded", "rows"),
    [
        ("5#|#@$.#|5#", ["#####", "#@$.#", "#####"]),
        ("5#\n#@$.#\n5#", ["#####", "#@$.#", "#####"]),
        ("@2(2-$)3.", ["@--$--$..."]),
        ("@$.2|-", ["@$.", "", "-"]),
        ("2(@$.|)#", None),  # two players
        ("@$.|2(2(-#)|)", ["@$.", "-#-#", "-#-#"]),
    ],
)
def test_run_lengths(encoded: str, rows: list[str] | None) -> None:
    if rows is None:
        assert "set/my levels.xsb:1:3: error: this is `player` number 2" in fault(encoded, "xsb")
        return
    (level,) = read_xsb(encoded)
    width = max(map(len, rows))
    (plain,) = read_xsb("\n".join(row.ljust(width, "-") for row in rows))
    assert level.board == plain.board


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#@$.#4\n", ":1:6: error: nothing follows the number 4, which says how often it is repeated\n  wri"),
        ("@$.\n2(#3)\n", ":2:4: error: nothing follows the number 3"),
        ("@$.|(#\n", ":1:5: error: this bracket is never closed\n  add the `)`"),
        ("@$.#)\n", ":1:5: error: this bracket closes nothing\n  take it out, or add the `(`"),
        ("@$.0#\n", ":1:4: error: 0 is no number of repetitions\n  write 1 to 100000"),
        ("@$.99999999999999#\n", ":1:4: error: 999999999999 is no number of repetitions"),
        ("@$.9999(9999#)\n", ":1:14: error: the line stands for more than 100000 cells here"),
        ("#####|#@$x#|5#\n", ":1:10: error: the map has a 'x', which is not a symbol of the game"),
        ("5#|#@$2@.#|5#\n", ":1:8: error: this is `player` number 2, and a map holds exactly 1"),
        ("#####\n#@hello#\n#$.##\n", ":2:3: error: the map has a 'h', which is not a symbol"),
        ("#####\nhello\n#@$.#\n", ":2:1: error: the map has a 'h', which is not a symbol"),
    ],
)
def test_faults_in_run_lengths_and_rows(text: str, message: str) -> None:
    assert message in fault(text, "xsb")


def test_marks_that_are_symbols_are_no_run_lengths() -> None:
    """A game may draw things with digits; then a number is a row of them."""
    digits = (*SOKOBAN.symbols, ("2", (Piece("crate"),)))
    (level,) = read_xsb("@2.\n", replace(SOKOBAN, symbols=digits))
    assert level.board[0][1] == {Piece("crate")}


# --- boards of all sizes, and boards that nobody can win --------------------------------------------------


def large(rows: int, columns: int) -> str:
    """A hall with one crate beside its target."""
    hall = [["#"] * columns, *(["#", *"-" * (columns - 2), "#"] for _ in range(rows - 2)), ["#"] * columns]
    hall[rows - 3][1:4] = "@$."
    return "\n".join(map("".join, hall))


@pytest.mark.parametrize(
    ("code", "answer"),
    [("@$.", "optimal"), ("@\n$\n.", "optimal"), ("@-$-------.", "optimal"), (large(100, 100), "optimal")],
    ids=["1x3", "3x1", "1x11", "100x100"],
)
def test_boards_of_all_sizes_are_shown_and_solved(code: str, answer: str, tmp_path: Path) -> None:
    file = tmp_path / "board.xsb"
    file.write_text(code)
    one = levels.load(str(file))
    assert len(plain(one, initial_state(one)).splitlines()) == len(one.level.board)
    assert solve(one, "search", time_limit=20).stop == answer


@pytest.mark.parametrize("symbol", "@$.#-*+")
def test_a_board_of_one_cell_is_refused(symbol: str) -> None:
    assert "the map has 0 of" in fault(symbol, "xsb")


def test_a_board_of_one_cell_can_be_won_or_not(tmp_path: Path) -> None:
    file = tmp_path / "cell.toml"
    file.write_text('game = "lights-out"\n[[level]]\nmap = "o"\n[[level]]\nmap = "."\n')
    assert [solve(levels.load(f"{file}#{n}"), "search").objective for n in (1, 2)] == [1, 0]


@pytest.mark.parametrize(
    ("name", "text", "warning"),
    [
        (
            "a.xsb",
            "#####\n#@$.#\n#$ ##\n#####\n",
            "2 of `crate` must stand on `target`, and there is room for 1",
        ),
        ("a.xsb", "@$-#.\n$.-#-\n", "2 of `crate` must stand on `target`, and there is room for 1"),
        ("a.xsb", "@$-.#$\n", "cell (0, 5): this `crate` can never get to `target`"),
        (
            "a.psychopath",
            "size:0,0,2,2 char:0,0 winspace:1,1 block:0,1 block:1,0",
            "no `player` can ever get to",
        ),
        ("a.xsb", "#####\n#@$.#\n#####\n", ""),
        ("a.xsb", "@$-.#*\n", ""),
    ],
)
def test_what_can_never_be_won_is_a_warning(name: str, text: str, warning: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text)
    found = [str(finding) for finding in levels.check(str(file))]
    assert len(found) == bool(warning) and all(warning in text and "warning:" in text for text in found)
    assert levels.load(str(file)).level.board, "it can be read all the same"
    if warning:
        assert solve(levels.load(str(file)), "search").stop == "unsolvable"
