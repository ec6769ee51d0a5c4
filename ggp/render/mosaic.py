"""Pictures of pixels, put together from cells that are drawn once each.

A run shows the same few cells again and again, so each distinct cell becomes pixels once; a frame is then
the last one with the changed cells pasted over. resvg turns SVG into pixels, without any font.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ggp.errors import NotAvailable
from ggp.model import Cell, Instance, Piece
from ggp.model.board import State, cells
from ggp.render.geometry import geometry
from ggp.render.layout import Arms, Edge, finished_edges, is_given, stacked, strokes
from ggp.render.svg import (
    BAR,
    GRID,
    HEAVY,
    LABEL,
    MARGIN,
    OUTCOME,
    PLAIN,
    Decorations,
    cell_svg,
    overlay_svg,
    progress_bar,
    shade,
)

if TYPE_CHECKING:
    from PIL.Image import Image

Seen = tuple[Piece, bool, bool]
"""A piece, whether it was given, and whether it is shown as a stroke."""

Look = tuple[str, tuple[int, int], Arms, tuple[Seen, ...]]
"""All that a cell's pixels depend on: its floor's colour, its width and height, its strokes, its pieces."""

Strokes = tuple[dict[Cell, Arms], set[tuple[Cell, Piece]]]


def rasterised(svg: str) -> Image:
    """The pixels of an SVG picture of ours, transparency included. Raises NotAvailable without resvg."""
    from PIL import Image

    try:
        import resvg_py
    except ImportError:
        raise NotAvailable("pictures of pixels need resvg", "pip install resvg_py, or write .svg") from None
    data = bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))
    with Image.open(io.BytesIO(data)) as picture:
        return picture.convert("RGBA")


class Mosaic:
    """Draws states of one instance at one size, all with the same decorations.

    >>> mosaic = Mosaic(instance, 32)                                             # doctest: +SKIP
    >>> mosaic.picture(state).save("state.png")                                   # doctest: +SKIP
    """

    def __init__(self, instance: Instance, size: int, decorations: Decorations = PLAIN) -> None:
        from PIL import Image

        self.instance = instance
        self.size = size
        self.decorations = decorations
        self.tiles: dict[Look, Image.Image] = {}
        self.overlays: dict[frozenset[Edge], Image.Image] = {}
        self.places = geometry(instance, size, decorations.numbers)
        self.board = Image.new("RGB", self.places.extent, MARGIN)
        self.shown: list[Look | None] = [None] * sum(1 for _ in cells(instance))

    def picture(self, state: State, progress: float | None = None) -> Image:
        """The pixels of one state, the same as those of its `frame_svg`, with a bar for the progress."""
        drawn = strokes(self.instance, state)
        for index, cell in enumerate(cells(self.instance)):
            look = self.look(state, index, cell, drawn)
            if look != self.shown[index]:
                self.board.paste(self.tile(look, cell), self.places.box(cell)[:2])
                self.shown[index] = look
        picture = self.board.copy()
        if progress is not None:
            left, top, wide, high = progress_bar(self.places, progress)
            picture.paste(BAR, (left, top, left + wide, top + high))
        overlay = self.overlay(finished_edges(self.instance, state))
        picture.paste(overlay, (0, 0), overlay)
        return picture

    def overlay(self, finished: frozenset[Edge]) -> Image:
        """What is above the cells, with these lines round finished areas."""
        if finished not in self.overlays:
            svg = overlay_svg(self.instance, self.size, self.decorations, finished)
            self.overlays[finished] = rasterised(svg)
        return self.overlays[finished]

    def look(self, state: State, index: int, cell: Cell, drawn: Strokes) -> Look:
        """What a cell looks like in a state with these strokes."""
        arms, shown = drawn
        seen = tuple(
            (piece, is_given(self.instance, cell, piece), (cell, piece) in shown)
            for piece in stacked(self.instance.game, state.board[index])
        )
        ground = shade(self.instance, cell, self.places)
        return ground, self.places.box(cell)[2:], arms.get(cell, frozenset()), seen

    def tile(self, look: Look, cell: Cell) -> Image:
        """The pixels of a cell of that look; `cell` is any cell that has it."""
        if look not in self.tiles:
            _, _, arms, seen = look
            stroked = frozenset(piece for piece, _, stroke in seen if stroke)
            svg = cell_svg(self.instance, cell, [piece for piece, _, _ in seen], self.places, arms, stroked)
            self.tiles[look] = rasterised(svg).convert("RGB")
        return self.tiles[look]

    # --- for GIFs -----------------------------------------------------------------------------------------

    def palette(self, states: Sequence[State]) -> Image:
        """An image whose palette suits all these states, each cell and each colour of lines having its share.

        One palette for a whole run keeps colours from flickering.
        """
        from PIL import Image

        for state in states:
            drawn = strokes(self.instance, state)
            for index, cell in enumerate(cells(self.instance)):
                self.tile(self.look(state, index, cell, drawn), cell)
        swatches = [MARGIN, GRID, HEAVY, LABEL, BAR, *OUTCOME.values()]
        atlas = Image.new("RGB", (self.size, (len(self.tiles) + len(swatches)) * self.size))
        for index, picture in enumerate(self.tiles.values()):
            atlas.paste(picture, (0, index * self.size))
        for index, colour in enumerate(swatches, len(self.tiles)):
            atlas.paste(colour, (0, index * self.size, self.size, (index + 1) * self.size))
        return atlas.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)

    def indexed(self, state: State, palette: Image, progress: float | None = None) -> Image:
        """The picture of a state in the colours of a palette."""
        from PIL import Image

        return self.picture(state, progress).quantize(palette=palette, dither=Image.Dither.NONE)
