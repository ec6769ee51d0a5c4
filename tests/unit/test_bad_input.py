"""Bad files: each one gets an error that says what is wrong, where, and what to do about it."""

# ruff: noqa: E501 - a table with one case a line

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ggp.errors import DescriptionError, PuzzleError
from ggp.language.description import check_file, read_game
from ggp.language.levels import load

DATA = Path(__file__).parents[1] / "data"  # copies, so that new levels of the games change nothing here
LEMMINGS, SOKOBAN, SUDOKU = (
    (DATA / f"{name}.toml").read_text(encoding="utf-8") for name in ("lemmings", "sokoban", "sudoku")
)


def fault(data: str | bytes) -> str:
    """What is said of a description."""
    with pytest.raises(DescriptionError) as caught:
        read_game(data.encode() if isinstance(data, str) else data, "g.toml")
    return str(caught.value)


def place(text: str, part: str, file: str = "g.toml") -> str:
    """`FILE:LINE:COLUMN` of the first place where `part` stands."""
    before = text[: text.index(part)]
    return f"{file}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


# Of each: the file, what is changed in it, where the error points, what it says, what it advises.
SPOILT = [
    # unknown keys
    (LEMMINGS, "about =", "abuot =", "abuot =", "a description has no `abuot`", "did you mean `about`?"),
    (LEMMINGS, "[kinds]", "[knids]", "knids]", "a description has no `knids`", "did you mean `kinds`?"),
    (LEMMINGS, "merge =", "merges =", "merges =", "a kind has no `merges`", "did you mean `merge`?"),
    (LEMMINGS, "free-of", "free_of", "free_of", "[design] has no `free_of`", "did you mean `free-of`?"),
    (LEMMINGS, "win =", "wins =", "wins =", "[goal] has no `wins`", "did you mean `win`?"),
    (SOKOBAN, "moves = [", "move = [", "move = [", "[input] has no `move`", "did you mean `moves`?"),
    (SOKOBAN, "rules =", "rule =", "rule =", "[[turn]] has no `rule`", "did you mean `rules`?"),
    (LEMMINGS, "horizon = 19", "horizn = 19", "horizn", "a level has no `horizn`", "did you mean `horizon`?"),
    (LEMMINGS, "budget = 3", 'bugdet = "x"', "bugdet", "a level has no `bugdet`", "did you mean `budget`?"),
    (LEMMINGS, "solvable", "solveable", "solveable", "[level.known] has no `solveable`", "did you mean `solvable`"),
    (LEMMINGS, "design = [[5", "desing = [[5", "desing", "a plan has no `desing`", "did you mean `design`?"),
    # missing keys
    (LEMMINGS, 'name = "lemmings"', "", "# Bricks", "`name` is missing here", 'add `name = "..."`'),
    (LEMMINGS, 'layer = "solid", ', "", "wall =", "`layer` is missing here", "kinds on one layer exclude"),
    (LEMMINGS, 'place = "brick"\n', "", "design]", "`place` is missing here", "name the kind that is placed"),
    (LEMMINGS, 'win = ["no lemming off target"]', "", "goal]", "`win` is missing here", "add `win = ["),
    # wrong types
    (LEMMINGS, 'title = "Lemmings"', "title = 3", "3\nabout", "`title` must be text in quotes, not a whole", ""),
    (LEMMINGS, "horizon = 19", 'horizon = "19"', '"19"', "`horizon` must be a whole number, not text", ""),
    (LEMMINGS, "horizon = 19", "horizon = 1.5", "1.5", "must be a whole number, not a number with a point", ""),
    (LEMMINGS, "horizon = 19", "horizon = true", "true\nbudget", "must be a whole number, not true or false", ""),
    (LEMMINGS, "budget = 3", "budget = []", "[]", "`budget` must be a whole number, not a list", ""),
    (LEMMINGS, "merge = true", 'merge = "yes"', '"yes"', "`merge` must be true or false, not text", ""),
    (LEMMINGS, '["left", "right"]', '"left"', '"left", merge', "`facing` must be a list of texts, not text", ""),
    (LEMMINGS, '["left", "right"]', '["left", 2]', "2]", "an item of `facing` must be text in quotes", ""),
    (LEMMINGS, 'wall = { layer = "solid"', 'wall = "solid"#', '"solid"#', "`wall` must be a table, not text", ""),
    (LEMMINGS, 'limit = "budget"', "limit = 1.0", "1.0", "`limit` must be a whole number or the name of", ""),
    (LEMMINGS, "[[level]]", "[level]", "level]", "`level` must be tables, each under a line `[[level]]`", ""),
    (LEMMINGS, "[[5, 1,", '[["5", 1,', '["5", 1', "this is not a placement", 'write [row, column, "kind"]'),
    (LEMMINGS, "horizon = 19", "horizon = 9999999999", "9999999999", "`horizon` is too large", "numbers stay"),
    # kinds, symbols
    (LEMMINGS, '["left", "right"]', '["lft"]', '"lft"', "`lemming` cannot face 'lft'", "did you mean `left`?"),
    (LEMMINGS, '["left", "right"]', '["left", "left"]', '"left"], m', "cannot face 'left' twice", ""),
    (LEMMINGS, 'count = "1.."', 'count = "many"', '"many"', "`count` must say how many", 'write `count = "1"`'),
    (LEMMINGS, 'count = "1.."', 'count = "3..2"', '"3..2"', "`count` from 3 to 2 is never", "the lower first"),
    (SUDOKU, '[1, "width"]', "[9, 1]", "[9, 1]", "`values` from 9 to 1 are none", "write the lower first"),
    (SUDOKU, '[1, "width"]', "[1]", "[1]", "`values` must be the lowest and the highest", "write `values = [1"),
    (LEMMINGS, "wall = {", "stay = {", "stay = {", "`stay` is a word of the rule language", "another name"),
    (LEMMINGS, 'solid = ["', 'brick = ["', 'brick = ["', "`brick` is a kind and a class", "rename one of them"),
    (LEMMINGS, '"X" = "wall"', '"X" = "wal"', "wal\"", "there is no kind `wal`", "did you mean `wall`?"),
    (LEMMINGS, '"L" = "lemming:left"', '"L" = "lemming"', 'lemming"\n">', "`lemming` needs a facing", "write `lem"),
    (LEMMINGS, '"L" = "lemming:left"', '"L" = "lemming:up"', "lemming:up", "does not face `up`", "write `lemming:l"),
    (LEMMINGS, '"X" = "wall"', '"XY" = "wall"', '"XY"', "the key 'XY' has several characters", "one key a symbol"),
    (SUDOKU, '"digit:1.."', '"digit:x.."', '"digit:x.."', "`digit` needs a value", "write `digit:1`"),
    (SUDOKU, '"." = ""', '"1" = ""', '"12', "the symbol '1' stands twice in the table", "leave one out"),
    (SOKOBAN, '"crate target"', '"crate wall"', 'wall"\n"@"', "`crate` and `wall` cannot share a cell", "give one"),
    # the rest of a game
    (SOKOBAN, 'name = "sokoban"', 'name = "turn"', '"turn"', "`turn` is a word of the rule language", "another"),
    (LEMMINGS, 'when = "horizon"', 'when = "horzon"', '"horzon"', "`when` cannot be 'horzon'", "did you mean `ho"),
    (LEMMINGS, '"placements"', '"bricks"', '"bricks"', "'bricks' is not an objective", 'write "placements"'),
    (SOKOBAN, '["up", "right", "down", "left"]', '["upp"]', '"upp"', "'upp' cannot be a move", "mean `up`?"),
    (LEMMINGS, "rules =", 'until = "stable"\nrules =', "until", "`until` needs a `bound`", "add `bound ="),
    (LEMMINGS, "rules =", "bound = 3\nrules =", "bound", "`bound` means nothing without `until`", "add `until"),
    (LEMMINGS, "rules =", 'until = "x"\nbound = 3\nrules =', '"x"', "`until` cannot be 'x'", "known are stable"),
    (LEMMINGS, "solid down  ", "solid dwn", "dwn", "there is no step `dwn`", "did you mean `down`?"),
    (LEMMINGS, "no solid down", "no sold down", "no sold", "no kind or class `sold`", "did you mean `solid`?"),
    (LEMMINGS, "no lemming off", "no leming off", "no leming off", "or class `leming`", "did you mean `lemming`?"),
    # maps
    (LEMMINGS, "X X      X", "X X   x  X", "x  X\nX        X", "the map has a 'x', which is not", "the symbols are"),
    (LEMMINGS, "X X      X", "X X      ", "\nX        X", "has 9 characters, the others have 10", "pad it with ` `"),
    (LEMMINGS, "X X      X", "X X      XX", "X\nX        X", "has 11 characters, the others have 10", "cut it to 10"),
    (LEMMINGS, "X XTX", "X X X", "XXXXXXXXXX\nX<", "the map has 0 of `target`, and must hold", "draw one with `T`"),
    (SOKOBAN, "#    #\n# $@", "#   @#\n# $@", "@ #\n#  .", "this is `player` number 2, and a map holds", "take one"),
    (SUDOKU, ".4..", ".5..", "5..\n", "there is no `digit:5` in this level", "the values of `digit` go from 1 to 4"),
    (SUDOKU, 'map = """\n.4..\n.1.3\n....\n.3.1\n"""', 'map = ""', "\"\n[level", "the map is empty", "draw at"),
    # levels
    (LEMMINGS, "horizon = 19", "horizon = -1", "-1", "`horizon` is -1, but it counts turns", "write 0 or more"),
    (LEMMINGS, "budget = 3", "budget = -3", "-3", "`budget` is -3, but it counts placements", "write 0 or more"),
    (LEMMINGS, "budget = 3", "", "level]]", "there is no number `budget`, the limit of", "add `budget = ...`"),
    (LEMMINGS, "horizon = 19", "", "level]]", "there is no horizon", "add `horizon = ...`, the number of turns"),
    (LEMMINGS, 'name = "seed"', 'name = "a/b"', '"a/b"', "'a/b' is not a name for a level", "letters, digits"),
    (LEMMINGS, "[[5, 1,", "[[50, 1,", "level]]", "a known plan places brick at (50, 1), outside", "rows go from 0"),
    (LEMMINGS, '[[5, 1, "brick"', '[[5, 1, "wall"', "level]]", "a known plan places `wall`", "it must be `brick`"),
    (LEMMINGS, "bricks = 3", "brick = 3", "level]]", "known for `brick`, which is no objective", "objectives are br"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "old", "new", "at", "message", "remedy"), SPOILT)
