"""Which games of a folder come in, and what keeps the others out: `python docs/vgdl_census.py FOLDER`.

A game asks for all that its findings name; a game that does not get past the reader may ask for more.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ggp.errors import PuzzleError
from ggp.importers import vgdl

PARTS = "parts of cells (such as `speed=0.5`)"


def rules_in(folder: Path) -> list[Path]:
    """The files of rules: those that are no level."""
    return sorted(path for path in folder.glob("*.txt") if not re.search(r"_lvl[0-9]*$", path.stem))


def asked_for(path: Path) -> set[str]:
    """What keeps a game out; nothing where it comes in whole."""
    try:
        vgdl.look(path.read_bytes(), str(path))
    except PuzzleError as error:
        return {PARTS if "whole cells" in one.message else named(one.message) for one in error.findings}
    return set()


def named(message: str) -> str:
    """What a message is about, whatever the sprites of the game are called."""
    what = message.removeprefix("the built-in VGDL engine does not support ")
    return re.sub(r"^the (class|effect) ", "", what)[:70]


def report(folder: Path) -> Iterator[str]:
    """The games that come in, and a table of what the others ask for."""
    asked = {path.stem: asked_for(path) for path in rules_in(folder)}
    whole = [name for name, found in asked.items() if not found]
    yield f"{len(asked)} games, of which {len(whole)} come in whole: {', '.join(whole)}"
    games = Counter(one for found in asked.values() for one in found)
    alone = Counter(next(iter(found)) for found in asked.values() if len(found) == 1)
    yield ""
    yield "| asked for | games | of these, nothing else |"
    yield "|---|---|---|"
    for what, number in sorted(games.items(), key=lambda one: (-one[1], one[0])):
        yield f"| {what} | {number} | {alone[what]} |"


if __name__ == "__main__":
    sys.stdout.write("\n".join(report(Path(sys.argv[1]))) + "\n")
