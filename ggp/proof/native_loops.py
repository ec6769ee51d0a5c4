"""The loops of `ggp.proof.loops` as machine code; imported only where proofs are long.

Each is compiled from the very same text, with the compiled others in its reach.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ggp.proof import loops
from ggp.proof.loops import DONE, KNOWN, PROVED, STEPS, Tables
from ggp.transition.native.compiling import compiled

__all__ = ["DONE", "KNOWN", "PROVED", "STEPS", "Tables", "load", "read"]


def machine(function: Any) -> Any:
    """The compiled loop; what it calls is looked up in this module."""
    return compiled(FunctionType(function.__code__, globals(), function.__name__))


assign = machine(loops.assign)
retract = machine(loops.retract)
other_place = machine(loops.other_place)
propagate = machine(loops.propagate)
refuted = machine(loops.refuted)
holds_literal = machine(loops.holds_literal)
harmless = machine(loops.harmless)
follows = machine(loops.follows)
add = machine(loops.add)
load = machine(loops.load)
read = machine(loops.read)
