"""Values that differ: one of each at most, and no more cells than values for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.search.narrowing.choices import Dead, Mask, Now
from ggp.search.regionwise import matching


class AtMostOnce:
    """No two cells take the same value. `tables`: for each cell, by value, the choices that mean it."""

    dear = False

    def __init__(
        self, cells: Sequence[int], tables: Sequence[Mapping[int, Mask]], values: Sequence[int]
    ) -> None:
        self.watched = tuple(cells)
        self.values = values
        self.tables = [tuple(table.get(value, 0) for value in values) for table in tables]

    def narrow(self, now: Now) -> None:
        """What a cell surely has, the others have not."""
        masks = now.masks
        for number in range(len(self.values)):
            owner = None
            for cell, table in zip(self.watched, self.tables, strict=True):
                if table[number] and not masks[cell] & ~table[number]:
                    if owner is not None:
                        raise Dead
                    owner = cell
            if owner is not None:
                for cell, table in zip(self.watched, self.tables, strict=True):
                    if cell != owner and table[number]:
                        now.keep(cell, ~table[number])


class Plain:
    """No two of the cells take the same choice, but for none of all: each choice is a value of its own."""

    dear = False

    def __init__(self, cells: Sequence[int], none: Mask) -> None:
        self.watched = tuple(cells)
        self.none = none

    def is_whole(self, masks: Sequence[Mask]) -> bool:
        """Does each value stand on one of the cells, whatever they take?"""
        taken = 0
        for cell in self.watched:
            taken |= masks[cell]
        return not taken & self.none and taken.bit_count() == len(self.watched)

    def narrow(self, now: Now) -> None:
        """What one cell has, the others have not; with as many cells as values each value has its cell."""
        masks = now.masks
        once = twice = taken = 0
        for cell in self.watched:
            here = masks[cell]
            twice |= once & here
            once |= here
            if not here & (here - 1):
                if here & taken & ~self.none:
                    raise Dead
                taken |= here & ~self.none
        values = once & ~self.none
        if not once & self.none and values.bit_count() < len(self.watched):
            raise Dead
        full = not once & self.none and values.bit_count() == len(self.watched)
        single = once & ~twice if full else 0
        for cell in self.watched:
            here = masks[cell]
            if here & (here - 1):
                now.keep(cell, here & single or ~taken)
                if here & single & ((here & single) - 1):
                    raise Dead


class Matched:
    """As `Plain` where no cell stays empty: only what is part of a whole assignment is left.

    J.-C. Regin, A filtering algorithm for constraints of difference in CSPs, AAAI 1994.
    """

    dear = True

    def __init__(self, cells: Sequence[int]) -> None:
        self.watched = tuple(cells)

    def narrow(self, now: Now) -> None:
        """Find one assignment, and what can be swapped into it."""
        masks = now.masks
        open_cells = [cell for cell in self.watched if masks[cell] & (masks[cell] - 1)]
        if not open_cells:
            return
        free = [masks[cell] for cell in open_cells]
        held = matching(free)
        if held is None:
            raise Dead
        owned = sum(held)
        reach = [0] * len(free)  # the places whose value a place could take, and so on
        for place, mask in enumerate(free):
            for other, value in enumerate(held):
                if mask & value:
                    reach[place] |= 1 << other
        for through in range(len(free)):
            for place in range(len(free)):
                if reach[place] >> through & 1:
                    reach[place] |= reach[through]
        loose = sum(1 << place for place, mask in enumerate(free) if mask & ~owned)
        for place, cell in enumerate(open_cells):
            left = free[place] & ~owned
            for other, value in enumerate(held):
                swapped = reach[other] >> place & 1 or reach[other] & loose
                if free[place] & value and (other == place or swapped):
                    left |= value
            now.keep(cell, left)
