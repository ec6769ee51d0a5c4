"""Every error a user can cause, and where it stands in which file.

Each error says what is wrong, where, and what to do about it. Libraries raise; only the command line
prints and chooses an exit status.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

MOST_FINDINGS = 50  # of one error: nobody reads more, and a hostile file may have a fault in each character
LONGEST = 1_000  # characters that are shown of a message, and of what to do about it


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a text file. Lines and columns count from 1; 0 means that it is not known."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        file = in_line(self.file)
        if not self.line:
            return file
        return f"{file}:{self.line}:{self.column}" if self.column else f"{file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that reading or validation found: an error, or a warning that stops nothing."""

    message: str
    remedy: str = ""
    place: Place | None = None
    severity: str = "error"

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        remedy = f"\n  {short(self.remedy)}" if self.remedy else ""
        return shown(f"{where}{self.severity}: {short(self.message)}{remedy}")


def short(text: str) -> str:
    """A text that a person can read; of a longer one the beginning."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def shown(text: str) -> str:
    """A text that a terminal can be given: what is no letter, sign or new line stands there as its number."""
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one == "\n" else one.encode("unicode_escape").decode() for one in text
    )


def in_line(text: str) -> str:
    """The same for what stands within a line, as names of files and levels do: new lines are numbers, too."""
    return text if text.isprintable() else shown(text).replace("\n", "\\n")


class PuzzleError(Exception):
    """The base of all errors of this project. `findings` lists each fault, the first one first."""

    def __init__(self, message: str, remedy: str = "", place: Place | None = None) -> None:
        self.findings: tuple[Finding, ...] = (Finding(message, remedy, place),)
        super().__init__(message)

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self.findings)


class DescriptionError(PuzzleError):
    """A description or level file is not well-formed, or does not mean anything."""

    @classmethod
    def of(cls, findings: tuple[Finding, ...]) -> DescriptionError:
        """One error that carries several findings, the first `MOST_FINDINGS` of them."""
        error = cls(findings[0].message)
        error.findings = findings[:MOST_FINDINGS]
        return error


class UnknownName(PuzzleError):
    """A game, level, solver, exporter, objective or encoding of that name does not exist."""


class PlanError(PuzzleError):
    """A plan cannot be read, or does not belong to the level."""


class NotLearned(PuzzleError):
    """No rules were found that explain all that was seen: nothing is wrong with what was seen."""


class IllFormed(PuzzleError):
    """Two rules collided, or a block never came to rest: the game has no next state there."""


class IllegalAction(PuzzleError):
    """The action is not one of the legal ones in that state."""


class UnsupportedFeature(PuzzleError):
    """A backend lacks something that the instance needs; each missing feature is a finding."""

    @classmethod
    def of(cls, backend: str, findings: tuple[Finding, ...]) -> UnsupportedFeature:
        """The refusal of `backend`, with one finding for each missing feature."""
        error = cls(f"{backend} cannot take this level: {findings[0].message}")
        error.findings = tuple(dict.fromkeys(findings))  # what all levels of a file lack is said once
        return error


class SolverError(PuzzleError):
    """A solver failed, answered something unknown, or answered something that does not replay."""


class NotAvailable(PuzzleError):
    """A solver, exporter or engine is known but cannot run here; the remedy says what to install."""


class NotInstalled(NotAvailable):
    """What is missing we can install: `install` does it, and raises NotAvailable where that fails."""

    def __init__(self, message: str, remedy: str, install: Callable[[], object]) -> None:
        self.install = install
        super().__init__(message, remedy)


class OwnFault(PuzzleError):
    """Two parts of this project contradict each other: a fault of ours, whatever the user did."""


class Unfit(Exception):
    """Something quicker is not for this instance; the message says why. Whoever tries it has another way."""
