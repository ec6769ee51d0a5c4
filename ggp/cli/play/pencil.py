"""Pencil marks: values that somebody still thinks possible in a cell. They are no part of a plan."""

from __future__ import annotations

from collections.abc import Collection

from ggp.errors import PuzzleError
from ggp.model import Cell


class Pencil:
    """The marks of one level, and whether digits are marks now."""

    def __init__(self) -> None:
        self.on = False
        self.marks: dict[Cell, frozenset[int]] = {}

    def toggle(self) -> None:
        """Digits are marks from now on, or are placed again."""
        self.on = not self.on

    def mark(self, cell: Cell, value: int, known: Collection[int]) -> None:
        """Note a value, or rub it out. Raises PuzzleError for one that cannot be placed."""
        if value not in known:
            raise PuzzleError(f"there is no {value} here", "mark one of " + ", ".join(map(str, known)))
        self.marks[cell] = self.marks.get(cell, frozenset()) ^ {value}

    def at(self, cell: Cell) -> str:
        """The marks of a cell, in order."""
        return " ".join(map(str, sorted(self.marks.get(cell, ()))))

    @property
    def texts(self) -> dict[Cell, str]:
        """What is written small on empty cells: the marks, or of more than two that there are more."""
        written = {}
        for cell, values in self.marks.items():
            if values:
                first, *more = map(str, sorted(values))
                written[cell] = first + (more[0] if len(more) == 1 else "+" if more else "")
        return written
