"""Constraints about what hangs together: nodes of a graph, each inside or not, and links between them.

A goal word writes these only for a solver that says that it takes them (`Backend.native`), instead of
distances, successors and counts that say the same to any solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ggp.encoding.literals import Lit, Why

Links = tuple[tuple[int, int, Lit | bool], ...]
"""(node, node, the literal of the link between them)."""


@dataclass(frozen=True, slots=True)
class Joined:
    """All nodes whose literal holds are joined by links whose literal holds, through such nodes."""

    inside: tuple[Lit | bool, ...]
    links: Links
    why: Why


@dataclass(frozen=True, slots=True)
class Areas:
    """The nodes whose literal holds fall into areas along the links, each as large as it must be.

    An area has `size` nodes; or, where that is None, it holds one of the marked nodes, which says its size
    (None: any). `least`: areas may be larger than `size`.
    """

    inside: tuple[Lit | bool, ...]
    links: Links
    size: int | None
    marks: tuple[tuple[int, int | None], ...]  # (node, size)
    why: Why
    least: bool = False


Graph = Joined | Areas


def literals(graph: Graph) -> Iterator[Lit]:
    """Every literal that the constraint holds."""
    said = (*graph.inside, *(link for _, _, link in graph.links))
    yield from (lit for lit in said if not isinstance(lit, bool))


def mapped(graph: Graph, new: Callable[[Lit], Lit | bool]) -> Graph:
    """The same about other literals; what is certain stays so."""

    def also(lit: Lit | bool) -> Lit | bool:
        return lit if isinstance(lit, bool) else new(lit)

    inside = tuple(map(also, graph.inside))
    links = tuple((one, other, also(link)) for one, other, link in graph.links)
    if isinstance(graph, Joined):
        return Joined(inside, links, graph.why)
    return Areas(inside, links, graph.size, graph.marks, graph.why, graph.least)


def told(graph: Graph, atom: Callable[[Lit | bool], int]) -> dict[str, Any]:
    """The graph as `ggp.engines.cuts` takes it: the nodes that can be inside, and what links them.

    `atom` gives the number that a literal has for the solver, or one that always holds for True.
    """
    kept = [node for node, lit in enumerate(graph.inside) if lit is not False]
    number = {node: at for at, node in enumerate(kept)}
    links = [
        (number[one], number[other], atom(link))
        for one, other, link in graph.links
        if link is not False and one in number and other in number
    ]
    said: dict[str, Any] = {"inside": [atom(graph.inside[node]) for node in kept], "links": links}
    if isinstance(graph, Areas):
        marks = [(number[node], size) for node, size in graph.marks if node in number]
        said |= {"size": graph.size, "marks": marks, "least": graph.least}
    return said


def holds(graph: Graph, said: Callable[[Lit], bool]) -> bool:
    """Does it hold where literals hold as is said?"""
    found = list(components(graph, said))
    if isinstance(graph, Joined):
        return len(found) <= 1
    if graph.size is not None:
        return all(len(area) == graph.size or (graph.least and len(area) > graph.size) for area in found)
    marks = dict(graph.marks)
    told = ([marks[node] for node in area if node in marks] for area in found)
    return all(sizes in ([len(area)], [None]) for sizes, area in zip(told, found, strict=True))


def components(graph: Graph, said: Callable[[Lit], bool]) -> Iterator[set[int]]:
    """The areas."""

    def true(lit: Lit | bool) -> bool:
        return lit if isinstance(lit, bool) else said(lit)

    left = {node for node, lit in enumerate(graph.inside) if true(lit)}
    beside: dict[int, list[int]] = {node: [] for node in left}
    for one, other, link in graph.links:
        if one in left and other in left and true(link):
            beside[one].append(other)
            beside[other].append(one)
    while left:
        todo = [left.pop()]
        area = set(todo)
        while todo:
            near = left.intersection(beside[todo.pop()])
            left -= near
            area |= near
            todo += near
        yield area
