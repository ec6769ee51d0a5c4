"""Ways of learning that are asked beside a plain one, and heard where that does not say the same shorter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.pruned import PLAIN
from ggp.learn.turn.in_parts.aftermath import learn_aftermath
from ggp.learn.turn.in_parts.afterwards import learn_afterwards
from ggp.learn.turn.in_parts.knocked import learn_knocked
from ggp.learn.turn.loop.loops import learn_loop
from ggp.learn.turn.loop.sent import learn_sent
from ggp.learn.turn.loop.setting_off import learn_step_and_loop
from ggp.learn.turn.one_pass.apart import learn_apart
from ggp.learn.turn.one_pass.elsewhere import learn_with_signs
from ggp.learn.turn.one_pass.events import ALONE, LIMITS, learn_pass
from ggp.learn.turn.one_pass.faraway import learn_far
from ggp.learn.turn.one_pass.inline import learn_near_or_in_line
from ggp.learn.turn.one_pass.supported import hardly_seen
from ggp.learn.turn.searched.nodes import LONG
from ggp.learn.turn.ways import ENOUGH

LITTLE = 2e6  # on one pass, before what is likelier but takes long
MEETING = 0.5  # the size of a pair that is let meet in the middle of a turn, though no board shows the two so

Found = TypeVar("Found", bound=Program | Passes)


def soon_in_one(turns: Sequence[Turn], structure: Structure) -> Program:
    """One pass that a little work finds; raises NotLearned. Who bars the way may be eaten, or a door."""
    with account(LITTLE):
        return learn_near_or_in_line(turns, structure, LIMITS[:1])


def shorter_in_passes(
    special: Callable[..., Found], turns: Sequence[Turn], structure: Structure
) -> Found | None:
    """A step and what goes on after it, or what is counted, where no plain pass says the same shorter.

    One pass can say all slides that were seen, with a decision for each number of cells. So one that is long,
    with decisions that few turns speak for, does not say it shorter. What passes let meet, against all that
    was seen, must be worth it: two players would meet there, too.
    """
    try:
        stepped = special(turns, structure, LIMITS[:1])
    except NotLearned:
        return None
    if stepped.cost > LONG:  # no single pass says that soon
        return stepped
    most = stepped.cost + MEETING * len(structure.apart - stepped.structure.apart)
    try:
        with account(ENOUGH):  # what one pass says shortly is soon found
            whole = learn_pass(turns, structure, limits=(most,))
    except NotLearned:
        return stepped
    return None if whole.cost <= most and not hardly_seen(whole, turns) else stepped


def shorter_with_a_call(turns: Sequence[Turn], structure: Structure) -> Program | Passes | None:
    """What happens far from its cause as call and answer, or what says the same shorter; None where neither.

    It is looked for first, for it is small or nothing, and says how small anything else must be.
    """
    try:
        called = learn_far(turns, structure, LIMITS[:1])
    except NotLearned:
        return None
    for learn in (learn_pass, learn_with_signs, learn_afterwards):
        try:
            other = learn(turns, structure, limits=(called.cost,))
        except NotLearned:
            continue
        if other.cost < called.cost:
            return other
    return called


def shorter_apart(turns: Sequence[Turn], structure: Structure) -> Program | None:
    """Rules for each sort of input by itself, or one pass that says the same shorter; None where neither."""
    try:
        apart = learn_apart(turns, structure, LIMITS[:1])
    except NotLearned:
        return None
    try:
        whole = learn_pass(turns, structure, limits=(apart.cost,))
    except NotLearned:
        return apart
    return whole if whole.cost < apart.cost else apart


def short_loop(turns: Sequence[Turn], structure: Structure) -> Program | Passes | None:
    """A loop, or a first step and what goes on after it, where that says shorter what a long loop does.

    Who goes off from where others stop needs a decision for each sort of place in a loop alone.
    """
    loop = learn_loop(turns, structure, None)
    if loop is None:
        return None
    found: list[Program | Passes] = [loop]
    for special in (learn_step_and_loop, learn_knocked, learn_sent) if loop.cost > PLAIN else ():
        try:
            found.append(special(turns, structure, LIMITS[:1]))
        except NotLearned:
            continue
    return min(found, key=lambda one: one.cost)


def learn_followed(turns: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Program | Passes:
    """A deed and what comes of it, or one pass that says the same shorter; raises NotLearned.

    One pass can say all that was seen to vanish, with a decision for each such turn.
    """
    followed = learn_aftermath(turns, structure, limits)
    try:
        whole = learn_pass(turns, structure, limits=(followed.cost / ALONE,))
    except NotLearned:
        return followed
    return whole if whole.cost < followed.cost else followed
