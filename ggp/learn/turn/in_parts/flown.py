"""What faces a way goes on first, then the actor acts, then what has come together is gone: shots in VGDL.

What was shot flies to a wall, an imp or over the edge, and is gone there by the end of the turn, as is what
is shot right where it is made. So what goes on by itself is learned from turns in which nothing else but the
actor changed and as many are there as before, but for what stood at an edge and looked over it. What that
leaves is a step of the actor, seen or supposed, and what comes of meeting; and with that known, whatever else
inputs do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Token, Turn, known_once, pointed, without
from ggp.learn.fit.program import Passes, Program, in_a_row, pointing
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.between import known_after, left_by
from ggp.learn.turn.evidence.changes import changed, changes_of
from ggp.learn.turn.evidence.halfway import Halfway
from ggp.learn.turn.evidence.idle import RESTING
from ggp.learn.turn.evidence.steady import busy, net_of
from ggp.learn.turn.evidence.taken import supposed_steps
from ggp.learn.turn.evidence.unmet import meeting
from ggp.learn.turn.in_parts.afterwards import by_what_is_often_done
from ggp.learn.turn.in_parts.driven import alone
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass
from ggp.model import OFFSETS, Cell

LITTLE = 6e6  # work on all of it: each pass is small
MOSTLY = 0.5  # of what looks over the edge


def learn_flown(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """What goes on, what inputs do, and what comes of meeting; raises NotLearned.

    Asked only where something faces a way that is not the actor.
    """
    actor = None if pointed(turns) else actor_of(turns, structure)
    if actor is not None and flying(structure, actor):
        with account(LITTLE):
            for goes_on in flights(turns, structure, actor, limits):
                rest = known_after(turns, goes_on)
                found = acting_and_meeting(rest, structure, actor, limits) if rest is not None else None
                if found is not None:
                    passes = in_a_row(found.structure, (goes_on, found))
                    if not any(map(passes.wrong, turns)):
                        return passes
    raise NotLearned("nothing that flies on before inputs explains a turn", "record the boards inside a turn")


def flying(structure: Structure, actor: str) -> dict[Token, tuple[str, str]]:
    """All that faces a way, which a number is not, and is not the actor, with its name and its way."""
    told = structure.facing.items()
    return {token: (name, way) for token, (name, way) in told if name != actor and way in OFFSETS}


def quick(steps: Sequence[Turn] | None, structure: Structure, limits: Sequence[float]) -> Program | None:
    """One small pass without conditions elsewhere; None where there is none, or nothing happens."""
    try:
        return learn_pass(steps, structure, limits=limits[:1]) if steps and busy(steps) else None
    except NotLearned:
        return None


def flights(
    turns: Sequence[Turn], structure: Structure, actor: str, limits: Sequence[float]
) -> Iterator[Program]:
    """What goes on: where all that looks over the edge is no more there, with that gone, first of all."""
    steps = going_on(turns, structure, actor)
    goes_on = quick(steps, structure, limits)
    if steps is None or goes_on is None:
        return
    leaving = [(turn, over_edge(turn, structure, actor)) for turn in turns]
    over = [(turn, some) for turn, some in leaving if some]
    gone = [token not in (turn.after.at(at) or ()) for turn, some in over for at, token in some]
    if sum(gone) > MOSTLY * len(gone):  # where its like came after it, one is there all the same
        fliers = frozenset(flying(structure, actor))
        for turn, ((at, token), *_) in over:
            empty = without(turn.before, fliers)  # in a crowd it would be as plausible that others are gone
            steps.append(Turn(changed(empty, [("+", at, token)]), None, empty))
        off = quick(known_once(steps), structure, limits)
        if off is not None:
            yield off
    yield goes_on


def going_on(turns: Sequence[Turn], structure: Structure, actor: str) -> list[Turn] | None:
    """What went on beside the actor, where nothing but what faces did, and as many were there after that.

    What looked over the edge may be gone. None where it goes two ways.
    """
    facing = {name for name, _ in flying(structure, actor).values()}
    found = []
    for turn in turns:
        others = [one for one in changes_of(turn) if structure.name(one[2]) != actor]
        step = Turn(turn.before, None, changed(turn.before, others))
        over = Counter(structure.name(one) for _, one in over_edge(turn, structure, actor) if others)
        as_many = all(over[name] == -more for name, more in net_of(step, structure))
        if plain(turn, structure) and as_many and facing.issuperset(structure.name(one[2]) for one in others):
            found.append(step)
    return known_once(found)


def plain(turn: Turn, structure: Structure) -> bool:
    """Does the input point, or is it none? Another may make something."""
    return turn.word in (None, *RESTING) or pointing(structure, turn.word) is not None


def over_edge(turn: Turn, structure: Structure, actor: str) -> list[tuple[Cell, Token]]:
    """All beside the actor that stands at an edge and faces it, with its cell."""
    found, fliers = [], flying(structure, actor)
    for index, stack in enumerate(turn.before.cells):
        row, column = divmod(index, turn.before.width)
        for token in sorted(stack & fliers.keys()):
            down, right = OFFSETS[fliers[token][1]]
            if structure.at(turn.before, (row + down, column + right)) is None:
                found.append(((row, column), token))
    return found


def acting_and_meeting(
    rest: Sequence[Turn], structure: Structure, actor: str, limits: Sequence[float]
) -> Passes | None:
    """What inputs do, and what comes of what has met by then, from turns without what goes on."""
    names = ({structure.name(one) for one in stack} for turn in rest for stack in set(turn.before.cells))
    pairs = {(one, other) for stack in names for one in stack for other in stack if one < other}
    known = meeting(structure, pairs)
    some = [turn for turn in rest if plain(turn, known)]
    step = quick(known_once(supposed_steps(some, known, actor, alone)), known, limits)
    ends = left_by(step, some) if step is not None else None
    meets = quick(ends, known, limits)
    return by_what_is_often_done(Halfway(rest, known, actor, meets), limits) if meets is not None else None
