"""Names for the sprites of a VGDL engine, which say what each has inside: where it faces, and what it holds.

`car:left` faces left. `car~2:left` does not move in the next two ticks, for its `cooldown`: how long ago it
moved is not on the board, but who plays has seen it. Who collects resources has a value, which says how much
of each it holds: where one resource lies about in the game `avatar:2` holds two of it, and where there are
more `avatar(key+3gem):7` holds one key and two gems, for each key counts one and each gem three. So what is
done whatever is held is one rule, and what is collected is a number more. Where who holds it faces somewhere,
or amounts have no bound, what is held is named: `avatar+2gold+key:up`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from math import prod
from typing import NamedTuple

from ggp.engines.vgdl.insides import VECTORS, Inside
from ggp.learn.boards import Token
from ggp.model import Cell

RESTS = "~"  # between the name of a sprite and the ticks in which it does not move
MOST = 36  # combinations of what can be held that are one value


class Names(NamedTuple):
    """How sprites are called in one game. `valued`: how much each resource counts in the value of `holders`.

    What counts least comes first; each counts more than all before it can be.
    """

    holders: frozenset[str]
    valued: Mapping[str, int]

    def token(self, inside: Inside) -> Token:
        """The name of a sprite."""
        value = self.value(inside) if inside.key in self.holders and inside.facing is None else None
        held = (
            inside.held if value is None else {n: k for n, k in inside.held.items() if n not in self.valued}
        )
        named = "".join(f"+{number if number != 1 else ''}{name}" for name, number in sorted(held.items()))
        end = inside.facing if value is None else str(value)
        return (
            inside.key
            + (f"{RESTS}{inside.rest}" if inside.rest else "")
            + (self.sum if value is not None else "")
            + named
            + (f":{end}" if end is not None else "")
        )

    @property
    def sum(self) -> str:
        """What values of several resources count, as a part of a name."""
        terms = (f"{count if count != 1 else ''}{name}" for name, count in self.valued.items())
        return f"({'+'.join(terms)})" if len(self.valued) > 1 else ""

    def value(self, inside: Inside) -> int | None:
        """What a sprite holds as one number; None where it is none, or would be another's."""
        amounts = [inside.held.get(name, 0) for name in self.valued]
        counts = list(self.valued.values())
        if not amounts or not all(isinstance(amount, int) and amount >= 0 for amount in amounts):
            return None
        for number, more in enumerate(counts[1:]):
            if amounts[number] * counts[number] >= more:
                return None
        return sum(int(amount) * count for amount, count in zip(amounts, counts, strict=True))

    def inside(self, token: Token, cell: Cell) -> Inside:
        """The sprite that goes by a name, in a cell."""
        stem, _, end = token.partition(":")
        stem, _, named = stem.replace(self.sum, "", 1).partition("+") if self.sum else stem.partition("+")
        stem, _, rest = stem.partition(RESTS)
        held: dict[str, int | float] = dict(map(amount_of, named.split("+"))) if named else {}
        if end.isdecimal():
            left = int(end)
            for name, count in reversed(list(self.valued.items())):
                amount, left = divmod(left, count)
                held |= {name: amount} if amount else {}
        return Inside(stem, cell, end if end in VECTORS else None, held, int(rest or 0))


@cache
def type_of(token: Token) -> str:
    """The type in a token, without what the sprite has inside."""
    return token.partition(":")[0].partition("(")[0].partition("+")[0].partition(RESTS)[0]


def amount_of(part: str) -> tuple[str, int]:
    """What is held, and how much of it."""
    number, name = re.fullmatch(r"(\d*)(.*)", part, re.DOTALL).groups()  # type: ignore[union-attr]
    return name, int(number or 1)


def names_of(
    holders: frozenset[str], collected: frozenset[str], limits: Mapping[str, int | float] | None = None
) -> Names:
    """Names for a game in which these types hold what is collected, so much of each at most."""
    bound = {name: limits[name] for name in sorted(collected) if name in (limits or {})} if limits else {}
    free = sorted(collected - bound.keys())
    sizes = {name: int(most) + 1 for name, most in bound.items() if float(most).is_integer() and most >= 0}
    if len(free) > 1 or len(sizes) < len(bound) or prod(sizes.values()) > MOST:
        return Names(holders, {})
    valued, count = dict[str, int](), 1
    for name in (*sizes, *free):
        valued[name], count = count, count * sizes.get(name, 1)
    return Names(holders, valued)
