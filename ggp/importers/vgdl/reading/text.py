"""A VGDL text that is being read: where its words stand, and what of it is refused."""

from __future__ import annotations

from ggp.errors import DescriptionError, Finding, Place
from ggp.importers.vgdl.dialects import PY_VGDL, Dialect


class Text:
    """One text. What is not supported is collected, so that a refusal lists all of it."""

    def __init__(self, written: str, file: str, dialect: Dialect = PY_VGDL) -> None:
        self.file = file
        self.dialect = dialect
        self.raw = written.split("\n")
        self.refused: list[Finding] = []
        self.warnings: list[Finding] = []

    def error(self, message: str, line: int, remedy: str = "", word: str = "") -> DescriptionError:
        """The error for something that is not VGDL; `word` is where it stands in the line."""
        return DescriptionError(message, remedy, self.place(line, word))

    def place(self, line: int, word: str = "") -> Place:
        """The place of a word in a line, or of the line's first sign."""
        if not 0 < line <= len(self.raw):
            return Place(self.file, line)
        raw = self.raw[line - 1]
        column = raw.find(word) if word else -1
        return Place(self.file, line, 1 + (column if column >= 0 else len(raw) - len(raw.lstrip())))

    def refuse(self, what: str, line: int, word: str = "") -> None:
        """Note something that the dialect has and that is not taken here."""
        remedy = f"{self.dialect.name} itself can play it; docs/vgdl-import.md lists what is taken here"
        message = f"the built-in VGDL engine does not support {what}"
        self.refused.append(Finding(message, remedy, self.place(line, word)))

    def warn(self, message: str, remedy: str, line: int, word: str) -> None:
        """Note something that does nothing, or not what one would think."""
        self.warnings.append(Finding(message, remedy, self.place(line, word), "warning"))
