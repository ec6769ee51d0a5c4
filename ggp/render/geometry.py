"""Where everything in a picture stands, in pixels: cells, the clues around them, patterns beside them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from ggp.model import Cell, Instance
from ggp.model.board import height, width
from ggp.render import glyphs
from ggp.render.clues import Clues, clues_of
from ggp.render.layout import narrow_lines

NARROW = 0.38  # of the side of a cell
CLUE = 0.4  # the height of the numbers beside the board
PATTERN = 0.6  # the side of the cells of a pattern

Box = tuple[float, float, float, float]
"""Left, top, width and height."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """The places of one picture. `xs` and `ys` are where columns and rows begin, and where the last ends.

    `size` is the side of a cell, `margin` what is round everything, `labels` the room for row and column
    numbers at the left and at the top; `extent` is the width and the height of the whole; `fine` says whether
    there are narrow rows and columns.
    """

    size: int
    margin: int
    labels: int
    xs: tuple[int, ...]
    ys: tuple[int, ...]
    extent: tuple[int, int]
    clues: Clues
    fine: bool

    @property
    def counted(self) -> bool:
        """Are there lists of numbers at the sides, so that one counts cells along the lines?"""
        return any(len(numbers) > 1 for lines in self.clues.sides.values() for numbers in lines.values())

    def box(self, cell: Cell) -> tuple[int, int, int, int]:
        """Where a cell stands; one step off the board it has the side of a cell."""
        left, wide = self.span(self.xs, cell[1])
        top, high = self.span(self.ys, cell[0])
        return left, top, wide, high

    def span(self, edges: tuple[int, ...], index: int) -> tuple[int, int]:
        """Where a row or column begins, and its thickness."""
        if index < 0:
            return edges[0] - self.size, self.size
        return edges[index], edges[index + 1] - edges[index]

    def wide(self, cell: Cell) -> bool:
        """Is neither the row nor the column of the cell a narrow one?"""
        _, _, wide, high = self.box(cell)
        return wide == high == self.size


def geometry(instance: Instance, size: int, numbers: bool = False) -> Geometry:
    """The places of a picture with cells of `size` pixels, and with row and column numbers or not."""
    margin, labels = max(2, size // 6), round(size * 0.6) if numbers else 0
    narrow = narrow_lines(instance)
    slim = max(2, round(size * NARROW))
    wides = [slim if column in narrow[1] else size for column in range(width(instance))]
    highs = [slim if row in narrow[0] else size for row in range(height(instance))]
    clues = clues_of(instance)
    room = clue_room(clues, size)
    left, top = margin + labels + room["left"], margin + labels + room["top"]
    xs = tuple(accumulate(wides, initial=left))
    ys = tuple(accumulate(highs, initial=top))
    beside = pattern_room(instance, size)
    right = xs[-1] + room["right"] + beside[0] + margin
    bottom = max(ys[-1] + room["bottom"], margin + beside[1]) + margin
    return Geometry(size, margin, labels, xs, ys, (right, bottom), clues, any(narrow))


def clue_room(clues: Clues, size: int) -> dict[str, int]:
    """How many pixels the clues take at each side of the board."""
    room = {"left": 0, "right": 0, "top": 0, "bottom": 0}
    for side, lines in clues.sides.items():
        if side in ("left", "right"):
            most = max(row_length(numbers, size) for numbers in lines.values())
        else:
            most = max(map(len, lines.values())) * clue_step(size)
        room[side] = round(most + 0.3 * size)
    for row, column in clues.runs:
        room["top"] = max(room["top"], size if row < 0 else 0)
        room["left"] = max(room["left"], size if column < 0 else 0)
    return room


def row_length(numbers: tuple[str, ...], size: int) -> float:
    """How long the numbers of a clue are in a row."""
    return sum(number_length(number, size) for number in numbers) + clue_gap(size) * (len(numbers) - 1)


def number_length(number: str, size: float) -> float:
    """How long one number of a clue is."""
    scale = CLUE * size / glyphs.HEIGHT
    return (len(number) * (glyphs.WIDTH + glyphs.GAP) - glyphs.GAP) * scale


def clue_gap(size: int) -> float:
    """Between the numbers of a row's clue."""
    return 0.28 * size


def clue_step(size: int) -> float:
    """From one number of a column's clue to the one below."""
    return (CLUE + 0.18) * size


def pattern_cell(size: int) -> int:
    """The side of the cells of patterns beside the board."""
    return max(2, round(size * PATTERN))


def pattern_room(instance: Instance, size: int) -> tuple[int, int]:
    """(width, height) in pixels of what stands beside the board; nothing without patterns."""
    if not instance.level.patterns:
        return 0, 0
    side = pattern_cell(size)
    most = max(max(map(len, rows)) for _, rows in instance.level.patterns)
    lines = sum(len(rows) + 1 for _, rows in instance.level.patterns)
    return round(side * (most + 1)) + max(2, size // 3), side * lines
