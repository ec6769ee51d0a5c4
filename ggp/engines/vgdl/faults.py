"""What can go wrong while a VGDL game is played."""

from __future__ import annotations

from ggp.errors import PuzzleError


class VgdlFault(PuzzleError):
    """The game did something at which py-vgdl would stop with an exception, or leave the grid."""


class VgdlEndless(VgdlFault):
    """An effect feeds itself: py-vgdl would make sprites until the memory is full."""
