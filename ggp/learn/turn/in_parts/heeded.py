"""Nothing happens at all where an input is no move: also what happens by itself does not.

Seeds grow with each turn that is one, and not while the farmer runs against the hedge. What happens by itself
would have to ask for all that bars the actor's way. So it is learned from the turns in which something
changes; before that the actor leaves a mark if its input is a move, and all passes ask whether there is one.
An input after which nothing changes is none if these rules say that something would.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Token, Turn, pointed
from ggp.learn.fit.fitting import best_part
from ggp.learn.fit.program import Passes, Program, programs_of
from ggp.learn.fit.sights import Example
from ggp.learn.fit.toil import account
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.fliers import fliers, standing
from ggp.learn.turn.evidence.idle import bars, goes_on_alone
from ggp.learn.turn.in_parts.afterwards import learn_afterwards
from ggp.learn.turn.in_parts.driven import learn_driven
from ggp.learn.turn.in_parts.unbarred import learn_unbarred
from ggp.learn.turn.one_pass.elsewhere import while_there
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass
from ggp.learn.turn.one_pass.faraway import single

FEWEST = 3  # boards on which one input does nothing, and with another something happens far from the actor
FAR = 2  # steps from the actor that are far
NEARLY = 0.9  # of the turns: what happens by itself happens in them
WORK = 5e7  # on it where the play looks so
SOON = 1e7  # of that on one pass, before there is more: what is small is soon found
MARK = "moves"
Way = tuple[Callable[..., Program | Passes], float]
"""A way of learning, and the work that it may do."""


class Told(NamedTuple):
    """What the actor answers for in each turn, and what that tells of moves."""

    actor: str
    examples: list[Example]
    stopped: int
    share: float
    staying: int


def told(turns: Sequence[Turn], structure: Structure) -> Told | None:
    """On how many boards one input does nothing, and another something far from the actor; None without one.

    `share`: of the turns that change anything on boards where something happened far away, in how many does?
    `staying`: on how many boards does it though something bars the way that an input points?
    """
    actor = None if pointed(turns) else actor_of(turns, structure)
    if actor is None:
        return None
    examples = list(single(turns, structure, actor))
    far = [far_away(one, actor, structure) for one in examples]
    idle = {turn.before for turn in turns if turn.before == turn.after}
    busy = {one.turn.before for one, happens in zip(examples, far, strict=True) if happens}
    changing = [
        happens for one, happens in zip(examples, far, strict=True) if one.changes and one.turn.before in busy
    ]
    if len(examples) < len(turns) or not changing:
        return None
    barred = {
        one.turn.before
        for one, happens in zip(examples, far, strict=True)
        if happens and bars(one.turn, structure, actor)
    }
    return Told(actor, examples, len(idle & busy), sum(changing) / len(changing), len(barred))


def far_away(one: Example, actor: str, structure: Structure) -> bool:
    """Did something change far from where the actor was? And from where it came to, if it slid."""
    far = partial(structure.distance, one.board)
    ends = (cell for _, cell, token in one.changes if structure.name(token) == actor)
    there = [one.at, *(cell for cell in ends if far(one.at, cell) > 1)]
    return any(min(far(at, cell) for at in there) > FAR for _, cell, _ in one.changes)


def goes_on_with_moves(turns: Sequence[Turn], structure: Structure) -> bool:
    """Does what happens far away happen with nearly each move, and with nothing else?

    It does not where, while something bars the actor's way, as many boards go on as an input stops.
    """
    found = told(turns, structure)
    return found is not None and found.stopped >= max(FEWEST, found.staying + 1) and found.share >= NEARLY


def learn_heeded(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """When an input is a move, and what comes of moves; raises NotLearned where these do not say all."""
    found = told(turns, structure)
    if found is None or found.stopped < FEWEST:
        raise NotLearned("no input is refused while other things go on", "more roll-outs may help")
    changing = [turn for turn in turns if turn.before != turn.after]
    # Of turns in which something changes this asks only whether the input did nothing in many of them.
    ways = (
        *(((learn_afterwards, 2 * SOON),) if goes_on_alone(changing, structure) else ()),
        (learn_pass, SOON),
        (learn_driven, math.inf),
        (learn_afterwards, math.inf),
        (learn_pass, math.inf),
    )
    return heeding(turns, structure, found, ways, limits)


def learn_unless_stopped(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS
) -> Passes:
    """The same where what flies stops for an input, as all does after a push that is taken back."""
    found = told(turns, structure)
    if found is None or not any(stopped(turns, structure, found.actor)):
        raise NotLearned("nothing that flies stops for an input", "more roll-outs may help")
    return heeding(turns, structure, found, ((learn_unbarred, SOON),), limits)


def stops(turns: Sequence[Turn], structure: Structure) -> bool:
    """Does what flies stop at times, with all else, for an input?"""
    actor = None if pointed(turns) else actor_of(turns, structure)
    return actor is not None and any(stopped(turns, structure, actor))


def stopped(turns: Sequence[Turn], structure: Structure, actor: str) -> Iterator[Turn]:
    """Turns after which nothing is otherwise, though something stood there that else goes on by itself."""
    still = [turn for turn in turns if turn.before == turn.after]
    some = fliers(turns, structure, [actor]) if still else {}
    return (turn for turn in still if standing(turn, some))


def heeding(
    turns: Sequence[Turn], structure: Structure, found: Told, ways: Iterable[Way], limits: Sequence[float]
) -> Passes:
    """A mark of moves, and what one of some ways says of turns that change something; raises NotLearned."""
    mark = unused(structure, MARK)
    known = replace(structure, tokens=(*structure.tokens, mark))
    changing = [turn for turn in turns if turn.before != turn.after]
    for learn, most in ways:
        try:
            with account(most):
                moves: Program | Passes = learn(changing, structure, limits=limits)
        except NotLearned:
            continue
        marking = [
            one._replace(changes=frozenset({("+", one.at, mark)} if one.changes else ()))
            for one in found.examples
            if one.changes or moves.wrong(one.turn)
        ]
        parts = best_part(found.actor, marking, known, None, limits[-1])
        if parts is not None:
            asking = (while_there(one, Sign(mark)) for one in programs_of(moves))
            passing = moves.passing if isinstance(moves, Passes) else frozenset[Token]()
            passes = Passes(known, (Program(known, tuple(parts)), *asking), passing | {mark})
            if not any(map(passes.wrong, turns)):
                return passes
    raise NotLearned("no moves and what comes of them explain a turn", "record the boards inside a turn")
