"""What cells are asked beyond what a window shows: are they in line with something, beside it, among so many?

Each sense is a token in the cells where it is true, which rules ask for where they ask for anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from ggp.learn.boards import Board, Token
from ggp.model import Cell

Facing = Mapping[Token, tuple[str, str]]
"""The family and the direction of tokens that have one."""


class Sense(Protocol):
    """One thing that cells are asked: a ray, a neighbour, a crowd or a region (modules of this package)."""

    @property
    def name(self) -> str:
        """What its tokens are called, whichever way they face."""

    def where(self, board: Board, facing: Facing) -> Iterator[tuple[Cell, Token]]:
        """The cells of a board that have a token of it, with that."""
