"""From a name on the command line to a game and a level: built in, or from a file in any known form.

    lemmings/seed            a level of a built-in game; lemmings#3 is its third
    queens/8                 a size of a family of levels that are made rather than kept
    mine.toml                the first level of a description file; also of a file of levels only
    mine.toml#3  mine.toml#cave          the third one, the one of that name
    game.txt#3               the third map of a game of another system (PuzzleScript)
    collection.xsb#3         a foreign form; the game is the one that declares a form of this extension
    sokoban:collection.txt   the same, where several games could read it
https://puzz.link/p?...  a link that holds a puzzle; the game is the one that knows the link's type
mine.toml:https://...    the same, for a game of one's own

A name whose first part is a built-in game is never a file.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

from ggp import registry
from ggp.errors import DescriptionError, Finding, Place, PuzzleError, UnknownName
from ggp.files.reading import file_bytes
from ggp.language import carried
from ggp.model import Family, Game, Instance, Level, Piece
from ggp.model.words import near_or_known

DESCRIPTION = ".toml"


def load(name: str) -> Instance:
    """The level of that name: see the head of this module for what names can be.

    Raises UnknownName for a game, level or file that is not there, DescriptionError for one that cannot
    be read.
    """
    address = split_link(name)
    if address is not None:
        game, kept = read_address(*address)
        return Instance(game, kept[0])
    chosen, path, pick = split(name)
    if path is None:
        return builtin_level(name)
    game, levels = read_path(path, chosen)
    return Instance(game, pick_level(levels, pick, path))


def load_game(name: str) -> tuple[Game, tuple[Level, ...]]:
    """A game and its levels: the name of a built-in one, or the path of a file that holds a game."""
    if name in registry.GAMES:
        return builtin(name)
    if name.endswith(DESCRIPTION) or imported(name):
        return read_path(Path(name), None)
    raise registry.unknown("game", name, registry.GAMES)


def load_shown(name: str) -> tuple[Game, tuple[Level, ...]]:
    """A game and its levels, or the one that the name picks (`FILE#3`)."""
    if split_link(name) is None and not split(name)[2]:
        return load_game(name)  # a name of a file may hold a `#`, too
    picked = load(name)
    return picked.game, (picked.level,)


def games() -> tuple[str, ...]:
    """The names of the built-in games."""
    return tuple(sorted(registry.GAMES))


def levels(game: str) -> tuple[str, ...]:
    """The names of a game's levels, as `load` takes them: `game/level`."""
    return tuple(f"{game}/{level.name}" for level in load_game(game)[1])


@functools.cache
def builtin(game: str) -> tuple[Game, tuple[Level, ...]]:
    """A built-in game and its levels."""
    from ggp.language.description import read_game

    return read_game(registry.description_text(game), registry.description_place(game))


def builtin_level(name: str) -> Instance:
    """A level of a built-in game, from its `game/level` name."""
    game_name, mark, pick = name.partition("#")
    if mark and game_name in registry.GAMES:
        game, kept = builtin(game_name)
        return Instance(game, pick_level(kept, pick, Path(game_name)))
    game_name, slash, level_name = name.partition("/")
    game, kept = builtin(game_name)
    if not slash:
        example = f"{game_name}/{kept[0].name}" if kept else f"{game_name}/LEVEL"
        raise UnknownName(f"{name!r} is a game, not a level", f"write {example}; `ggp list levels` has all")
    for level in kept:
        if level.name == level_name:
            return Instance(game, level)
    if game.family is not None and re.fullmatch("[1-9][0-9]{0,5}", level_name):
        return Instance(game, made_level(game, game.family, int(level_name)))
    raise registry.unknown("level", name, (f"{game_name}/{level.name}" for level in kept))


