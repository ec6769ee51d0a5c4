"""A state of a puzzle as an SVG picture.

Everything is built as elements and written by the XML library, so that no name from a description can
become markup. Each tile and glyph stands once in <defs>; the board is made of <use>s of them. There is no
text and no font in the pictures: letters and digits are strokes of `ggp.render.glyphs`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ggp.board import State, cells, height, width
from ggp.errors import PuzzleError
from ggp.model import Cell, Instance, Kind, Piece
from ggp.render import glyphs
from ggp.render.colours import is_dark, kind_colour
from ggp.render.layout import by_cell, heavy_edges, is_given, kind_table, shows_value
from ggp.render.tileset import NUMBER, Tile, tile, wants_grid

SHADES = ("#f7f3ec", "#f1ece2")  # of the floor
MARGIN, GRID, HEAVY = "#e4ddd0", "#cfc7b8", "#5f5b6b"
GIVEN, PLACED, LABEL, BAR = "#3a3846", "#3f78bd", "#8d8678", "#b3a791"
OUTCOME = {"won": "#5fae6b", "lost": "#d9635a"}
QUARTERS = {"right": 0, "down": 90, "left": 180, "up": 270}  # degrees from how tiles are drawn
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
    Raises PuzzleError for a size that is not between 4 and 512.
    """
    frame = Frame(instance, check_size(size), decorations)
    frame.draw_floor()
    for cell, pieces in by_cell(instance, state):
        for piece in pieces:
            frame.draw_piece(cell, piece)
    frame.draw_lines()
    frame.draw_decorations()
    return frame.text()


def cell_svg(instance: Instance, cell: Cell, pieces: list[Piece], size: int) -> str:
    """One cell of such a picture, without lines: its floor and its pieces, the lowest first."""
    frame = Frame(instance, check_size(size), PLAIN, only=cell)
    rectangle(frame.root, (0, 0), (size, size), fill=shade(instance, cell))
    for piece in pieces:
        frame.draw_piece(cell, piece)
    return frame.text()


def overlay_svg(instance: Instance, size: int, decorations: Decorations = PLAIN) -> str:
    """What such a picture has above its cells, on a transparent ground: lines and decorations."""
    frame = Frame(instance, check_size(size), decorations)
    frame.draw_lines()
    frame.draw_decorations()
    return frame.text()


def check_size(size: int) -> int:
    """The size as it is; raises PuzzleError where a cell cannot have it."""
    if not SMALLEST <= size <= LARGEST:
        raise PuzzleError(f"a cell cannot be {size} pixels wide", f"--size takes {SMALLEST} to {LARGEST}")
    return size


def shade(instance: Instance, cell: Cell) -> str:
    """The colour of a cell's floor: where there are no lines, a faint chequer shows the cells."""
    return SHADES[0 if wants_grid(instance.game) else sum(cell) % 2]


def frame_size(instance: Instance, size: int, decorations: Decorations = PLAIN) -> tuple[int, int]:
    """(width, height) of the picture in pixels."""
    margin, labels = margins(size, decorations)
    return width(instance) * size + 2 * margin + labels, height(instance) * size + 2 * margin + labels


