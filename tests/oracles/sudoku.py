"""Sudoku and Latin squares in plain Python, from the rules in English. Knows nothing of ggp.

Every free cell takes a digit from 1 to the side of the board. In no row, column or (in a Sudoku) box does a
digit stand twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

Grid = list[list[int]]  # 0 is an empty cell


def read(rows: list[str]) -> Grid:
    """The grid that rows of digits and `.` show."""
    return [[0 if mark == "." else int(mark) for mark in row] for row in rows]


def regions(side: int, boxes: bool = True) -> list[list[tuple[int, int]]]:
    """The cells of every row and column, and of every box if there are boxes."""
    rows = [[(row, column) for column in range(side)] for row in range(side)]
    columns = [[(row, column) for row in range(side)] for column in range(side)]
    if not boxes:
        return rows + columns
    box, cells = isqrt(side), [cell for row in rows for cell in row]
    corners = [(row, column) for row in range(0, side, box) for column in range(0, side, box)]
    inside = [
        [(row, column) for row, column in cells if (row - row % box, column - column % box) == corner]
        for corner in corners
    ]
    return rows + columns + inside


def consistent(grid: Grid, boxes: bool = True) -> bool:
    """Does no digit stand twice in a region? Empty cells do not count."""
    for region in regions(len(grid), boxes):
        digits = [grid[row][column] for row, column in region if grid[row][column]]
        if len(digits) != len(set(digits)):
            return False
    return True


def solutions(grid: Grid, boxes: bool = True) -> Iterator[Grid]:
    """Every way to fill the grid, by trying: the empty cell with the fewest candidates first."""
    side = len(grid)
    seen_from: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for region in regions(side, boxes):
        for cell in region:
            seen_from.setdefault(cell, set()).update(region)

    def candidates(row: int, column: int) -> list[int]:
        used = {grid[r][c] for r, c in seen_from[row, column]}
        return [digit for digit in range(1, side + 1) if digit not in used]

    def fill() -> Iterator[Grid]:
        empty = [(r, c) for r in range(side) for c in range(side) if not grid[r][c]]
        if not empty:
            yield [list(line) for line in grid]
            return
        row, column = min(empty, key=lambda cell: len(candidates(*cell)))
        for digit in candidates(row, column):
            grid[row][column] = digit
            yield from fill()
        grid[row][column] = 0

    if consistent(grid, boxes):
        grid = [list(row) for row in grid]
        yield from fill()
