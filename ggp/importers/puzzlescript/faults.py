"""What is wrong with a file: everything is found before it is refused."""

from __future__ import annotations

from ggp.errors import MOST_FINDINGS, DescriptionError, Finding, Place


class Faults:
    """Collects findings; each has its line and column."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: dict[Finding, None] = {}
        self.headings: dict[str, int] = {}  # of sections, and their lines

    def place(self, line: int, column: int = 1) -> Place:
        """A place in the file; lines and columns count from 1."""
        return Place(self.file, line, column) if line else Place(self.file)

    def error(self, line: int, column: int, message: str, remedy: str = "") -> None:
        """Something for which the game is refused."""
        self.add(Finding(message, remedy, self.place(line, column)))

    def lacking(self, section: str, message: str, remedy: str) -> None:
        """An error for what is nowhere in a section: it stands at the heading, or where the file begins."""
        self.error(self.headings.get(section, 1), 1, message, remedy)

    def warning(self, line: int, column: int, message: str, remedy: str = "") -> None:
        """Something that is hardly meant, but can be played."""
        self.add(Finding(message, remedy, self.place(line, column), "warning"))

    def add(self, finding: Finding) -> None:
        """Keep a finding, once; hostile files have no end of them."""
        if len(self.found) <= 10 * MOST_FINDINGS:
            self.found.setdefault(finding)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """All findings that are errors, in the order of their lines."""
        return tuple(one for one in self.all() if one.severity == "error")

    def all(self) -> tuple[Finding, ...]:
        """Every finding, in the order of lines and columns."""
        return tuple(
            sorted(self.found, key=lambda one: (one.place.line, one.place.column) if one.place else (0, 0))
        )

    def refuse(self) -> None:
        """Raise DescriptionError if there is any error."""
        if errors := self.errors:
            raise DescriptionError.of(errors)
