"""A few numbers, one a line, then a map: the form of the first `level.txt`.

Setting `header`: what each number is, as `NAME`, `NAME+1` or `NAME-1`: with `horizon+1` the file holds one
more than the horizon. Rows that end early are filled up with nothing, and blanks past the right edge are
ignored. What the characters mean stands in the game's symbols.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ggp.errors import DescriptionError, Place
from ggp.files.reading import decoded
from ggp.language.readers.common import LevelText, make_levels, stem
from ggp.model import Game, Level


def read(data: bytes, file: str, game: Game, settings: Mapping[str, Any]) -> tuple[Level, ...]:
    """The one level of such a file, named like the file.

    Raises DescriptionError that says line and column of what cannot be read.
    """
    header = read_header(settings, file)
    lines = decoded(data, file).rstrip().split("\n")
    numbers = {}
    for index, (name, added) in enumerate(header):
        what = f"{name}{added:+d}" if added else name
        text = lines[index] if index < len(lines) else ""
        if not re.fullmatch(r"\s*-?[0-9]{1,9}\s*", text):
            message = f"line {index + 1} must be a number, `{what}`, not {text.strip()[:40]!r}"
            remedy = f"the file begins with {len(header)} numbers, one a line"
            raise DescriptionError(message, remedy, Place(file, index + 1, 1))
        numbers[name] = int(text.strip()) - added
        if numbers[name] < 0:
            message = f"`{what}` is {int(text)}, which makes `{name}` negative"
            raise DescriptionError(message, f"write {added} or more", Place(file, index + 1, 1))
    first = len(header)
    rows = trimmed([line.rstrip("\r") for line in lines[first:]])
    level = LevelText(stem(file), "", rows, Place(file, first + 1, 1), numbers)
    return make_levels(game, [level], file)


def read_header(settings: Mapping[str, Any], file: str) -> list[tuple[str, int]]:
    """What the numbers are: names, and how much more than the number the file holds."""
    header = []
    items = settings.get("header", [])
    for item in items if isinstance(items, list) else [items]:
        match = re.fullmatch(r"([A-Za-z][\w-]*)([+-][0-9]{1,4})?", item) if isinstance(item, str) else None
        if match is None:
            remedy = 'write `header = ["horizon+1", "budget"]`'
            raise DescriptionError("the game's [forms.headed] has a bad `header`", remedy, Place(file))
        header.append((match[1], int(match[2] or 0)))
    return header


def trimmed(rows: Sequence[str]) -> list[str]:
    """The rows without blanks past the right edge, which is where the usual row or a drawn one ends."""
    if not rows:
        return []
    usual = Counter(map(len, rows)).most_common(1)[0][0]
    width = max(usual, *(len(row.rstrip(" ")) for row in rows))
    return [row[:width] for row in rows]
