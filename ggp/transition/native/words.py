"""What compiled loops ask of a machine word."""

from __future__ import annotations

from typing import Any

import numpy as np

from ggp.transition.native.compiling import inlined

ONE, TWO, FOUR, TOP = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
PAIRS, QUADS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
OCTETS, EACH = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@inlined
def popcount(word: Any) -> int:
    """How many bits of a word are set."""
    word = word - ((word >> ONE) & PAIRS)
    word = (word & QUADS) + ((word >> TWO) & QUADS)
    word = (word + (word >> FOUR)) & OCTETS
    return int((word * EACH) >> TOP)
