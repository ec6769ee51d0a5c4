"""What the readers of level forms share: from rows of text to levels that have been checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

from ggp.errors import DescriptionError, Finding, Place
from ggp.maps import read_board, symbols_of
from ggp.model import Game, Level


class LevelText(NamedTuple):
    """A level as text: `place` is its first character, and each row stands on a line of its own."""

    name: str
    title: str
    rows: Sequence[str]
    place: Place
    numbers: Mapping[str, int] = {}


def stem(file: str) -> str:
    """A name for a level, made from a file's name."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", PurePath(file).stem).strip("-.") or "level"


def make_levels(game: Game, texts: Sequence[LevelText], file: str) -> tuple[Level, ...]:
    """The levels that the texts show. Raises DescriptionError with everything that is wrong with them."""
    from ggp.validate import level_findings

    if not texts:
        raise DescriptionError("there is no map in this file", "a level is drawn line by line", Place(file))
    findings: list[Finding] = []
    levels = []
    for text in texts:

        def locate(row: int, column: int, first: Place = text.place) -> Place:
            return Place(first.file, first.line + row, first.column + column)

        board, faults = read_board(text.rows, symbols_of(game), locate, pad=True)
        numbers = tuple((name, number) for name, number in text.numbers.items() if name != "horizon")
        horizon = text.numbers.get("horizon")
        level = Level(text.name, board, horizon, numbers, title=text.title, place=text.place)
        findings += faults or level_findings(game, level, locate)
        levels.append(level)
    errors = tuple(finding for finding in findings if finding.severity == "error")
    if errors:
        raise DescriptionError.of(errors)
    return tuple(levels)