def test_what_is_said_of_a_spoilt_file(
    text: str, old: str, new: str, at: str, message: str, remedy: str
) -> None:
    spoilt = changed(text, old, new)
    said = fault(spoilt)
    lines = [line for line in said.split("\n") if message in line]
    assert lines, said
    assert lines[0].startswith(f"{place(spoilt, at)}: error: "), said
    assert remedy in said


def test_several_faults_are_told_at_once_in_order() -> None:
    spoilt = changed(changed(LEMMINGS, "about =", "abuot ="), "horizon = 19", 'horizon = "19"')
    spoilt = changed(changed(spoilt, "solid down", "solid dwn"), "X X      X", "X ?      X")
    with pytest.raises(DescriptionError) as caught:
        read_game(spoilt.encode(), "g.toml")
    found = caught.value.findings
    assert len(found) == 4
    lines = [finding.place.line for finding in found if finding.place]
    assert lines == sorted(lines) and len(lines) == 4


def test_a_fault_in_each_rule_is_told() -> None:
    spoilt = LEMMINGS.replace("lemming here", "lemming heer")
    assert fault(spoilt).count("there is no step `heer`") >= 4


def test_two_levels_of_one_name() -> None:
    spoilt = LEMMINGS + LEMMINGS[LEMMINGS.index("[[level]]") :]
    assert "error: there are two levels called 'seed'\n  rename one" in fault(spoilt)


