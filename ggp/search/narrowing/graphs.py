"""What hangs together on a board of which only some is known: floods, and where they must pass."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence

Near = Sequence[Sequence[int]]  # for each cell the cells that share a side with it


def grid(height: int, width: int) -> list[tuple[int, ...]]:
    """The neighbours of each cell."""
    return [
        tuple(
            (row + down) * width + column + right
            for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1))
            if 0 <= row + down < height and 0 <= column + right < width
        )
        for row in range(height)
        for column in range(width)
    ]


def pieces(inside: Iterable[int], near: Near) -> Iterator[set[int]]:
    """The areas that cells fall into."""
    left = set(inside)
    while left:
        todo = [left.pop()]
        area = set(todo)
        while todo:
            for other in near[todo.pop()]:
                if other in left:
                    left.discard(other)
                    area.add(other)
                    todo.append(other)
        yield area


def within(start: Iterable[int], near: Near, allowed: Container[int], steps: int) -> set[int]:
    """What is reached over allowed cells in at most so many steps."""
    found = set(start)
    edge = list(found)
    for _ in range(steps):
        edge = list(
            {other for cell in edge for other in near[cell] if other in allowed and other not in found}
        )
        if not edge:
            break
        found.update(edge)
    return found


def passes(
    root: int, beside: Callable[[int], Iterable[int]], wanted: Container[int]
) -> tuple[set[int], list[int], list[tuple[int, int]]]:
    """(what is reached from `root`, cells and steps without which something wanted is not reached).

    A step is (parent, child). R. Tarjan, Depth-first search and linear graph algorithms, 1972.
    """
    order, low, holds = {root: 0}, {root: 0}, {root: root in wanted}
    cuts: set[int] = set()
    bridges: list[tuple[int, int]] = []
    stack = [(root, root, iter(beside(root)))]
    while stack:
        cell, parent, others = stack[-1]
        other = next(others, None)
        if other is None:
            stack.pop()
            if cell == root:
                continue
            low[parent] = min(low[parent], low[cell])
            holds[parent] = holds[parent] or holds[cell]
            if holds[cell]:
                if low[cell] >= order[parent]:
                    cuts.add(parent)
                if low[cell] > order[parent]:
                    bridges.append((parent, cell))
        elif other not in order:
            order[other] = low[other] = len(order)
            holds[other] = other in wanted
            stack.append((other, cell, iter(beside(other))))
        elif other != parent:
            low[cell] = min(low[cell], order[other])
    return set(order), sorted(cuts), bridges
