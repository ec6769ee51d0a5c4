"""A turn in two parts, the deed first: what the actor does near it is learned alone, and the rest follows.

What an input does near the actor is the same few things, and is seen often; what then goes on by itself
(three in a row vanish, gates open with the last gem) is hardly ever the same twice, as the actor sees it.
So the deed is learned from the turns in which nothing rare is seen. It gives the board in the middle of each
turn, and what becomes of these boards, without the input, is learned from all turns.

Turns in which the input does nothing, from which `afterwards` learns, are not needed here: most of
what vanishes does so after something was pushed. Where more than the deed is seen in many turns, the deed
cannot be told from the rest by how often it is seen, and that module is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, in_a_row
from ggp.learn.fit.sights import view_for
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.lost import slides_of
from ggp.learn.turn.evidence.steady import busy, steady_turns
from ggp.learn.turn.in_parts.byitself import physics_of
from ggp.learn.turn.loop.loops import go_on
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.turn.one_pass.faraway import single

SHARES = (0.05, 0.02)  # of the turns in which something happens: what is seen so often is the actor's doing
FEWEST = 3  # turns that show more than the deed
MOST = 0.15  # of the turns


def learn_aftermath(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """The deed and what comes of it; raises NotLearned where these do not say what was seen."""
    for common in often_done(turns, structure):
        deed = learned_from(common, structure, LIMITS[:1])
        rest = left_by(deed, turns) if deed is not None else None
        if deed is None or rest is None or not told_apart(rest, structure):
            continue
        by_itself = physics_of(rest, structure, limits)
        if by_itself is not None:
            passes = in_a_row(structure, (deed, by_itself))
            if not any(map(passes.wrong, turns)):
                return passes
    raise NotLearned("no deed and what comes of it explain a turn", "record the boards inside a turn")


def told_apart(rest: Sequence[Turn], structure: Structure) -> bool:
    """Does little enough come of the deed for it to be told from that? What falls far is no deed."""
    number = busy(rest)
    return number >= FEWEST and (number <= MOST * len(rest) or go_on(slides_of(rest, structure).values()))


def often_done(turns: Sequence[Turn], structure: Structure) -> Iterator[list[Turn]]:
    """The turns in which what happens, as the only actor sees it, is what often does, or nothing."""
    actor = actor_of(turns, structure)
    own = list(single(turns, structure, actor)) if actor is not None else []
    view = view_for(actor or "", Frame("input"), structure, own)
    seen = [one.seen(actor or "", view)[1] for one in own]
    often = Counter(filter(None, seen))
    known = 0
    for share in SHARES:
        fewest = share * often.total()
        common = [
            one.turn
            for one, outcome in zip(own, seen, strict=True)
            if not outcome or often[outcome] >= fewest
        ]
        if known < len(common) < len(own):
            known = len(common)
            yield common
    steady = steady_turns(turns, structure) if actor is not None else []
    if known < len(steady) < len(turns):
        yield steady
