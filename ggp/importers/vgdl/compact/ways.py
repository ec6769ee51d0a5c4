"""Ways through a tick, and how to say them in fewer words.

Each way is one rule; all exclude one another. A condition goes where the others imply it (what is never in
one cell need not be denied), and two ways that differ in one answer, and change the same, are one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ggp.importers.vgdl.compact.knowledge import Literal, Together


class Way(NamedTuple):
    """One way through a tick: what it asks, and what it changes.

    `moved`, `taken` and `put` are (type, cell) with the cell it moves to; `held` the amounts that change.
    """

    literals: tuple[Literal, ...]
    moved: frozenset[tuple[str, int, int]]
    taken: frozenset[tuple[str, int]]
    put: frozenset[tuple[str, int]]
    held: frozenset[tuple[str, int, int]]
    avatar: str  # what it is before the tick
    ends: int  # where it is after it
    goes: bool  # is the input a direction, or does the avatar wait?
    dies: bool
    stops: bool  # something leaves the map, and nothing deals with it
    counts: int = 0  # by how much the tally goes up
    score: int = 0
    lines: frozenset[int] = frozenset()  # those that do something in it

    @property
    def does(self) -> bool:
        """Does anything change?"""
        return self.stops or bool(self.moved or self.taken or self.put or self.held)

    def keeps(self, key: str) -> bool:
        """Does a type that stood with the avatar stand with it afterwards, and nowhere else?"""
        left = {0} - {cell for one, cell in self.taken if one == key}
        left -= {cell for one, cell, _ in self.moved if one == key}
        left |= {to for one, _, to in self.moved if one == key}
        return left | {cell for one, cell in self.put if one == key} == {self.ends}

    @property
    def effects(self) -> object:
        """What it comes to: all but the conditions, and why."""
        return self._replace(literals=(), lines=frozenset())

    @property
    def reach(self) -> int:
        """The last cell that is entered, so that it must be on the board."""
        return max([0, self.ends, *(to for *_, to in self.moved), *(cell for _, cell in self.put)])


def fewer(ways: list[Way], together: Together) -> tuple[Way, ...]:
    """The same with no more conditions than are needed."""
    ways = joined(ways)
    return tuple(joined([way._replace(literals=needed(way, together)) for way in ways]))


def joined(ways: Iterable[Way]) -> list[Way]:
    """Two that change the same, whatever the answer to one question, are one."""
    left = list(ways)
    while True:
        found: dict[tuple[object, frozenset[Literal]], int] = {}
        for index, way in enumerate(left):
            for literal in way.literals:
                rest = way.effects, frozenset(way.literals) - {literal}
                other = found.get((rest[0], rest[1] | {literal._replace(holds=not literal.holds)}))
                if other is not None and literal.amount is None:
                    kept = tuple(one for one in way.literals if one != literal)
                    lines = way.lines | left[other].lines
                    left = [one for n, one in enumerate(left) if n not in (index, other)]
                    left.insert(other, way._replace(literals=kept, lines=lines))
                    break
            else:
                found[way.effects, frozenset(way.literals)] = index
                continue
            break
        else:
            return left


def needed(way: Way, together: Together) -> tuple[Literal, ...]:
    """The conditions without those that the others imply."""
    there: dict[int, set[str]] = {0: {way.avatar}}
    absent: dict[int, set[str]] = {}
    for literal in way.literals:
        if literal.keys and literal.amount is None:
            if not literal.holds:
                absent.setdefault(literal.cell, set()).update(literal.keys)
            elif len(literal.keys) == 1:
                there.setdefault(literal.cell, set()).update(literal.keys)
    kept: list[Literal] = []
    within = max([way.reach, *(one.cell for one in way.literals if one.keys and one.holds)])
    for literal in way.literals:
        cell, keys, holds, amount = literal
        here = there.get(cell, set())
        if amount is not None or (not keys and (cell > within or not holds)):
            kept.append(literal)
        elif keys and holds and not (len(keys) > 1 and keys & here):
            kept.append(literal._replace(keys=keys - absent.get(cell, set())))
    for cell, denied in absent.items():
        here = there.get(cell, set())
        left = frozenset(key for key in denied if all(together.fit(key, other) for other in here))
        if left:
            kept.append(Literal(cell, left, holds=False))
    return tuple(sorted(kept, key=lambda one: (one.cell, not one.holds, sorted(one.keys))))
