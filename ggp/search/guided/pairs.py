"""What is new about states, two things at a time, in machine code: width 2, where `novelty` has width 1.

A state is new if something that just came to hold in it never came while something else held that does,
in any state that lacked as much of the goal (Lipovetzky and Geffner, "Best-first width search", 2017). So a
search that has no idea of distances still goes where things come together that were never together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.transition.native.compiling import inlined, tight

OLD = 2  # neither one thing nor two together are new
SLOTS = 1 << 26  # pairs by hash: two that share one are taken for one, which only makes a state look older
ZERO, ONE, WORD = np.uint64(0), np.uint64(1), 64


@inlined
def fresh(marks: Any, lacking: int, thing: int, other: int) -> bool:
    """Are these two together for the first time where so much is lacking? They have been from now on."""
    mix = (thing * -0x61C8864680B583EB) ^ (lacking * 0x2545F4914F6CDD1D)
    mix ^= (mix >> 29) & 0x7FFFFFFFF
    mix = (mix ^ other) * -0x40A7B892E31B1A47
    mix ^= (mix >> 32) & 0xFFFFFFFF
    at = mix & (SLOTS - 1)
    bit = 1 << (at & 7)
    new = marks[at >> 3] & bit == 0
    marks[at >> 3] |= bit
    return bool(new)


@tight
def look(marks: Any, lacking: Any, states: Any, before: Any, oldness: Any) -> None:
    """Write the oldness of states: 0 where one thing is new, 1 where two together are, else `OLD`.

    `states` and `before`, which they come from: (states, words), a bit for each thing.
    """
    for state in range(states.shape[0]):
        old = OLD
        for word in range(states.shape[1]):
            came = states[state, word] & ~before[state, word]
            thing = word * WORD
            while came != ZERO:
                if came & ONE != ZERO:
                    if fresh(marks, lacking[state], thing, -1):
                        old = 0
                    if together(marks, lacking[state], thing, states[state]):
                        old = min(old, 1)
                came >>= ONE
                thing += 1
        oldness[state] = old


@tight
def together(marks: Any, lacking: int, thing: int, holds: Any) -> bool:
    """Did this thing come for the first time while another one held?

    The other way round it is another pair, which prunes less (docs/decisions.md).
    """
    found = False
    for word in range(holds.size):
        rest = holds[word]
        other = word * WORD
        while rest != ZERO:
            if rest & ONE != ZERO and fresh(marks, lacking, thing, other):
                found = True
            rest >>= ONE
            other += 1
    return found


class Pairs:
    """Remembers, for each number of things that a goal lacks, what has held together in some state."""

    def __init__(self) -> None:
        self.marks = np.zeros(SLOTS // 8, np.uint8)

    def __call__(
        self, lacking: NDArray[np.int64], states: NDArray[np.uint64], before: NDArray[np.uint64]
    ) -> Iterator[tuple[int, int]]:
        """(number, oldness) of states in which something is new (`look`), each seen after those before."""
        oldness = np.full(len(states), OLD)
        look(self.marks, lacking, states, before, oldness)
        new = np.flatnonzero(oldness < OLD)
        return zip(new.tolist(), oldness[new].tolist(), strict=True)
