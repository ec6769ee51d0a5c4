"""Plans as what a player presses, and as the engine's own record of a play.

The keys of a game of ours are those of its exported text, cursor and bar included; a PuzzleScript file that
was read is played with the words of its plans. A record is what the engine's tests consist of: a name, then
the text, the inputs, the board in the end, and the number of the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ggp.engines import puzzlescript as engine
from ggp.errors import NotAvailable
from ggp.exporters.puzzlescript.play import of_plan
from ggp.exporters.puzzlescript.script import Script
from ggp.files.reading import file_bytes
from ggp.importers import puzzlescript as importer
from ggp.model import Instance, Plan

NUMBERS = {word: number for number, word in enumerate(("up", "left", "down", "right", "action"))}


def keys_of(script: Script, instance: Instance, plan: Plan) -> tuple[str, ...]:
    """The keys that play a plan in an exported text."""
    return of_plan(script, instance, plan).keys


def record_of(name: str, text: str, screen: int, keys: Sequence[str]) -> list[Any]:
    """The record of a play, with the board that the engine comes to. Raises NotAvailable, SolverError."""
    missing = engine.missing("there is no PuzzleScript engine here to play to the end")
    if missing is not None:
        raise missing
    wide, cells = engine.end_of(text, screen, keys)
    inputs = [NUMBERS.get(word, word) for word in keys]
    return [name, [text, inputs, board_text(cells, wide), screen]]


def board_text(cells: Sequence[Iterable[str]], wide: int) -> str:
    """A board as records have it: distinct cells numbered, down the columns. `cells` go row by row."""
    high = len(cells) // wide
    names = [" ".join(sorted(cells[row * wide + column])) for column in range(wide) for row in range(high)]
    seen: dict[str, int] = {}
    lines = []
    for start in range(0, high * wide, wide):
        line = ""
        for cell in names[start : start + wide]:
            if cell not in seen:
                seen[cell] = len(seen)
                line += f"{cell}:"
            line += f"{seen[cell]},"
        lines.append(line + "\n")
    return "".join(lines)


def source_of(instance: Instance) -> tuple[str, int]:
    """The file that an instance was read from, and the number of its screen in it. Raises NotAvailable."""
    place = instance.game.place
    if place is None or not Path(place.file).is_file():
        raise NotAvailable("the file of this game is not there any more", "name the file itself")
    data = file_bytes(Path(place.file))
    maps = [number for number, is_map in enumerate(importer.screens(data, place.file)) if is_map]
    return data.decode(), maps[int(instance.level.name) - 1]
