"""Random boards in the manner of a game's own levels: the same border, about as many of each thing.

What stands in single cells is strewn. What only makes sense together (the ends of a car) stands in the
description as a part, and is laid as a whole.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

from ggp.language.maps import symbols_of
from ggp.model import Cell, Game, Level, Piece

Content = frozenset[Piece]
Cells = dict[Cell, Content]

SPARSE = 0.2  # the share of the board up to which a thing is counted, and not spread
NEAR = 0.25  # how far the number of what is spread may be from that of the example


def by_name(content: Content) -> list[str]:
    """A key for an order that is the same on every run."""
    return sorted(map(str, content))


@dataclass(frozen=True)
class Style:
    """What a level looks like, without the pieces of `laid`, which are laid when the rest is there.

    `border`: what stands on all outer cells, if it is the same and never moves. `numbers`: how many of each
    content there are inside, but for `background`, the most common one.
    """

    size: tuple[int, int]
    border: Content | None
    background: Content
    numbers: tuple[tuple[Content, int], ...]
    moving: frozenset[str]  # kinds that rules change

    @property
    def inside(self) -> int:
        """How many cells there are within the border."""
        return inner(self.size, self.border is not None)


def inner(size: tuple[int, int], bordered: bool) -> int:
    """How many cells a board has, without its border if it has one."""
    rows, columns = size
    return max(0, rows - 2) * max(0, columns - 2) if bordered else rows * columns


def style_of(level: Level, moving: frozenset[str], laid: frozenset[str]) -> Style:
    """The style of a level."""
    rows, columns = len(level.board), len(level.board[0])
    cells = {
        (row, column): frozenset(piece for piece in here if piece.kind not in laid)
        for row, line in enumerate(level.board)
        for column, here in enumerate(line)
    }
    edge = [cell for cell in cells if cell[0] in (0, rows - 1) or cell[1] in (0, columns - 1)]
    common = Counter(cells[cell] for cell in edge).most_common(1)[0]
    still = common[0] and not any(piece.kind in moving for piece in common[0])
    border = common[0] if still and common[1] >= 0.8 * len(edge) and len(edge) < len(cells) else None
    kept = cells if border is None else {cell: here for cell, here in cells.items() if cell not in set(edge)}
    counted = sorted(Counter(kept.values()).items(), key=lambda one: (-one[1], by_name(one[0])))
    quiet = [one for one, _ in counted if not any(piece.kind in moving for piece in one)] or [counted[0][0]]
    numbers = tuple((content, number) for content, number in counted if content != quiet[0])
    return Style((rows, columns), border, quiet[0], numbers, moving)


@dataclass(frozen=True)
class Sketch:
    """Makes boards of one style and size."""

    game: Game
    style: Style
    size: tuple[int, int]
    random: Random

    def board(self) -> Cells | None:
        """A board; None where it did not come out as it must."""
        rows, columns = self.size
        cells = {(row, column): self.style.background for row in range(rows) for column in range(columns)}
        free = list(cells)
        if self.style.border is not None:
            free = [c for c in free if 0 < c[0] < rows - 1 and 0 < c[1] < columns - 1]
            cells |= {cell: self.style.border for cell in cells if cell not in set(free)}
        parts = self.game.generate.parts if self.game.generate is not None else ()
        together = frozenset(
            piece.kind for part in parts for line in part.rows for here in line for piece in here
        )
        for part in parts:
            low, high = part.count
            for _ in range(self.random.randint(low, high)):
                if not self.lay(part.rows, cells, free) and low:
                    return None
        self.random.shuffle(free)
        for content, number in self.style.numbers:
            if any(piece.kind in together for piece in content):
                continue
            for _ in range(self.wanted(content, number)):
                if not free:
                    return None
                cells[free.pop()] = content
        return cells

    def lay(self, rows: tuple[tuple[Content, ...], ...], cells: Cells, free: list[Cell]) -> bool:
        """Lay a part somewhere where it fits."""
        for row, column in self.random.sample(free, len(free)):
            there = {
                (row + y, column + x): here for y, line in enumerate(rows) for x, here in enumerate(line)
            }
            if all(cell in free for cell in there):
                cells.update(there)
                free[:] = [cell for cell in free if cell not in there]
                return True
        return False

    def wanted(self, content: Content, number: int) -> int:
        """How many there should be of a content that the example has so many of."""
        share = number / max(1, self.style.inside)
        if share <= SPARSE and any(piece.kind in self.style.moving for piece in content):
            return number
        scaled = number * inner(self.size, self.style.border is not None) / max(1, self.style.inside)
        return round(scaled * self.random.uniform(1 - NEAR, 1 + NEAR))


def fits(game: Game, cells: Cells) -> bool:
    """Does each cell hold what a symbol stands for, and are there as many of each kind as there must be?"""
    allowed = set(symbols_of(game).values())
    if any(here not in allowed for here in cells.values()):
        return False
    found = Counter(piece.kind for here in cells.values() for piece in here)
    bounds = ((kind.name, *kind.count) for kind in game.kinds if kind.count is not None)
    return all(low <= found[name] and (high is None or found[name] <= high) for name, low, high in bounds)
