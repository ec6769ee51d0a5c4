"""The view of a mover: cells named from where it looks, so that one rule serves all directions.

A mover that faces left or right sees the world mirrored, up and down staying what they are. A mover that
faces, or is sent, in four directions sees it turned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ggp.model import DIRECTIONS, OFFSETS, Cell, Path

Offset = tuple[int, int]  # (steps ahead, steps down or to the right hand); negative: behind, up, left hand


@dataclass(frozen=True, slots=True)
class Frame:
    """How a mover's surroundings are turned.

    `toward`: by its facing, by the input, or not at all; `mirrored`: only left and right change places.
    """

    toward: Literal["facing", "input", "none"]
    mirrored: bool = False

    def cell(self, at: Cell, offset: Offset, direction: str | None) -> Cell:
        """The cell at an offset from a mover that looks in a direction."""
        (ahead_row, ahead_column), (side_row, side_column) = self.axes(direction)
        ahead, side = offset
        return (
            at[0] + ahead * ahead_row + side * side_row,
            at[1] + ahead * ahead_column + side * side_column,
        )

    def offset(self, at: Cell, cell: Cell, direction: str | None) -> Offset:
        """The offset of a cell from a mover that looks in a direction."""
        ahead, side = self.axes(direction)
        row, column = cell[0] - at[0], cell[1] - at[1]
        return row * ahead[0] + column * ahead[1], row * side[0] + column * side[1]

    def axes(self, direction: str | None) -> tuple[Cell, Cell]:
        """The steps that lead ahead and aside."""
        ahead = direction or "right"
        if self.mirrored or self.toward == "none":
            return OFFSETS[ahead], OFFSETS["down"]
        return OFFSETS[ahead], OFFSETS[DIRECTIONS[(DIRECTIONS.index(ahead) + 1) % 4]]

    def path(self, offset: Offset) -> Path:
        """The way to a cell in the words of the rule language."""
        ahead, side = offset
        if self.toward == "none":
            words = ("right", "left", "down", "up")
        elif self.mirrored:
            words = ("ahead", "behind", "down", "up")
        else:
            words = ("ahead", "behind", "rightward", "leftward")
        return (words[0] if ahead > 0 else words[1],) * abs(ahead) + (
            words[2] if side > 0 else words[3],
        ) * abs(side)

    def turned(self, facing: str, direction: str | None) -> str:
        """A facing as seen by a mover: `ahead`, `behind`, ..., or itself where it is not turned."""
        if direction is None or (self.mirrored and facing in ("up", "down")):
            return facing
        quarter = (DIRECTIONS.index(facing) - DIRECTIONS.index(direction)) % 4
        return ("ahead", "rightward", "behind", "leftward")[quarter]


def window(radius: int) -> list[Offset]:
    """The offsets within a radius, the nearest first."""
    span = range(-radius, radius + 1)
    offsets = [(ahead, side) for ahead in span for side in span]
    return sorted(offsets, key=lambda o: (abs(o[0]) + abs(o[1]), -o[0], -o[1]))
