"""The prelude: what stands before the first section, a word a line and for some a value."""

from __future__ import annotations

import re

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.objects import COLOUR
from ggp.importers.puzzlescript.source import Line
from ggp.importers.puzzlescript.words import PALETTES, WITH_VALUE, WITHOUT_VALUE

WORD = re.compile(r"\s*(\w+)\s*")


def read_prelude(lines: list[Line | None], faults: Faults) -> dict[str, str]:
    """The words with their values, those without one with an empty text."""
    found: dict[str, str] = {}
    for line in lines:
        if line is None:
            continue
        match = WORD.match(line.text)
        word = match[1] if match else ""
        if match is None or word not in WITH_VALUE | WITHOUT_VALUE:
            message = f"{line.text.strip()[:40]!r} means nothing in the prelude"
            faults.error(line.number, line.column, message, "the sections begin with a heading: OBJECTS")
            continue
        # A value ends where a comment begins; what closes a comment that is not open belongs to it.
        shown = line.raw[match.end(1) :].partition("(")[0].strip()
        value = shown.lower()
        if word in WITH_VALUE and not value:
            faults.error(line.number, line.column, f"{word} needs a value", f"write it behind {word}")
        if word in WITHOUT_VALUE and value:
            faults.warning(line.number, match.end() + 1, f"{word} takes no value", "leave it away")
        if word in found:
            faults.warning(line.number, line.column, f"{word} stands twice in the prelude", "leave one away")
        if word in ("text_color", "background_color") and not COLOUR.fullmatch(value):
            message = f"{value[:40]!r} is no colour"
            faults.error(line.number, match.end() + 1, message, "write a name, like `pink`, or #rrggbb")
        if word == "color_palette" and value not in PALETTES:
            message = f"there is no palette {value[:40]!r}"
            faults.error(line.number, match.end() + 1, message, f"there are {', '.join(sorted(PALETTES))}")
        if word in ("title", "author", "homepage"):
            value = shown
        found[word] = value
    return found