def margins(size: int, decorations: Decorations) -> tuple[int, int]:
    """Pixels round the board on every side, and those for numbers besides at the left and at the top."""
    return max(2, size // 6), round(size * 0.6) if decorations.numbers else 0


def progress_bar(instance: Instance, size: int, decorations: Decorations) -> tuple[int, int, int, int]:
    """(left, top, width, height) of the bar that shows the progress, in whole pixels."""
    wide, high = frame_size(instance, size, decorations)
    thick = max(1, margins(size, decorations)[0] // 2)
    return 0, high - thick, round(wide * (decorations.progress or 0)), thick


@dataclass(slots=True)
class Frame:
    """A picture in the making: the tree, and which tiles and glyphs it has defined so far.

    With `only` it is a picture of that cell alone.
    """

    instance: Instance
    size: int
    decorations: Decorations
    only: Cell | None = None
    root: Element = field(init=False)
    defs: Element = field(init=False)
    defined: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        extent = frame_size(self.instance, self.size, self.decorations)
        wide, high = map(str, (self.size, self.size) if self.only is not None else extent)
        attributes = {"width": wide, "height": high, "viewBox": f"0 0 {wide} {high}"}
        self.root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **attributes})
        # XML has no control characters, not even escaped, but a title in a description may hold some.
        title = f"{self.instance.game.title}: {self.instance.name}"
        SubElement(self.root, "title").text = "".join(filter(str.isprintable, title))
        self.defs = SubElement(self.root, "defs")

    def text(self) -> str:
        """The finished file."""
        ElementTree.indent(self.root, " ")
        return ElementTree.tostring(self.root, encoding="unicode") + "\n"

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The top left of a cell in pixels, as (x, y)."""
        if self.only is not None:
            return (cell[1] - self.only[1]) * self.size, (cell[0] - self.only[0]) * self.size
        margin, labels = margins(self.size, self.decorations)
        return margin + labels + cell[1] * self.size, margin + labels + cell[0] * self.size

    # --- the ground and the lines -----------------------------------------------------------------------

    def draw_floor(self) -> None:
        """The margin, and the floor in its shades."""
        wide, high = frame_size(self.instance, self.size, self.decorations)
        rectangle(self.root, (0, 0), (wide, high), fill=MARGIN)
        left, top = self.corner((0, 0))
        board = width(self.instance) * self.size, height(self.instance) * self.size
        rectangle(self.root, (left, top), board, fill=SHADES[0])
        darker = [
            self.corner(cell) for cell in cells(self.instance) if shade(self.instance, cell) == SHADES[1]
        ]
        if darker:
            squares = "".join(f"M{x} {y}h{self.size}v{self.size}h-{self.size}z" for x, y in darker)
            SubElement(self.root, "path", {"d": squares, "fill": SHADES[1]})

    def draw_lines(self) -> None:
        """Thin lines between all cells where they help, heavy ones between regions and round the board."""
        left, top = self.corner((0, 0))
        right, bottom = self.corner((height(self.instance), width(self.instance)))
        if wants_grid(self.instance.game):
            inner = "".join(f"M{x} {top}V{bottom}" for x in range(left + self.size, right, self.size))
            inner += "".join(f"M{left} {y}H{right}" for y in range(top + self.size, bottom, self.size))
            self.draw_path(inner, GRID, max(1, self.size // 32))
        heavy = "".join(self.edge_path(*edge) for edge in sorted(heavy_edges(self.instance)))
        self.draw_path(heavy, HEAVY, max(2, self.size // 14))
        if heavy or wants_grid(self.instance.game):
            outline = f"M{left} {top}H{right}V{bottom}H{left}Z"
            self.draw_path(outline, HEAVY, max(2, self.size // 14) if heavy else 1)

    def edge_path(self, first: Cell, second: Cell) -> str:
        """The line between two neighbouring cells."""
        x, y = self.corner(second)
        return f"M{x} {y}v{self.size}" if first[0] == second[0] else f"M{x} {y}h{self.size}"

    def draw_path(self, path: str, colour: str, thickness: int) -> None:
        """Lines of one colour; nothing where there are none."""
        if path:
            attributes = {"d": path, "fill": "none", "stroke": colour, "stroke-width": str(thickness)}
            SubElement(self.root, "path", {**attributes, "stroke-linecap": "square"})

    # --- pieces -------------------------------------------------------------------------------------------

    def draw_piece(self, cell: Cell, piece: Piece) -> None:
        """A piece in its cell: its tile (or a square with its initial), and its value."""
        kind = kind_table(self.instance.game)[piece.kind]
        valued = shows_value(kind, piece)
        drawn = tile(kind.tile)
        if drawn is not None:
            self.use_tile(cell, drawn, kind_colour(kind, drawn.colour), turn(kind, piece))
        elif not (valued and kind.tile in ("", NUMBER)):
            self.draw_square(cell, kind, piece)
        if valued:
            given = is_given(self.instance, cell, piece)
            colour = GIVEN if given else kind_colour(kind, PLACED)
            self.write(cell, str(piece.variant), colour, bold=given, small=drawn is not None)

    def use_tile(self, cell: Cell, drawn: Tile, colour: str, turned: str) -> None:
        """Put a tile into a cell, defining it where this picture has not yet."""
        name = f"t-{drawn.name}"
        if name not in self.defined:
            self.defined.add(name)
            # Drawings stay in their box; saying so spares a clip for every use.
            box = {"viewBox": "0 0 100 100", "overflow": "visible"}
            SubElement(self.defs, "symbol", {"id": name, **box}).extend(drawn.elements)
        x, y = self.corner(cell)
        place = {"x": str(x), "y": str(y), "width": str(self.size), "height": str(self.size)}
        attributes = {"href": f"#{name}", **place, "color": colour}
        if turned == "mirrored":
            attributes["transform"] = f"matrix(-1 0 0 1 {2 * x + self.size} 0)"
        elif turned != "0":
            attributes["transform"] = f"rotate({turned} {x + self.size / 2:g} {y + self.size / 2:g})"
        SubElement(self.root, "use", attributes)

    def draw_square(self, cell: Cell, kind: Kind, piece: Piece) -> None:
        """What stands for a kind without a tile: a coloured square with its initial and its facing."""
        x, y = self.corner(cell)
        colour = kind_colour(kind)
        group = SubElement(self.root, "g", {"transform": f"translate({x} {y}) scale({self.size / 100:g})"})
        rectangle(group, (8, 8), (84, 84), fill=colour, rx="18")
        degrees = QUARTERS.get(str(piece.variant)) if kind.facings else None
        if degrees is not None:
            arrow = {"d": "M84 40L96 50L84 60Z", "fill": GIVEN}
            SubElement(group, "path", {**arrow, "transform": f"rotate({degrees} 50 50)"})
        self.write(cell, kind.name[:1], "#ffffff" if is_dark(colour) else GIVEN, bold=True, small=True)

    def write(self, cell: Cell, text: str, colour: str, *, bold: bool, small: bool = False) -> None:
        """Write a short text in the middle of a cell."""
        x, y = self.corner(cell)
        self.write_at((x, y), text, colour, bold=bold, small=small)

    def write_at(
        self, corner: tuple[float, float], text: str, colour: str, *, bold: bool = False, small: bool = True
    ) -> None:
        """Write a short text in the middle of the square of a cell's size with this top left."""
        text = glyphs.known(text)
        scale, places = glyphs.places(text, height=40.0 if small else 54.0, most=60.0 if small else 78.0)
        unit = self.size / 100
        strokes = {"fill": "none", "stroke": colour, "stroke-width": "13" if bold else "8"}
        ends = {"stroke-linecap": "round", "stroke-linejoin": "round"}
        group = SubElement(self.root, "g", {**strokes, **ends})
        for char, (left, top) in zip(text, places, strict=True):
            name = glyphs.identifier(char)
            if name not in self.defined:
                self.defined.add(name)
                SubElement(self.defs, "path", {"id": name, "d": glyphs.STROKES[char]})
            x, y = corner[0] + left * unit, corner[1] + top * unit
            where = f"translate({x:.6g} {y:.6g}) scale({scale * unit:.4g})"
            SubElement(group, "use", {"href": f"#{name}", "transform": where})

    # --- decorations --------------------------------------------------------------------------------------

    def draw_decorations(self) -> None:
        """Marks, the cursor, the numbers at the edges, the bar, and the border that says how it ended."""
        cursor = tile("cursor")
        for cell, colour in self.framed_cells():
            if cursor is not None:
                self.use_tile(cell, cursor, colour, "0")
        if self.decorations.numbers:
            self.draw_numbers()
        if self.decorations.progress:
            left, top, wide, high = progress_bar(self.instance, self.size, self.decorations)
            rectangle(self.root, (left, top), (wide, high), fill=BAR)
        if self.decorations.outcome is not None:
            thick = margins(self.size, self.decorations)[0]
            wide, high = frame_size(self.instance, self.size, self.decorations)
            place, extent = (thick / 2, thick / 2), (wide - thick, high - thick)
            colour = OUTCOME[self.decorations.outcome]
            border = rectangle(self.root, place, extent, fill="none", stroke=colour)
            border.set("stroke-width", str(thick))

    def framed_cells(self) -> Iterator[tuple[Cell, str]]:
        """The cells that get a frame, each with its colour."""
        for cell in self.decorations.marks:
            yield cell, "#e8a02c"
        if self.decorations.cursor is not None:
            yield self.decorations.cursor, "#2f7fd6"

    def draw_numbers(self) -> None:
        """Row numbers at the left, column numbers on top, close to the board."""
        near = self.size * 0.8
        left, top = self.corner((0, 0))
        for column in range(width(self.instance)):
            self.write_at((left + column * self.size, top - near), str(column), LABEL)
        for row in range(height(self.instance)):
            self.write_at((left - near, top + row * self.size), str(row), LABEL)


def turn(kind: Kind, piece: Piece) -> str:
    """How a tile, drawn facing right, is turned for this piece: `mirrored`, or degrees clockwise."""
    if piece.variant not in kind.facings:
        return "0"
    if set(kind.facings) <= {"left", "right"}:
        return "mirrored" if piece.variant == "left" else "0"
    return str(QUARTERS[str(piece.variant)])


def rectangle(
    parent: Element, place: tuple[float, float], extent: tuple[float, float], **attributes: str
) -> Element:
    """Add a rectangle."""
    names = ("x", "y", "width", "height")
    numbers = {name: f"{value:g}" for name, value in zip(names, (*place, *extent), strict=True)}
    return SubElement(parent, "rect", {**numbers, **attributes})
