"""The colour of a kind: what its description says, else its tile's, else one made from its name."""

from __future__ import annotations

import colorsys
import re
import zlib

from ggp.model import Kind

NAMED = {
    "red": "#e0655c",
    "orange": "#eb9a4f",
    "yellow": "#f0c94f",
    "green": "#67b573",
    "teal": "#4fa79b",
    "cyan": "#5cc4d6",
    "blue": "#5c8fd0",
    "purple": "#9475c2",
    "magenta": "#cf6fb5",
    "pink": "#eb9fb4",
    "brown": "#a9774a",
    "white": "#fbfaf7",
    "silver": "#c3c5cf",
    "gray": "#8f8f9a",
    "grey": "#8f8f9a",
    "black": "#3f3e4c",
}
"""Colour words for descriptions, in the soft palette of the tiles."""


def kind_colour(kind: Kind, otherwise: str = "") -> str:
    """The colour of a kind as `#rrggbb`.

    A description's colour is a word of `NAMED`, `#rgb` or `#rrggbb`; anything else is passed over, since
    it goes into pictures. `otherwise` is the tile's own colour.
    """
    return told(kind.colour) or otherwise or hashed(kind.name)


def told(colour: str) -> str | None:
    """The colour that a description says as `#rrggbb`; None where it says none."""
    given = colour.strip().lower()
    if given in NAMED:
        return NAMED[given]
    if re.fullmatch(r"#[0-9a-f]{6}", given):
        return given
    if re.fullmatch(r"#[0-9a-f]{3}", given):
        return "#" + "".join(digit * 2 for digit in given[1:])
    return None


def hashed(name: str) -> str:
    """A soft colour that depends on nothing but the name."""
    hue = zlib.crc32(name.encode()) % 360 / 360
    return "#" + "".join(f"{round(part * 255):02x}" for part in colorsys.hls_to_rgb(hue, 0.62, 0.45))


def is_dark(colour: str) -> bool:
    """Is light writing easier to read on this `#rrggbb`?"""
    red, green, blue = (int(colour[index : index + 2], 16) for index in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140
