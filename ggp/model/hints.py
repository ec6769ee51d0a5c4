"""What a description may tell solvers beside its meaning: where to begin. No answer depends on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ggp.errors import Place

Order = Literal["first", "smallest-domain"]
First = Literal["lowest", "highest"]
ORDERS: tuple[Order, ...] = ("first", "smallest-domain")
FIRSTS: tuple[First, ...] = ("lowest", "highest")


@dataclass(frozen=True, slots=True)
class Hints:
    """Which kinds to decide before all else, which of their cells next, and which value of a cell first.

    `first` goes through the cells row by row; `smallest-domain` takes the one with the fewest values left.
    """

    decide: tuple[str, ...]
    order: Order = "first"
    values: First = "lowest"
    place: Place | None = field(default=None, compare=False)
