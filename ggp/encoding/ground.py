"""Which cells hang together, as formulas: where one can walk, when what is free is a formula itself.

A cell is taken out by joining its neighbours to one another where it is free, as equations are solved by
elimination. That needs no bound on how long a way is, and nothing has to be guessed: what can be reached is
defined both ways. How many formulas it takes depends on how wide the ground is, not on how long.
"""

from __future__ import annotations

from ggp.encoding.formula import Formula
from ggp.encoding.symbolic import Formulas


class Ground:
    """Cells that can be walked on where a formula holds, and which of them can be reached."""

    def __init__(self, algebra: Formulas, free: dict[int, Formula], edges: dict[int, set[int]]) -> None:
        self.algebra = algebra
        self.free = free
        self.joined: dict[int, dict[int, Formula]] = {
            cell: dict.fromkeys(others, True) for cell, others in edges.items()
        }

    def name(self, formula: Formula, name: str, cell: int) -> Formula:
        """A formula as one literal."""
        return formula if isinstance(formula, bool) else self.algebra.literal(formula, name, cell)

    def reached(self, start: dict[int, Formula]) -> dict[int, Formula]:
        """For each cell, whether it can be reached from the start (of which one holds).

        A cell is taken out by joining its neighbours to one another where it is free; then, in the opposite
        order, each is reached if a neighbour is that was still there when it was taken out.
        """
        algebra = self.algebra
        near = {cell: start.get(cell, False) for cell in set(self.joined) | set(start)}
        taken: list[tuple[int, dict[int, Formula], Formula]] = []
        while near:
            cell = min(near, key=self.cost)
            joins, here = self.joined.pop(cell, {}), near.pop(cell)
            free = self.free.get(cell, start.get(cell, False))
            for other in joins:
                del self.joined[other][cell]
            here = self.name(here, "near", cell)
            arrived = algebra.conj(here, free)
            for other, through in joins.items():
                near[other] = algebra.disj(near[other], algebra.conj(arrived, through))
            ways = sorted(joins)
            for index, a in enumerate(ways):
                for b in ways[index + 1 :]:
                    before = self.joined[a].get(b, False)
                    if before is not True:
                        through = algebra.conj(algebra.conj(joins[a], joins[b]), free)
                        if through is not False:
                            both = self.name(algebra.disj(before, through), "joined", a)
                            self.joined[a][b] = self.joined[b][a] = both
            taken.append((cell, joins, here))
        reach: dict[int, Formula] = {}
        for cell, joins, here in reversed(taken):
            total = here
            for other, through in joins.items():
                total = algebra.disj(total, algebra.conj(reach[other], through))
            free = self.free.get(cell, start.get(cell, False))
            reach[cell] = self.name(algebra.conj(total, free), "reach", cell)
        return reach

    def cost(self, cell: int) -> tuple[int, int, int]:
        """Cells that are surely free first, then those that join the fewest."""
        ways = len(self.joined.get(cell, ()))
        return (self.free.get(cell) is not True, ways, cell)
