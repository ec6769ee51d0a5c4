"""Values that stand on one cell each, every one a step away from the one before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.search.narrowing.choices import Dead, Mask, Now
from ggp.search.narrowing.solving import bits_of


class StepByStep:
    """Each value is on one cell, the next one on a cell that `reach` (a set of bits) has for it."""

    dear = True

    def __init__(
        self,
        tables: Sequence[Mapping[int, Mask]],
        values: Sequence[int],
        reach: Sequence[int],
        back: Sequence[int],
    ) -> None:
        self.tables = tables
        self.values = values
        self.reach, self.back = reach, back
        self.watched = tuple(cell for cell, table in enumerate(tables) if table)

    def narrow(self, now: Now) -> None:
        """Follow the steps up from the lowest value, and down from the highest."""
        spots = [self.spots(now, value) for value in self.values]
        for number in range(1, len(spots)):
            spots[number] &= union(self.reach, spots[number - 1])
        for number in range(len(spots) - 2, -1, -1):
            spots[number] &= union(self.back, spots[number + 1])
        for value, left in zip(self.values, spots, strict=True):
            if not left:
                raise Dead
            for cell in self.watched:
                held = self.tables[cell].get(value, 0)
                if not left >> cell & 1:
                    now.keep(cell, ~held)
                elif left == 1 << cell:
                    now.keep(cell, held)

    def spots(self, now: Now, value: int) -> int:
        """The cells that may hold the value, but for others if one surely does. Raises Dead."""
        found = sure = 0
        for cell in self.watched:
            held = self.tables[cell].get(value, 0)
            if now.masks[cell] & held:
                found |= 1 << cell
                if not now.masks[cell] & ~held:
                    sure |= 1 << cell
        if sure & (sure - 1):
            raise Dead
        return sure or found


def union(table: Sequence[int], cells: int) -> int:
    """All that is reached from these cells."""
    found = 0
    for bit in bits_of(cells):
        found |= table[bit.bit_length() - 1]
    return found
