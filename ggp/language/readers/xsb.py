"""Collections of text levels in the usual Sokoban forms (`.xsb`, `.sok`): maps with other lines between them.

A line most of whose characters are symbols of the game is a row, or several, where it is run-length encoded
(`5#|#@$.#|5#`). Rows may end early: the rest of them is empty. What the characters mean stands in the game's
symbols. A line that begins with `;`, `'` or `::`, and any other text, is a comment; the one nearest above a
map is its title, and so is a line `Title: ...` below it. A line `Horizon: 12` below it, or one with another
number that the game asks for, gives the level that number. Other lines `Word: ...` are skipped, and so are
solutions, snapshots and what stands between `Comment:` and `Comment-End:`. No setting is needed.

`write` is the other way: a map, and such lines below it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from ggp.errors import DescriptionError, Place
from ggp.files.reading import decoded
from ggp.language.maps import drawn_rows
from ggp.language.readers.common import LevelText, make_levels, stem
from ggp.language.readers.runs import MARKS, Row, is_encoded, rows_of
from ggp.model import Game, Level
from ggp.model.pieces import asked_numbers

COMMENT = (";", "'", "::")
HEADER = re.compile(r"\s*([A-Za-z][A-Za-z -]*?)\s*:\s*(.*)")
SECTION = re.compile(r"\s*(solution|snapshot)s?\b", re.I)  # what players did, up to the next blank line
MOVES = re.compile(r"[\sLURDlurd0-9()*\[\],]+")


class Found(NamedTuple):
    """A map, the words that are its title, and the numbers that are given below it."""

    rows: Sequence[Row]
    title: str
    numbers: Mapping[str, int] = {}


def read(data: bytes, file: str, game: Game, settings: Mapping[str, Any]) -> tuple[Level, ...]:
    """The levels of a collection, named by the file and their number in it.

    Raises DescriptionError that says line and column of what cannot be read.
    """
    symbols = frozenset(symbol for symbol, _ in game.symbols)
    lines = [line.rstrip() for line in decoded(data, file).split("\n")]
    found = Collection(lines, file, symbols, asked_numbers(game)).read()
    name = stem(file)
    texts = [level_text(f"{name}-{number}", one, file) for number, one in enumerate(found, start=1)]
    return make_levels(game, texts, file)


def level_text(name: str, found: Found, file: str) -> LevelText:
    """A map with the places of its cells; those that a short row leaves out are past its end."""

    def locate(row: int, column: int) -> Place:
        at = found.rows[row]
        columns = at.columns or (1,)
        beyond = max(0, column - len(columns) + 1)
        return Place(file, at.line, columns[min(column, len(columns) - 1)] + beyond)

    rows = [row.text for row in found.rows]
    return LevelText(name, found.title, rows, locate(0, 0), found.numbers, locate)


def write(game: Game, level: Level) -> str:
    """The text of a level. Raises DescriptionError for a map that such a text cannot show."""
    rows = drawn_rows(game, level.board)
    empty = [symbol for symbol, pieces in game.symbols if not pieces and not symbol.isspace()]
    for number, row in enumerate(rows):
        # Blanks at the end of a line are no part of it, and a blank line ends the map.
        kept = row.rstrip()
        if kept != row and not empty:
            message = f"row {number} of the map ends in a blank, which a file of this form does not keep"
            raise DescriptionError(message, "let another symbol stand for an empty cell")
        rows[number] = kept + "".join(empty[:1]) * (len(row) - len(kept))
    title = " ".join(level.title.split())
    numbers = {"Horizon": level.horizon, **dict(level.numbers)}
    below = [f"Title: {title}"] if title else []
    below += [f"{name}: {number}" for name, number in numbers.items() if number is not None]
    return "".join(f"{line}\n" for line in [*rows, "", *below])


class Collection:
    """Goes through the lines of a file, and collects its maps."""

    def __init__(self, lines: Sequence[str], file: str, symbols: Set[str], asked: Set[str]) -> None:
        self.lines = lines
        self.file = file
        self.symbols = symbols
        self.asked = asked
        self.found: list[Found] = []
        self.rows: list[Row] = []
        self.title = ""
        self.skipping = ""  # why lines are left out: a "section", or a "comment"

    def read(self) -> list[Found]:
        """The maps of the file."""
        for number, text in enumerate(self.lines):
            if self.skips(text):
                continue
            if self.is_row(number):
                self.rows += rows_of(text, self.symbols, Place(self.file, number + 1, 1))
            else:
                self.end_map()
                self.note(number, text)
        self.end_map()
        return self.found

    def end_map(self) -> None:
        """Keep the rows so far as a map."""
        if self.rows:
            self.found.append(Found(self.rows, self.title))
            self.rows, self.title = [], ""

    def skips(self, text: str) -> bool:
        """Is this a line of something that is left out? Its last line is looked at, but is no row either."""
        if self.skipping == "section" and not text:
            self.skipping = ""
        elif self.skipping == "comment" and re.match(r"\s*comment-end\s*:", text, re.I):
            self.skipping = ""
            return True
        return bool(self.skipping)

    def is_row(self, number: int) -> bool:
        """Does a row stand here? Whatever stands between two rows is one too, and not a word of text."""
        if self.looks_like_row(self.lines[number]):
            return True
        if not self.is_plain_text(self.lines[number]) or not self.rows:
            return False
        return number + 1 < len(self.lines) and self.looks_like_row(self.lines[number + 1])

    def is_plain_text(self, text: str) -> bool:
        """Is it neither blank nor a comment nor `Word: ...`?"""
        return bool(text) and not self.is_comment(text) and HEADER.fullmatch(text) is None

    def looks_like_row(self, text: str) -> bool:
        """Are at least half of the characters symbols? Marks of the encoding count neither way."""
        if set(text) <= self.symbols:
            return bool(text)
        if self.is_comment(text) or HEADER.fullmatch(text):
            return False
        marks = MARKS if is_encoded(text, self.symbols) else frozenset[str]()
        visible = [char for char in text if not char.isspace() and char not in marks]
        known = sum(char in self.symbols for char in visible)
        return known > 0 and 2 * known >= len(visible)

    def is_comment(self, text: str) -> bool:
        """Does it begin with the sign of a comment, which is no symbol of the game?"""
        return text.startswith(COMMENT) and text[0] not in self.symbols

    def note(self, number: int, text: str) -> None:
        """A line that is no row: a title, perhaps, or the beginning of something that is skipped."""
        header = None if self.is_comment(text) else HEADER.fullmatch(text)
        if self.is_comment(text):
            self.title = text.strip(";:' ") or self.title
        elif header is not None and header[1].lower() == "horizon":
            self.count(number, "horizon", header[2])
        elif header is not None and header[1] in self.asked and header[2].isdecimal():
            self.count(number, header[1], header[2])
        elif header is not None and header[1].lower() == "title":
            if self.found and header[2]:
                self.found[-1] = self.found[-1]._replace(title=header[2])
        elif header is not None and header[1].lower() == "comment" and not header[2]:
            if any(re.match(r"\s*comment-end\s*:", line, re.I) for line in self.lines[number:]):
                self.skipping = "comment"
        elif SECTION.match(text):
            self.skipping = "section"
        elif text and header is None and not MOVES.fullmatch(text):
            self.title = text.strip()

    def count(self, number: int, name: str, text: str) -> None:
        """A number of the map above."""
        if re.fullmatch("[0-9]{1,9}", text) is None:
            message = f"`{name}` is {text[:40]!r}"
            raise DescriptionError(message, "write a whole number", Place(self.file, number + 1, 1))
        if self.found:
            last = self.found[-1]
            self.found[-1] = last._replace(numbers={**last.numbers, name: int(text)})
