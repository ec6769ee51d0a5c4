"""The lines of a board of characters: between regions, and round cages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.model import Cell, Instance
from ggp.model.board import cells, height, width
from ggp.render.clues import cages
from ggp.render.layout import Edge, all_edges, heavy_edges, parts_areas, separated

JUNCTIONS = " ╵╹╶└┖╺┕┗╷│╿┌├┞┍┝┡╻╽┃┎┟┠┏┢┣╴┘┚─┴┸╼┶┺┐┤┦┬┼╀┮┾╄┒┧┨┰╁╂┲╆╊╸┙┛╾┵┹━┷┻┑┥┩┭┽╃┯┿╇┓┪┫┱╅╉┳╈╋"
"""Where lines meet, by the weights (0 none, 1 light, 2 heavy) of their arms in base 3, units first: up,
right, down, left."""


def junction(*arms: int) -> str:
    """The character whose arms up, right, down and left have these weights."""
    return JUNCTIONS[sum(weight * 3**place for place, weight in enumerate(arms))]


class LineGrid:
    """The lines of a board with regions: which there are, and the characters that draw them.

    Line (r, c, "down") runs from the corner above and left of cell (r, c) along the left side of that cell,
    line (r, c, "right") along its upper side. A board without regions has no lines at all. Lines are light;
    where there are cages, these have the light ones and other regions heavy ones. `finished` are the lines
    round finished areas; where there may be such, room is kept for all of them.
    """

    def __init__(
        self, instance: Instance, widths: Sequence[int], finished: frozenset[Edge] = frozenset()
    ) -> None:
        self.rows, self.columns, self.widths = height(instance), width(instance), widths
        self.lines: dict[tuple[int, int, str], int] = {}
        outlined = list(cages(instance))
        parted = heavy_edges(instance)
        for edge in all_edges(instance):
            if outlined and separated(outlined, edge):
                self.draw(edge, 1)
        for edge in parted | finished:
            self.draw(edge, 2 if outlined else 1)
        growing = parts_areas(instance)
        if self.lines or growing:
            round_it = 2 if outlined and parted else 1
            for row, column in cells(instance):
                if row == 0:
                    self.lines[0, column, "right"] = self.lines[self.rows, column, "right"] = round_it
                if column == 0:
                    self.lines[row, 0, "down"] = self.lines[row, self.columns, "down"] = round_it
        # A column of lines takes one character wherever any row has a line there; likewise for rows.
        self.gaps = {column for _, column, way in self.lines if way == "down"}
        self.levels = {row for row, _, way in self.lines if way == "right"}
        if growing:
            self.gaps, self.levels = set(range(self.columns + 1)), set(range(self.rows + 1))

    def draw(self, edge: Edge, weight: int) -> None:
        """Put a line between two neighbouring cells."""
        first, second = edge
        self.lines[(*second, "down" if first[0] == second[0] else "right")] = weight

    def gap(self, column: int) -> str:
        """The space above a line at the left of a column; nothing where there is none."""
        return " " if column in self.gaps else ""

    def beside(self, row: int, column: int) -> str:
        """The line at the left of a cell: a stroke, a space where only other rows have one, or nothing."""
        if column not in self.gaps:
            return ""
        weight = self.lines.get((row, column, "down"), 0)
        return junction(weight, 0, weight, 0)

    def between(self, row: int, labels: Mapping[Cell, str]) -> str:
        """The line above a row, the empty text where there is none; labels stand in it above their cells."""
        if row not in self.levels:
            return ""
        parts = []
        for column in range(self.columns + 1):
            if column in self.gaps:
                parts.append(self.corner(row, column))
            if column < self.columns:
                weight = self.lines.get((row, column, "right"), 0)
                label = labels.get((row, column), "")
                parts.append(label.ljust(self.widths[column], junction(0, weight, 0, weight)))
        return "".join(parts)

    def corner(self, row: int, column: int) -> str:
        """The character at the corner above and left of a cell."""
        arms = (
            (row - 1, column, "down"),
            (row, column, "right"),
            (row, column, "down"),
            (row, column - 1, "right"),
        )
        return junction(*(self.lines.get(arm, 0) for arm in arms))
