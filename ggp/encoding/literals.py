"""What all constraints are made of: literals, and why a constraint is there."""

from __future__ import annotations

from typing import NamedTuple

from ggp.errors import Place
from ggp.model import Cell

Lit = int
"""The number of an atom, or, below zero, of one that does not hold."""


class Why(NamedTuple):
    """Where a constraint comes from: what it says, at which turn and cell, and the line that says so."""

    text: str
    turn: int | None = None
    cell: Cell | None = None
    place: Place | None = None

    def __str__(self) -> str:
        parts = [self.text]
        if self.cell is not None:
            parts.append(f"at {self.cell}")
        if self.turn is not None:
            parts.append(f"in turn {self.turn}")
        text = " ".join(parts)
        return f"{self.place}: {text}" if self.place is not None else text
