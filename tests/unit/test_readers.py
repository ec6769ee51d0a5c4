"""Foreign level forms, and the names by which levels are asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ggp import levels, registry
from ggp.errors import DescriptionError, PuzzleError, UnknownName
from ggp.levels import builtin
from ggp.model import Game, Level, Piece
from ggp.readers import headed, xsb

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
    from dataclasses import replace

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
        ("lemings/seed", UnknownName, "there is no game called 'lemings'\n  did you mean lemmings?"),
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
        ("sudoku:set.xsb", UnknownName, "sudoku reads no level form but .toml"),
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
