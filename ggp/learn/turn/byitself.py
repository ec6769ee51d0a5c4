"""The rules of what happens by itself, from boards before and after it."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.elsewhere import learn_with_signs, learned_from
from ggp.learn.turn.inline import learn_in_line
from ggp.learn.turn.inorder import learn_in_order
from ggp.learn.turn.loops import learn_loop, learn_repeated


def physics_of(
    idle: Sequence[Turn], structure: Structure, limits: Sequence[float]
) -> Program | Passes | None:
    """The rules of what happens by itself; None where none explain it."""
    loop = learn_loop(idle, structure, None)
    if loop is not None:
        return loop
    repeated = learn_repeated(idle, structure, limits)
    if repeated is None:
        return one_pass_or_in_order(idle, structure, limits)
    return learned_from(idle, structure, (repeated.cost,)) or repeated


def one_pass_or_in_order(
    steps: Sequence[Turn] | None, structure: Structure, limits: Sequence[float]
) -> Program | Passes | None:
    """What happens by itself, in an order where things come to one cell; None where no rules say that."""
    for learn in (learn_in_order, learn_with_signs, learn_in_line) if steps else ():
        try:
            return learn(steps or (), structure, limits=limits)
        except NotLearned:
            continue
    return None
