"""What is new about states, two things at a time, in machine code: width 2, where `novelty` has width 1.

A state is new if something that just came to hold in it never came while something else held that does,
in any state that lacked as much of the goal (Lipovetzky and Geffner, "Best-first width search", 2017). So a
search that has no idea of distances still goes where things come together that were never together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.transition.native.compiling import inlined, tight

OLD = 2  # neither one thing nor two together are new
SLOTS = 1 << 26  # pairs by hash: two that share one are taken for one, which only makes a state look older
FULL = SLOTS // 2  # from then on every other pair that is new seems old
PORTION = 1 << 20  # steps between two pauses, some milliseconds; a step is a bit of a state that is looked at
# Steps that states may take on average (a tenth of a millisecond each, about what turns take), and how many
# states are allowed beforehand. Where hundreds of things come in a turn, all else would wait for this; levels
# that were solved by it took 400 to 1,400.
STEPS, SOME = 30_000, 100
ZERO, ONE, WORD = np.uint64(0), np.uint64(1), 64
NEXT, TAKEN, MARKED = 0, 1, 2  # of `counts`


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
def look(marks: Any, lacking: Any, states: Any, before: Any, oldness: Any, counts: Any) -> None:
    """Write the oldness of states: 0 where one thing is new, 1 where two together are, else `OLD`.

    `states` and `before`, which they come from: (states, words), a bit for each thing. `counts`: which thing
    is the next, of all things of all states; what steps were taken in all; how many pairs are marked. It ends
    after `PORTION` steps, though it be in the middle of a state.
    """
    words = states.shape[1]
    things, until = words * WORD, counts[TAKEN] + PORTION
    end = states.shape[0] * things
    while counts[NEXT] < end and counts[TAKEN] < until:
        state, thing = counts[NEXT] // things, counts[NEXT] % things
        word = thing // WORD
        came = (states[state, word] & ~before[state, word]) >> np.uint64(thing % WORD)
        counts[TAKEN] += 1
        if came == ZERO:
            counts[NEXT] += WORD - thing % WORD
            continue
        counts[NEXT] += 1
        if came & ONE != ZERO:
            marked = together(marks, lacking[state], thing, states[state], counts)
            oldness[state] = min(oldness[state], 1 if marked else OLD)
            if fresh(marks, lacking[state], thing, -1):
                oldness[state] = 0
                marked += 1
            counts[MARKED] += marked


@tight
def together(marks: Any, lacking: int, thing: int, holds: Any, counts: Any) -> int:
    """While how many others did this thing come for the first time?

    The other way round it is another pair, which prunes less (docs/decisions.md).
    """
    found = 0
    for word in range(holds.size):
        rest = holds[word]
        other = word * WORD
        while rest != ZERO:
            if rest & ONE != ZERO and fresh(marks, lacking, thing, other):
                found += 1
            rest >>= ONE
            other += 1
        counts[TAKEN] += other - word * WORD + 1
    return found


class Pairs:
    """Remembers, for each number of things that a goal lacks, what has held together in some state.

    `pause` is called between portions.
    """

    def __init__(self, pause: Callable[[], None]) -> None:
        self.pause = pause
        self.marks = np.zeros(SLOTS // 8, np.uint8)
        self.counts = np.zeros(3, np.int64)
        self.states = 0  # that were looked at

    @property
    def pays(self) -> bool:
        """Do states take few steps, and is there room left to tell them apart?"""
        _, taken, marked = self.counts.tolist()
        return bool(taken <= STEPS * (self.states + SOME) and marked <= FULL)

    def __call__(
        self, lacking: NDArray[np.int64], states: NDArray[np.uint64], before: NDArray[np.uint64]
    ) -> Iterator[tuple[int, int]]:
        """(number, oldness) of states in which something is new (`look`), each seen after those before.

        Some of them are left out as soon as it does not pay any more.
        """
        oldness = np.full(len(states), OLD)
        self.counts[NEXT] = 0
        sooner = self.states
        while self.counts[NEXT] < states.size * WORD and self.pays:
            look(self.marks, lacking, states, before, oldness, self.counts)
            self.states = sooner + int(self.counts[NEXT]) // (states.shape[1] * WORD)
            self.pause()
        new = np.flatnonzero(oldness < OLD)
        return zip(new.tolist(), oldness[new].tolist(), strict=True)
