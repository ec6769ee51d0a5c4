"""Foreign level forms, and the names by which levels are asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ggp import levels, registry
from ggp.api import solve
from ggp.errors import DescriptionError, PuzzleError, UnknownName
from ggp.levels import builtin
from ggp.model import Game, Level, Piece
from ggp.readers import headed, placed, xsb
from ggp.render.terminal import plain
from ggp.semantics import initial_state

SOKOBAN = builtin("sokoban")[0]
LEMMINGS = builtin("lemmings")[0]
HEADER = {"header": ["horizon+1", "budget"]}

COLLECTION = """\
; A collection
; of two levels

; First

####
#@ ##
# $. #
######

Title: The first
Author: nobody

; 2
'the second'

  -#####
  _#@$.#
   #####
Title: Second
"""
# The first level.txt, with the stray blanks of its first commit.
LEVEL_TXT = """\
20
3
XXXXXXXXXX
X<     XXX
X X      X
X        X
X      X X
X XX     X
X    X X X
XX   XX  X\x20\x20
XX   X XTX
XXXXXXXXXX
"""


def read_xsb(text: str, game: Game = SOKOBAN) -> tuple[Level, ...]:
    return xsb.read(text.encode(), "set/my levels.xsb", game, {})


def read_headed(text: str, game: Game = LEMMINGS) -> Level:
    (level,) = headed.read(text.encode(), "level.txt", game, HEADER)
    return level


def fault(text: str, form: str) -> str:
    with pytest.raises(DescriptionError) as caught:
        read_xsb(text) if form == "xsb" else read_headed(text)
    return str(caught.value)


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
            "set/my levels.xsb:1: error: this line has 20003 characters, the limit is 10000",
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


# --- words with numbers -----------------------------------------------------------------------------------

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


# --- numbers and a map ------------------------------------------------------------------------------------


def test_the_first_level_is_the_built_in_one() -> None:
    seed = builtin("lemmings")[1][0]
    level = read_headed(LEVEL_TXT)
    assert (level.name, level.horizon, level.numbers) == ("level", 19, (("budget", 3),))
    assert level.board == seed.board


def test_both_spellings() -> None:
    other = LEVEL_TXT.replace("<", "L").replace(" ", ".")
    assert read_headed(other.replace("X..\n", "X\n")).board == read_headed(LEVEL_TXT).board


def test_short_lines_are_filled_up() -> None:
    level = read_headed("5\n0\nX<\n\nXTXX\n\n")
    assert [len(row) for row in level.board] == [4, 4, 4]
    assert level.board[1] == (frozenset(),) * 4


def test_a_right_edge_of_blanks_stays() -> None:
    assert len(read_headed("5\n0\nX<  \nXT  \n").board[0]) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "x\n3\n<T\n",
            "level.txt:1:1: error: line 1 must be a number, `horizon+1`, not 'x'\n  the file begins",
        ),
        ("20\n<T\n", "level.txt:2:1: error: line 2 must be a number, `budget`, not '<T'"),
        ("20\n", "level.txt:2:1: error: line 2 must be a number, `budget`, not ''"),
        (
            "0\n3\n<T\n",
            "level.txt:1:1: error: `horizon+1` is 0, which makes `horizon` negative\n  write 1 or mo",
        ),
        (
            "20\n-3\n<T\n",
            "level.txt:2:1: error: `budget` is -3, which makes `budget` negative\n  write 0 or mo",
        ),
        ("20\n3\n", "level.txt:3:1: error: the map is empty\n  draw at least one cell"),
        ("20\n3\n<T\nX?\n", "level.txt:4:2: error: the map has a '?', which is not a symbol of the game"),
        ("20\n3\n<X\n", "level.txt:3:1: error: the map has 0 of `target`, and must hold at least 1"),
    ],
)
def test_faults_in_a_headed_file(text: str, message: str) -> None:
    assert message in fault(text, "headed")


@pytest.mark.parametrize("header", ["budget", ["budget+x"], [3], [["horizon"]]])
def test_a_bad_header_setting(header: object) -> None:
    if header == "budget":  # one name needs no list
        (level,) = headed.read(b"3\n<T", "x.txt", replace_horizon(LEMMINGS), {"header": header})
        assert level.numbers == (("budget", 3),)
        return
    with pytest.raises(DescriptionError, match="has a bad `header`"):
        headed.read(b"3\n<T", "x.txt", LEMMINGS, {"header": header})


def replace_horizon(game: Game) -> Game:
    """The game with a goal that needs no horizon, by an input that it never gets."""
    from ggp.model import Input

    return replace(game, goal=replace(game.goal, when="any-turn"), input=Input(("left",)))


# --- names of levels --------------------------------------------------------------------------------------


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
    (tmp_path / "lemmings").mkdir()
    (tmp_path / "lemmings" / "set.xsb").write_text(COLLECTION)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("lemmings/seed", "lemmings/seed"),
        ("sokoban/first", "sokoban/first"),
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
    code = "import sys, ggp.levels; print(*{'lark', 'tree_sitter', 'tree_sitter_toml'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == ""
