"""Records in GVGAI itself what our exports do there, so that the built-in engine can be held against it.

    python -m ggp.exporters.vgdl.gvgai.record tests/data/vgdl/gvgai GAME/LEVEL ...

writes a file `GAME-LEVEL.json.gz` for each level, of the form that `ggp.exporters.vgdl.record` says
(`GVGAI_HOME` must name a checkout: see `ggp.engines.gvgai`). What a sprite holds is not seen there.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from ggp.exporters.vgdl.gvgai import written
from ggp.exporters.vgdl.gvgai.judging import read_once
from ggp.exporters.vgdl.play import Engine
from ggp.exporters.vgdl.record import Build, packed, record
from ggp.exporters.vgdl.sheet import split
from ggp.files.writing import write_whole
from ggp.model import Cell


class Seen:
    """A level of which it is not told what sprites hold."""

    def __init__(self, level: Engine) -> None:
        self.level = level

    @property
    def ended(self) -> bool:
        """Is the level over?"""
        return self.level.ended

    @property
    def won(self) -> bool | None:
        """Was it won?"""
        return self.level.won

    def tick(self, key: str = "noop") -> None:
        """Play one step."""
        self.level.tick(key)

    def sprites(self, keys: Iterable[str] | None = None) -> dict[str, tuple[Cell, ...]]:
        """Where the sprites of each type, or of these, stand."""
        return self.level.sprites(keys)

    def resources(
        self, keys: Iterable[str] | None = None
    ) -> dict[str, tuple[tuple[Cell, str, int | float], ...]]:
        """Nothing that is seen."""
        return {}


def seen(build: Callable[[str, str], Engine]) -> Build:
    """The same engine without what sprites hold."""
    return lambda game, level_map: Seen(build(game, level_map))


def sorts(text: str) -> tuple[list[str], list[str]]:
    """The sprite types of a text: those that can change, and those that stand still."""
    game = read_once(split(text)[0])
    acting = {effect.actor for effect in game.effects}
    acting |= {str(effect.args.get(word)) for effect in game.effects for word in ("stype", "stypeTo")}
    still = [
        one.key for one in game.sprites if one.base == "Immovable" and not acting.intersection(one.stypes)
    ]
    return [one.key for one in game.sprites if one.key not in still], still


def main(arguments: list[str] | None = None) -> None:
    """Record levels, as the head of this module says."""
    from ggp.engines import gvgai
    from ggp.language import levels

    parser = argparse.ArgumentParser(description="Record in GVGAI what exports do there.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("levels", nargs="+", metavar="GAME/LEVEL")
    parser.add_argument("--turns", type=int, default=60)
    options = parser.parse_args(arguments)
    with gvgai.opened() as process:
        for name in options.levels:
            one = levels.load(name)
            recording = record(one, seen(process.build), options.turns, written(one), sorts)
            write_whole(options.folder / f"{name.replace('/', '-')}.json.gz", packed(recording))


if __name__ == "__main__":
    main()
