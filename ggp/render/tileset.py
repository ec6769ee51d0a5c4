"""The drawings in ggp/render/tiles: one SVG file a tile, read when a picture first needs it.

A tile is drawn on 100 by 100 units, facing right. `currentColor` in it takes the colour of the kind; the
root's `color` is what it has otherwise, and the root's class `fills` says that it covers its whole cell.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import NamedTuple
from xml.etree import ElementTree

from ggp.model import Game, Kind, Piece

NUMBER = "number"  # not a file: the value alone is drawn, without anything under it
BLANK = "blank"  # not a file either: nothing is drawn


class Tile(NamedTuple):
    """A drawing: its name, its own colour, whether it covers its cell, and the elements it is made of."""

    name: str
    colour: str
    fills: bool
    elements: tuple[ElementTree.Element, ...]


@cache
def tile_names() -> tuple[str, ...]:
    """The names that `tile = ...` in a description may use, in alphabetical order."""
    files = (resources.files("ggp.render") / "tiles").iterdir()
    return tuple(sorted([BLANK, NUMBER, *(file.name[:-4] for file in files if file.name.endswith(".svg"))]))


@cache
def tile(name: str) -> Tile | None:
    """The drawing of that name; None for `number` and `blank`, for no name and for one that is not there."""
    # Looked up in the list of files first: a name from a description never becomes a path.
    if name in (BLANK, NUMBER) or name not in tile_names():
        return None
    text = (resources.files("ggp.render") / "tiles" / f"{name}.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    for element in root.iter():
        element.tag = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
        element.text = element.tail = None
    fills = "fills" in root.get("class", "").split()
    return Tile(name, root.get("color", "#8f8f9a"), fills, tuple(root))


def tile_colour(name: str) -> str:
    """A drawing's own colour; raises KeyError where there is no such drawing."""
    drawn = tile(name)
    if drawn is None:
        raise KeyError(name)
    return drawn.colour


def tile_of(kind: Kind, piece: Piece) -> Tile | None:
    """The drawing of a piece: where there is one for its value (`bridge-2`) that, else its kind's."""
    return (tile(f"{kind.tile}-{piece.variant}") if kind.values is not None else None) or tile(kind.tile)


def fills(kind: Kind) -> bool:
    """Does the kind's drawing cover its whole cell?"""
    drawn = tile(kind.tile)
    return drawn is not None and drawn.fills


def wants_grid(game: Game) -> bool:
    """Are thin lines between cells of use? Where there are walls these show the cells well enough."""
    valued = any(kind.values is not None for kind in game.kinds)
    return valued or not any(fills(kind) for kind in game.kinds)
