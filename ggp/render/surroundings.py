"""What stands around the cells: clues beside the board, in the corners of regions, and named patterns."""

from __future__ import annotations

from ggp.model import Cell
from ggp.render.clues import Side, cages
from ggp.render.frame import GIVEN, LIGHT, SHADES, Frame, rectangle
from ggp.render.geometry import (
    CLUE,
    clue_gap,
    clue_step,
    number_length,
    pattern_cell,
    row_length,
)
from ggp.render.tileset import tile_colour

CAGE, SLANT = "#8a7b62", "#8d8a9a"


def draw_clues(frame: Frame) -> None:
    """All that a level tells of its regions."""
    clues = frame.places.clues
    for side, lines in clues.sides.items():
        for index, numbers in lines.items():
            if side in ("left", "right"):
                write_across(frame, side, index, numbers)
            else:
                write_down(frame, side, index, numbers)
    for cell, runs in clues.runs.items():
        draw_block(frame, cell, runs)
    draw_cages(frame)
    for cell, text in clues.inside.items():
        write_inside(frame, cell, text)


def write_across(frame: Frame, side: Side, row: int, numbers: tuple[str, ...]) -> None:
    """The clue of a row, at its left or its right, close to the board."""
    places = frame.places
    _, y, _, high = places.box((row, 0))
    tall = CLUE * places.size
    gap = 0.24 * places.size
    x = places.xs[-1] + gap if side == "right" else places.xs[0] - gap - row_length(numbers, places.size)
    for number in numbers:
        frame.write_number(number, x, y + (high - tall) / 2, tall, GIVEN, bold=True)
        x += number_length(number, places.size) + clue_gap(places.size)


def write_down(frame: Frame, side: Side, column: int, numbers: tuple[str, ...]) -> None:
    """The clue of a column, above or below it, close to the board."""
    places = frame.places
    x, _, wide, _ = places.box((0, column))
    step = clue_step(places.size)
    gap = 0.24 * places.size
    y = (
        places.ys[-1] + gap
        if side == "bottom"
        else places.ys[0] - gap - len(numbers) * step + 0.18 * places.size
    )
    for number in numbers:
        left = x + (wide - number_length(number, places.size)) / 2
        frame.write_number(number, left, y, CLUE * places.size, GIVEN, bold=True)
        y += step


def draw_block(frame: Frame, cell: Cell, runs: dict[str, str]) -> None:
    """A split cell: the number of the run to the right stands above the slant, that of the run down below."""
    x, y, side, _ = frame.places.box(cell)
    rectangle(frame.root, (x, y), (side, side), fill=tile_colour("block"))
    frame.draw_path(f"M{x} {y}l{side} {side}", SLANT, max(1, side // 32))
    tall = side * 0.3
    for name, text in runs.items():
        long = number_length(text, side) * tall / (CLUE * side)
        left = x + side * 0.9 - long if name == "across" else x + side * 0.1
        top = y + side * 0.12 if name == "across" else y + side * 0.58
        frame.write_number(text, left, top, tall, LIGHT, bold=False)


# --- inside the board -------------------------------------------------------------------------------------


def draw_cages(frame: Frame) -> None:
    """A dashed outline within each cage, away from the lines of the grid."""
    size = frame.places.size
    path = "".join(cage_path(frame, cage) for cage in sorted(cages(frame.instance), key=min))
    dash = max(2, round(size * 0.09))
    thick = max(1, round(size * 0.045))
    frame.draw_path(path, CAGE, thick, **{"stroke-linecap": "butt", "stroke-dasharray": f"{dash} {dash}"})


def cage_path(frame: Frame, cage: frozenset[Cell]) -> str:
    """The sides of a cage, a little inside of it; they run on to the corner where the cage goes round it."""
    inset = frame.places.size * 0.1
    parts = []
    for row, column in sorted(cage):
        x, y, wide, high = frame.places.box((row, column))
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if (row + down, column + right) in cage:
                continue
            # The two ends of this side: at an inner corner the outline goes on into the next cell.
            ends = []
            for sign in (-1, 1):
                along = (row + sign * abs(right), column + sign * abs(down))
                beyond = (along[0] + down, along[1] + right)
                ends.append(inset if along not in cage else -inset if beyond in cage else 0)
            if down:
                level = y + inset if down < 0 else y + high - inset
                parts.append(f"M{x + ends[0]:g} {level:g}H{x + wide - ends[1]:g}")
            else:
                level = x + inset if right < 0 else x + wide - inset
                parts.append(f"M{level:g} {y + ends[0]:g}V{y + high - ends[1]:g}")
    return "".join(parts)


def write_inside(frame: Frame, cell: Cell, text: str) -> None:
    """The number of a region, in the corner of its first cell."""
    x, y, _, _ = frame.places.box(cell)
    size = frame.places.size
    tall = size * 0.22
    long = number_length(text, size) * tall / (CLUE * size)
    ground = {"fill": SHADES[0]}
    rectangle(
        frame.root, (x + size * 0.05, y + size * 0.05), (long + size * 0.1, tall + size * 0.1), **ground
    )
    frame.write_number(text, x + size * 0.1, y + size * 0.1, tall, GIVEN, bold=True)


# --- beside the board -------------------------------------------------------------------------------------


def draw_patterns(frame: Frame) -> None:
    """The level's named patterns as small pictures at the right."""
    side = pattern_cell(frame.places.size)
    places = frame.places
    patterns = frame.instance.level.patterns
    if not patterns:
        return
    widest = max(max(map(len, rows)) for _, rows in patterns)
    left, top = places.extent[0] - places.margin - round(side * (widest + 1)), places.margin
    for _, rows in patterns:
        most = max(map(len, rows))
        extent = (side * (most + 1), side * (len(rows) + 1))
        rectangle(frame.root, (left, top), extent, fill=SHADES[1], rx=f"{side // 3}")
        for row, line in enumerate(rows):
            for column, pieces in enumerate(line):
                box = (left + side * (column + 0.5), top + side * (row + 0.5), side, side)
                for piece in sorted(pieces):
                    frame.draw_piece(box, piece, given=True)
        top += round(side * (len(rows) + 1.4))
