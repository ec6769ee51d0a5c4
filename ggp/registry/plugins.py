"""What others bring: games, exporters, solvers, goal words, learners, players; by distributions and folders.

- A distribution declares entry points in the groups `ggp.exporters`, `ggp.solvers`, `ggp.goals`,
  `ggp.learners` and `ggp.players` (name = module), and `ggp.games` (any name = the package in which `*.toml`
  descriptions lie).
- `GGP_PATH` names folders (separated as in PATH) with any of `descriptions/`, `exporters/`, `solvers/`,
  `goals/`, `learners/`, `players/`; each file in them is one thing, called like the file, with hyphens for
  underscores.

Nothing here imports a plugin: that is done when it is asked for, and what fails then costs itself only.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

PATH = "GGP_PATH"
GROUPS = {  # what it is: the entry point group, and the folder
    "game": ("ggp.games", "descriptions"),
    "exporter": ("ggp.exporters", "exporters"),
    "solver": ("ggp.solvers", "solvers"),
    "goal word": ("ggp.goals", "goals"),
    "learner": ("ggp.learners", "learners"),
    "player": ("ggp.players", "players"),
}


OFFERS = {  # what a module of each sort must have before it can be asked anything
    "exporter": ("NAME", "SUFFIX", "FEATURES", "available", "unfit", "losses", "text", "verify"),
    "solver": ("NAME", "FEATURES", "available", "versions", "solve"),
    "learner": ("NAME", "available", "learn", "surprises"),
    "player": ("NAME", "KNOWS", "available", "player"),
    "goal word": ("GRAMMAR", "build"),
}


class Found(NamedTuple):
    """What was found: for each sort name -> where it stands; and (sort, name) -> who brought it."""

    targets: dict[str, dict[str, str]]
    origins: dict[tuple[str, str], str]


def found(own: Mapping[str, Mapping[str, str]]) -> Found:
    """All plugins. A name stays with who had it first: what is built in, GGP_PATH, then distributions."""
    targets: dict[str, dict[str, str]] = {what: {} for what in GROUPS}
    origins: dict[tuple[str, str], str] = {}
    for what, name, target, origin in (*in_folders(), *in_distributions()):
        if name not in own[what] and name not in targets[what]:
            targets[what][name] = target
            origins[what, name] = origin
    return Found(targets, origins)


def mistakes(own: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Sentences about what GGP_PATH names in vain; `own` has the names that are built in."""
    known = [sub for _, sub in GROUPS.values()]
    for folder in folders():
        if not folder.is_dir():
            yield f"{PATH} names {folder}, which is no folder"
        elif not any((folder / sub).is_dir() for sub in known):
            yield f"{PATH} names {folder}, which has none of {', '.join(f'{sub}/' for sub in known)} in it"
    for what, name, _, folder_name in in_folders():
        if name in own[what]:
            yield f"the {what} {name} of {folder_name} is left out: there is a built-in one of that name"


def folders() -> list[Path]:
    """The folders that GGP_PATH names."""
    return [Path(one) for one in os.environ.get(PATH, "").split(os.pathsep) if one]


def in_folders() -> Iterator[tuple[str, str, str, str]]:
    """(sort, name, where it stands, folder) for each file in the folders of GGP_PATH."""
    for what, (_, sub) in GROUPS.items():
        for number, folder in enumerate(folders()):
            files = sorted((folder / sub).glob("*.toml" if what == "game" else "[a-z]*.py"))
            if what != "game" and files:
                package = as_package(f"ggp_path_{number}_{sub}", folder / sub)
            for file in files:
                name = file.stem.replace("_", "-")
                target = str(file) if what == "game" else f"{package}.{file.stem}"
                yield what, name, target, str(folder)


def as_package(name: str, folder: Path) -> str:
    """Let the modules of a folder be imported as members of a package of that name; returns the name."""
    package = ModuleType(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package
    return name


def in_distributions() -> Iterator[tuple[str, str, str, str]]:
    """(sort, name, where it stands, distribution) for each entry point of installed distributions."""
    from importlib.metadata import entry_points

    everything = entry_points()  # read once: there may be hundreds of distributions
    for what, (group, _) in GROUPS.items():
        for point in everything.select(group=group):
            origin = f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
            if what != "game":
                yield what, point.name, point.value, origin
                continue
            for name in descriptions_in(point.value):
                yield what, name, f"{point.value}:{name}.toml", origin


def descriptions_in(package: str) -> list[str]:
    """The games whose descriptions lie in a package; none where it cannot be found."""
    try:
        files = [file.name for file in resources.files(package).iterdir()]
    except (ImportError, OSError):
        return []
    return sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml"))


def description(target: str) -> Traversable:
    """The description file of a plugin's game: a path, or `package:file`."""
    package, colon, file = target.partition(":")
    if colon and not os.path.isabs(target):
        return resources.files(package) / file
    return Path(target)
