"""The loops of `ggp.search.walking.loops` as machine code; imported only where a search takes long.

Each is compiled from the very same text, with the compiled others in its reach.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ggp.search.walking import loops
from ggp.search.walking.loops import (
    ASKS,
    BACK,
    BREAKS,
    DEPTH,
    DONE,
    LEAF,
    LEAVES,
    LIMIT,
    MANY,
    MORE,
    NOTES,
    SHORT,
    STATE,
    TURN,
    USED,
    WORDS,
)
from ggp.search.walking.world import CLEAR
from ggp.transition.native.compiling import tight

__all__ = [
    "ASKS",
    "BACK",
    "BREAKS",
    "CLEAR",
    "DEPTH",
    "DONE",
    "LEAF",
    "LEAVES",
    "LIMIT",
    "MANY",
    "MORE",
    "NOTES",
    "SHORT",
    "STATE",
    "TURN",
    "USED",
    "WORDS",
    "dig",
]


def machine(function: Any) -> Any:
    """The compiled loop; what it calls is looked up in this module."""
    return tight(FunctionType(function.__code__, globals(), function.__name__))


look = machine(loops.look)
follow = machine(loops.follow)
oldest = machine(loops.oldest)
matters = machine(loops.matters)
slot = machine(loops.slot)
alike = machine(loops.alike)
hopeless = machine(loops.hopeless)
note = machine(loops.note)
decide = machine(loops.decide)
back = machine(loops.back)
advance = machine(loops.advance)
dig = machine(loops.dig)
