"""Source: an encoding, and the hints of its description. Target: the variables to decide first, and how.

Nothing is posted: it travels beside the constraints, as an annotation or a strategy of the solver.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.encoding.constraints import Encoding
from ggp.model.hints import First, Order


class Strategy(NamedTuple):
    """Variables in the order of their cells, which of them is next, and which value it gets first."""

    variables: tuple[int, ...]
    order: Order
    values: First


def strategy(encoding: Encoding) -> Strategy | None:
    """What the hints say of the variables that are still open; None where they say nothing."""
    hints = encoding.instance.game.hints
    if hints is None:
        return None
    settled = encoding.settled
    open_ones = [
        number
        for number in encoding.decisions
        if number not in settled and encoding.variables[number].name in hints.decide
    ]
    # A kind after the other, as the hints name them; within one, as they were made: row by row.
    ranks = {name: rank for rank, name in enumerate(hints.decide)}
    open_ones.sort(key=lambda number: ranks[encoding.variables[number].name])
    return Strategy(tuple(open_ones), hints.order, hints.values) if open_ones else None
