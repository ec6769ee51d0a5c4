"""Named sets of cells that goal words speak of: rows, columns, boxes, diagonals, and the level's own."""

from __future__ import annotations

from math import isqrt

from ggp.board import cells, height, width
from ggp.errors import DescriptionError, Place
from ggp.model import Cell, Instance

Region = tuple[Cell, ...]
BUILT_IN = ("rows", "columns", "boxes", "diagonals", "board")


def regions(instance: Instance, name: str, place: Place | None = None) -> tuple[Region, ...]:
    """The regions of that name, each a tuple of cells in reading order.

    Raises DescriptionError for an unknown name, and where boxes or diagonals do not fit the board.
    """
    own = dict(instance.level.regions)
    if name in own:
        return own[name]
    rows, columns = height(instance), width(instance)
    if name == "rows":
        return tuple(tuple((row, column) for column in range(columns)) for row in range(rows))
    if name == "columns":
        return tuple(tuple((row, column) for row in range(rows)) for column in range(columns))
    if name == "board":
        return (tuple(cells(instance)),)
    if name not in BUILT_IN:
        known = ", ".join((*BUILT_IN, *own))
        raise DescriptionError(f"there are no regions called `{name}`", f"known are {known}", place)
    if rows != columns:
        raise DescriptionError(f"`{name}` needs a square board, this one is {rows} by {columns}", "", place)
    if name == "diagonals":
        return tuple((i, i) for i in range(rows)), tuple((i, rows - 1 - i) for i in range(rows))
    side = isqrt(rows)
    if side * side != rows:
        raise DescriptionError(f"`boxes` needs a side that is a square number, this one is {rows}", "", place)
    return tuple(
        tuple((top + row, left + column) for row in range(side) for column in range(side))
        for top in range(0, rows, side)
        for left in range(0, columns, side)
    )
