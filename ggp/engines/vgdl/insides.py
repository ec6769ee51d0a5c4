"""What a sprite has inside, beside its type and place: where it faces, what it holds, how long it rests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ggp.importers.vgdl.ontology import DIRECTIONS
from ggp.model import Cell

FACINGS = {vector: name.lower() for name, vector in DIRECTIONS.items()}
VECTORS = {name: vector for vector, name in FACINGS.items()}


class Inside(NamedTuple):
    """A sprite as it is seen from outside. `facing`: None where it has none; zeros are not held.

    `rest`: in so many of the next ticks it does not move, for its `cooldown`.
    """

    key: str
    cell: Cell
    facing: str | None
    held: Mapping[str, int | float]
    rest: int = 0


def facing_of(down: float, right: float) -> str | None:
    """The direction of an orientation, however long; None of one that is aslant or goes nowhere."""
    return FACINGS.get(((down > 0) - (down < 0), (right > 0) - (right < 0)))
