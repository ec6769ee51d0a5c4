"""A slide, and what that sets off: a block that a sliding penguin runs into slides on by itself.

That is two loops one after another, of which the ends alone are seen. But in the first one nobody goes but
the actor, so what changed of it and nothing else gives the board between the two. What the slide sets off is
learned from there, with the input: one thing that is sent on its way, or else one pass.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Turn, known_once, pointed
from ggp.learn.fit.program import Passes, Program, in_a_row
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.changes import changed, changes_of
from ggp.learn.turn.loop.loops import ENOUGH, learn_loop
from ggp.learn.turn.loop.sent import sent_on
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass


def learn_knocked(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """The slide and what it sets off; raises NotLearned where these do not say what was seen."""
    actor = actor_of(turns, structure) if not pointed(turns) else None
    middles = [gone_alone(turn, structure, actor) for turn in turns] if actor is not None else []
    if sum(middle != turn.after for turn, middle in zip(turns, middles, strict=False)) >= ENOUGH:
        steps = known_once(turn._replace(after=middle) for turn, middle in zip(turns, middles, strict=True))
        slide = learn_loop(steps, structure, None) if steps is not None else None
        rest = known_once(turn._replace(before=middle) for turn, middle in zip(turns, middles, strict=True))
        second = set_off(rest, structure, limits, actor) if slide is not None and rest is not None else None
        passes = in_a_row(structure, (slide, second)) if slide is not None and second is not None else None
        if passes is not None and not any(map(passes.wrong, turns)):
            return passes
    raise NotLearned("no slide and what it sets off explain a turn", "record the boards inside a turn")


def gone_alone(turn: Turn, structure: Structure, actor: str | None) -> Board:
    """The board on which the actor is where it comes to, and nothing else has changed."""
    return changed(turn.before, (one for one in changes_of(turn) if structure.name(one[2]) == actor))


def set_off(
    rest: Sequence[Turn], structure: Structure, limits: Sequence[float], actor: str | None
) -> Program | Passes | None:
    """What comes of a slide; None where neither says it."""
    sent = sent_on(rest, structure, limits, actor)
    if sent is not None:
        return sent
    try:
        return learn_pass(rest, structure, limits=limits)
    except NotLearned:
        return None
