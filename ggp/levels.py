"""From a name on the command line to a game and a level: built in, or from a file in any known form.

    lemmings/seed            a level of a built-in game
    mine.toml                the first level of a description file; also of a file of levels only
    mine.toml#3  mine.toml#cave          the third one, the one of that name
    collection.xsb#3         a foreign form; the game is the one that declares a form of this extension
    sokoban:collection.txt   the same, where several games could read it

Families of levels that are made rather than kept (`queens/8`) belong in `builtin_level`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from ggp import registry
from ggp.errors import DescriptionError, Finding, Place, PuzzleError, UnknownName
from ggp.model import Game, Instance, Level
from ggp.text_files import file_bytes
from ggp.words import near_or_known

DESCRIPTION = ".toml"


def load(name: str) -> Instance:
    """The level of that name: see the head of this module for what names can be.

    Raises UnknownName for a game, level or file that is not there, DescriptionError for one that cannot
    be read.
    """
    chosen, path, pick = split(name)
    if path is None:
        return builtin_level(name)
    game, levels = read_path(path, chosen)
    return Instance(game, pick_level(levels, pick, path))


def load_game(name: str) -> tuple[Game, tuple[Level, ...]]:
    """A game and its levels: the name of a built-in one, or the path of a description file."""
    if name in registry.GAMES:
        return builtin(name)
    if name.endswith(DESCRIPTION):
        return read_path(Path(name), None)
    raise registry.unknown("game", name, registry.GAMES)


def games() -> tuple[str, ...]:
    """The names of the built-in games."""
    return tuple(sorted(registry.GAMES))


def levels(game: str) -> tuple[str, ...]:
    """The names of a game's levels, as `load` takes them: `game/level`."""
    return tuple(f"{game}/{level.name}" for level in load_game(game)[1])


@functools.cache
def builtin(game: str) -> tuple[Game, tuple[Level, ...]]:
    """A built-in game and its levels."""
    from ggp.description import read_game

    return read_game(registry.description_text(game), f"descriptions/{registry.GAMES.get(game, game)}")


def builtin_level(name: str) -> Instance:
    """A level of a built-in game, from its `game/level` name."""
    game_name, slash, level_name = name.partition("/")
    game, kept = builtin(game_name)
    if not slash:
        example = f"{game_name}/{kept[0].name}" if kept else f"{game_name}/LEVEL"
        raise UnknownName(f"{name!r} is a game, not a level", f"write {example}; `ggp list levels` has all")
    for level in kept:
        if level.name == level_name:
            return Instance(game, level)
    raise registry.unknown("level", name, (f"{game_name}/{level.name}" for level in kept))


# --- files ----------------------------------------------------------------------------------------------


def split(name: str) -> tuple[str | None, Path | None, str]:
    """The parts of `GAME:path#level`: (game, path, level); the path is None for a built-in level."""
    game, colon, rest = name.partition(":")
    if not colon or (game not in registry.GAMES and not game.endswith(DESCRIPTION)):
        game, rest = "", name
    path, _, pick = rest.partition("#")
    if not exists(path) and exists(rest):  # a file whose name holds a `#`
        path, pick = rest, ""
    builtin_name = path.split("/")[0] in registry.GAMES
    looks_like_file = path.startswith((".", "/", "~")) or bool(re.search(r"\.[A-Za-z]\w*$", path))
    may_be_file = (looks_like_file or exists(path)) and not builtin_name
    if path and (game or may_be_file or Path(path).suffix in extensions()):
        return game or None, Path(path).expanduser(), pick
    return None, None, ""


def exists(path: str) -> bool:
    """Is there such a file or directory? False for what cannot be a path at all."""
    try:
        return bool(path) and Path(path).exists()
    except (OSError, ValueError):
        return False


