"""Clauses that many encodings share, with what lowerings ask of them again and again, worked out once.

A sheet stands in an encoding as plain constraints, one after another; `Encoding.sheets` says where it began.
Who has an encoding with other constraints since then gets no sheet, and looks at clause by clause.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from ggp.encoding.constraints import Clause, Encoding
from ggp.encoding.literals import Lit

Watch = Mapping[int, list[int]]
"""For each variable the numbers of the constraints that speak of it."""


class Sheet:
    """Clauses in which no literal stands twice, or beside its opposite."""

    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        self.clauses = list(clauses)
        self.atoms = sorted({abs(lit) for clause in clauses for lit in clause.lits})
        self.short = [number for number, clause in enumerate(clauses) if len(clause.lits) < 2]
        self.known: tuple[tuple[int, ...], Watch] = ((), {})
        self.told: tuple[tuple[int, ...], dict[int, list[int]]] = ((), {})

    def watch(self, start: int, owner: Callable[[Lit], int]) -> Watch:
        """Which clauses of two or more literals speak of each variable, if they are numbered from `start`.

        `owner` gives the variable of a literal. The last answer is kept: boards of one size have the same.
        """
        key, (known, found) = (start, *map(owner, self.atoms)), self.known
        if known != key:
            new: dict[int, list[int]] = defaultdict(list)
            for number, clause in enumerate(self.clauses, start):
                for lit in clause.lits if len(clause.lits) > 1 else ():
                    new[owner(lit)].append(number)
            self.known, found = (key, new), new
        return found

    def renumbered(self, new: Callable[[Lit], int]) -> dict[int, list[int]]:
        """Its clauses in other numbers, by their identity. The last answer is kept, and nobody changes it."""
        key, (known, found) = (*map(new, self.atoms),), self.told
        if known != key:
            found = {id(clause): list(map(new, clause.lits)) for clause in self.clauses}
            self.told = key, found
        return found


class Placed(NamedTuple):
    """A sheet, and the number of its first constraint."""

    start: int
    sheet: Sheet

    @property
    def stop(self) -> int:
        """The number after its last constraint."""
        return self.start + len(self.sheet.clauses)


def placed(encoding: Encoding) -> Iterator[Placed]:
    """The sheets that still stand where they began."""
    for start, sheet in encoding.sheets:
        one = Placed(start, sheet)
        if not sheet.clauses:  # it would stand anywhere, even behind the last constraint
            continue
        if encoding.constraints[start : one.stop] == sheet.clauses:  # the same objects, so this takes no time
            yield one


def beside(encoding: Encoding) -> Iterable[int]:
    """The numbers of the constraints that stand on no sheet."""
    at, found = 0, []
    for start, sheet in placed(encoding):
        found.append(range(at, start))
        at = start + len(sheet.clauses)
    return chain(*found, range(at, len(encoding.constraints)))
