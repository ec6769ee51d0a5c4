"""The elements of a picture in the making: tiles, values, letters and lines in their places.

Everything is built as elements and written by the XML library, so that no name from a description can
become markup. Each tile and glyph stands once in <defs>; the board is made of <use>s of them. There is no
text and no font in the pictures: letters and digits are strokes of `ggp.render.glyphs`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ggp.model import Cell, Instance, Kind, Piece
from ggp.render import glyphs
from ggp.render.colours import is_dark, kind_colour
from ggp.render.geometry import Box, Geometry
from ggp.render.layout import Arms, is_given, kind_table, shows_value
from ggp.render.tileset import BLANK, NUMBER, Tile, tile_of

SHADES = ("#f7f3ec", "#f1ece2")  # of the floor
SETTLED = "#dcd5c7"  # of the floor under a piece that is given, where such pieces are placed
GIVEN, PLACED, LIGHT = "#3a3846", "#3f78bd", "#ffffff"
QUARTERS = {"right": 0, "down": 90, "left": 180, "up": 270}  # degrees from how tiles are drawn
STROKE = 0.13  # of the side of a cell


@dataclass(slots=True)
class Frame:
    """A picture in the making: the tree, and which tiles and glyphs it has defined so far.

    With `only` it is a picture of that cell alone.
    """

    instance: Instance
    places: Geometry
    only: Cell | None = None
    root: Element = field(init=False)
    defs: Element = field(init=False)
    defined: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        extent = self.places.extent if self.only is None else self.places.box(self.only)[2:]
        wide, high = map(str, extent)
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

    def box(self, cell: Cell) -> Box:
        """The place of a cell in this picture."""
        left, top, wide, high = self.places.box(cell)
        if self.only is None:
            return left, top, wide, high
        from_left, from_top, _, _ = self.places.box(self.only)
        return left - from_left, top - from_top, wide, high

    # --- pieces -------------------------------------------------------------------------------------------

    def draw_cell(
        self, cell: Cell, pieces: Iterable[Piece], arms: Arms, shown: set[tuple[Cell, Piece]]
    ) -> None:
        """What is on a cell, the lowest first; `arms` are the strokes on it, which `shown` pieces make."""
        box, below = self.box(cell), ""
        placed = [piece for piece in pieces if (cell, piece) in shown]
        given = bool(placed) and all(is_given(self.instance, cell, piece) for piece in placed)
        if arms:
            self.draw_arms(box, arms, GIVEN if given else PLACED)
        for piece in pieces:
            if piece not in placed:
                given = is_given(self.instance, cell, piece)
                self.draw_piece(box, piece, given, on=below)
                kind = kind_table(self.instance.game)[piece.kind]
                drawn = tile_of(kind, piece)
                below = kind_colour(kind, drawn.colour) if drawn is not None else ""

    def draw_piece(self, box: Box, piece: Piece, given: bool, on: str = "") -> None:
        """A piece: its tile (or a square with its initial), and its value; `on` is the colour under it."""
        kind = kind_table(self.instance.game)[piece.kind]
        drawn = tile_of(kind, piece)
        valued = shows_value(kind, piece) and (drawn is None or drawn.name == kind.tile)
        design = self.instance.game.design
        if given and drawn is not None and design is not None and kind.name in design.kinds and not valued:
            # It cannot be taken away; digits are bold to say so.
            rectangle(self.root, box[:2], box[2:], fill=SETTLED)
        if drawn is not None:
            self.use_tile(box, drawn, kind_colour(kind, drawn.colour), turn(kind, piece))
        elif kind.tile != BLANK and not (valued and kind.tile in ("", NUMBER)):
            self.draw_square(box, kind, piece)
        if valued:
            colour = LIGHT if on and is_dark(on) else GIVEN if given else kind_colour(kind, PLACED)
            self.write(self.value_box(box), str(piece.variant), colour, bold=given, small=drawn is not None)

    def value_box(self, box: Box) -> Box:
        """Where values stand in a cell: lower and smaller where cells have clues in their corners."""
        if not self.places.clues.inside:
            return box
        x, y, wide, high = box
        return x + wide * 0.1, y + high * 0.18, wide * 0.82, high * 0.82

    def use_tile(self, box: Box, drawn: Tile, colour: str, turned: str = "0") -> None:
        """Put a tile into the middle of a box, defining it where this picture has not yet."""
        name = f"t-{drawn.name}"
        if name not in self.defined:
            self.defined.add(name)
            # Drawings stay in their box; saying so spares a clip for every use.
            view = {"viewBox": "0 0 100 100", "overflow": "visible"}
            SubElement(self.defs, "symbol", {"id": name, **view}).extend(drawn.elements)
        x, y, side = square_in(box)
        place = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{side:g}", "height": f"{side:g}"}
        attributes = {"href": f"#{name}", **place, "color": colour}
        if turned == "mirrored":
            attributes["transform"] = f"matrix(-1 0 0 1 {2 * x + side:g} 0)"
        elif turned != "0":
            attributes["transform"] = f"rotate({turned} {x + side / 2:g} {y + side / 2:g})"
        SubElement(self.root, "use", attributes)

    def draw_square(self, box: Box, kind: Kind, piece: Piece) -> None:
        """What stands for a kind without a tile: a coloured square with its initial and its facing."""
        x, y, side = square_in(box)
        colour = kind_colour(kind)
        group = SubElement(self.root, "g", {"transform": f"translate({x:g} {y:g}) scale({side / 100:g})"})
        rectangle(group, (8, 8), (84, 84), fill=colour, rx="18")
        degrees = QUARTERS.get(str(piece.variant)) if kind.facings else None
        if degrees is not None:
            arrow = {"d": "M84 40L96 50L84 60Z", "fill": GIVEN}
            SubElement(group, "path", {**arrow, "transform": f"rotate({degrees} 50 50)"})
        self.write(box, kind.name[:1], LIGHT if is_dark(colour) else GIVEN, bold=True, small=True)

    def draw_arms(self, box: Box, arms: Arms, colour: str) -> None:
        """Strokes from the sides of a cell through its middle. They end flat where the next cell goes on."""
        x, y, wide, high = box
        middle = f"{x + wide / 2:g} {y + high / 2:g}"
        ends = [f"{x + wide / 2 * (1 + step[1]):g} {y + high / 2 * (1 + step[0]):g}" for step in sorted(arms)]
        path = f"M{ends[0]}L{middle}" + (f"L{ends[1]}" if ends[1:] else "")
        path += "".join(f"M{end}L{middle}" for end in ends[2:])
        thick = f"{max(2, round(self.places.size * STROKE))}"
        line = {"d": path, "fill": "none", "stroke": colour, "stroke-width": thick}
        SubElement(self.root, "path", {**line, "stroke-linejoin": "round"})

    # --- writing and lines --------------------------------------------------------------------------------

    def write(self, box: Box, text: str, colour: str, *, bold: bool = False, small: bool = True) -> None:
        """Write a short text in the middle of a box."""
        x, y, side = square_in(box)
        text = glyphs.known(text)
        scale, spots = glyphs.places(text, height=40.0 if small else 54.0, most=60.0 if small else 78.0)
        unit = side / 100
        corners = [(x + left * unit, y + top * unit) for left, top in spots]
        self.write_glyphs(text, corners, scale * unit, colour, bold=bold)

    def write_glyphs(
        self, text: str, corners: list[tuple[float, float]], scale: float, colour: str, *, bold: bool = False
    ) -> None:
        """Write known characters, each with its top left at one of the corners."""
        strokes = {"fill": "none", "stroke": colour, "stroke-width": "13" if bold else "8"}
        group = SubElement(self.root, "g", {**strokes, "stroke-linecap": "round", "stroke-linejoin": "round"})
        for char, (x, y) in zip(text, corners, strict=True):
            name = glyphs.identifier(char)
            if name not in self.defined:
                self.defined.add(name)
                SubElement(self.defs, "path", {"id": name, "d": glyphs.STROKES[char]})
            where = f"translate({x:.6g} {y:.6g}) scale({scale:.4g})"
            SubElement(group, "use", {"href": f"#{name}", "transform": where})

    def write_number(self, text: str, x: float, y: float, height: float, colour: str, *, bold: bool) -> None:
        """Write a number of this height with its top left there."""
        scale = height / glyphs.HEIGHT
        text = glyphs.known(text)
        corners = [(x + index * (glyphs.WIDTH + glyphs.GAP) * scale, y) for index in range(len(text))]
        self.write_glyphs(text, corners, scale, colour, bold=bold)

    def draw_path(self, path: str, colour: str, thickness: int, **attributes: str) -> None:
        """Lines of one colour; nothing where there are none."""
        if path:
            line = {"d": path, "fill": "none", "stroke": colour, "stroke-width": str(thickness)}
            SubElement(self.root, "path", {**line, "stroke-linecap": "square", **attributes})


def square_in(box: Box) -> tuple[float, float, float]:
    """The largest square in the middle of a box: left, top and side."""
    x, y, wide, high = box
    side = min(wide, high)
    return x + (wide - side) / 2, y + (high - side) / 2, side


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