def made_level(game: Game, family: Family, size: int) -> Level:
    """The member of a family of that size. Raises UnknownName for one that the family does not have."""
    if not family.smallest <= size <= family.largest:
        remedy = f"sizes go from {family.smallest} to {family.largest}"
        raise UnknownName(f"there is no {game.name} of size {size}", remedy)
    numbers = tuple(
        (name, sum(factor * size**power for power, factor in enumerate(factors)) // over)
        for name, factors, over in family.numbers
    )
    row: tuple[frozenset[Piece], ...] = (frozenset(),) * size
    title = f"{size} by {size}"
    return Level(str(size), (row,) * size, 0, numbers, title=title, place=family.place)


# --- links ---------------------------------------------------------------------------------------------


def split_link(name: str) -> tuple[str | None, str] | None:
    """The parts of `GAME:https://...`, the first one None where it is left out; None for no link at all."""
    from ggp.language.readers.addresses import is_link

    game, colon, rest = name.partition(":")
    if colon and (game in registry.GAMES or game.endswith(DESCRIPTION)) and is_link(rest):
        return game, rest
    return (None, name) if is_link(name) and not exists(name.partition("#")[0]) else None


def read_address(chosen: str | None, link: str) -> tuple[Game, tuple[Level, ...]]:
    """The game of a link, and the level in it. `chosen` names the game; without it the link's type tells."""
    game = load_game(chosen or linked_game(link))[0]
    form = registry.load("level form", "url")
    return game, form.read(link.encode(), "URL", game, dict(game.forms).get("url", {}))


def linked_game(link: str) -> str:
    """The built-in game that reads links of this type. Raises DescriptionError where none does."""
    from ggp.language.readers.link_form import words_of
    from ggp.language.readers.url import type_of

    name, place = type_of(link, Place("URL", 1, 1))
    settings = {game: forms["url"] for game, forms in declared_forms().items() if "url" in forms}
    known = {word: game for game in settings for word in words_of(settings[game].get("types"))}
    if name not in known:
        message = f"no game reads links of the type {name[:40]!r}"
        raise DescriptionError(message, near_or_known(name, sorted(known)), place)
    return known[name]


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
    found: dict[str, tuple[tuple[str, str], ...]] = {DESCRIPTION: ()}
    for game, forms in declared_forms().items():
        for form, settings in forms.items():
            for extension in endings(settings):
                found[extension] = (*found.get(extension, ()), (game, form))
    return found


@functools.cache
def declared_forms() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """The forms of each built-in game that declares some, by their names."""
    import tomllib

    found = {}
    for game in registry.GAMES:
        data = registry.description_text(game)
        # Parsing all of all files would cost more than a whole load: some games have no forms, and the
        # levels of the others come after them.
        if b"[forms" in data:
            before, first, levels_text = data.partition(b"\n[[level]]")
            head = before if b"\n[forms" not in levels_text else before + first + levels_text
            found[game] = tomllib.loads(head.decode()).get("forms", {})
    return found


def endings(settings: Mapping[str, Any]) -> list[str]:
    """The extensions of a form: one, or a list of them, or none."""
    extension = settings.get("extension", [])
    return [extension] if isinstance(extension, str) else list(extension)


def read_path(path: Path, chosen: str | None) -> tuple[Game, tuple[Level, ...]]:
    """The game and levels of a file. `chosen` names the game; without it the extension tells."""
    from ggp.language.description import read_description

    data = file_bytes(path)
    importer = importer_of(path, data) if chosen is None else None
    if importer is not None:
        game, kept = importer.read(data, str(path))
        return game, kept
    if path.suffix == DESCRIPTION and chosen is None:
        return read_description(data, str(path), lambda name: named_game(name, path))
    if path.suffix == DESCRIPTION:
        game = load_game(str(chosen))[0]
        return read_description(data, str(path), lambda _: game)
    game, form, settings = find_form(path, chosen)
    return game, registry.load("level form", form).read(data, str(path), game, settings)


def imported(name: str) -> bool:
    """Is this a file that holds a game of another system?"""
    path = Path(name)
    return exists(name) and path.is_file() and importer_of(path, file_bytes(path)) is not None


def importer_of(path: Path, data: bytes) -> ModuleType | None:
    """What reads this file as a whole game of another system; None where nothing does."""
    if path.suffix == DESCRIPTION:
        return None
    if carried.belongs(data):
        return carried
    for name in registry.IMPORTERS:
        importer = registry.load("importer", name)
        if path.suffix.lower() in importer.EXTENSIONS and importer.belongs(data):
            return importer
    return None


def systems_of(suffix: str) -> Iterator[str]:
    """The systems whose games stand in files of this extension."""
    for name in registry.IMPORTERS:
        if suffix.lower() in registry.load("importer", name).EXTENSIONS:
            yield name


def every(name: str) -> tuple[Instance, ...]:
    """All levels of a file or of a built-in game; one where the name picks one. Raises as `load`."""
    if name in registry.GAMES:
        game, kept = builtin(name)
        return tuple(Instance(game, level) for level in kept)
    if split_link(name) is not None:
        return (load(name),)
    chosen, path, pick = split(name)
    if path is None or pick:
        return (load(name),)
    game, kept = read_path(path, chosen)
    pick_level(kept, "", path)  # there must be one
    return tuple(Instance(game, level) for level in kept)


def rest_of(name: str) -> tuple[Instance, ...]:
    """The level of that name and those that follow it in its file, as long as its game has others.

    Only games of other systems go on by themselves. Raises as `load`.
    """
    instance = load(name)
    _, path, _ = split(name)
    if path is None or instance.game.scan is None:
        return (instance,)
    game, kept = read_path(path, None)
    return tuple(Instance(game, level) for level in kept[kept.index(instance.level) :])


def check(name: str) -> tuple[Finding, ...]:
    """Everything that reading and validation find in a file, or in the description of a built-in game."""
    from ggp.language.description import check_file

    address = split_link(name)
    if address is not None:
        return findings_of(lambda: read_address(*address))
    chosen, path, _ = split(name)
    if path is None:
        game = name.partition("/")[0]
        kept = registry.description_of(game)
        with resources.as_file(kept) as built_in:
            return check_file(built_in, lambda named: named_game(named, built_in))
    if path.suffix == DESCRIPTION and chosen is None:
        return check_file(path, lambda named: named_game(named, path))
    data = file_bytes(path)
    importer = importer_of(path, data) if chosen is None else None
    if importer is not None:
        found: tuple[Finding, ...] = importer.check(data, str(path))
        return found
    return findings_of(lambda: read_path(path, chosen))


def findings_of(read: Callable[[], tuple[Game, tuple[Level, ...]]]) -> tuple[Finding, ...]:
    """What is wrong with the levels that are read, or with their form."""
    from ggp.language.validate import level_findings

    try:
        described, levels_read = read()
    except PuzzleError as error:
        return error.findings
    return tuple(finding for level in levels_read for finding in level_findings(described, level))


def named_game(name: str, levels_file: Path) -> Game:
    """The game that a file of levels names: a built-in one, or the path of a description beside it."""
    from ggp.language.description import read_file

    if not name.endswith(DESCRIPTION):
        return load_game(name)[0]
    path = levels_file.parent / name
    file_bytes(path)
    return read_file(path)[0]


def find_form(path: Path, chosen: str | None) -> tuple[Game, str, Mapping[str, Any]]:
    """The game that reads a file of this extension, the name of the form, and the form's settings."""
    if chosen is not None:
        game = load_game(chosen)[0]
        matching = [(form, s) for form, s in game.forms if path.suffix in endings(s)]
        if not game.forms:
            message = f"{game.name} reads no level form but {DESCRIPTION}"
            raise UnknownName(message, "declare one under [forms]")
        return game, *(matching or list(game.forms))[0]
    readers = extensions().get(path.suffix, ())
    if systems := ", ".join(systems_of(path.suffix)) if not readers else "":
        message = (
            f"files that end in {path.suffix!r} are games of other systems ({systems}), and this one is none"
        )
        raise DescriptionError(
            message, "it is empty, or what such games begin with is missing", Place(str(path), 1, 1)
        )
    if not readers:
        known = ", ".join(sorted(extensions()))
        remedy = (
            f"known are {known}; or write GAME:{path} with the game that it belongs to; files of constraints "
            "go to `ggp solve` and `ggp compare` alone"
        )
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
        raise DescriptionError(
            "there is no level in this file", "draw one, or add a `[[level]]`", Place(str(path))
        )
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
