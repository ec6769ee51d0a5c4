"""A game's kinds and marks as numbers, and the cells of a board of one size as bits."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.model import Game
from ggp.model.scan import MARKS, Scan, ScanChange

WAYS = len(MARKS)
BITS = WAYS  # of one layer, in the numbers that remember what rigid rules marked
LAYER = (1 << BITS) - 1


class Ground:
    """A game's kinds and marks as numbers, on a board of one size."""

    def __init__(self, game: Game, scan: Scan, height: int, width: int) -> None:
        self.height, self.width = height, width
        self.size = height * width
        self.full = (1 << self.size) - 1
        self.kinds = {kind.name: number for number, kind in enumerate(game.kinds)}
        self.layers = {name: number for number, name in enumerate(scan.layers)}
        self.of_layer: list[list[int]] = [[] for _ in scan.layers]
        self.layer_of = [self.layers[kind.layer] for kind in game.kinds]
        for number, layer in enumerate(self.layer_of):
            self.of_layer[layer].append(number)
        self.steps = {"up": -1, "down": 1, "left": -height, "right": height}
        self.planes = len(game.kinds) + WAYS * len(scan.layers)
        self.crowds = any(self.crowded(change) for change in changes_of(scan))
        rows, columns = range(height), range(width)
        top = sum(1 << column * height for column in columns)
        left = (1 << height) - 1
        # From which cells a step leads off the board.
        self.edge = {
            "up": top,
            "down": top << (height - 1),
            "left": left,
            "right": left << height * (width - 1),
        }
        self.by_rows = [column * height + row for row in rows for column in columns]
        self.rank = {cell: rank for rank, cell in enumerate(self.by_rows)}

    def crowded(self, change: ScanChange) -> bool:
        """May two things of one layer stand in a cell then? What stays does not make room for chance."""
        return bool({self.layer_of[self.kinds[kind]] for kind in change.add} & self.by_chance(change))

    def by_chance(self, change: ScanChange) -> set[int]:
        """The layers of what chance chooses from."""
        return {self.layer_of[self.kinds[kind]] for kind in change.one_of}

    def mark(self, layer: str, way: str) -> int:
        """The number of a mark."""
        return len(self.kinds) + WAYS * self.layers[layer] + MARKS.index(way)

    def marks(self, layer: str) -> list[int]:
        """The numbers of all marks of a layer."""
        return self.marks_of(self.layers[layer])

    def marks_of(self, layer: int) -> list[int]:
        """The same for the number of a layer."""
        first = len(self.kinds) + WAYS * layer
        return list(range(first, first + WAYS))

    def room(self, direction: str, length: int) -> int:
        """The cells from which so many lie in a direction, the first one counted."""
        where, step = self.full, self.steps[direction]
        for _ in range(min(length, self.height + self.width) - 1):
            ahead = where & ~self.edge[direction]
            # A cell has room where the next one has: shift what has room back by a step.
            back = where >> step if step > 0 else where << -step
            where = ahead & back & self.full
        return where

    def free_steps(self, cell: int, direction: str) -> int:
        """How many steps lead from a cell to the edge."""
        column, row = divmod(cell, self.height)
        return {"up": row, "down": self.height - 1 - row, "left": column, "right": self.width - 1 - column}[
            direction
        ]

    def in_order(self, where: int, sideways: bool) -> list[int]:
        """Cells as rules find them: row by row where they look to the side, else column by column."""
        found = list(bits(where))
        if sideways and len(found) > 1:
            found.sort(key=self.rank.__getitem__)
        return found


def changes_of(scan: Scan) -> Iterator[ScanChange]:
    """What rules do to cells, all of it."""
    cells = (cell for rule in scan.rules for row in rule.rows for cell in row if cell)
    return (cell.change for cell in cells if cell.change is not None)


def bits(where: int) -> Iterator[int]:
    """The cells of a plane, in their order."""
    while where:
        low = where & -where
        yield low.bit_length() - 1
        where ^= low
