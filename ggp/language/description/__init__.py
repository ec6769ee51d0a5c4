"""Description files: reads a game and its levels from TOML, and writes them so that they read back equal.

What the words mean stands in `ggp.model`. Errors are collected, and each one says the line and the column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ggp import registry
from ggp.errors import DescriptionError, Finding, PuzzleError
from ggp.files.reading import file_bytes
from ggp.language import validate
from ggp.language.description.game import GameReader
from ggp.language.description.generate import read_generate
from ggp.language.description.hints import read_hints
from ggp.language.description.levels import read_level
from ggp.language.description.writing import write_game
from ggp.language.maps import LocateCell
from ggp.language.toml.positions import Document
from ggp.language.toml.tables import Findings, Table
from ggp.language.validate.borders import border_findings
from ggp.language.validate.collisions import collision_findings
from ggp.language.validate.known import known_findings
from ggp.model import Game, Level
from ggp.model.result import Clock, OutOfTime

if TYPE_CHECKING:
    from ggp.encoding.constraints import Encoding

__all__ = [
    "check_file",
    "check_text",
    "read_description",
    "read_file",
    "read_game",
    "read_levels",
    "write_game",
]

FindGame = Callable[[str], Game]

PATIENCE = 60.0  # seconds for a proof that rules never collide


def no_game(name: str) -> Game:
    """The game that a file names, where only a whole description will do."""
    message = f"this file holds levels of {name[:60]!r} and no game"
    raise DescriptionError(message, "give the file of the game")


def read_game(data: bytes, file: str) -> tuple[Game, tuple[Level, ...]]:
    """Read a description file: the game and the levels in it.

    `file` is the name that errors show. Raises DescriptionError with everything that was found.
    """
    return read_description(data, file, no_game)


def read_levels(data: bytes, file: str, game: Game) -> tuple[Level, ...]:
    """Read the levels of a file that holds only levels of this game. Raises DescriptionError."""
    return read_description(data, file, lambda _: game)[1]


def read_file(path: str | Path, find_game: FindGame = no_game) -> tuple[Game, tuple[Level, ...]]:
    """Read a description from a path. Raises UnknownName if there is no such file."""
    return read_description(file_bytes(Path(path)), str(path), find_game)


def read_description(data: bytes, file: str, find_game: FindGame) -> tuple[Game, tuple[Level, ...]]:
    """Read a description file, or one that holds levels only and says `game = "..."`.

    `find_game` gives the game of that name. Raises DescriptionError with everything that was found.
    """
    game, levels, found = examine(data, file, find_game)
    errors = tuple(finding for finding in found if finding.severity == "error")
    if errors:
        raise DescriptionError.of(errors)
    return game, levels


def check_file(path: str | Path, find_game: FindGame = no_game) -> tuple[Finding, ...]:
    """Everything there is to say about a file, errors and warnings: for `ggp check`."""
    try:
        data = file_bytes(Path(path))
    except PuzzleError as error:
        return error.findings
    return check_text(data, str(path), find_game)


def check_text(data: bytes, file: str, find_game: FindGame = no_game) -> tuple[Finding, ...]:
    """Everything there is to say about the text of a file."""
    try:
        game, levels, found = examine(data, file, find_game)
    except PuzzleError as error:
        return error.findings
    if any(finding.severity == "error" for finding in found):
        return found
    return (
        *found,
        *known_findings(game, levels),
        *border_findings(game, levels),
        *collision_findings(game, find_model),
    )


def find_model(encoding: Encoding) -> object | None:
    """Values for an encoding; raises PuzzleError where that takes too long.

    It takes a second or so. By the clock that is half a minute where much else goes on, and to give up then
    would be to warn of what never is.
    """
    try:
        return cast("object | None", registry.load("solver", "cp-sat").model_of(encoding, Clock(PATIENCE)))
    except OutOfTime:
        raise PuzzleError("the proof takes too long") from None


def examine(
    data: bytes, file: str, find_game: FindGame
) -> tuple[Game, tuple[Level, ...], tuple[Finding, ...]]:
    """Read and validate: the game, the levels, and what was found.

    Raises DescriptionError where the file cannot be read, so that there is nothing to validate.
    """
    noted = Findings()
    document = Document(data, file)
    table = Table(document, (), document.values, noted)
    levels_only = "game" in table and "kinds" not in table
    if levels_only:
        game = game_named(table, find_game)
        table.asked += ["title", "about", "author", "homepage"]
    else:
        game = GameReader(table).read()
        game = replace(game, generate=read_generate(table, game), hints=read_hints(table, game))
    levels: list[Level] = []
    places: dict[str, LocateCell] = {}
    for index, entry in enumerate(table.tables("level")):
        level, locate = read_level(entry, index, game)
        if level.name in places:
            entry.error(f"there are two levels called {level.name!r}", "rename one", entry.value_at("name"))
        places[level.name] = locate
        levels.append(level)
    table.refuse_unknown("a file of levels" if levels_only else "a description")
    noted.raise_any()
    return game, tuple(levels), validate.findings(game, levels, places)


def game_named(table: Table, find_game: FindGame) -> Game:
    """The game of a file that holds levels only."""
    try:
        return find_game(table.text("game"))
    except PuzzleError as error:
        first = error.findings[0]
        place = first.place or table.value_at("game")
        raise DescriptionError(first.message, first.remedy, place) from None
