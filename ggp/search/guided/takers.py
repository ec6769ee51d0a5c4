"""How hard it is to get rid of pieces: the fewer rules, at so many places, take one, the harder.

So in peg solitaire pegs near the border go first, and are not left over in the end. What never changes may
keep a rule from a place; whether what changes does is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.model import Instance, Piece
from ggp.search.guided.aims import Group, Planes
from ggp.transition.bounds import Between, Bounds
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import run_program
from ggp.transition.program import CompiledRule, Transition


class Stubborn(NamedTuple):
    """Pieces of which all have to go but so many. `hard`: (pieces, rows, columns), 1 where one goes best."""

    what: Group
    number: int
    hard: NDArray[np.float64]

    def missing(self, planes: Planes) -> NDArray[np.float64]:
        """How hard those are that there are, while there are too many: (states, )."""
        found = planes[:, list(self.what.planes)]
        return np.where(
            found.sum(axis=(1, 2, 3)) > self.number, np.einsum("sprc,prc->s", found, self.hard), 0
        )


def stubborn(
    instance: Instance, pieces: Sequence[Piece], what: Group, number: int, pause: Callable[[], None]
) -> Stubborn | None:
    """How hard these are to get rid of; None where no place differs from another. `pieces`: of the planes."""
    transition = compile_instance(instance)
    takers = Takers(transition, pause)
    start = takers.anything(instance)
    run_program(takers, (*transition.turn, *transition.physics), start)
    taken = takers.counted[[transition.number[pieces[plane]] for plane in what.planes]]
    hard = np.divide(taken.max(initial=0), taken, out=np.zeros(taken.shape), where=taken > 0)
    return Stubborn(what, number, hard) if (hard > 1).any() else None


class Takers(Bounds):
    """Counts, where anything that changes may stand anywhere, the firings that take or move each piece.

    `counted`: (planes, rows, columns).
    """

    def __init__(self, transition: Transition, tick: Callable[[], None]) -> None:
        super().__init__(transition, tick)
        self.counted = np.zeros((len(transition.planes), transition.height, transition.width), np.int64)

    def anything(self, instance: Instance) -> tuple[Between, ...]:
        """The boards on which what changes may stand anywhere, and the rest stands as it does."""
        still = [0] * len(self.transition.planes)
        for row, line in enumerate(instance.level.board):
            for column, here in enumerate(line):
                for piece in here:
                    still[self.transition.number[piece]] |= self.bits.bit(row, column)
        changes = Between(self.bits.full, 0)
        dynamic = self.transition.dynamic
        return tuple(changes if plane in dynamic else Between(at, at) for plane, at in enumerate(still))

    def fired(self, rule: CompiledRule, subject: int | None, where: Between) -> Between:
        for change in rule.changes:
            if change.plane is not None:
                down, right = change.source
                self.counted[change.plane] += self.cells(self.bits.shift(where.may, (-down, -right)))
        return super().fired(rule, subject, where)

    def cells(self, board: int) -> NDArray[np.int64]:
        """A board as zeros and ones: (rows, columns)."""
        height, width = self.transition.height, self.transition.width
        return np.array(
            [[bool(board & self.bits.bit(row, column)) for column in range(width)] for row in range(height)],
            np.int64,
        )
