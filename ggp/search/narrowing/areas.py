"""Areas of equal values, each as large as its value says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.search.narrowing.choices import Dead, Mask, Now
from ggp.search.narrowing.graphs import Near, pieces, within


class AsLarge:
    """Each area of cells with one value has so many cells. `tables`: for each cell, by value, its choices."""

    dear = True

    def __init__(self, tables: Sequence[Mapping[int, Mask]], value: int, near: Near) -> None:
        self.holds = [table.get(value, 0) for table in tables]
        self.value = value
        self.near = near
        self.watched = tuple(cell for cell, mask in enumerate(self.holds) if mask)

    def narrow(self, now: Now) -> None:
        """Measure what surely hangs together, what would if a cell joined it, and how far it can grow."""
        masks, holds, near = now.masks, self.holds, self.near
        possible = {cell for cell in self.watched if masks[cell] & holds[cell]}
        sure = {cell for cell in possible if not masks[cell] & ~holds[cell]}
        block_of: dict[int, tuple[int, set[int]]] = {}
        blocks = list(pieces(sure, near))
        for number, block in enumerate(blocks):
            if len(block) > self.value:
                raise Dead
            block_of.update(dict.fromkeys(block, (number, block)))
        for cell in sorted(possible - sure):
            beside = {block_of[other][0] for other in near[cell] if other in block_of}
            if 1 + sum(len(blocks[number]) for number in beside) > self.value:
                now.keep(cell, ~holds[cell])
                possible.discard(cell)
        for block in blocks:
            self.grow(now, block, possible)
        for area in list(pieces(possible, near)):
            if len(area) < self.value:
                for cell in area:
                    now.keep(cell, ~holds[cell])

    def grow(self, now: Now, block: set[int], possible: set[int]) -> None:
        """What the area of these cells must have."""
        if len(block) == self.value:
            return
        reached = within(block, self.near, possible, self.value - len(block))
        if len(reached) < self.value:
            raise Dead
        if len(reached) == self.value:
            needed = reached
        else:
            exits = {c for cell in block for c in self.near[cell] if c in possible and c not in block}
            needed = exits if len(exits) == 1 else set()
        for cell in needed:
            now.keep(cell, self.holds[cell])
