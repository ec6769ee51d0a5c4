"""Where sheets stand in an encoding: clauses that many share, of which much was worked out once.

A sheet stands in an encoding as plain constraints, one after another; `Encoding.sheets` says where it began.
Who has an encoding with other constraints since then gets no sheet, and looks at clause by clause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from ggp.encoding.constraints import Encoding, Sheet


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
