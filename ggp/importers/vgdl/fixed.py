"""What values in a VGDL text are, and what all that is made of it has in common."""

from __future__ import annotations

from typing import Self

Vector = tuple[int, int]
"""Rows down, columns right."""

Value = str | int | float | bool | None | Vector


class Fixed:
    """What never changes need not be copied with a level."""

    __slots__ = ()

    def __deepcopy__(self, memo: object) -> Self:
        return self