@functools.cache
def extensions() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """For each extension the (game, form) pairs of the built-in games that read it."""
    import tomllib

    found: dict[str, tuple[tuple[str, str], ...]] = {DESCRIPTION: ()}
    for game in registry.GAMES:
        data = registry.description_text(game)
        # Most games read no foreign form, and parsing all of them would cost more than the whole load.
        if b"[forms" not in data:
            continue
        for form, settings in tomllib.loads(data.decode()).get("forms", {}).items():
            extension = settings.get("extension", "")
            found[extension] = (*found.get(extension, ()), (game, form))
    return found


def read_path(path: Path, chosen: str | None) -> tuple[Game, tuple[Level, ...]]:
    """The game and levels of a file. `chosen` names the game; without it the extension tells."""
    from ggp.description import read_description

    data = file_bytes(path)
    if path.suffix == DESCRIPTION and chosen is None:
        return read_description(data, str(path), lambda name: named_game(name, path))
    if path.suffix == DESCRIPTION:
        game = load_game(str(chosen))[0]
        return read_description(data, str(path), lambda _: game)
    game, form, settings = find_form(path, chosen)
    return game, registry.load("level form", form).read(data, str(path), game, settings)


def check(name: str) -> tuple[Finding, ...]:
    """Everything that reading and validation find in a file, or in the description of a built-in game."""
    from ggp.description import check_file

    chosen, path, _ = split(name)
    if path is None:
        game = name.partition("/")[0]
        kept = resources.files("ggp.descriptions") / registry.description_file(game)
        with resources.as_file(kept) as built_in:
            return check_file(built_in, lambda named: named_game(named, built_in))
    if path.suffix == DESCRIPTION and chosen is None:
        return check_file(path, lambda named: named_game(named, path))
    try:
        read_path(path, chosen)
    except PuzzleError as error:
        return error.findings
    return ()


def named_game(name: str, levels_file: Path) -> Game:
    """The game that a file of levels names: a built-in one, or the path of a description beside it."""
    from ggp.description import read_file

    if not name.endswith(DESCRIPTION):
        return load_game(name)[0]
    path = levels_file.parent / name
    file_bytes(path)
    return read_file(path)[0]


def find_form(path: Path, chosen: str | None) -> tuple[Game, str, Mapping[str, Any]]:
    """The game that reads a file of this extension, the name of the form, and the form's settings."""
    if chosen is not None:
        game = load_game(chosen)[0]
        matching = [(form, s) for form, s in game.forms if s.get("extension") == path.suffix]
        if not game.forms:
            message = f"{game.name} reads no level form but {DESCRIPTION}"
            raise UnknownName(message, "declare one under [forms]")
        return game, *(matching or list(game.forms))[0]
    readers = extensions().get(path.suffix, ())
    if not readers:
        known = ", ".join(sorted(extensions()))
        remedy = f"known are {known}; or write GAME:{path} with the game that it belongs to"
        raise UnknownName(f"no game reads files that end in {path.suffix!r}: {path}", remedy)
    if len({game for game, _ in readers}) > 1:
        choices = " or ".join(f"{game}:{path}" for game, _ in readers)
        raise UnknownName(f"several games read files that end in {path.suffix!r}", f"write {choices}")
    game_name, form = readers[0]
    game = builtin(game_name)[0]
    return game, form, dict(game.forms)[form]


def pick_level(kept: tuple[Level, ...], pick: str, path: Path) -> Level:
    """The level that `#3` or `#name` picks; the first one without a pick."""
    if not kept:
        raise DescriptionError("there is no level in this file", "add a `[[level]]`", Place(str(path)))
    if not pick:
        return kept[0]
    for level in kept:
        if level.name == pick:
            return level
    if pick.isascii() and pick.isdigit() and 1 <= int(pick[:9]) <= len(kept):
        return kept[int(pick) - 1]
    names = [level.name for level in kept]
    remedy = f"it has {len(kept)}, `#1` to `#{len(kept)}`; {near_or_known(pick, names[:20])}"
    raise UnknownName(f"there is no level {pick[:60]!r} in {path}", remedy)