def test_regions_must_fit_the_map() -> None:
    spoilt = SUDOKU + '[level.regions]\ncages = """\nAA\n"""\n'
    assert f"{place(spoilt, 'AA')}: error: `cages` must be as large as the map\n  draw 4 lines of 4" in fault(
        spoilt
    )


# --- what is no text, or no TOML --------------------------------------------------------------------------


def test_not_utf8() -> None:
    data = LEMMINGS.encode().replace(b'title = "Lemmings"', b'title = "\xc3\xa9\xff"')
    assert fault(data).startswith("g.toml:4:11: error: the byte 0xff is not UTF-8\n  save the file as UTF-8")
    assert ":4:11:" in fault(b"\xef\xbb\xbf" + data)


def test_a_nul_byte() -> None:
    spoilt = changed(LEMMINGS, "Lemmings", "Lem\0mings")
    assert fault(spoilt).startswith(
        f"{place(spoilt, chr(0))}: error: there is a NUL character here\n  is this a text"
    )


@pytest.mark.parametrize("data", [b"", b"  \n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_file(data: bytes) -> None:
    assert fault(data) == "g.toml: error: the file is empty\n  see descriptions/ for examples"


def test_a_file_that_is_too_large() -> None:
    start = time.perf_counter()
    assert fault(b"#" + b"a" * 80 + b"\n" * 2_000_000) == (
        "g.toml:999920:1: error: the file is larger than the limit of 1000000 bytes\n"
        "  split it: levels can stand in files of their own"
    )
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(
    "text",
    ["a = " + "[" * 5000, "a = " + "[\n" * 50_000, "a = " + "{a=" * 2000, "[" + "a." * 2000 + "a]"],
)
def test_deep_nesting(text: str) -> None:
    assert fault(text)  # an error of ours, and not a RecursionError


def test_deep_nesting_says_so() -> None:
    assert fault("a = " + "[" * 5000).startswith("g.toml: error: arrays or tables are nested too deeply")


def test_a_line_that_is_too_long() -> None:
    said = fault(LEMMINGS + "#" * 20_000)
    assert "error: this line has 20000 characters, the limit is 10000\n  break it into several lines" in said


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ('name = "g', "1:10", "this is not TOML: "),
        ("name = g", "1:8", "this is not TOML: Invalid value"),
        ('name = "a"\nname = "b"', "2:1", "`name` is there twice\n  the other one is on line 1"),
        ('[kinds]\na = { layer = "x" }\nb = { layer = "x" }\na = {}\nb = 1', "4:1", "`a` is there twice"),
        ("a = { b = 1, c = 2, b = 3 }", "1:21", "`b` is there twice"),
        ("[[a]]\nb = 1\n[[a]]\nb = 2\n[c]\n[c]", "6:2", "`c` is there twice"),
        ("[a\n", "1:3", "this is not TOML: Expected ']'"),
        ("a = 1\n[a]\nb = 2", "2:2", "`a` is there twice"),
        ("a = {}\na.b = 2", "2:8", "this is not TOML"),
        ("a = 99999" + "9" * 5000, "1:5", "this is not TOML: a number with too many digits"),
        ("XXXX\nX<TX\n", "1:", "this is not TOML: "),
    ],
)
def test_not_toml(text: str, at: str, message: str) -> None:
    said = fault(text)
    assert message in said
    assert said.startswith(f"g.toml:{at}")


def test_a_directory_and_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(LEMMINGS)
    for path, message in [
        (tmp_path, "error: this is a directory\n  name a file in it"),
        (tmp_path / "gaem.toml", f"did you mean {tmp_path / 'game.toml'}?"),
        (tmp_path / "x.toml", "error: there is no file"),
        (tmp_path / ("x" * 500), "error: the file cannot be read: File name too long"),
    ]:
        assert message in "\n".join(map(str, check_file(path)))
    with pytest.raises(PuzzleError, match="this is a directory"):
        load(str(tmp_path))


def test_messages_do_not_repeat_long_input() -> None:
    spoilt = changed(LEMMINGS, '"X" = "wall"', f'"X" = "{"w" * 9000}"')
    assert len(fault(spoilt)) < 1000
    spoilt = changed(LEMMINGS, "no solid down", f"no {'s' * 9000} down")
    assert len(fault(spoilt)) < 1000
    spoilt = changed(LEMMINGS, "[kinds]\n", "[kinds]\n" + "".join(f"k{n} = 3\n" for n in range(5000)))
    assert fault(spoilt).count("must be a table") == 50
