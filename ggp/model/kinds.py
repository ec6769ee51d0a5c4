"""What can stand in a cell, and how it is named. Cells are pairs (row, column) from 0 at the top left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from ggp.errors import Place

Cell = tuple[int, int]
DIRECTIONS = ("up", "right", "down", "left")  # the order in which a rule is turned
OFFSETS: Mapping[str, Cell] = MappingProxyType(
    {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
)
# Quarter turns clockwise from the direction that `ahead` stands for.
RELATIVE: Mapping[str, int] = MappingProxyType({"ahead": 0, "rightward": 1, "behind": 2, "leftward": 3})

Amount = int | str
"""A number, or the name of one of the level's numbers (`horizon`, `budget`, `height`, `width`, ...)."""


class Piece(NamedTuple):
    """Something that stands in a cell: a kind and, where the kind has one, its variant.

    The variant is a facing (`"left"`) or a value (`7`). Pieces are written `crate`, `lemming:left`,
    `digit:7`.
    """

    kind: str
    variant: str | int | None = None

    def __str__(self) -> str:
        return self.kind if self.variant is None else f"{self.kind}:{self.variant}"


@dataclass(frozen=True, slots=True)
class Kind:
    """What can stand in a cell. A kind has facings, or values, or neither.

    `values` are inclusive bounds. `count` bounds how many a level's map must hold (None: any number).
    """

    name: str
    layer: str
    facings: tuple[str, ...] = ()
    values: tuple[Amount, Amount] | None = None
    merge: bool = False  # two of the same facing that meet become one
    marker: bool = False  # vanishes at the end of the turn
    hidden: bool | str = False  # not seen by the player: never, or where such a kind or class stands, too
    count: tuple[int, int | None] | None = None
    tile: str = ""  # the name of a picture in ggp/render/tiles
    colour: str = ""
    place: Place | None = field(default=None, compare=False)
    narrow: bool = False  # for pictures: rows and columns between the cells cross where it stands


@dataclass(frozen=True, slots=True)
class Class:
    """A name for several kinds. One that depends on the direction has members per direction."""

    name: str
    members: tuple[str, ...] = ()
    by_direction: tuple[tuple[str, tuple[str, ...]], ...] = ()
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Value:
    """What a rule variable over values (`$n`) stands for, and so much more: `$n + 1`."""

    name: str
    plus: int = 0

    def __str__(self) -> str:
        return f"${self.name}" + (f" {'+' if self.plus > 0 else '-'} {abs(self.plus)}" if self.plus else "")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind or class as a rule names it, with the variant asked for.

    `variant` is None (any), a facing, a value, or a relative facing (`ahead`, `behind`, ...).
    `bound` marks a rule variable over the class (`$colour`): the same kind wherever it stands in the rule.
    `computed` is a value that a rule variable tells (`tile:$n + 1`); then there is no `variant`.
    """

    name: str
    variant: str | int | None = None
    bound: bool = False
    computed: Value | None = None
