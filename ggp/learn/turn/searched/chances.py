"""When something would be done: of the boards on the way of a loop, on the first one on which it may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ggp.learn.turn.searched.worth import Places

Scores = NDArray[np.float32]


class Chances:
    """The places of each cell in each turn, from the first board of a loop to the last.

    A rule is followed as soon as its tests hold, and not again on later boards of the loop, though it would
    help there, too.
    """

    def __init__(self, tried: Sequence[Places]) -> None:
        turns, cells, rows, part = (
            np.concatenate(some)
            for some in zip(
                *((one.turns, one.cells, one.rows, np.full(len(one.rows), n)) for n, one in enumerate(tried)),
                strict=True,
            )
        )
        self.order = np.lexsort((rows, cells, turns, part))
        key = np.stack([turns, cells, part])[:, self.order]
        new = np.ones(len(turns), np.bool_)
        new[1:] = (key[:, 1:] != key[:, :-1]).any(axis=0)
        self.group = np.cumsum(new) - 1
        self.several = len(turns) > int(new.sum())

    def first(self, some: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Of some places the earliest of each cell in each turn."""
        there = np.flatnonzero(some[self.order])
        groups = self.group[there]
        new = np.ones(len(there), np.bool_)
        new[1:] = groups[1:] != groups[:-1]
        return self.order[there[new]]

    def earliest(self, value: Scores) -> Scores:
        """The values without what helps later than it might."""
        helps = value > 0
        kept = np.where(helps, np.float32(0), value)
        first = self.first(helps)
        kept[first] = value[first]
        return kept

    def worth(self, mask: bytes, value: Scores) -> float:
        """What it is worth that something is done as soon as it may be."""
        holds = np.unpackbits(np.frombuffer(mask, np.uint8), count=len(value)).astype(np.bool_)
        return float(value[self.first(holds)].sum())
