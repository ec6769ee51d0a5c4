"""All go at once, and what has come together then is changed by that: frogs among carts, the turn of VGDL.

Who walks in front of a cart and who walks into water is gone by the end of the turn, and so is what would
show where both had come. So there are three passes, each learned from what the others leave: the actor's
step, from what it was seen to do and is supposed to have done where it was taken; what goes on by itself,
from turns with as many of everything before as after; and what comes of meeting, from all turns.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, known_once, pointed
from ggp.learn.fit.program import Passes, in_a_row
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.steady import busy, net_of
from ggp.learn.turn.evidence.taken import Split, is_taken, supposed_steps
from ggp.learn.turn.in_parts.driven import alone, driven
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS

LITTLE = 6e6  # work on all three: each is small


def learn_colliding(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """A step, what goes on by itself, and what comes of meeting; raises NotLearned.

    Asked only where an actor was taken while other things changed.
    """
    actor = None if pointed(turns) else actor_of(turns, structure)
    if actor is not None and any(is_taken(turn, structure, actor) for turn in turns):
        with account(LITTLE):
            for split in (alone, driven):
                found = three_passes(turns, structure, actor, split, limits)
                if found is not None:
                    return found
    raise NotLearned("no steps and what comes of meeting explain a turn", "record the boards inside a turn")


def three_passes(
    turns: Sequence[Turn], structure: Structure, actor: str, split: Split, limits: Sequence[float]
) -> Passes | None:
    """The three passes, with one notion of what the actor takes along; None where they do not say all."""
    steps = known_once(supposed_steps(turns, structure, actor, split))
    step = learned_from(steps, structure, limits)
    rest = left_by(step, turns) if step is not None else None
    going = [turn for turn in rest or () if not net_of(turn, structure)]
    if step is None or rest is None or not busy(going):
        return None
    goes_on = learned_from(known_once(going), structure, limits)
    ends = left_by(goes_on, rest) if goes_on is not None else None
    meeting = learned_from(ends, structure, limits)
    if goes_on is None or meeting is None:
        return None
    passes = in_a_row(structure, (step, goes_on, meeting))
    return None if any(map(passes.wrong, turns)) else passes
