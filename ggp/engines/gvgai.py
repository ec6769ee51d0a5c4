"""An adapter to GVGAI, the framework of the competitions (Java, GPL). It is an oracle, and optional.

`GVGAI_HOME` names a checkout of https://github.com/GAIGResearch/GVGAI that has been compiled; nothing of it
is part of this project. One process of a Java with a compiler plays any number of levels, which look from
here like those of the built-in engine (`ggp.engines.vgdl.gvgai`), so that one driver plays both.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from ggp.engines import java, processes
from ggp.engines.scratch import Scratch
from ggp.errors import NotAvailable, SolverError
from ggp.model import Cell

HOME = "GVGAI_HOME"
SOURCE = "https://github.com/GAIGResearch/GVGAI"
WITNESS = Path("core", "vgdl", "VGDLFactory.class")  # what is there where it has been compiled
DEPTH = 3  # how many folders below the checkout compiled classes may stand
SECONDS = 300.0  # what one process may take in all
OLDEST = 11  # the Java that first ran a source file as it is


def available() -> str | None:
    """None if GVGAI can be asked, else a sentence that says what to do."""
    home = os.environ.get(HOME)
    if not home:
        return f"set {HOME} to a checkout of {SOURCE} that has been compiled"
    if not Path(home).is_dir():
        return f"{HOME} is {home}, which is no folder: set it to a checkout of {SOURCE}"
    if classes(Path(home)) is None:
        return f"{home}, which {HOME} names, holds no {WITNESS}: compile it as its own pages say"
    found = java.find()
    if found is None or found[1] < OLDEST:
        return java.REMEDY
    if not (found[0].resolve().parent / "javac").exists():
        return f"{found[0]} has no compiler beside it: install a JDK, and let JAVA_HOME name it"
    return None


def classes(home: Path) -> Path | None:
    """The folder of the compiled classes of a checkout; None where there is none."""
    for depth in range(DEPTH + 1):
        for found in sorted(home.glob("/".join(["*"] * depth + [WITNESS.as_posix()]))):
            return found.parents[len(WITNESS.parts) - 1]
    return None


@contextmanager
def opened(seconds: float = SECONDS) -> Iterator[Gvgai]:
    """A process of GVGAI, for so many seconds at most; raises NotAvailable."""
    reason = available()
    if reason is not None:
        raise NotAvailable("GVGAI cannot run here", reason)
    home = Path(os.environ[HOME]).resolve()
    compiled = classes(home)
    jars = sorted(map(str, home.glob("*.jar")))
    runner = resources.files("ggp.engines") / "gvgai_runner.java"
    with resources.as_file(runner) as file, Scratch() as scratch:
        path = os.pathsep.join([str(compiled), *jars])
        command = [*java.beginning(), "-Djava.awt.headless=true", "-cp", path, str(file)]
        # It looks for the pictures of sprites from where it is started.
        with processes.Child(command, seconds=seconds, cwd=home, listens=True) as child:
            yield Gvgai(child, scratch)


class Gvgai:
    """Plays levels, one after another. What GVGAI says of itself is passed over."""

    def __init__(self, child: processes.Child, folder: Path) -> None:
        self.child, self.folder = child, folder
        self.lines = iter(child)
        self.loaded: tuple[str, str] | None = None

    def build(self, game: str, level_map: str) -> GvgaiGame:
        """A level; the one before is over. Raises SolverError where GVGAI does not take it."""
        if self.loaded == (game, level_map):
            return GvgaiGame(self, self.ask("again"))
        self.loaded = None
        files = [self.folder / "game.txt", self.folder / "game_lvl0.txt"]
        for file, text in zip(files, (game, level_map), strict=True):
            file.write_text(text, encoding="utf-8")
        shown = self.ask("\t".join(["load", *map(str, files)]))
        self.loaded = game, level_map
        return GvgaiGame(self, shown)

    def ask(self, words: str) -> dict[str, Any]:
        """What stands where after a request."""
        self.child.tell(words.encode() + b"\n")
        for line in self.lines:
            if line.startswith("! "):
                raise SolverError(f"GVGAI says: {line[2:].strip()}", "try the files there by hand")
            if line.startswith("= "):
                self.child.useful()
                shown: dict[str, Any] = json.loads(line[2:])
                return shown
        raise SolverError(f"GVGAI gave no answer: {self.child.ended}", "try the files there by hand")


class GvgaiGame:
    """A level of GVGAI, as `Engine` of the driver has it."""

    def __init__(self, process: Gvgai, shown: dict[str, Any]) -> None:
        self.process, self.shown = process, shown

    @property
    def ended(self) -> bool:
        """Is the level over?"""
        return bool(self.shown["over"])

    @property
    def won(self) -> bool | None:
        """Was it won?"""
        return bool(self.shown["won"]) if self.ended else None

    @property
    def score(self) -> int:
        """What was scored so far."""
        return int(self.shown["score"])

    def tick(self, key: str = "noop") -> None:
        """Play one step with one key or none."""
        self.shown = self.process.ask(key)

    def draw(self, seed: int) -> None:
        """Let chance draw from here on as Java's generator does with this seed."""
        self.shown = self.process.ask(f"seed\t{seed}")

    def sprites(self, keys: Iterable[str] | None = None) -> dict[str, tuple[Cell, ...]]:
        """Where the sprites of each type (or of these) stand, in reading order; empty types are left out."""
        found = self.shown["sprites"]
        chosen = found if keys is None else [key for key in keys if key in found]
        return {key: tuple(sorted((row, column) for row, column in found[key])) for key in chosen}
