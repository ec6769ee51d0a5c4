"""Names for the sprites of a VGDL engine, which say what each has inside: where it faces, and what it holds.

`car:left` faces left. Where one resource lies about in the game, who collects it has a value: `avatar:2`
holds two. Where there are several, or who holds it faces somewhere, what is held is named: `avatar+key`,
`avatar+2gold+key:up`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ggp.engines.vgdl.insides import VECTORS, Inside
from ggp.learn.boards import Token
from ggp.model import Cell


class Names(NamedTuple):
    """How sprites are called in one game. `valued`: what the types of `holders` have as a value."""

    holders: frozenset[str]
    valued: str | None

    def token(self, inside: Inside) -> Token:
        """The name of a sprite."""
        value = self.valued if inside.key in self.holders and inside.facing is None else None
        held = [f"+{n if n != 1 else ''}{name}" for name, n in sorted(inside.held.items()) if name != value]
        end = inside.facing if value is None else str(inside.held.get(value, 0))
        return inside.key + "".join(held) + (f":{end}" if end is not None else "")

    def inside(self, token: Token, cell: Cell) -> Inside:
        """The sprite that goes by a name, in a cell."""
        stem, _, end = token.partition(":")
        key, *parts = stem.split("+")
        held: dict[str, int | float] = dict(map(amount_of, parts))
        if self.valued is not None and end.isdecimal() and int(end):
            held[self.valued] = int(end)
        return Inside(key, cell, end if end in VECTORS else None, held)


def amount_of(part: str) -> tuple[str, int]:
    """What is held, and how much of it."""
    number, name = re.fullmatch(r"(\d*)(.*)", part, re.DOTALL).groups()  # type: ignore[union-attr]
    return name, int(number or 1)


def names_of(holders: frozenset[str], collected: frozenset[str]) -> Names:
    """Names for a game in which these types hold what is collected."""
    return Names(holders, next(iter(collected)) if len(collected) == 1 else None)
