"""Levels of a campaign: names, patterns of levels (`game/*`, `mine.toml#*`) and files, folders, links."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from ggp.errors import UnknownName
from ggp.language import levels
from ggp.model import Instance
from ggp.model.words import near_or_known


def levels_of(name: str, folder: Path = Path()) -> list[Instance]:
    """The levels that a name stands for; paths start from `folder`.

    A folder stands for all levels of all files in it that some game reads, and so does a pattern for files;
    one file stands for its first level, as everywhere, and for all of them with `#*`. Raises UnknownName
    where there is none, DescriptionError for a file that cannot be read.
    """
    if levels.split_link(name) is not None:
        return [levels.load(name)]
    there = beside(name, folder)
    if name.strip() and there.is_dir():
        return within(there)
    before, mark, pick = name.rpartition("#")
    if mark and is_pattern(pick):
        return picked(before, pick, folder)
    if is_pattern(name):
        return matching(name, folder)
    return [levels.load(placed(name, folder))]


def is_pattern(text: str) -> bool:
    """Does it stand for several?"""
    return any(sign in text for sign in "*?[")


def beside(path: str, folder: Path) -> Path:
    """A path that starts from a folder, unless it starts from the root or from home."""
    try:
        return folder / Path(path).expanduser()
    except RuntimeError:  # of a user that there is not
        return folder / path


def placed(name: str, folder: Path) -> str:
    """A name of a level; where it is a file, its path starts from the folder."""
    game, path, pick = levels.split(name)
    if path is None and levels.exists(str(folder / name.partition("#")[0])) and "/" not in name:
        path, _, pick = Path(name.partition("#")[0]), "", name.partition("#")[2]
    if path is None:
        return name
    parts = (f"{game}:" if game else "", str(beside(str(path), folder)), f"#{pick}" if pick else "")
    return "".join(parts)


def picked(before: str, pick: str, folder: Path) -> list[Instance]:
    """The levels of a file whose names match a pattern."""
    game, path, _ = levels.split(placed(before, folder))
    if path is None:
        raise UnknownName(f"{before[:80]!r} is no file", "`#` picks from the levels of a file")
    described, kept = levels.read_path(path, game)
    found = [Instance(described, level) for level in kept if fnmatchcase(level.name, pick)]
    if not found:
        known = near_or_known(pick, [level.name for level in kept][:20])
        raise UnknownName(f"no level in {path} matches {pick[:80]!r}", known)
    return found


def matching(name: str, folder: Path) -> list[Instance]:
    """The built-in levels, or else the files, that match a pattern."""
    game, slash, level = name.partition("/")
    games = [one for one in levels.games() if fnmatchcase(one, game)]
    found = list(built_in(games, level)) if slash else []
    if not found:
        files = sorted(folder.glob(name)) if not Path(name).is_absolute() else []
        found = [one for file in files if file.is_file() for one in whole(file)]
    if not found:
        near = near_or_known(game, levels.games()) if not games else "`ggp list levels` has all"
        raise UnknownName(f"no level and no file matches {name[:80]!r}", near)
    return found


def built_in(games: list[str], pattern: str) -> Iterator[Instance]:
    """The levels of these games whose names match."""
    for game in games:
        described, kept = levels.load_game(game)
        yield from (Instance(described, level) for level in kept if fnmatchcase(level.name, pattern))


def within(folder: Path) -> list[Instance]:
    """The levels of the files in a folder that some game reads, in the order of their names."""
    readable = set(levels.extensions())
    found = [
        instance
        for file in sorted(folder.iterdir())
        if file.is_file() and file.suffix in readable
        for instance in whole(file)
    ]
    if not found:
        endings = ", ".join(sorted(readable))
        raise UnknownName(
            f"there is no level in the folder {folder}", f"levels stand in files that end in {endings}"
        )
    return found


def whole(file: Path) -> list[Instance]:
    """All levels of a file."""
    game, kept = levels.read_path(file, None)
    return [Instance(game, level) for level in kept]
