"""The levels beside the one that is played: those of its game, or of the file it came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ggp.errors import PuzzleError
from ggp.model import Instance


@dataclass
class Shelf:
    """Names of levels, at which of them one is, and what opens one."""

    names: Sequence[str]
    at: int
    load: Callable[[str], Instance]

    def turned(self, by: int) -> Instance:
        """The level so many further on. Raises PuzzleError where there is none."""
        to = self.at + by
        if not 0 <= to < len(self.names):
            end, other = ("last", "<") if by > 0 else ("first", ">")
            raise PuzzleError(f"this is the {end} level", f"{other} goes the other way")
        instance = self.load(self.names[to])
        self.at = to
        return instance


def shelf_of(name: str) -> Shelf | None:
    """The shelf on which a level `GAME/LEVEL` stands; None for one that stands alone."""
    from ggp.language import levels

    game, slash, _ = name.partition("/")
    if not slash or game not in levels.games():
        return None
    names = levels.levels(game)
    return Shelf(names, names.index(name), levels.load) if name in names and len(names) > 1 else None
