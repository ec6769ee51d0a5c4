"""A turn in two parts, of which only the end is seen: what the input does, and what happens by itself.

What happens by itself shows alone where the input does nothing: where the actor, which goes where inputs
point, stays. From such turns its rules are learned, which do not ask for the input. What the input does is
then looked for among all that was ever seen to change near the actor: the most frequent of these after which
the rules make the board that was seen is believed. That gives a board in the middle of each turn, from which
the first part is learned; and both together must say every turn that was seen. Or it happens before the input
does anything (what was shot flies on, then is shot): then the rules themselves give the board in the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, pointed
from ggp.learn.fit.program import Passes, Program, in_a_row
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK
from ggp.learn.turn.crowd.pruned import PLAIN
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.between import known_after, left_by, saying
from ggp.learn.turn.evidence.halfway import Halfway
from ggp.learn.turn.evidence.idle import idle_turns
from ggp.learn.turn.evidence.renewed import renewed
from ggp.learn.turn.in_parts.byitself import one_pass_or_in_order, physics_of
from ggp.learn.turn.in_parts.driven import actor_first, alone, driven
from ggp.learn.turn.loop.loops import learn_loop
from ggp.learn.turn.one_pass.carried import learn_carried
from ggp.learn.turn.one_pass.elsewhere import learn_with_signs
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass

ENOUGH = 0.8  # of the turns, that are said by what is often done and what happens by itself, to go on with it
NEARLY = 0.97  # of the turns: what says so many may be large where it is learned again from all of them


class Half(NamedTuple):
    """What happens by itself, and turns that the rest is learned from. `first`: it comes before the rest."""

    physics: Program | Passes
    steps: Sequence[Turn] | None
    first: bool

    def other(
        self, learn: Callable[..., Program], structure: Structure, limits: Sequence[float]
    ) -> Program | None:
        """What the input does, learned so; None where it is not."""
        try:
            return learn(self.steps, structure, limits=limits) if self.steps else None
        except NotLearned:
            return None

    def with_other(
        self, other: Program | None, turns: Sequence[Turn], structure: Structure, limits: Sequence[float]
    ) -> Passes | None:
        """Both parts, in their order; None where there is no other, or they do not say every turn."""
        if other is None:
            return None
        parts = (self.physics, other) if self.first else (other, self.physics)
        return telling_all(turns, structure, parts, limits)


def learn_afterwards(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """The two parts of all turns; raises NotLearned where no two say what was seen.

    What needs no conditions elsewhere is tried before all that does: looking for those takes as long again.
    """
    actor = PICK if pointed(turns) else actor_of(turns, structure)
    if actor is not None:
        tried: list[Half] = []
        idle = list(idle_turns(turns, structure, actor))
        known: list[Halfway | None] = []
        found = among(noted(middles_known(idle, turns, structure, actor, limits), known), limits)
        found = found or with_what_is_new(known, limits)
        if found is None:
            # What crowds do is hardly ever seen in so few turns. What is too large is fitted again to all.
            unknown = [some for some, halfway in zip(idle, known, strict=True) if halfway is None]
            larger = middles_known(unknown, turns, structure, actor, LIMITS[1:])
            found = among(larger, limits)
        if found is not None:
            return found
        for half in chain.from_iterable(halves(one) for one in known if one is not None):
            other = half.other(learn_pass, structure, limits)
            passes = half.with_other(other, turns, structure, limits)
            if passes is not None:
                return passes
            if other is None:
                tried.append(half)
        moved = actor_first(turns, structure, actor, limits, (driven, alone)) if actor != PICK else None
        if moved is not None:
            return moved
        for half in tried:
            other = half.other(learn_with_signs, structure, limits)
            passes = half.with_other(other, turns, structure, limits)
            if passes is not None:
                return passes
    raise NotLearned("no two passes explain what happens in a turn", "record the boards inside a turn")


def among(known: Iterable[Halfway | None], limits: Sequence[float]) -> Passes | None:
    """The smallest two parts by what is often done beside one of these; else by the fewest deeds that do.

    What is small is taken at once, for it takes long to know the others.
    """
    halfways: list[Halfway | None] = []
    for some, deeds in ((noted(known, halfways), Halfway.deeds_often), (halfways, Halfway.deeds_needed)):
        best: Passes | None = None
        for halfway in filter(None, some):
            both = by_what_is_often_done(halfway, limits, deeds)
            best = min(filter(None, (best, both)), key=lambda one: one.cost, default=None)
            if best is not None and best.cost <= PLAIN:
                return best
        if best is not None:
            return best
    return None


def with_what_is_new(known: Iterable[Halfway | None], limits: Sequence[float]) -> Passes | None:
    """The two parts where what comes is not taken in the same turn; None where these do not say all."""
    for halfway, mark in chain.from_iterable(renewed(one) for one in known if one is not None):
        found = among([halfway], limits)
        if found is not None:
            return replace(found, passing=found.passing | {mark})
    return None


def noted(known: Iterable[Halfway | None], into: list[Halfway | None]) -> Iterator[Halfway | None]:
    """Each of these as it becomes known."""
    for one in known:
        into.append(one)
        yield one


def middles_known(
    idle: Iterable[Sequence[Turn]],
    turns: Sequence[Turn],
    structure: Structure,
    actor: str,
    limits: Sequence[float],
) -> Iterator[Halfway | None]:
    """What may happen by itself, by each sort of idle turns, which gives boards in the middle."""
    found = (physics_of(some, structure, limits) for some in idle)
    yield from (Halfway(turns, structure, actor, one) if one is not None else None for one in found)


def by_what_is_often_done(
    halfway: Halfway,
    limits: Sequence[float],
    deeds: Callable[[Halfway], Iterable[Sequence[Turn]]] = Halfway.deeds_often,
    *,
    again: bool = True,
) -> Passes | None:
    """What is often done, and what that leaves of all turns; None where they do not say them.

    What happens by itself may so be known wrongly at first. The smaller one, if it makes a difference what is
    called often: what is wrong is long. Where it is still long, what is done is looked for `again`, with what
    is known by then to happen by itself.
    """
    best: Passes | None = None
    for steps in deeds(halfway):
        half = Half(halfway.physics, steps, first=False)
        deed = half.other(learn_pass, halfway.structure, limits)
        if deed is not None and saying(halfway.turns, deed, halfway.physics) >= ENOUGH:
            found = half.with_other(deed, halfway.turns, halfway.structure, limits)
            best = min(filter(None, (best, found)), key=lambda one: one.cost, default=None)
        if best is not None and best.cost <= limits[-1]:
            break
    if again and best is not None and best.cost > PLAIN:
        physics = Passes(best.structure, best.programs[1:], best.passing)
        better = Halfway(halfway.turns, halfway.structure, halfway.actor, physics)
        found = by_what_is_often_done(better, limits, deeds, again=False)
        best = min(filter(None, (best, found)), key=lambda one: one.cost)
    return best


def halves(halfway: Halfway) -> Iterator[Half]:
    """What happens by itself, with what is left to what the input does then."""
    yield Half(halfway.physics, halfway.deeds_sure(), first=False)
    yield Half(halfway.physics, halfway.deeds_done(), first=False)
    yield Half(halfway.physics, known_after(halfway.turns, halfway.physics), first=True)


def telling_all(
    turns: Sequence[Turn],
    structure: Structure,
    parts: tuple[Program | Passes, Program | Passes],
    limits: Sequence[float],
) -> Passes | None:
    """The two parts, if they say every turn; else the first with what it leaves of all turns to the second.

    Turns in which the actor stays are few. A rule of what happens by itself may ask for something that only
    these have in common, and the others say so once it is known what the input does.
    """
    passes = in_a_row(structure, parts)
    if parts[1].cost > limits[-1] or any(map(passes.wrong, turns)):
        left = left_by(parts[0], turns)
        # Idle turns may be too few to show that what fell one cell falls on until something stops it.
        second = soon_told(left, structure, limits) if left else None
        if left and second is None and saying(turns, *parts) >= NEARLY:
            second = anew(left, parts[1])
        second = second or one_pass_or_in_order(left, structure, limits)
        if second is None:
            return None
        passes = in_a_row(structure, (parts[0], second))
    return None if any(map(passes.wrong, turns)) else passes


def soon_told(left: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Program | Passes | None:
    """A loop, or what is carried by what it stands on: little work finds these or says that there is none."""
    loop = learn_loop(left, structure, None)
    if loop is None:
        with suppress(NotLearned):
            return learn_carried(left, structure, limits)
    return loop


def anew(left: Sequence[Turn], almost: Program | Passes) -> Program | None:
    """What is almost right learned again from more turns, with the same conditions elsewhere.

    It may be large: as it says nearly all, that it is so by chance is not to be feared.
    """
    try:
        return learn_pass(left, almost.structure, limits=LIMITS)
    except NotLearned:
        return None


# --- what happens by itself -------------------------------------------------------------------------------
