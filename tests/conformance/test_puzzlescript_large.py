"""Boards of the sizes that people play: what is solved here wins in the engine, with a cell less not.

Each board is made of an answer, a comb: every other row of it is full, and its first column. So a board of
any size has one, and none is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

import pytest

import ggp
from ggp.engines import puzzlescript as engine
from ggp.exporters import puzzlescript
from ggp.exporters.puzzlescript import verification
from ggp.language.description import read_game
from ggp.model import Cell, Instance, Piece, Plan
from tests.slow import slow_unless

DESCRIPTIONS = Path(__file__).parents[2] / "descriptions"
SIGNS = ".123456789ABCDEFGHIJKLMNOP"
NEAR = (-1, 0), (0, 1), (1, 0), (0, -1)


def comb(row: int, column: int, size: int) -> bool:
    """Is it a cell of the comb?"""
    inside = 0 <= row < size and 0 <= column < size
    return inside and (row % 2 == 0 or column == 0)


def nurikabe(size: int) -> list[str]:
    """The comb is the sea, with teeth across its gaps: islands have two cells, or one at the edge."""
    rows = [["."] * size for _ in range(size)]
    for row, column in product(range(1, size, 2), range(1, size, 3)):
        rows[row][column] = SIGNS[min(2, size - column)]
    return list(map("".join, rows))


def hitori(size: int) -> list[str]:
    """A latin square, in which some cells that do not touch say what the next cell says."""
    number = lambda row, column: SIGNS[(row + column + (row % 3 == column % 3 == 0)) % size + 1]  # noqa: E731
    return ["".join(number(row, column) for column in range(size)) for row in range(size)]


def slitherlink(size: int) -> list[str]:
    """The loop goes round the comb, and each room says how much of it is beside."""
    posts = "+ " * size + "+"
    rows = [posts]
    for row in range(size):
        beside = [
            sum(comb(row, column, size) != comb(row + down, column + right, size) for down, right in NEAR)
            for column in range(size)
        ]
        rows += [" " + " ".join(map(str, beside)) + " ", posts]
    return rows


def masyu(size: int) -> list[str]:
    """A loop at the edge, with black corners."""
    rows = [". " * (size - 1) + ".", " +" * (size - 1) + " "] * (size - 1) + [". " * (size - 1) + "."]
    corners = "*" + rows[0][1:-1] + "*"
    return [corners, *rows[1:-1], corners]


def bridges(size: int) -> list[str]:
    """Islands in every other cell, joined along rows, and down the first column."""
    last = (size - 1) // 2 * 2
    rows = [["."] * size for _ in range(size)]
    for row, column in product(range(0, size, 2), repeat=2):
        beside = (column > 0) + (column < last) + (column == 0) * ((row > 0) + (row < last))
        rows[row][column] = SIGNS[beside]
    return list(map("".join, rows))


MADE: dict[str, Callable[[int], list[str]]] = {
    "nurikabe": nurikabe,
    "hitori": hitori,
    "slitherlink": slitherlink,
    "masyu": masyu,
    "hashiwokakero": bridges,
}
SIZES = [
    *(("nurikabe", size) for size in (6, 10, 15, 20)),
    *(("hitori", size) for size in (8, 14, 20)),
    *(("slitherlink", size) for size in (5, 10, 20)),
    *(("masyu", size) for size in (5, 10, 19)),
    *(("hashiwokakero", size) for size in (6, 10, 20)),
]


def drawn(name: str, size: int) -> Instance:
    """The board as a level of the game."""
    return level_of(name, MADE[name](size))


def level_of(name: str, rows: list[str]) -> Instance:
    """These rows as a level of a game."""
    text = (DESCRIPTIONS / f"{name}.toml").read_text(encoding="utf-8")
    level = '[[level]]\nname = "large"\nmap = """\n' + "\n".join(rows) + '\n"""\n'
    game, (only,) = read_game((text[: text.index("[[level]]")] + level).encode(), f"{name}.toml")
    return Instance(game, only)


def seen(one: Instance, design: Iterable[tuple[Cell, Piece]]) -> str:
    """What becomes of a design that is typed into the engine; fails where the referee sees anything else."""
    if engine.missing("") is not None:
        pytest.skip("there is no PuzzleScript engine here")
    style = puzzlescript.EDITABLE
    script, shaped = style.script(one, None), style.shaped(one)
    checks = list(verification.verified(script, shaped, style.text(one), Plan(tuple(design), ())))
    assert all(check.passed for check in checks), checks
    return checks[-1].detail.rpartition(" ")[2]


@pytest.mark.parametrize(
    ("name", "size"), slow_unless([one for one in SIZES if one[1] < 10 and one[0] != "masyu"], SIZES)
)
def test_what_is_solved_wins_in_the_engine_and_with_a_cell_less_does_not(name: str, size: int) -> None:
    one = drawn(name, size)
    design = ggp.solve(one, "sat", time_limit=300).plans[0].design
    assert seen(one, design) == "won"
    assert seen(one, design[1:]) == "open"


def test_wrong_areas_are_not_gone_through_when_one_was_found() -> None:
    """There are 287 of them, and the engine would leave the loop after 200."""
    board = ["".join("#."[(row + column) % 2] for column in range(24)) for row in range(24)]
    one = level_of("nurikabe", [".1" + board[0][2:], *board[1:]])
    assert seen(one, [((0, 0), Piece("sea"))]) == "open"


@pytest.mark.parametrize(("rows", "columns", "fits"), [(20, 19, True), (20, 20, False)])
def test_more_right_areas_than_a_loop_has_rounds_are_refused(rows: int, columns: int, fits: bool) -> None:
    """A chessboard of islands is the most that there can be: 190 of them, and 200."""
    board = ["".join(".1"[(row + column) % 2] for column in range(columns)) for row in range(rows)]
    faults = puzzlescript.unfit(level_of("nurikabe", board))
    assert (faults == ()) is fits
    assert fits or "there may be 201 areas" in faults[0].message
