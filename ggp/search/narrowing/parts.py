"""Areas with one clue each, which says how large the area is: islands in a sea."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.search.narrowing.choices import Dead, Mask, Now
from ggp.search.narrowing.graphs import Near, pieces, within


class OneClueEach:
    """Each area of cells with a choice of `inside` has one clue and so many cells (None: any number)."""

    dear = True

    def __init__(self, inside: Sequence[Mask], clues: Mapping[int, int | None], near: Near) -> None:
        self.inside = inside
        self.clues = clues
        self.near = near
        self.watched = tuple(range(len(inside)))

    def narrow(self, now: Now) -> None:
        """Let each clue's area grow as far as it can; what none reaches is outside."""
        masks, inside = now.masks, self.inside
        for clue in self.clues:
            now.keep(clue, inside[clue])
        possible = {cell for cell in self.watched if masks[cell] & inside[cell]}
        sure = {cell for cell in possible if not masks[cell] & ~inside[cell]}
        owner, blocks = self.owners(sure)
        self.part(now, possible - sure, owner)
        possible = {cell for cell in possible if masks[cell] & inside[cell]}
        reached: set[int] = set()
        for clue, block in blocks.items():
            reached |= self.grow(now, clue, block, possible, owner)
        for cell in possible - reached:
            now.keep(cell, ~inside[cell])

    def owners(self, sure: set[int]) -> tuple[dict[int, int], dict[int, set[int]]]:
        """(the clue with which a cell surely hangs together, the cells of each clue). Raises Dead."""
        owner: dict[int, int] = {}
        blocks: dict[int, set[int]] = {}
        for block in pieces(sure, self.near):
            held = [cell for cell in block if cell in self.clues]
            if len(held) > 1:
                raise Dead
            for clue in held:
                size = self.clues[clue]
                if size is not None and len(block) > size:
                    raise Dead
                blocks[clue] = block
                owner.update(dict.fromkeys(block, clue))
        return owner, blocks

    def part(self, now: Now, undecided: set[int], owner: Mapping[int, int]) -> None:
        """A cell between the areas of two clues is outside."""
        for cell in undecided:
            if len({owner[other] for other in self.near[cell] if other in owner}) > 1:
                now.keep(cell, ~self.inside[cell])

    def grow(
        self, now: Now, clue: int, block: set[int], possible: set[int], owner: Mapping[int, int]
    ) -> set[int]:
        """The cells that the clue's area may have, and those that it must."""
        size, near = self.clues[clue], self.near
        if len(block) == size:
            for cell in block:
                for other in near[cell]:
                    if other not in block:
                        now.keep(other, ~self.inside[other])
            return block
        allowed = {
            cell
            for cell in possible
            if owner.get(cell, clue) == clue and all(owner.get(other, clue) == clue for other in near[cell])
        }
        steps = len(self.watched) if size is None else size - len(block)
        reached = within(block, near, allowed, steps)
        if size is None:
            return reached
        if len(reached) < size:
            raise Dead
        if len(reached) == size:
            for cell in reached:
                now.keep(cell, self.inside[cell])
        else:
            exits = {
                other for cell in block for other in near[cell] if other in allowed and other not in block
            }
            if len(exits) == 1:
                (cell,) = exits
                now.keep(cell, self.inside[cell])
        return reached
