"""Collections of text levels in the usual Sokoban form (`.xsb`, `.sok`): maps with blank lines between.

A line that begins with `;` or `'` is a comment; the one nearest above a map is its title, and so is a line
`Title: ...` below it. Other lines `Word: ...` are skipped. Rows may end early: the rest of them is empty.
What the characters mean stands in the game's symbols. No setting is needed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ggp.errors import Place
from ggp.model import Game, Level
from ggp.readers.common import LevelText, make_levels, stem
from ggp.text_files import decoded

COMMENT = (";", "'")
HEADER = re.compile(r"\s*([A-Za-z][A-Za-z ]*?)\s*:\s*(.*)")


class Row(NamedTuple):
    """A row of a map, and its line in the file."""

    text: str
    line: int


def read(data: bytes, file: str, game: Game, settings: Mapping[str, Any]) -> tuple[Level, ...]:
    """The levels of a collection, named by the file and their number in it.

    Raises DescriptionError that says line and column of what cannot be read.
    """
    symbols = {symbol for symbol, _ in game.symbols}
    found: list[tuple[list[Row], str]] = []
    rows: list[Row] = []
    title = ""
    for line, text in enumerate(decoded(data, file).split("\n"), start=1):
        text = text.rstrip()
        note = note_of(text, symbols)
        if text and note is None:
            rows.append(Row(text, line))
            continue
        if rows:
            found.append((rows, title))
            rows, title = [], ""
        if text.startswith(COMMENT):
            title = note or title
        elif note and found:
            found[-1] = (found[-1][0], note)
    if rows:
        found.append((rows, title))
    name = stem(file)
    texts = [
        LevelText(f"{name}-{number}", title, [row.text for row in rows], Place(file, rows[0].line, 1))
        for number, (rows, title) in enumerate(found, start=1)
    ]
    return make_levels(game, texts, file)


def note_of(text: str, symbols: set[str]) -> str | None:
    """The words of a comment or title, "" for other words that are no map, None for a row of a map."""
    if text.startswith(COMMENT) and text[0] not in symbols:
        return text.strip("; '")
    match = HEADER.fullmatch(text)
    if match is None or set(text) <= symbols:
        return None
    return match[2] if match[1].lower() == "title" else ""
