"""Counts, exactly, the ways to lay so many things on cells where sums over some of them are known.

Cells that the same sums speak of are alike, so they are counted together; what no sum connects is counted
apart. Within one part the groups of like cells are gone through one after another, and all that is kept is
what is still missing in the sums that are open: dynamic programming, forwards and backwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import NamedTuple

Cell = int
Left = tuple[int, ...]  # what is missing in the sums that are open
Table = dict[tuple[Left, int], int]  # by that, and by how many were laid: a number of ways


class Sum(NamedTuple):
    """So many of these cells hold something."""

    cells: frozenset[Cell]
    number: int


class Alike(NamedTuple):
    """Cells that the same sums speak of, and which those are."""

    cells: tuple[Cell, ...]
    sums: frozenset[int]


class Layouts:
    """All ways to lay `total` things on `cells`. `number` says how many there are."""

    def __init__(self, cells: Iterable[Cell], sums: Sequence[Sum], total: int) -> None:
        self.total = total
        groups = alike(cells, sums)
        self.free = next((group.cells for group in groups if not group.sums), ())
        bound = [group for group in groups if group.sums]
        self.parts = [Part(part, sums) for part in connected(bound)]
        impossible = any(one.number and not one.cells for one in sums) or any(one.number < 0 for one in sums)
        rests = [[comb(len(self.free), k) for k in range(len(self.free) + 1)]]
        for part in self.parts:
            rests.append(product(rests[-1], part.ways))
        self.number = 0 if impossible or not 0 <= total < len(rests[-1]) else rests[-1][total]
        self.rests = rests  # of the free cells and the first parts together: ways by how many they hold

    def holding(self) -> dict[Cell, int]:
        """For each cell in how many of the ways something lies there."""
        found: dict[Cell, int] = {}
        if not self.number:
            return found
        others = self.others()
        for part, rest in zip(self.parts, others[1:], strict=True):
            weights = [at(rest, self.total - k) for k in range(len(part.ways))]
            found |= part.holding(weights)
        if self.free:
            rest, size = others[0], len(self.free)
            within = sum(comb(size, k) * k * at(rest, self.total - k) for k in range(size + 1))
            found |= dict.fromkeys(self.free, within // size)
        return found

    def others(self) -> list[list[int]]:
        """For the free cells, and for each part, the ways of all the others by how many they hold."""
        pieces = [[comb(len(self.free), k) for k in range(len(self.free) + 1)], *(p.ways for p in self.parts)]
        behind = [[1]]
        for piece in reversed(pieces[1:]):
            behind.append(product(piece, behind[-1]))
        behind.reverse()
        before = [[1], *self.rests[:-1]]
        return [product(one, other) for one, other in zip(before, behind, strict=True)]

    def probabilities(self) -> dict[Cell, Fraction]:
        """For each cell how likely it is that something lies there; empty where there is no way at all."""
        return {cell: Fraction(ways, self.number) for cell, ways in self.holding().items()}

    def sample(self, rng: Random) -> frozenset[Cell]:
        """One of the ways, each as likely as any other."""
        left, found = self.total, list[Cell]()
        for part, rest in zip(reversed(self.parts), reversed(self.rests[:-1]), strict=True):
            weights = [ways * at(rest, left - k) for k, ways in enumerate(part.ways)]
            held = drawn(weights, rng)
            found += part.sample(held, rng)
            left -= held
        return frozenset([*found, *rng.sample(list(self.free), left)])

    def __iter__(self) -> Iterator[frozenset[Cell]]:
        """Each of the ways, once."""
        return self.each(len(self.parts), self.total) if self.number else iter(())

    def each(self, parts: int, total: int) -> Iterator[frozenset[Cell]]:
        """The ways of the free cells and the first parts that lay so many."""
        if not parts:
            if 0 <= total <= len(self.free):
                yield from map(frozenset, combinations(self.free, total))
            return
        part, rest = self.parts[parts - 1], self.rests[parts - 1]
        for held, ways in enumerate(part.ways):
            if ways and at(rest, total - held):
                for here in part.each(held):
                    for there in self.each(parts - 1, total - held):
                        yield here | there


class Part:
    """Groups of cells that sums connect. `ways[k]` is the number of ways to lay k things on them."""

    def __init__(self, groups: list[Alike], sums: Sequence[Sum]) -> None:
        self.groups = groups
        last: dict[int, int] = {}
        for place, group in enumerate(groups):
            last |= dict.fromkeys(group.sums, place)
        self.before: list[tuple[int, ...]] = []  # the sums that are open when a group is looked at
        self.after: list[tuple[int, ...]] = []
        still: tuple[int, ...] = ()
        for place, group in enumerate(groups):
            now = (*still, *sorted(group.sums - set(still)))
            self.before.append(now)
            still = tuple(one for one in now if last[one] > place)
            self.after.append(still)
        self.numbers = [one.number for one in sums]
        room = dict.fromkeys(last, 0)
        self.room: list[tuple[int, ...]] = []  # cells that open sums still have then
        for place in range(len(groups) - 1, -1, -1):
            self.room.append(tuple(room[one] for one in self.after[place]))
            for one in groups[place].sums:
                room[one] += len(groups[place].cells)
        self.room.reverse()
        self.tables: list[Table] = [{((), 0): 1}]
        for place in range(len(groups)):
            self.tables.append(self.onward(place, self.tables[-1]))
        most = max((laid for _, laid in self.tables[-1]), default=-1)
        self.ways = [self.tables[-1].get(((), k), 0) for k in range(most + 1)]

    def opened(self, place: int, left: Left) -> Left:
        """What is missing, those sums added that begin with a group."""
        return (*left, *(self.numbers[one] for one in self.before[place][len(left) :]))

    def following(self, place: int, left: Left) -> Iterator[tuple[int, int, Left]]:
        """(how many of the group, in how many ways, what is missing then) for each number that may be."""
        group, now = self.groups[place], self.before[place]
        missing = self.opened(place, left)
        most = min(len(group.cells), *(n for n, one in zip(missing, now, strict=True) if one in group.sums))
        open_after, room = frozenset(self.after[place]), self.room[place]
        for laid in range(most + 1):
            rest = [n - laid if one in group.sums else n for n, one in zip(missing, now, strict=True)]
            if all(one in open_after or not n for n, one in zip(rest, now, strict=True)):
                kept = tuple(n for n, one in zip(rest, now, strict=True) if one in open_after)
                if all(n <= most for n, most in zip(kept, room, strict=True)):
                    yield laid, comb(len(group.cells), laid), kept

    def onward(self, place: int, table: Table) -> Table:
        """The table after a group, from the one before it."""
        after: Table = {}
        for (left, laid), ways in table.items():
            for more, choices, kept in self.following(place, left):
                key = kept, laid + more
                after[key] = after.get(key, 0) + ways * choices
        return after

    def holding(self, weights: Sequence[int]) -> dict[Cell, int]:
        """For each cell the ways in which something lies there; with k things it is `weights[k]` ways."""
        found: dict[Cell, int] = {}
        behind: Table = {((), laid): weight for laid, weight in enumerate(weights)}
        for place in range(len(self.groups) - 1, -1, -1):
            before: Table = {}
            held = 0
            for (left, laid), ways in self.tables[place].items():
                complete = 0
                for more, choices, kept in self.following(place, left):
                    number = choices * behind.get((kept, laid + more), 0)
                    complete += number
                    held += ways * number * more
                before[left, laid] = complete
            cells = self.groups[place].cells
            found |= dict.fromkeys(cells, held // len(cells))
            behind = before
        return found

    def sample(self, total: int, rng: Random) -> list[Cell]:
        """One of the ways to lay so many, each as likely as any other."""
        found: list[Cell] = []
        key: tuple[Left, int] = ((), total)
        for place in range(len(self.groups) - 1, -1, -1):
            steps = self.steps_to(place, key)
            (more, before), cells = (
                steps[drawn([ways for ways, _, _ in steps], rng)][1:],
                self.groups[place].cells,
            )
            found += rng.sample(list(cells), more)
            key = before
        return found

    def steps_to(self, place: int, key: tuple[Left, int]) -> list[tuple[int, int, tuple[Left, int]]]:
        """(ways, how many of the group, the entry before) for each step that leads to an entry."""
        return [
            (ways * choices, more, (left, laid))
            for (left, laid), ways in self.tables[place].items()
            for more, choices, kept in self.following(place, left)
            if (kept, laid + more) == key
        ]

    def each(self, total: int) -> Iterator[frozenset[Cell]]:
        """Each of the ways to lay so many."""
        return self.each_to(len(self.groups), ((), total))

    def each_to(self, place: int, key: tuple[Left, int]) -> Iterator[frozenset[Cell]]:
        """The ways of the first groups that lead to an entry."""
        if not place:
            yield frozenset()
            return
        for _, more, before in self.steps_to(place - 1, key):
            for there in self.each_to(place - 1, before):
                for here in combinations(self.groups[place - 1].cells, more):
                    yield there | frozenset(here)


def alike(cells: Iterable[Cell], sums: Sequence[Sum]) -> list[Alike]:
    """The cells by the sums that speak of them, in their order."""
    groups: dict[frozenset[int], list[Cell]] = {}
    speaking: dict[Cell, list[int]] = {}
    for number, one in enumerate(sums):
        for cell in one.cells:
            speaking.setdefault(cell, []).append(number)
    for cell in cells:
        groups.setdefault(frozenset(speaking.get(cell, ())), []).append(cell)
    return [Alike(tuple(held), of) for of, held in groups.items()]


def connected(groups: list[Alike]) -> Iterator[list[Alike]]:
    """The groups that sums connect, each part in an order in which few sums are open at a time."""
    left = list(groups)
    while left:
        part = [left.pop(0)]
        open_sums, order = set(part[0].sums), sorted(part[0].sums)
        while True:
            near = [group for group in left if group.sums & open_sums]
            if not near:
                break
            waiting = Counter(one for group in left for one in group.sums)
            oldest = next(one for one in order if one in open_sums)

            # As few sums more as can be are open after it; among equals that which has waited longest.
            costs = [
                (
                    len(group.sums - open_sums) - sum(waiting[one] == 1 for one in group.sums),
                    oldest not in group.sums,
                )
                for group in near
            ]
            best = near[costs.index(min(costs))]
            left.remove(best)
            part.append(best)
            order += [one for one in sorted(best.sums) if one not in order]
            open_sums = {one for one in open_sums | best.sums if any(one in group.sums for group in left)}
        yield part


def product(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Ways by how many are laid, of two parts together."""
    out = [0] * (len(one) + len(other) - 1) if one and other else []
    for i, ways in enumerate(one):
        if ways:
            for j, more in enumerate(other):
                out[i + j] += ways * more
    return out


def at(ways: Sequence[int], number: int) -> int:
    """The ways to lay so many; 0 outside the table."""
    return ways[number] if 0 <= number < len(ways) else 0


def drawn(weights: Sequence[int], rng: Random) -> int:
    """A place, each as likely as its weight says."""
    left = rng.randrange(sum(weights))
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    raise AssertionError("no weight is left")
