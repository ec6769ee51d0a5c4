"""What the readers of level forms share: from rows of text to levels that have been checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple, TypeVar

from ggp.errors import DescriptionError, Finding, Place
from ggp.files.reading import decoded
from ggp.language.maps import Board, LocateCell, read_board, symbols_of
from ggp.model import Game, Level
from ggp.model.pieces import nothing_moves

T = TypeVar("T")
MOST_CELLS = 100_000  # of a map that a few characters stand for
LONGEST_SIDE = 1000  # of such a map


class LevelText(NamedTuple):
    """A level as text: `place` is its first character.

    Each row stands on a line of its own, unless `locate` says where a cell of the map stands in the file.
    """

    name: str
    title: str
    rows: Sequence[str]
    place: Place
    numbers: Mapping[str, int] = {}
    locate: LocateCell | None = None


def stem(file: str) -> str:
    """A name for a level, made from a file's name."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", PurePath(file).stem).strip("-.") or "level"


def each_line(data: bytes, file: str, comment: str) -> list[tuple[str, Place]]:
    """The lines of a file that are neither blank nor begin with the sign of a comment, and their places."""
    return [
        (line, Place(file, number, 1))
        for number, line in enumerate(decoded(data, file).split("\n"), start=1)
        if line.strip() and not line.lstrip().startswith(comment)
    ]


def collected(readings: Iterable[Callable[[], T]]) -> tuple[T, ...]:
    """What each of these reads. Raises DescriptionError with everything that is wrong with any of them."""
    found: list[T] = []
    findings: list[Finding] = []
    for read in readings:
        try:
            found.append(read())
        except DescriptionError as error:
            findings += error.findings
    if findings:
        raise DescriptionError.of(tuple(findings))
    return tuple(found)


def make_levels(game: Game, texts: Sequence[LevelText], file: str) -> tuple[Level, ...]:
    """The levels that the texts show. Raises DescriptionError with everything that is wrong with them."""
    if not texts:
        raise DescriptionError("there is no map in this file", "a level is drawn line by line", Place(file))
    errors: list[Finding] = []
    levels = []
    for text in texts:

        def by_line(row: int, column: int, first: Place = text.place) -> Place:
            return Place(first.file, first.line + row, first.column + column)

        locate = text.locate or by_line
        board, faults = read_board(text.rows, symbols_of(game), locate, pad=True)
        level = level_of(game, text, board)
        errors += faults or checked(game, level, locate)
        levels.append(level)
    if errors:
        raise DescriptionError.of(tuple(errors))
    return tuple(levels)


def level_of(game: Game, text: LevelText, board: Board) -> Level:
    """The level with this board, and the text's name, title and numbers."""
    numbers = tuple((name, number) for name, number in text.numbers.items() if name != "horizon")
    horizon = text.numbers.get("horizon", usual_horizon(game))
    return Level(text.name, board, horizon, numbers, title=text.title, place=text.place)


def usual_horizon(game: Game) -> int | None:
    """The horizon of a level that says nothing of it: none, or no turns at all where nothing moves."""
    return 0 if nothing_moves(game) else None


def checked(game: Game, level: Level, locate: LocateCell) -> list[Finding]:
    """The errors of a level that was read. Warnings stop no reading; `levels.check` shows them."""
    from ggp.language.validate import level_findings

    return [finding for finding in level_findings(game, level, locate) if finding.severity == "error"]
