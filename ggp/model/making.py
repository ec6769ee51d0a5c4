"""What makers of levels are told beside the levels that are there."""

from __future__ import annotations

from dataclasses import dataclass, field

from ggp.errors import Place
from ggp.model.kinds import Piece


@dataclass(frozen=True, slots=True)
class Family:
    """Levels that are made rather than kept: an empty square board of every size within the bounds.

    `numbers` are the level's, each as (name, coefficients, divisor): with the size n a number is
    (c0 + c1 n + c2 n n + ...) / divisor.
    """

    smallest: int
    largest: int
    numbers: tuple[tuple[str, tuple[int, ...], int], ...] = ()
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Part:
    """Things that only make sense together, for makers of levels: a small map, and how many are laid."""

    rows: tuple[tuple[frozenset[Piece], ...], ...]
    count: tuple[int, int]
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Generate:
    """What makers of levels cannot see in the game's own levels.

    `effort`: the bits of decisions from which a level is of medium difficulty, and hard. `ground`: kinds of
    clues that are part of the board, not put on it later. `lines`: these are joined, and no lines cross.
    `without`: kinds of clues that are not used.
    """

    parts: tuple[Part, ...] = ()
    effort: tuple[int, int] | None = None
    ground: tuple[str, ...] = ()
    lines: bool = False
    without: tuple[str, ...] = ()
    place: Place | None = field(default=None, compare=False)
