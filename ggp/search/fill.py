"""Designs without a run: fill cells with values so that the goal holds, narrowing as it goes.

Each open cell keeps the set of pieces that it may still take. Goal words that say that values differ
narrow these sets (a value that is taken leaves the region, a value with one cell left goes there); the
cell with the fewest choices is decided next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ggp.algebras.bits import Bits, Named
from ggp.board import width
from ggp.goals.regions import Region
from ggp.model import Cell, Instance, Piece
from ggp.semantics import budget, free_cells, initial_state, placeable
from ggp.transition import compile_instance

Choices = int  # a set of pieces, one bit each in the order of `placeable`; the highest bit means none


class FillSearch:
    """Depth-first search with narrowing."""

    limit: int | None  # how many pieces may be placed; lowering it while the search runs prunes

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.pieces = placeable(instance)
        self.cells = free_cells(instance)
        self.none = 1 << len(self.pieces)
        design = instance.game.design
        self.all = self.none - 1 if design is not None and design.fill else 2 * self.none - 1
        self.limit = budget(instance)
        transition = compile_instance(instance)
        self.bits = Bits(transition)
        self.view = Named(instance, transition)
        self.start = self.bits.pack(initial_state(instance, partial=True))
        self.plane = [transition.number[piece] for piece in self.pieces]
        self.regions = self.regions_of()
        self.fixed = self.given_values()

    def regions_of(self) -> list[Region]:
        """The regions within which the placed kind's values differ."""
        terms = [t for t in self.instance.game.goal.terms if t.word == "different" and self.pieces]
        kind = self.pieces[0].kind if self.pieces else ""
        return [r for t in terms if t.kind == kind for r in t.regions(self.instance)]  # type: ignore[attr-defined]

    def given_values(self) -> dict[Cell, Choices]:
        """The placed kind's pieces that the map has already."""
        columns, board = width(self.instance), initial_state(self.instance, partial=True).board
        return {
            cell: sum(
                1 << i for i, piece in enumerate(self.pieces) if piece in board[cell[0] * columns + cell[1]]
            )
            or self.none
            for region in self.regions
            for cell in region
            if cell not in self.cells
        }

    def solutions(self, tick: Callable[[], None]) -> Iterator[tuple[tuple[Cell, Piece], ...]]:
        """Every design that meets the goal."""
        choices = {**self.fixed, **dict.fromkeys(self.cells, self.all)}
        stack = [choices] if self.narrow(choices, list(self.regions)) else []
        while stack:
            tick()
            choices = stack.pop()
            open_cells = [cell for cell in self.cells if choices[cell].bit_count() > 1]
            if not open_cells:
                placed = self.placed(choices)
                if self.within_budget(choices) and self.judged(placed):
                    yield placed
                continue
            cell = min(open_cells, key=lambda c: choices[c].bit_count())
            left = choices[cell]
            branches = []
            while left:
                choice = left & -left
                left ^= choice
                branch = {**choices, cell: choice}
                if self.within_budget(branch) and self.narrow(branch, self.around(cell)):
                    branches.append(branch)
            stack += reversed(branches)

    def placed(self, choices: dict[Cell, Choices]) -> tuple[tuple[Cell, Piece], ...]:
        """The placements of a complete assignment."""
        return tuple(
            (cell, self.pieces[choices[cell].bit_length() - 1])
            for cell in self.cells
            if choices[cell] != self.none
        )

    def within_budget(self, choices: dict[Cell, Choices]) -> bool:
        """Are no more cells taken than may be?"""
        if self.limit is None:
            return True
        return sum(not choices[cell] & self.none for cell in self.cells) <= self.limit

    def judged(self, placed: tuple[tuple[Cell, Piece], ...]) -> bool:
        """Does the goal hold?"""
        boards = list(self.start)
        number = dict(zip(self.pieces, self.plane, strict=True))
        for cell, piece in placed:
            boards[number[piece]] |= self.bits.bit(*cell)
        self.view.boards = tuple(boards)
        goal = self.instance.game.goal
        won = all(term.test(self.bits, self.view) for term in goal.terms)
        return won and not any(term.test(self.bits, self.view) for term in goal.lose)

    def around(self, cell: Cell) -> list[Region]:
        """The regions that a cell lies in."""
        return [region for region in self.regions if cell in region]

    def narrow(self, choices: dict[Cell, Choices], queue: list[Region]) -> bool:
        """Narrow until nothing changes; False if some cell is left without a choice."""
        while queue:
            region = queue.pop()
            for cell in self.narrow_region(choices, region) or ():
                if not choices[cell]:
                    return False
                queue += [r for r in self.around(cell) if r not in queue]
            if not all(choices[cell] for cell in region if cell in choices):
                return False
        return True

    def narrow_region(self, choices: dict[Cell, Choices], region: Region) -> list[Cell]:
        """Take away what is decided elsewhere in the region, and place what has one cell left."""
        changed: list[Cell] = []
        once = twice = taken = 0
        for cell in region:
            here = choices.get(cell, self.none)
            twice |= once & here
            once |= here
            if here.bit_count() == 1:
                if here & taken & ~self.none:
                    choices[cell] = 0
                    return [cell]
                taken |= here & ~self.none
        # With as many cells as values and none left empty, each value stands somewhere in the region.
        full = len(region) == len(self.pieces) and not once & self.none
        if full and once != self.none - 1:
            choices[region[0]] = 0
            return [region[0]]
        single = once & ~twice if full else 0
        for cell in region:
            here = choices.get(cell, self.none)
            if here.bit_count() > 1:
                after = here & single or here & ~taken
                if after != here:
                    choices[cell] = after
                    changed.append(cell)
        return changed
