"""One loop: two lines or none end at each spot, no small loop closes, and no line leads out of reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ggp.search.narrowing.choices import Dead, Mask, Now
from ggp.search.narrowing.graphs import passes


class Ends:
    """Two of the lines end at a spot, or none. `lines`: (cell, the choices with which it has a line)."""

    dear = False

    def __init__(self, lines: Sequence[tuple[int, Mask]]) -> None:
        self.lines = lines
        self.watched = tuple(cell for cell, _ in lines)

    def narrow(self, now: Now) -> None:
        """Count the lines that are sure, and those that are possible."""
        masks = now.masks
        sure = sum(not masks[cell] & ~line for cell, line in self.lines)
        possible = sum(1 for cell, line in self.lines if masks[cell] & line)
        if sure > 2 or (sure and possible < 2):
            raise Dead
        if sure == 2 or possible < 2:
            for cell, line in self.lines:
                if masks[cell] & ~line:
                    now.keep(cell, ~line)
        elif sure and possible == 2:
            for cell, line in self.lines:
                if masks[cell] & line:
                    now.keep(cell, line)


class OneLoop:
    """The lines are one loop. `joins`: for each cell of a line the numbers of the two spots that it joins."""

    dear = True

    def __init__(self, joins: Mapping[int, tuple[int, int]], line: Sequence[Mask]) -> None:
        self.joins = joins
        self.line = line
        self.watched = tuple(joins)

    def narrow(self, now: Now) -> None:
        """See which paths there are already, and where they can still go."""
        masks, line = now.masks, self.line
        possible = [cell for cell in self.joins if masks[cell] & line[cell]]
        sure = [cell for cell in possible if not masks[cell] & ~line[cell]]
        path, closed = self.paths(sure)
        tops = {find(path, self.joins[cell][0]) for cell in sure}
        if closed and (len(tops) > 1 or closed > 1):
            raise Dead
        for cell in possible:
            if masks[cell] & ~line[cell]:
                one, other = (find(path, spot) for spot in self.joins[cell])
                if closed or (one == other and len(tops) > 1):
                    now.keep(cell, ~line[cell])
        if not closed:
            self.reach(now, sure)

    def paths(self, sure: Sequence[int]) -> tuple[dict[int, int], int]:
        """(for each spot one further on, up to one that all of its path share; how many loops are closed)."""
        path: dict[int, int] = {}
        closed = 0
        for cell in sure:
            one, other = (find(path, spot) for spot in self.joins[cell])
            if one == other:
                closed += 1
            else:
                path[one] = other
        return path, closed

    def reach(self, now: Now, sure: Sequence[int]) -> None:
        """A line that alone joins two parts of the board is in no loop; nor is one out of reach."""
        masks, line = now.masks, self.line
        ways: dict[int, dict[int, int]] = {}
        for cell, (one, other) in self.joins.items():
            if masks[cell] & line[cell]:
                ways.setdefault(one, {})[other] = cell
                ways.setdefault(other, {})[one] = cell

        def beside(spot: int) -> Iterator[int]:
            return iter(ways[spot])

        left = set(ways)
        while left:
            start = min(left) if not sure or len(left) < len(ways) else self.joins[sure[0]][0]
            reached, _, bridges = passes(start, beside, left)
            for one, other in bridges:
                now.keep(ways[one][other], ~line[ways[one][other]])
            if sure and len(left) < len(ways):  # another part than that with the lines
                for spot in reached:
                    for cell in ways[spot].values():
                        now.keep(cell, ~line[cell])
            left -= reached


def find(path: dict[int, int], spot: int) -> int:
    """The spot that all of its path share."""
    while spot in path:
        spot = path[spot]
    return spot
