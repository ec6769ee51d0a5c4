"""What cannot be said as rules of ours."""

from __future__ import annotations


class Refused(Exception):
    """A part of a game that is not lowered: what, why, and the line of its text."""

    def __init__(self, message: str, remedy: str, line: int) -> None:
        self.message, self.remedy, self.line = message, remedy, line
        super().__init__(message)
