"""A board on which pieces stand in part: each is drawn as faint as its share."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import SubElement

from ggp.model import Cell, Instance, Piece
from ggp.model.board import State
from ggp.render.frame import Frame
from ggp.render.geometry import geometry
from ggp.render.layout import by_cell, strokes
from ggp.render.svg import check_size, draw_floor, draw_lines


def densities_svg(
    instance: Instance, state: State, shares: Mapping[tuple[Cell, Piece], float], *, size: int = 32
) -> str:
    """The picture of a state, and above it pieces of which only shares (from 0 to 1) are there.

    `size` is the side of a cell in pixels. Raises PuzzleError as `frame_svg` does.
    """
    frame = Frame(instance, geometry(instance, check_size(size), False))
    draw_floor(frame)
    arms, shown = strokes(instance, state)
    for cell, pieces in by_cell(instance, state):
        frame.draw_cell(cell, pieces, arms.get(cell, frozenset()), shown)
    picture = frame.root
    for (cell, piece), share in shares.items():
        frame.root = SubElement(picture, "g", {"opacity": f"{share:.3f}"})
        frame.draw_piece(frame.box(cell), piece, given=False)
    frame.root = picture
    draw_lines(frame, frozenset())
    return frame.text()
