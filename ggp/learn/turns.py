"""What a turn is: a loop of one pass where that says all that was seen, else one pass."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ggp.learn.boards import Turn
from ggp.learn.events import learn_pass
from ggp.learn.loops import learn_loop
from ggp.learn.program import Program
from ggp.learn.structure import Structure


def learn_program(turns: Sequence[Turn], structure: Structure, shake: random.Random | None = None) -> Program:
    """The smallest program that says what was seen; raises PuzzleError where none was found."""
    unique = list(dict.fromkeys(turns))
    loop = learn_loop(unique, structure, shake)
    return loop if loop is not None else learn_pass(unique, structure, shake)
