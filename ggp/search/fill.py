"""Designs without a run: fill cells with values so that the goal holds, narrowing as it goes.

Each open cell keeps the set of pieces that it may still take. Goal words that say that values differ
narrow these sets (a value that is taken leaves the region, a value with one cell left goes there); the
cell with the fewest choices is decided next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ggp.goals.different import Different
from ggp.goals.pattern import Shape
from ggp.goals.regions import Region, regions
from ggp.model import Cell, Instance, Piece
from ggp.model.board import width
from ggp.referee.semantics import budget, free_cells, initial_state, placeable
from ggp.search.regionwise import dive
from ggp.transition.bits import Bits, Named
from ggp.transition.program import compile_instance

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
        self.named = self.regions_of()
        self.regions = [region for regions in self.named.values() for region in regions]
        self.lies_in = self.regions_by_cell()
        self.fixed = self.given_values()
        # With as many cells as values and none left empty, each value stands somewhere in the region.
        filled = not self.all & self.none
        self.full = [one for one in self.regions if filled and self.is_full(one)]

    def regions_of(self) -> dict[str, list[Region]]:
        """The regions within which the placed kind's values differ, by name."""
        kind = self.pieces[0].kind if self.pieces else ""
        found: dict[str, list[Region]] = {}
        for term in self.instance.game.goal.terms:
            if isinstance(term, Different) and term.kind == kind and term.ground is None:
                for name in term.names:
                    found[name] = list(regions(self.instance, name, term.place))
            if isinstance(term, Shape):
                twins = [(one, other) for name, one, other in term.twins(self.instance) if name == kind]
                found[term.source()] = list(twins)
        return found

    def given_values(self) -> dict[Cell, Choices]:
        """The placed kind's pieces that the map has already."""
        columns, board = width(self.instance), initial_state(self.instance, partial=True).board
        free = set(self.cells)
        return {
            cell: sum(
                1 << i for i, piece in enumerate(self.pieces) if piece in board[cell[0] * columns + cell[1]]
            )
            or self.none
            for region in self.regions
            for cell in region
            if cell not in free
        }

    def solutions(self, tick: Callable[[], None]) -> Iterator[tuple[tuple[Cell, Piece], ...]]:
        """Every design that meets the goal."""
        choices = {**self.fixed, **dict.fromkeys(self.cells, self.all)}
        stack = [choices] if self.narrow(choices, list(self.regions)) else []
        first = self.straight(choices, tick) if stack else None
        if first is not None:
            yield first
        while stack:
            tick()
            choices = stack.pop()
            open_cells = [cell for cell in self.cells if choices[cell].bit_count() > 1]
            if not open_cells:
                placed = self.placed(choices)
                if self.within_budget(choices) and placed != first and self.judged(placed):
                    yield placed
                continue
            branches = []
            for cell, choice in self.alternatives(choices, open_cells):
                branch = {**choices, cell: choice}
                if self.within_budget(branch) and self.narrow(branch, list(self.around(cell))):
                    branches.append(branch)
            stack += reversed(branches)

    def alternatives(
        self, choices: dict[Cell, Choices], open_cells: list[Cell]
    ) -> list[tuple[Cell, Choices]]:
        """The fewest decisions of which one must be made: what a cell takes, or where a value goes."""
        cell = min(open_cells, key=lambda c: choices[c].bit_count())
        fewest, best = choices[cell].bit_count(), [(cell, bit) for bit in bits_of(choices[cell])]
        if fewest > 2:
            for region in self.full:
                here = [(c, choices[c]) for c in region]
                for bit in bits_of(self.none - 1):
                    places = [c for c, left in here if left & bit]
                    if 1 < len(places) < fewest:
                        fewest, best = len(places), [(c, bit) for c in places]
        return best

    def straight(
        self, choices: dict[Cell, Choices], tick: Callable[[], None]
    ) -> tuple[tuple[Cell, Piece], ...] | None:
        """A design found without search, region by region, if that works."""
        rows = self.rows(choices)
        if not rows or self.all & self.none:
            return None
        regions = [tuple(cell for cell in region if cell in choices) for region in self.regions]
        found = dive(rows, regions, choices, tick)
        if found is None:
            return None
        placed = self.placed(found)
        return placed if self.judged(placed) else None

    def rows(self, choices: dict[Cell, Choices]) -> list[Region]:
        """The regions of one name that together hold each open cell once, if there are such."""
        for named in self.named.values():
            cells = [cell for region in named for cell in region if cell in choices]
            if len(cells) == len(set(cells)) and set(cells) >= set(self.cells):
                return [tuple(cell for cell in region if cell in choices) for region in named]
        return []

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
        return self.lies_in.get(cell, [])

    def is_full(self, region: Region) -> bool:
        """Does every value stand in the region, however it is filled?"""
        return len(region) == len(self.pieces) and not any(self.fixed.get(c) == self.none for c in region)

    def regions_by_cell(self) -> dict[Cell, list[Region]]:
        """For each cell the regions that it lies in."""
        found: dict[Cell, list[Region]] = {}
        for region in self.regions:
            for cell in region:
                found.setdefault(cell, []).append(region)
        return found

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


def bits_of(choices: Choices) -> Iterator[Choices]:
    """Each single bit, the lowest first."""
    while choices:
        yield choices & -choices
        choices &= choices - 1
