"""The LevelMapping of a VGDL text: which sprites each sign of a level stands for."""

from __future__ import annotations

from ggp.importers.vgdl.reading.lines import Line
from ggp.importers.vgdl.reading.text import Text
from ggp.importers.vgdl.reading.words import halves


class LevelMapping:
    """What the lines of one LevelMapping say: the sprites of each sign, and the line that says it."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.keys: dict[str, tuple[str, ...]] = {}
        self.lines: dict[str, int] = {}

    def read(self, line: Line) -> None:
        """Read a line."""
        character, keys = halves(self.text, line, "w > wall")
        if len(character) != 1:
            raise self.text.error(f"{character[:40]!r} is not one character", line.number, "write `w > wall`")
        if not keys:
            message = f"{character!r} is mapped to nothing"
            remedy = "name the sprites behind the `>`, or leave the line out"
            raise self.text.error(message, line.number, remedy)
        if character in self.keys:
            message = f"{character!r} is mapped in line {self.lines[character]} already: the last line counts"
            self.text.warn(message, "name all its sprites in one line", line.number, character)
        self.keys[character] = tuple(keys.split())
        self.lines[character] = line.number
