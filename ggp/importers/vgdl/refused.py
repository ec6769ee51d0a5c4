"""What cannot be said as rules of ours."""

from __future__ import annotations

OTHER_DIALECT = (
    "play it as a game of GVGAI: without `block_size=`, `Immutable` and the like, "
    "and `---` before a map in it"
)
"""What to do where rules are made of something for games of GVGAI alone."""
TAKEN = "docs/vgdl-import.md lists what is taken"


class Refused(Exception):
    """A part of a game that is not lowered: what, why, and the line of its text."""

    def __init__(self, message: str, remedy: str, line: int) -> None:
        self.message, self.remedy, self.line = message, remedy, line
        super().__init__(message)
