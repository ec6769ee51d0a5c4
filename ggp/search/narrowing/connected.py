"""Cells that form one area: none can be out of reach, and what alone joins two of them is in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ggp.search.narrowing.choices import Dead, Mask, Now
from ggp.search.narrowing.graphs import Near, passes


class OneArea:
    """The cells with a choice of `inside` are joined to one area; no cell at all is one, too.

    `ways`: for rows and for columns, (with which choices a cell can be joined that way, with which it joins).
    Two neighbours are joined where both can be and one of them joins.
    """

    dear = True

    def __init__(
        self,
        inside: Sequence[Mask],
        ways: Sequence[tuple[Sequence[Mask], Sequence[Mask]]],
        near: Near,
        width: int,
    ) -> None:
        self.inside = inside
        self.ways = ways
        self.near = near
        self.width = width
        self.watched = tuple(cell for cell, mask in enumerate(inside) if mask)

    def narrow(self, now: Now) -> None:
        """Flood from a cell that is surely inside over all that may be joined."""
        masks, inside = now.masks, self.inside
        sure = {cell for cell in self.watched if not masks[cell] & ~inside[cell]}
        if not sure:
            return

        def beside(cell: int) -> Iterator[int]:
            for other in self.near[cell]:
                joined, joins = self.way(cell, other)
                possible = masks[cell] & joined[cell] and masks[other] & joined[other]
                if possible and (masks[cell] & joins[cell] or masks[other] & joins[other]):
                    yield other

        reached, cuts, bridges = passes(min(sure), beside, sure)
        if not sure <= reached:
            raise Dead
        for cell in self.watched:
            if cell not in reached:
                now.keep(cell, ~inside[cell])
        for cell in cuts:
            now.keep(cell, inside[cell])
        for one, other in bridges:
            joined, _ = self.way(one, other)
            now.keep(one, joined[one])
            now.keep(other, joined[other])

    def way(self, one: int, other: int) -> tuple[Sequence[Mask], Sequence[Mask]]:
        """What joins these two neighbours."""
        return self.ways[one // self.width != other // self.width]
