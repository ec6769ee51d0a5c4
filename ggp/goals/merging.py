"""One value for all sizes of areas that nothing on a map has, and the plans that a plan with it stands for.

An area of that value has no clue in it. It may be one area, or several of different sizes, each as large as
the value or larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, replace

from ggp.model import OFFSETS, Cell, Instance, Piece, Plan


@dataclass(frozen=True, slots=True)
class Merged:
    """An instance in which the value `most` of a kind stands for all larger ones, too."""

    kind: str
    most: int
    instance: Instance

    def plan(self, plan: Plan) -> Plan:
        """A plan of the instance with the sizes that its areas have, not only that they are large."""
        areas = joined(self.large(plan))
        return self.sized(plan, {cell: len(area) for area in areas for cell in area})

    def plans(self, plan: Plan, tick: Callable[[], None]) -> Iterator[Plan]:
        """All plans that a plan of the instance stands for, each once; `tick` is called, and may raise."""
        for sizes in parted(frozenset(self.large(plan)), self.most, tick):
            yield self.sized(plan, sizes)

    def large(self, plan: Plan) -> set[Cell]:
        """The cells whose areas are larger than what is on the map."""
        return {cell for cell, piece in plan.design if piece == Piece(self.kind, self.most)}

    def sized(self, plan: Plan, sizes: dict[Cell, int]) -> Plan:
        """The plan with these sizes on cells."""
        design = ((c, Piece(self.kind, sizes[c]) if c in sizes else piece) for c, piece in plan.design)
        return replace(plan, design=tuple(design))


def parted(cells: frozenset[Cell], least: int, tick: Callable[[], None]) -> Iterator[dict[Cell, int]]:
    """Every way to part cells into areas of `least` cells or more, of which no two that touch are as large.

    What stands on each cell is how large its area is. Areas that touch and differ have 2 * `least` + 1 cells
    together, so what is smaller is left whole.
    """
    if not cells:
        yield {}
    waiting = [(cells, dict[Cell, int](), areas_from(cells, least, tick))]
    while waiting:
        left, sizes, areas = waiting[-1]
        area = next(areas, None)
        if area is None:
            waiting.pop()
        elif all(sizes.get(cell) != len(area) for cell in beside(area)):
            rest, told = left - area, sizes | dict.fromkeys(area, len(area))
            if all(len(piece) >= least for piece in joined(set(rest))):
                waiting.append((rest, told, areas_from(rest, least, tick)))
                if not rest:
                    yield told


def areas_from(cells: frozenset[Cell], least: int, tick: Callable[[], None]) -> Iterator[frozenset[Cell]]:
    """Each area that the first of the cells could lie in, once: the largest, then those that leave enough.

    Whatever grows, grows by one cell that touches it; a cell that was tried is not taken later.
    """
    if not cells:
        return
    first = min(cells)
    (whole,) = (frozenset(area) for area in joined(set(cells)) if first in area)
    yield whole
    if len(whole) <= 2 * least:
        return
    start = frozenset({first})
    if least <= 1:
        yield start
    waiting = [(start, sorted(whole & beside(start)), frozenset[Cell]())]
    while waiting:
        tick()
        area, near, tried = waiting.pop()
        if not near:
            continue
        cell, *others = near
        waiting.append((area, others, tried | {cell}))
        larger = area | {cell}
        if len(larger) >= least:
            yield larger
        if len(larger) < len(whole) - least:
            waiting.append((larger, sorted(whole & beside(larger) - tried), tried))


def beside(cells: Set[Cell]) -> set[Cell]:
    """The cells that touch these along a side, and are none of them."""
    steps = OFFSETS.values()
    return {(row + down, column + right) for row, column in cells for down, right in steps} - cells


def joined(cells: set[Cell]) -> Iterator[set[Cell]]:
    """The areas that cells fall into; the set is used up."""
    while cells:
        todo = [cells.pop()]
        area = set(todo)
        while todo:
            row, column = todo.pop()
            near = cells.intersection((row + down, column + right) for down, right in OFFSETS.values())
            cells -= near
            area |= near
            todo += near
        yield area
