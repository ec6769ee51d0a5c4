"""Bad puzzles of the deduction sort, on the command line: what is wrong, where, and what to do about it.

Status 2, nothing on standard output, nothing written, and the line and the column of what is to blame.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.language import levels
from tests.commands import Ask, error_only

EMPTY = "....\n" * 4
BOXES = "aabb\naabb\nccdd\nccdd\n"
OTHER_VIEWS = "".join(f"{name} = [1, 1, 1, 1]\n" for name in ("columns-reversed", "rows", "rows-reversed"))


def of_digits(game: str, rows: str, more: str = "") -> str:
    return f'game = "{game}"\n[[level]]\nname = "bad"\nmap = """\n{rows}"""\n{more}'


def caged(regions: str, clues: str) -> str:
    return of_digits("killer-sudoku", EMPTY, f"[level.regions]\n{regions}\n[level.clues]\n{clues}\n")


def drawn(cages: str, clues: str) -> str:
    return caged(f'cages = """\n{cages}"""', clues)


# name: (the file, line and column, what is said, what to do)
BAD = {
    "givens that clash": (
        of_digits("sudoku", "1..1\n....\n....\n....\n"),
        (5, 4),
        "`digit:1` stands twice in rows 0, first at (0, 0)",
        "take one of them out",
    ),
    "a clue out of range": (
        of_digits("fill-a-pix", "9..\n...\n"),
        (5, 1),
        "the clue 9 is out of range: it counts 4 cells",
        "write 0 to 4",
    ),
    "a view out of range": (
        of_digits("skyscrapers", EMPTY, f"[level.clues]\ncolumns = [1, 2, 9, 1]\n{OTHER_VIEWS}"),
        (11, 18),
        "from the end of a line of 4 one cannot see 9",
        'write 1 to 4, or "?"',
    ),
    "runs that do not fit": (
        of_digits("nonogram", "...\n...\n", "[level.clues]\nrows = [1, [1, 2]]\ncolumns = [1, 1, 1]\n"),
        (9, 12),
        "runs of 1, 2 need 4 cells",
        "the line has 3",
    ),
    "a sum that no cage can reach": (
        drawn(BOXES, "cages = [10, 11, 10, 9]"),
        (18, 14),
        "4 different values from 1 to 4 cannot add up to 11",
        "write 10",
    ),
    "a sum that no run can reach": (
        of_digits("kakuro", "###\n#..\n#..\n", "[level.clues]\nacross = [18, 4]\ndown = [5, 5]\n"),
        (10, 11),
        "2 different values from 1 to 9 cannot add up to 18",
        "write 3 to 17",
    ),
    "a region with a cell twice": (
        caged("cages = [[[0, 0], [0, 1]], [[1, 1], [1, 1]]]", 'cages = [3, "?"]'),
        (11, 28),
        "this region holds the cell (1, 1) twice",
        "take it out once",
    ),
    "a region that leaves the board": (
        caged("cages = [[[0, 0], [0, 4]]]", "cages = [3]"),
        (11, 10),
        "the cell (0, 4) of this region is not on the board",
        "rows go from 0 to 3, columns from 0 to 3",
    ),
    "regions on a board of another size": (
        drawn("aab\naab\n", "cages = [3, 3]"),
        (12, 1),
        "`cages` must be as large as the map",
        "draw 4 lines of 4 characters",
    ),
    "as many clues as there are regions": (
        drawn(BOXES, "cages = [10, 10, 10]"),
        (18, 9),
        "there are 3 clues for 4 `cages`",
        'write one for each, "?" where there is none',
    ),
    "a board of the wrong size": (
        of_digits("sudoku", "...\n...\n...\n"),
        (2, 3),
        "`boxes` needs a side that is a square number, or 6; this one is 3",
        "draw them as `boxes`",
    ),
    "a line of the wrong length": (
        of_digits("sudoku", "....\n...\n....\n....\n"),
        (6, 4),
        "this line of the map has 3 characters, the others have 4",
        "pad it with `.`",
    ),
    "a number with a point": (
        drawn(BOXES, "cages = [10, 10, 10, 10.5]"),
        (18, 22),
        "a clue is a whole number",
        "write 3, [1, 2]",
    ),
    "a word for a number": (
        drawn(BOXES, 'cages = ["ten", 10, 10, 10]'),
        (18, 10),
        "a clue is a whole number",
        "write 3, [1, 2]",
    ),
    "a sign on a corner": (
        'game = "futoshiki"\n[[level]]\nsize = 2\nmap = """\n. .\n > \n. .\n"""\n',
        (6, 2),
        "this sign does not stand between two cells that can hold a `digit`",
        "take it away, or draw it between two of these",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_said_with_its_place(name: str, ask: Ask, tmp_path: Path) -> None:
    text, (line, column), message, remedy = BAD[name]
    file, out = tmp_path / "bad.toml", tmp_path / "plan.json"
    file.write_text(text)
    for command in (("solve", file, "-o", out), ("hint", file), ("export", file, "--to", "xcsp3", "-o", out)):
        answer = ask(*command)
        error_only(answer, message, remedy)
        assert answer.err.startswith(f"{file}:{line}:{column}: error: "), answer.err
    checked = ask("check", file)
    assert checked.status == 2 and f"{file}:{line}:{column}: error: " in checked.out
    assert not out.exists()


@pytest.mark.parametrize(
    ("cages", "line", "column", "message"),
    [
        ("aabb\naab.\nccdd\nccdd\n", 6, 4, "the cell (1, 3) lies in none of the regions of `cages`"),
        (".a..\n" * 4, 5, 1, "the cell (0, 0) lies in none of the regions of `cages`, and 11 more"),
    ],
)
def test_a_cell_that_is_left_out_is_a_warning(
    cages: str, line: int, column: int, message: str, ask: Ask, tmp_path: Path
) -> None:
    """Some puzzles mean it, so it stops nothing."""
    file = tmp_path / "level.toml"
    clues = '"?", ' * len(set(cages) - set(".\n"))
    file.write_text(drawn(cages, f"cages = [{clues}]"))
    answer = ask("check", file)
    assert answer.status == 0 and f"{file}:{line}:{column}: warning: {message}" in answer.out


def test_a_cell_of_two_regions_is_a_warning(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "level.toml"
    file.write_text(caged("cages = [[[0, 0], [0, 1]], [[0, 1], [0, 2]]]", 'cages = ["?", "?"]'))
    told = ask("check", file)
    assert told.status == 0
    assert f"{file}:5:2: warning: the cell (0, 1) lies in two regions of `cages`" in told.out


def test_boards_of_one_cell_and_of_one_line(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "level.toml"
    for rows, answer in ((".\n", "satisfied"), ("1\n", "satisfied"), ("2\n", None), ("....\n", None)):
        file.write_text(of_digits("sudoku", rows))
        told = ask("solve", file)
        assert (told.status, answer is None or answer in told.out) == (0 if answer else 2, True), told
    file.write_text(
        of_digits("nonogram", ".." * 20 + "\n", f"[level.clues]\nrows = [40]\ncolumns = {[1] * 40}\n")
    )
    assert levels.load(str(file)).level.board and "satisfied" in ask("solve", file).out
