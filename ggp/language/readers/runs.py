"""Run-length encoded rows of a map: `5#|#@$.#|5#`, and groups such as `3(.$)`.

A number repeats the character or the bracketed group that follows it, and `|` begins the next row.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from ggp.errors import DescriptionError, Place
from ggp.language.readers.common import MOST_CELLS

DIGITS = "0123456789"
MARKS = frozenset(DIGITS + "|()")


class Row(NamedTuple):
    """A row of a map, the line that it stands on, and in which column each of its characters does."""

    text: str
    line: int
    columns: tuple[int, ...]


Run = tuple[str, int]  # a character, and its column


def is_encoded(text: str, symbols: Set[str]) -> bool:
    """Is the line run-length encoded? Never in a game that draws something with one of the marks."""
    return not MARKS & symbols and bool(MARKS & set(text))


def rows_of(text: str, symbols: Set[str], place: Place) -> list[Row]:
    """The rows on a line, encoded or as they are; `place` is the line's first character.

    Raises DescriptionError with the column of a number that repeats nothing, of a bracket without the
    other one, and of a number that makes the map too large.
    """
    if not is_encoded(text, symbols):
        columns = range(place.column, place.column + len(text))
        return [Row(text, place.line, tuple(columns))]
    rows: list[list[Run]] = [[]]
    for run in Expander(text, place).expanded():
        if run[0] == "|":
            rows.append([])
        else:
            rows[-1].append(run)
    if len(rows) > 1 and not rows[-1]:  # a mark at the end begins no row
        rows.pop()
    return [Row("".join(c for c, _ in row), place.line, tuple(at for _, at in row)) for row in rows]


class Expander:
    """Reads one encoded line from left to right."""

    def __init__(self, text: str, place: Place) -> None:
        self.text = text
        self.place = place
        self.open: list[tuple[int, int]] = []  # how often each open group is repeated, and its column
        self.groups: list[list[Run]] = [[]]
        self.number = ""

    def expanded(self) -> list[Run]:
        """The characters of the line, repeated as often as it says."""
        for column, char in enumerate(self.text, start=self.place.column):
            if char in DIGITS:
                self.number += char
            elif char == "(":
                self.open.append((self.times(column), column))
                self.groups.append([])
            elif char == ")":
                self.close(column)
            else:
                self.extend([(char, column)], self.times(column), column)
        if self.number:
            self.repeats_nothing(self.place.column + len(self.text))
        if self.open:
            raise self.fault("this bracket is never closed", "add the `)`", self.open[-1][1])
        return self.groups[0]

    def times(self, column: int) -> int:
        """How often what stands at a column is repeated; its number has been read."""
        number, self.number = self.number, ""
        if number and not 0 < int(number[:9]) <= MOST_CELLS:
            message = f"{number[:12]} is no number of repetitions"
            raise self.fault(message, f"write 1 to {MOST_CELLS}", column - len(number))
        return int(number or 1)

    def close(self, column: int) -> None:
        """The end of a group."""
        if self.number:
            self.repeats_nothing(column)
        if not self.open:
            raise self.fault("this bracket closes nothing", "take it out, or add the `(`", column)
        times, _ = self.open.pop()
        self.extend(self.groups.pop(), times, column)

    def extend(self, runs: list[Run], times: int, column: int) -> None:
        """Add something so often, where there is room for it."""
        if len(self.groups[-1]) + len(runs) * times > MOST_CELLS:
            message = f"the line stands for more than {MOST_CELLS} cells here"
            raise self.fault(message, "write smaller numbers", column)
        self.groups[-1] += runs * times

    def repeats_nothing(self, end: int) -> None:
        """Refuse a number without anything after it."""
        message = f"nothing follows the number {self.number[:12]}, which says how often it is repeated"
        raise self.fault(message, "write a symbol after it, or take it out", end - len(self.number))

    def fault(self, message: str, remedy: str, column: int) -> DescriptionError:
        """An error at a column of the line."""
        return DescriptionError(message, remedy, Place(self.place.file, self.place.line, column))
