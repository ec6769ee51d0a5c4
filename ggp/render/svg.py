"""A state of a puzzle as an SVG picture: the ground, what stands on it, the lines, and decorations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import SubElement

from ggp.errors import PuzzleError
from ggp.model import Cell, Instance, Piece
from ggp.model.board import State, cells, height, width
from ggp.render.frame import SHADES, Frame, rectangle
from ggp.render.geometry import Geometry, geometry
from ggp.render.layout import (
    Arms,
    Edge,
    by_cell,
    diagonals,
    finished_edges,
    heavy_edges,
    parts_areas,
    strokes,
)
from ggp.render.surroundings import draw_clues, draw_patterns
from ggp.render.tileset import tile, wants_grid

MARGIN, GRID, HEAVY = "#e4ddd0", "#cfc7b8", "#5f5b6b"
LABEL, BAR = "#8d8678", "#b3a791"
OUTCOME = {"won": "#5fae6b", "lost": "#d9635a"}
SMALLEST, LARGEST = 4, 512  # pixels a cell


@dataclass(frozen=True, slots=True)
class Decorations:
    """What is drawn besides the board.

    `outcome`: a border that says how the run ended; `cursor`: the cell that is chosen; `marks`: cells
    that a hint speaks of; `numbers`: row and column numbers along the edges, counted from 0; `progress`: a
    bar in the lower margin that shows how much of the run is over, from 0 to 1.
    """

    outcome: Literal["won", "lost"] | None = None
    cursor: Cell | None = None
    marks: tuple[Cell, ...] = ()
    numbers: bool = False
    progress: float | None = None


PLAIN = Decorations()


def frame_svg(instance: Instance, state: State, *, size: int = 32, decorations: Decorations = PLAIN) -> str:
    """The picture of one state as the text of an SVG file. `size` is the side of a cell in pixels.

    What lies on what is said by `ggp.render.layout.drawing_order`. Kinds that face left or right only are
    mirrored, others are turned. Values are written as numbers, bold where the level's map gives them.
    Clues and named patterns stand around the board; rows and columns between the cells are narrow.
    Raises PuzzleError for a size that is not between 4 and 512.
    """
    frame = Frame(instance, geometry(instance, check_size(size), decorations.numbers))
    draw_floor(frame)
    arms, shown = strokes(instance, state)
    for cell, pieces in by_cell(instance, state):
        frame.draw_cell(cell, pieces, arms.get(cell, frozenset()), shown)
    draw_lines(frame, finished_edges(instance, state))
    draw_decorations(frame, decorations)
    return frame.text()


def cell_svg(
    instance: Instance,
    cell: Cell,
    pieces: list[Piece],
    places: Geometry,
    arms: Arms,
    stroked: frozenset[Piece],
) -> str:
    """One cell of such a picture, without lines: its floor and its pieces, the lowest first.

    `arms` are its strokes, and `stroked` the pieces that these show.
    """
    frame = Frame(instance, places, only=cell)
    rectangle(frame.root, (0, 0), places.box(cell)[2:], fill=shade(instance, cell, places))
    frame.draw_cell(cell, pieces, arms, {(cell, piece) for piece in stroked})
    return frame.text()


def overlay_svg(
    instance: Instance,
    size: int,
    decorations: Decorations = PLAIN,
    finished: frozenset[Edge] = frozenset(),
) -> str:
    """What such a picture has above its cells, on a transparent ground: lines, clues and decorations.

    `finished` are the lines that the state adds.
    """
    frame = Frame(instance, geometry(instance, check_size(size), decorations.numbers))
    draw_lines(frame, finished)
    draw_decorations(frame, decorations)
    return frame.text()


def check_size(size: int) -> int:
    """The size as it is; raises PuzzleError where a cell cannot have it."""
    if not SMALLEST <= size <= LARGEST:
        raise PuzzleError(
            f"a cell cannot be {size} pixels wide", f"give a size (`--size`) of {SMALLEST} to {LARGEST}"
        )
    return size


def shade(instance: Instance, cell: Cell, places: Geometry) -> str:
    """The colour of a cell's floor: where there are no lines, a faint chequer shows the cells.

    In a fine grid the cells proper are lighter than what is between them.
    """
    if places.fine:
        return SHADES[0 if places.wide(cell) else 1]
    return SHADES[0 if wants_grid(instance.game) else sum(cell) % 2]


def frame_size(instance: Instance, size: int, decorations: Decorations = PLAIN) -> tuple[int, int]:
    """(width, height) of the picture in pixels."""
    return geometry(instance, size, decorations.numbers).extent


def progress_bar(places: Geometry, progress: float) -> tuple[int, int, int, int]:
    """(left, top, width, height) of the bar that shows the progress, in whole pixels."""
    wide, high = places.extent
    thick = max(1, places.margin // 2)
    return 0, high - thick, round(wide * progress), thick


# --- the ground and the lines ---------------------------------------------------------------------------


def draw_floor(frame: Frame) -> None:
    """The margin, and the floor in its shades."""
    places = frame.places
    rectangle(frame.root, (0, 0), places.extent, fill=MARGIN)
    left, top = places.xs[0], places.ys[0]
    rectangle(frame.root, (left, top), (places.xs[-1] - left, places.ys[-1] - top), fill=SHADES[0])
    darker = [c for c in cells(frame.instance) if shade(frame.instance, c, places) == SHADES[1]]
    if darker:
        boxes = map(places.box, darker)
        squares = "".join(f"M{x} {y}h{wide}v{high}h-{wide}z" for x, y, wide, high in boxes)
        SubElement(frame.root, "path", {"d": squares, "fill": SHADES[1]})


def draw_lines(frame: Frame, finished: frozenset[Edge]) -> None:
    """Thin lines between all cells where they help, heavy ones between regions and round the board.

    `finished` are the lines round finished areas. Clues and patterns belong to the lines, too.
    """
    places, size = frame.places, frame.places.size
    (left, *inside, right), (top, *between, bottom) = places.xs, places.ys
    grid = wants_grid(frame.instance.game) and not places.fine
    if grid:
        inner = "".join(f"M{x} {top}V{bottom}" for x in inside)
        inner += "".join(f"M{left} {y}H{right}" for y in between)
        frame.draw_path(inner, GRID, max(1, size // 32))
    if places.counted:
        fifths = "".join(f"M{x} {top}V{bottom}" for x in inside[4::5])
        fifths += "".join(f"M{left} {y}H{right}" for y in between[4::5])
        frame.draw_path(fifths, LABEL, max(1, size // 32))
    for one, other in diagonals(frame.instance):
        ends = [f"{x + size / 2:g} {y + size / 2:g}" for x, y, _, _ in map(places.box, (one, other))]
        frame.draw_path("M" + "L".join(ends), HEAVY, max(1, size // 20), opacity="0.25")
    design = frame.instance.game.design
    if places.fine and design is not None and design.fill:
        boxes = [places.box(cell) for cell in cells(frame.instance) if places.wide(cell)]
        boxed = "".join(f"M{x} {y}h{size}v{size}h-{size}z" for x, y, _, _ in boxes)
        frame.draw_path(boxed, HEAVY, 1)
    heavy = "".join(edge_path(places, *edge) for edge in sorted(heavy_edges(frame.instance) | finished))
    frame.draw_path(heavy, HEAVY, max(2, size // 14))
    if heavy or grid:
        outline = f"M{left} {top}H{right}V{bottom}H{left}Z"
        frame.draw_path(outline, HEAVY, max(2, size // 14) if heavy or parts_areas(frame.instance) else 1)
    draw_clues(frame)
    draw_patterns(frame)


def edge_path(places: Geometry, first: Cell, second: Cell) -> str:
    """The line between two neighbouring cells."""
    x, y, wide, high = places.box(second)
    return f"M{x} {y}v{high}" if first[0] == second[0] else f"M{x} {y}h{wide}"


# --- decorations ------------------------------------------------------------------------------------------


def draw_decorations(frame: Frame, decorations: Decorations) -> None:
    """Marks, the cursor, the numbers at the edges, the bar, and the border that says how it ended."""
    cursor = tile("cursor")
    for cell, colour in framed_cells(decorations):
        if cursor is not None:
            frame.use_tile(frame.box(cell), cursor, colour)
    if decorations.numbers:
        draw_numbers(frame)
    if decorations.progress:
        left, top, wide, high = progress_bar(frame.places, decorations.progress)
        rectangle(frame.root, (left, top), (wide, high), fill=BAR)
    if decorations.outcome is not None:
        thick = frame.places.margin
        wide, high = frame.places.extent
        place, extent = (thick / 2, thick / 2), (wide - thick, high - thick)
        border = rectangle(frame.root, place, extent, fill="none", stroke=OUTCOME[decorations.outcome])
        border.set("stroke-width", str(thick))


def framed_cells(decorations: Decorations) -> Iterator[tuple[Cell, str]]:
    """The cells that get a frame, each with its colour."""
    for cell in decorations.marks:
        yield cell, "#e8a02c"
    if decorations.cursor is not None:
        yield decorations.cursor, "#2f7fd6"


def draw_numbers(frame: Frame) -> None:
    """Row numbers at the left, column numbers on top, outside of the clues."""
    places, size = frame.places, frame.places.size
    # A little farther in than the margin: the square that a number is written in is larger than it.
    near = places.margin + places.labels - size * 0.8
    for column in range(width(frame.instance)):
        x, _, wide, _ = places.box((0, column))
        frame.write((x, near + (size - min(size, wide)) / 2, wide, min(size, wide)), str(column), LABEL)
    for row in range(height(frame.instance)):
        _, y, _, high = places.box((row, 0))
        frame.write((near + (size - min(size, high)) / 2, y, min(size, high), high), str(row), LABEL)
