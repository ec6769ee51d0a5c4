"""What must hang together, as clauses: those that a solution breaks are added to the solver, which goes on.

A *graph* is an object of JSON: `inside`, a literal for each node; `links`, (node, node, literal) each.
Without more, all nodes whose literal holds are joined by links whose literal holds. With `size`, each of
their areas has so many nodes (with `least`: or more); where that is null it holds one of the `marks`,
(node, size), and has its size (null: any).

Each clause follows from the graph alone, so no answer is lost; a solution that breaks none is an answer.
The *wall* of an area is what keeps it from growing: one literal, which does not hold, for each way out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from itertools import combinations
from typing import Any

Clause = list[int]


def graph_of(told: dict[str, Any]) -> Joined | Areas:
    """What an object of JSON says."""
    if "size" in told:
        return Areas(told["inside"], told["links"], told["size"], dict(told["marks"]), told["least"])
    return Joined(told["inside"], told["links"])


class Graphs:
    """All graphs that a solver is to be told of."""

    def __init__(self, told: Iterable[dict[str, Any]]) -> None:
        self.graphs = [graph_of(one) for one in told]
        self.variables = set[int]().union(*(graph.variables for graph in self.graphs))

    def __iadd__(self, more: Graphs) -> Graphs:
        """These too."""
        self.graphs += more.graphs
        self.variables |= more.variables
        return self

    def first(self) -> list[Clause]:
        """Clauses that most solutions would break if nothing had been said yet."""
        return [clause for graph in self.graphs for clause in graph.first()]

    def cuts(self, model: Iterable[int]) -> list[Clause]:
        """The clauses that a model breaks; a variable that it leaves out is 0."""
        held = set(model)
        held |= {-variable for variable in self.variables - held}
        return [cut for graph in self.graphs for cut in graph.cuts(held)]


class Joined:
    """All nodes inside are one area."""

    def __init__(self, inside: Sequence[int], links: Sequence[tuple[int, int, int]]) -> None:
        self.inside = inside
        self.variables = {*map(abs, inside), *(abs(link) for _, _, link in links)}
        self.beside: list[list[tuple[int, int]]] = [[] for _ in inside]
        for one, other, link in links:
            self.beside[one].append((other, link))
            self.beside[other].append((one, link))

    def areas(self, held: Set[int]) -> list[list[int]]:
        """The nodes inside, area by area, where these literals hold and no others."""
        found = []
        left = {node for node, lit in enumerate(self.inside) if lit in held}
        while left:
            area = [left.pop()]
            for node in area:
                for other, link in self.beside[node]:
                    if other in left and link in held:
                        left.discard(other)
                        area.append(other)
            found.append(area)
        return found

    def wall(self, area: Collection[int], held: Set[int]) -> Clause:
        """One literal that does not hold for each way out of an area."""
        nodes = set(area)
        ways = (way for node in area for way in self.beside[node] if way[0] not in nodes)
        return list({self.inside[other] if link in held else link for other, link in ways})

    def first(self) -> Iterator[Clause]:
        """Nothing: what is one area from the start is rarely told by two nodes."""
        return iter(())

    def cuts(self, held: Set[int]) -> Iterator[Clause]:
        """Two nodes of different areas are not both inside, unless one of the areas has a way out."""
        areas = self.areas(held)
        for at, area in enumerate(areas if len(areas) > 1 else ()):
            elsewhere = areas[at - 1][0]
            yield [-self.inside[area[0]], -self.inside[elsewhere], *self.wall(area, held)]


class Areas(Joined):
    """Each area has so many nodes, or one mark and as many as that says, if it says any."""

    def __init__(
        self,
        inside: Sequence[int],
        links: Sequence[tuple[int, int, int]],
        size: int | None,
        marks: dict[int, int | None],
        least: bool = False,
    ) -> None:
        super().__init__(inside, links)
        self.least = least
        self.size = size
        self.marks = marks

    def first(self) -> Iterator[Clause]:
        """Each node of an area of two or more has one beside it; in areas of one or two it has no more."""
        for node, lit in enumerate(self.inside if self.size is not None else ()):
            near = self.beside[node]
            if self.size != 1:
                yield [-lit, *(self.inside[other] for other, _ in near)]
            for some in combinations(near, self.size or 1) if self.size in (1, 2) and not self.least else ():
                yield [-lit, *(-one for other, link in some for one in (self.inside[other], link))]

    def cuts(self, held: Set[int]) -> Iterator[Clause]:
        """Areas that must grow have a way out, and others do not hang together as they do."""
        for area in self.areas(held):
            marked = [node for node in area if node in self.marks]
            size = self.marks[marked[0]] if self.size is None and marked else self.size
            if self.size is None and len(marked) > 1:
                yield self.between(marked[0], marked[1:], held)
            elif size is None and marked:
                continue  # it may have any size
            elif size is None or len(area) < size:
                wall = self.wall(area, held)
                for node in marked or area:  # whichever node it is: walled in, its area is too small
                    yield [-self.inside[node], *wall]
            elif len(area) > size and not self.least:
                for start in marked or area[:1]:
                    steps = list(self.steps(start, held))[: size + 1]
                    yield [-self.inside[start], *(-lit for _, _, link in steps[1:] for lit in link)]

    def between(self, start: int, ends: Collection[int], held: Set[int]) -> Clause:
        """Not all of a shortest way to one of these nodes is inside."""
        came: dict[int, tuple[int, tuple[int, ...]]] = {}
        for node, before, lits in self.steps(start, held):
            came[node] = before, lits
            if node in ends:
                break
        found = [-self.inside[start]]
        while node != start:
            node, lits = came[node]
            found += [-lit for lit in lits]
        return found

    def steps(self, start: int, held: Set[int]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """(node, the one before it, what holds of the step) outwards through an area, from its start."""
        queue, seen = [start], {start}
        yield start, start, ()
        for node in queue:
            for other, link in self.beside[node]:
                if other not in seen and link in held and self.inside[other] in held:
                    seen.add(other)
                    queue.append(other)
                    yield other, node, (self.inside[other], link)
