"""Boards in which each cell has a list of ways to be true: what the rules of a pass are matched in.

A way is a set of literals that all hold. So what a rule needs comes out as the conditions of effects.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product

from ggp.transition.program import Offset, Transition

Cube = frozenset[int]  # literals that all hold: plane * cells + cell + 1, negative for "not there"
Cubes = frozenset[Cube]  # one of these holds
NEVER: Cubes = frozenset()
ALWAYS: Cubes = frozenset({frozenset()})


class Ways:
    """The algebra of boards in which each cell has a list of ways to be true."""

    def __init__(self, transition: Transition) -> None:
        self.transition = transition
        self.size = transition.height * transition.width
        self.zero = Board(self, (NEVER,) * self.size)
        self.words: frozenset[str] = frozenset()
        self.both = cache(self._both)
        self.opposite = cache(self._opposite)

    def everywhere(self) -> Board:
        return Board(self, (ALWAYS,) * self.size)

    def empty(self, board: Board) -> bool:
        return not any(board.cells)

    def to(self, index: int, offset: Offset) -> int | None:
        """The number of the cell at `offset` from another; None outside."""
        height, width = self.transition.height, self.transition.width
        row, column = index // width + offset[0], index % width + offset[1]
        if self.transition.wraps:
            row, column = row % height, column % width
        return row * width + column if 0 <= row < height and 0 <= column < width else None

    def shift(self, board: Board, offset: Offset) -> Board:
        places = (self.to(index, offset) for index in range(self.size))
        return Board(self, tuple(NEVER if at is None else board.cells[at] for at in places))

    def inside(self, offset: Offset) -> Board:
        return self.shift(self.everywhere(), offset)

    def input(self, words: tuple[str, ...]) -> Board | None:
        if not words:
            return None
        return self.everywhere() if self.words.issuperset(words) else self.zero

    # --- one cell

    def _both(self, one: Cubes, other: Cubes) -> Cubes:
        return shortest(self.joined(a | b) for a, b in product(one, other))

    def either(self, one: Cubes, other: Cubes) -> Cubes:
        """One of the two."""
        return shortest((*one, *other))

    def _opposite(self, one: Cubes) -> Cubes:
        total = ALWAYS
        for cube in one:
            total = self.both(total, frozenset(frozenset({-literal}) for literal in cube))
        return total

    def joined(self, cube: Cube) -> Cube | None:
        """The literals without those that others imply; None if they contradict one another."""
        there = {literal for literal in cube if literal > 0}
        kept = set(cube)
        for literal in cube:
            if -literal in cube:
                return None
            plane, at = self.what(abs(literal))
            for rival in there:
                other, place = self.what(rival)
                if place == at and other != plane and self.apart(plane, other):
                    if literal > 0:
                        return None
                    kept.discard(literal)
        return frozenset(kept)

    def what(self, literal: int) -> tuple[int, int]:
        """The plane and the cell of a literal."""
        return divmod(literal - 1, self.size)

    def apart(self, one: int, other: int) -> bool:
        """Can two planes never share a cell?"""
        layers, exempt = self.transition.layers, self.transition.exempt
        return layers[one] == layers[other] and not {one, other} <= exempt


def shortest(cubes: Iterable[Cube | None]) -> Cubes:
    """Without those that contradict themselves, and those that others include."""
    kept: list[Cube] = []
    for cube in sorted({cube for cube in cubes if cube is not None}, key=len):
        if not any(other <= cube for other in kept):
            kept.append(cube)
    return frozenset(kept)


@dataclass(frozen=True)
class Board:
    """A list of ways for each cell."""

    ways: Ways
    cells: tuple[Cubes, ...]

    def __and__(self, other: Board) -> Board:
        pairs = zip(self.cells, other.cells, strict=True)
        return Board(self.ways, tuple(self.ways.both(a, b) if a and b else NEVER for a, b in pairs))

    def __or__(self, other: Board) -> Board:
        pairs = zip(self.cells, other.cells, strict=True)
        return Board(self.ways, tuple(self.ways.either(a, b) if a and b else a or b for a, b in pairs))

    def __invert__(self) -> Board:
        return Board(self.ways, tuple(map(self.ways.opposite, self.cells)))
