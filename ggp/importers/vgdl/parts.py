"""Sprites between cells: how they go on by pixels, and which of them overlap.

A sprite stands in the cell of its upper left corner, and `at` so many pixels down and right of it. Off the
map it stays in the cell that it has left, and `at` lies beyond that cell. Where all moves by whole cells a
cell is one pixel wide, and only what is in one cell overlaps.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ggp.importers.vgdl.forms import AGAINST, At, Form, vector_of
from ggp.importers.vgdl.steps import Step
from ggp.model import Condition, InputIs, Path

WHOLE: At = (0, 0)
FAR_AWAY = 2  # cells, of which one that has just moved may have been on the other side


def gone_on(at: At, way: str, pixels: int) -> At:
    """Where a sprite is after so many pixels, seen from the cell in which it was."""
    down, right = vector_of(way)
    return at[0] + down * pixels, at[1] + right * pixels


def last(form: Form, block: int) -> At:
    """Where a sprite was when the tick began, seen from the cell in which it is."""
    return form.at if form.went is None else gone_on(form.at, AGAINST[form.went], form.by or block)


def anchored(at: At, block: int) -> tuple[Path, At]:
    """The cell of an upper left corner that lies anywhere, and where in this cell it lies."""
    (down, lower), (right, further) = divmod(at[0], block), divmod(at[1], block)
    return path_to(down, right), (lower, further)


def path_to(down: int, right: int) -> Path:
    """The way to a cell so far off."""
    rows = ("down",) * down + ("up",) * -down
    return rows + ("right",) * right + ("left",) * -right


@lru_cache(maxsize=65536)
def overlaps(block: int, one: At, other: At) -> list[tuple[Path, At]]:
    """The cells in which the other must be to overlap the one, with where it then is, seen from the one's."""
    reach = range(-FAR_AWAY, FAR_AWAY + 1)
    found = []
    for down in reach:
        for right in reach:
            at = other[0] + down * block, other[1] + right * block
            if abs(at[0] - one[0]) < block and abs(at[1] - one[1]) < block:
                found.append((path_to(down, right), at))
    return found


def goes_on(
    step: Step, block: int, form: Form, new: Form, asks: Iterable[Condition | InputIs], what: str
) -> None:
    """A form goes on by pixels, and is off the map as soon as any part of it is."""
    way = str(new.went)
    beyond = gone_on(form.at, way, new.by or block)
    path, at = anchored(beyond, block)
    ahead = at[0] if way in ("up", "down") else at[1]
    edge = path + (way,) if way in ("down", "right") and ahead else path
    if not edge:
        step.change(form, new._replace(at=at), asks, what=what)
        return
    inside, outside = Condition("inside", edge), Condition("outside", edge)
    step.change(form, new._replace(at=at), (*asks, inside), to=path, what=what)
    step.change(form, new._replace(at=beyond, off=True), (*asks, outside), what=what)
