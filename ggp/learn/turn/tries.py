"""All ways of learning a turn, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.idle import goes_on_alone, happens_alone
from ggp.learn.turn.in_parts.aftermath import learn_aftermath
from ggp.learn.turn.in_parts.afterwards import learn_afterwards
from ggp.learn.turn.in_parts.behind import learn_behind
from ggp.learn.turn.in_parts.colliding import learn_colliding
from ggp.learn.turn.in_parts.composed import learn_composed
from ggp.learn.turn.in_parts.derived import learn_derived
from ggp.learn.turn.in_parts.driven import learn_driven
from ggp.learn.turn.in_parts.exchanged import learn_exchanged
from ggp.learn.turn.in_parts.filled import learn_filled
from ggp.learn.turn.in_parts.flown import learn_flown
from ggp.learn.turn.in_parts.heeded import WORK as ON_MOVES
from ggp.learn.turn.in_parts.heeded import goes_on_with_moves, learn_heeded, learn_unless_stopped, stops
from ggp.learn.turn.in_parts.knocked import learn_knocked
from ggp.learn.turn.in_parts.mended import learn_mended
from ggp.learn.turn.in_parts.pushed import learn_pushed, learn_pushed_first
from ggp.learn.turn.in_parts.settled import learn_settled
from ggp.learn.turn.in_parts.slid import learn_slid
from ggp.learn.turn.in_parts.sunk import learn_sunk
from ggp.learn.turn.in_parts.taking import learn_taking
from ggp.learn.turn.in_parts.together import learn_together
from ggp.learn.turn.in_parts.trodden import learn_trodden
from ggp.learn.turn.in_parts.unbarred import learn_unbarred
from ggp.learn.turn.in_parts.undone import learn_undone
from ggp.learn.turn.loop.deflected import learn_deflected
from ggp.learn.turn.loop.sent import learn_sent
from ggp.learn.turn.loop.setting_off import learn_step_and_loop
from ggp.learn.turn.one_pass.abreast import learn_abreast
from ggp.learn.turn.one_pass.around import learn_around
from ggp.learn.turn.one_pass.counting import learn_counting
from ggp.learn.turn.one_pass.elsewhere import learn_with_signs
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass
from ggp.learn.turn.one_pass.faraway import learn_far
from ggp.learn.turn.one_pass.first_found import learn_first_found
from ggp.learn.turn.one_pass.inline import ON_ALL, learn_in_line, learn_near_or_in_line
from ggp.learn.turn.one_pass.jostling import learn_jostling
from ggp.learn.turn.one_pass.kinds import learn_kinds
from ggp.learn.turn.one_pass.supported import learn_supported
from ggp.learn.turn.searched.learning import learn_promising, learn_searched
from ggp.learn.turn.searched.nodes import long
from ggp.learn.turn.shorter import (
    learn_followed,
    short_loop,
    shorter_apart,
    shorter_in_passes,
    shorter_with_a_call,
    soon_in_one,
)
from ggp.learn.turn.ways import LATE, Try, Ways

SMALL, LARGE = LIMITS[:1], LIMITS[1:]  # sizes that are looked for at first and at last
SOME = 1e7  # on what is often found with no more than that: loops, two passes, deeds with a mark
SEARCHED = 6e7  # on passes that are searched for, which are given up sooner where many turns are left
PLENTY = 3e7  # on kinds told apart, which is little for each


@dataclass(frozen=True)
class Question:
    """What ways of learning are asked: the rules of some turns."""

    turns: Sequence[Turn]
    structure: Structure

    def way(self, learn: Callable[..., Program | Passes], limits: Sequence[float], order: int = LATE) -> Try:
        """A way that looks for rules up to some sizes."""
        asked = partial(learn, self.turns, self.structure, limits=limits)
        return Try(asked, partial(learn, limits=limits), order)

    def passes(
        self,
        special: Callable[..., Program | Passes],
        work: float = SOME,
        *,
        plain: bool = False,
        kept: bool = True,
    ) -> Try:
        """A way that looks for passes of one shape, where no plain pass is shorter; may it be remembered?"""
        asked = partial(shorter_in_passes, special, self.turns, self.structure)
        return Try(asked, partial(special, limits=SMALL) if kept else None, work=work, plain=plain)

    def plainly(
        self,
        learn: Callable[..., Program | Passes | None],
        again: Callable[..., Program | Passes] | None = None,
        work: float = 0.0,
    ) -> Try:
        """A way that knows by itself what it looks for."""
        return Try(partial(learn, self.turns, self.structure), again, work=work)


def tries(
    turns: Sequence[Turn], structure: Structure, ways: Ways, *, scouting: bool = False
) -> Iterator[Try]:
    """All ways of learning, in their order; `scouting`: those that are asked of some of the turns alone."""
    asked = Question(turns, structure)
    taking = asked.passes(learn_taking)  # asked once, where it comes first
    if ways.nearly is not None and not (ways.hasty or long(ways.steps)):  # what is long goes on by itself
        yield Try(partial(learn_mended, turns, ways.nearly), work=SOME, plain=True, sure=True)
    yield asked.passes(learn_counting)
    yield asked.passes(learn_together)
    yield asked.plainly(short_loop, work=SOME)
    yield asked.passes(learn_jostling)
    yield asked.passes(learn_abreast)
    yield asked.passes(learn_filled)
    if not (ways.hasty or scouting):  # what comes after it takes long where there is much to be said
        yield searching(asked, ways)[0]
    yield asked.passes(learn_pushed, plain=True)
    yield asked.passes(learn_sunk, plain=True)
    if not ways.hasty and happens_alone(turns, structure):  # where nothing flies all end at once
        yield from flying(asked)
    with_moves = not ways.hasty and goes_on_with_moves(turns, structure)
    if with_moves:
        yield asked.way(learn_heeded, SMALL)._replace(work=ON_MOVES)
    if not ways.hasty:
        yield from going_on(asked, taking)
    yield from in_a_row(asked, ways)
    yield from in_one(asked, taking)
    if not (ways.hasty or scouting):
        yield searching(asked, ways)[1]
    if not ways.hasty:
        yield from at_last(asked, with_moves)


def searching(asked: Question, ways: Ways) -> tuple[Try, Try]:
    """The search for passes, and the same once more where it has nearly all, with guesses.

    It goes on from what it found, and keeps its place with more turns.
    """
    if not ways.searchers:  # always the same ones for the same turns
        ways.searchers = partial(learn_searched, ways), partial(learn_promising, ways)
    first, then = ways.searchers
    return asked.passes(first, SEARCHED, plain=True), asked.passes(then, SEARCHED, plain=True)


def flying(asked: Question) -> Iterator[Try]:
    """Ways for what flies until it meets something, and for turns that are taken back then."""
    undone = asked.way(learn_undone, SMALL)._replace(work=2 * SOME)
    stopping = stops(asked.turns, asked.structure)  # of such turns nothing that is never barred tells
    for special in (learn_unbarred, learn_unless_stopped):
        if stopping == (special is learn_unbarred):
            yield undone
        yield asked.passes(special)


def going_on(asked: Question, taking: Try) -> Iterator[Try]:
    """Ways for what happens by itself, beside what is done."""
    if happens_alone(asked.turns, asked.structure):
        yield asked.passes(learn_flown)
    if goes_on_alone(asked.turns, asked.structure):
        yield asked.passes(learn_colliding, kept=False)
    elif happens_alone(asked.turns, asked.structure):
        yield asked.plainly(soon_in_one)
    else:
        return
    yield taking
    yield asked.passes(learn_afterwards, 2 * SOME)


def in_a_row(asked: Question, ways: Ways) -> Iterator[Try]:
    """Ways for passes in a row, each of a shape of its own."""
    for special in (learn_derived, learn_step_and_loop, learn_knocked, learn_sent, learn_deflected):
        yield asked.passes(special, kept=False)
    yield asked.passes(learn_slid, 2 * SOME, kept=False)
    yield asked.passes(learn_pushed_first, plain=True)
    yield asked.passes(learn_settled)
    yield asked.passes(learn_behind)
    yield asked.passes(learn_first_found, kept=False)
    if not ways.hasty:
        yield asked.plainly(shorter_with_a_call, partial(learn_far, limits=SMALL))
        yield asked.plainly(shorter_apart)


def in_one(asked: Question, taking: Try) -> Iterator[Try]:
    """Ways for one pass that is not long, and for the two that are likeliest after it."""
    yield asked.plainly(soon_in_one, partial(learn_near_or_in_line, limits=SMALL))
    supported = asked.way(learn_supported, LARGE)
    yield supported._replace(again=partial(learn_near_or_in_line, limits=LARGE), sure=True)
    yield asked.way(learn_near_or_in_line, SMALL, 0)._replace(work=SOME)
    yield taking
    yield asked.passes(learn_composed)
    yield asked.way(learn_around, SMALL)
    yield asked.way(learn_with_signs, SMALL, 1)


def at_last(asked: Question, with_moves: bool) -> Iterator[Try]:
    """Ways that take long, and one long pass."""
    yield asked.way(learn_driven, SMALL)._replace(work=SOME)
    if not with_moves:
        yield asked.way(learn_heeded, SMALL)._replace(work=SOME)
    yield asked.way(learn_afterwards, SMALL, 2)._replace(work=SOME)
    yield asked.way(learn_exchanged, SMALL)
    yield asked.way(learn_trodden, SMALL, 3)._replace(work=SOME)
    yield asked.way(learn_followed, LARGE, 4)._replace(again=partial(learn_aftermath, limits=LARGE))
    yield asked.way(learn_in_line, SMALL)._replace(work=ON_ALL)
    yield asked.way(learn_kinds, SMALL, 5)._replace(work=PLENTY)
    yield asked.way(learn_pass, LARGE, 6)._replace(waits=True)
    yield asked.way(learn_with_signs, LARGE, 7)._replace(waits=True)
    yield asked.way(learn_afterwards, LARGE, 8)._replace(waits=True)
