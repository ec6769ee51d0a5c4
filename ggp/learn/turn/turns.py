"""What a turn is: passes in a row where its inside was seen, else a loop of one pass, else one pass."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from ggp.errors import NotLearned, PuzzleError
from ggp.learn.boards import Episode, Turn, known_once, shared, turns_of
from ggp.learn.fit.memory import memory
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.toil import account, cut_off
from ggp.learn.seen.insides import Inside, insides
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.pruned import PLAIN, without_idle_decisions
from ggp.learn.turn.evidence.idle import goes_on_alone, happens_alone
from ggp.learn.turn.in_parts.aftermath import learn_aftermath
from ggp.learn.turn.in_parts.afterwards import learn_afterwards
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
from ggp.learn.turn.loop.loops import learn_loop, learn_step_and_loop, looping
from ggp.learn.turn.loop.sent import learn_sent
from ggp.learn.turn.loop.shapes import learn_shaped
from ggp.learn.turn.one_pass.abreast import learn_abreast
from ggp.learn.turn.one_pass.anywhere import shorter_with_signs
from ggp.learn.turn.one_pass.apart import learn_apart
from ggp.learn.turn.one_pass.around import learn_around
from ggp.learn.turn.one_pass.counting import learn_counting
from ggp.learn.turn.one_pass.elsewhere import learn_with_signs
from ggp.learn.turn.one_pass.events import ALONE, LIMITS, learn_pass
from ggp.learn.turn.one_pass.faraway import learn_far
from ggp.learn.turn.one_pass.first_found import learn_first_found
from ggp.learn.turn.one_pass.inline import ON_ALL, learn_in_line, learn_near_or_in_line
from ggp.learn.turn.one_pass.kinds import learn_kinds
from ggp.learn.turn.one_pass.supported import hardly_seen, learn_supported, unbelieved
from ggp.learn.turn.scouts import Scouts
from ggp.learn.turn.unexplained import learn_in_part, with_what_is_left
from ggp.learn.turn.ways import ENOUGH, LATE, Try, Ways

WORK = (4e6, 1.6e7, 6.4e7, 2.56e8)  # on each way of learning, at first and at last
ALL = 3e8  # on all of them together: some minutes, after which what is known in part is told
LITTLE = 2e6  # on one pass, before what is likelier but takes long
SOME = 1e7  # on what is often found with no more than that: loops, two passes, deeds with a mark
PLENTY = 3e7  # on kinds told apart, which is little for each
UNBELIEVED = -1  # the order in which it is told that a long pass was not believed: before all else
AHEAD = 2e7  # on a way that has rules of a part of the turns which say all of them
LONG = 1e7  # work after which it is noted what is not explained: there may not be time to find more


def learn_program(turns: Sequence[Turn], structure: Structure, shake: random.Random | None = None) -> Program:
    """The smallest program that says what was seen; raises PuzzleError where none was found."""
    unique = list(dict.fromkeys(turns))
    loop = learn_loop(unique, structure, shake)
    return loop if loop is not None else learn_pass(unique, structure, shake)


def learn_turn(
    episodes: Sequence[Episode], structure: Structure, ways: Ways | None = None
) -> Program | Passes:
    """What a turn does, from its inside where that was seen; raises PuzzleError where nothing says it."""
    turns = list(dict.fromkeys(turns_of(episodes)))
    inside = list(dict.fromkeys(insides(episodes)))
    program: Program | Passes | None = None
    if inside:
        program = learn_shaped(episodes) or loop_seen(inside, structure)
    if program is not None and not any(map(program.wrong, turns)):
        return program
    return learn_ends(turns, structure, ways)


def learn_ends(turns: Sequence[Turn], structure: Structure, ways: Ways | None = None) -> Program | Passes:
    """What a turn does, from its end alone; raises NotLearned where nothing says it.

    Where there are rules of fewer turns, and it is looked for in haste, it takes too long at some point.
    """
    ways, turns = ways if ways is not None else Ways(), shared(turns)
    with account(ways.most if ways.hasty else ALL) as spent, memory():
        program = with_edges_inferred(turns, structure, ways)
        if isinstance(program, Passes):
            program = without_idle_decisions(program, turns)
    ways.work, ways.nearly = max(ways.work, spent.work), program
    return program


def with_edges_inferred(turns: Sequence[Turn], structure: Structure, ways: Ways) -> Program | Passes:
    """The same. Where something went over an edge and came in opposite, edges join if rules say all then."""
    if structure.joined:
        try:
            return with_edges_known(turns, structure, ways)
        except NotLearned:
            structure = replace(structure, joined=False)
    return with_edges_known(turns, structure, ways)


def with_edges_known(turns: Sequence[Turn], structure: Structure, ways: Ways) -> Program | Passes:
    """The same, edges being known to join or not.

    What is wrong is long: a small program of one pass, with conditions elsewhere, or of two passes
    is looked for before a large one of one pass alone. `ways` is asked before all that takes long, and told.

    Each way has little work at first, then more: one takes minutes to say that there is nothing, where
    another has the rules after seconds. A large program of one pass waits until all ways before it are at
    their end. Where much work was in vain, the way that has small rules of a part of the turns which say all
    of them is asked next (`Scouts`).
    """
    known = ways.again(turns, structure)
    if known is not None:
        return known
    left = ways.in_order(tries(turns, structure, ways))
    refusals: dict[int, NotLearned] = {}
    toil: dict[Hashable, float] = defaultdict(float)
    scouts = Scouts(turns, structure, lambda some: tries(some, structure, ways))
    for most in WORK:
        unsettled: list[Try] = []
        while left:
            ahead = scouts.ahead([*unsettled, *left], sum(toil.values())) if not ways.hasty else None
            one = ahead if ahead is not None else left[0]
            left, unsettled = ([other for other in some if other is not one] for some in (left, unsettled))
            if one.waits and unsettled and most < WORK[-1]:
                unsettled.append(one)
                continue
            with account(max(most, one.work, AHEAD if ahead else 0)) as spent:
                said = learned(one, turns, refusals)
            toil[one.key] += spent.work
            if said is not None and (ahead is None or said.cost <= PLAIN):
                return told(one, said, turns, structure, ways, toil[one.key])
            if not one.plain:
                ways.vain.add(one.key)
            if cut_off():  # nobody may do more, and each way takes its time to find that out
                raise refused(turns, structure, ways, refusals)
            if spent.over or said is not None:
                unsettled.append(one)
            if sum(toil.values()) > LONG:
                ways.note_what_is_left(turns, structure)
        left = unsettled
    raise refused(turns, structure, ways, refusals)


def told(
    one: Try,
    said: Program | Passes,
    turns: Sequence[Turn],
    structure: Structure,
    ways: Ways,
    work: float,
) -> Program | Passes:
    """What a way of learning said, or the same shorter; the way is remembered, with the work that it took."""
    said = shorter_with_signs(said, turns, structure)
    passes, again = (said, None) if one.sure else shorter_in_two(said, turns, structure)
    ways.remember(one._replace(again=again or one.again), passes, work)
    return passes


def learned(one: Try, turns: Sequence[Turn], refusals: dict[int, NotLearned]) -> Program | Passes | None:
    """What a way of learning says; None where that is nothing, which is noted, or nothing to believe yet.

    A long pass with a decision for each case that was seen waits until all other ways are at their end.
    """
    try:
        said = one.learn()
        # To look at many turns takes work as well: where that runs out, it is asked again with more.
        if said is None or one.waits or not hardly_seen(said, turns):
            return said
        refusals[UNBELIEVED] = unbelieved()
    except NotLearned as error:
        refusals[one.order] = error
    return None


def refused(
    turns: Sequence[Turn], structure: Structure, ways: Ways, refusals: Mapping[int, NotLearned]
) -> NotLearned:
    """The first refusal, with what is left if nothing but what is often done is said."""
    if not ways.part:
        with suppress(NotLearned):
            ways.part = learn_in_part(turns, structure)
    late = NotLearned("it takes too long to find rules", "play with less going on at once may help")
    return with_what_is_left(refusals[min(refusals)] if refusals else late, ways.part)


Found = TypeVar("Found", bound=Program | Passes)


def tries(turns: Sequence[Turn], structure: Structure, ways: Ways) -> Iterator[Try]:
    """All ways of learning, in their order."""
    small, large = LIMITS[:1], LIMITS[1:]

    def way(learn: Callable[..., Program | Passes], limits: Sequence[float], order: int) -> Try:
        return Try(partial(learn, turns, structure, limits=limits), partial(learn, limits=limits), order)

    if ways.nearly is not None and not ways.hasty:
        yield Try(partial(learn_mended, turns, ways.nearly), work=SOME, plain=True, sure=True)
    counting = partial(shorter_in_passes, learn_counting, turns, structure)
    yield Try(counting, partial(learn_counting, limits=small), work=SOME)
    pushed = partial(shorter_in_passes, learn_pushed, turns, structure)
    yield Try(pushed, partial(learn_pushed, limits=small), work=SOME, plain=True)
    group = partial(shorter_in_passes, learn_together, turns, structure)
    yield Try(group, partial(learn_together, limits=small), work=SOME)
    yield Try(partial(short_loop, turns, structure), order=LATE, work=SOME)
    sunk = partial(shorter_in_passes, learn_sunk, turns, structure)
    yield Try(sunk, partial(learn_sunk, limits=small), work=SOME, plain=True)
    filled = partial(shorter_in_passes, learn_filled, turns, structure)
    yield Try(filled, partial(learn_filled, limits=small), work=SOME)
    abreast = partial(shorter_in_passes, learn_abreast, turns, structure)
    yield Try(abreast, partial(learn_abreast, limits=small), work=SOME)
    if not ways.hasty and happens_alone(turns, structure):  # where nothing flies all end at once
        undone = way(learn_undone, small, LATE)._replace(work=2 * SOME)
        stopping = stops(turns, structure)  # of such turns nothing that is never barred tells
        for special in (learn_unbarred, learn_unless_stopped):
            if stopping == (special is learn_unbarred):
                yield undone
            flying = partial(shorter_in_passes, special, turns, structure)
            yield Try(flying, partial(special, limits=small), work=SOME)
    with_moves = not ways.hasty and goes_on_with_moves(turns, structure)
    if with_moves:
        yield way(learn_heeded, small, LATE)._replace(work=ON_MOVES)
    alone = partial(shorter_in_passes, learn_afterwards, turns, structure)
    by_itself = Try(alone, partial(learn_afterwards, limits=small), work=2 * SOME)
    takes = partial(shorter_in_passes, learn_taking, turns, structure)
    taking = Try(takes, partial(learn_taking, limits=small), work=SOME)
    if not ways.hasty and happens_alone(turns, structure):
        flown = partial(shorter_in_passes, learn_flown, turns, structure)
        yield Try(flown, partial(learn_flown, limits=small), work=SOME)
    if not ways.hasty and goes_on_alone(turns, structure):
        yield Try(partial(shorter_in_passes, learn_colliding, turns, structure), work=SOME)
        yield taking
        yield by_itself
    elif not ways.hasty and happens_alone(turns, structure):
        yield Try(partial(soon_in_one, turns, structure))
        yield taking
        yield by_itself
    for special in (learn_derived, learn_step_and_loop, learn_knocked, learn_sent, learn_deflected):
        yield Try(partial(shorter_in_passes, special, turns, structure), work=SOME)
    yield Try(partial(shorter_in_passes, learn_slid, turns, structure), work=2 * SOME)
    pushed_first = partial(shorter_in_passes, learn_pushed_first, turns, structure)
    yield Try(pushed_first, partial(learn_pushed_first, limits=small), work=SOME, plain=True)
    settled = partial(shorter_in_passes, learn_settled, turns, structure)
    yield Try(settled, partial(learn_settled, limits=small), work=SOME)
    yield Try(partial(shorter_in_passes, learn_first_found, turns, structure), work=SOME)
    if not ways.hasty:
        yield Try(partial(shorter_with_a_call, turns, structure), partial(learn_far, limits=small))
        yield Try(partial(shorter_apart, turns, structure))
    yield Try(partial(soon_in_one, turns, structure), partial(learn_near_or_in_line, limits=small))
    supported = way(learn_supported, large, LATE)
    yield supported._replace(again=partial(learn_near_or_in_line, limits=large), sure=True)
    yield way(learn_near_or_in_line, small, 0)._replace(work=SOME)
    yield taking  # it is remembered where it was looked for before
    composed = partial(shorter_in_passes, learn_composed, turns, structure)
    yield Try(composed, partial(learn_composed, limits=small), work=SOME)
    yield way(learn_around, small, LATE)
    yield way(learn_with_signs, small, 1)
    if not ways.hasty:
        yield way(learn_driven, small, LATE)._replace(work=SOME)
        if not with_moves:
            yield way(learn_heeded, small, LATE)._replace(work=SOME)
        yield way(learn_afterwards, small, 2)._replace(work=SOME)
        yield way(learn_exchanged, small, LATE)
        yield way(learn_trodden, small, 3)._replace(work=SOME)
        yield way(learn_followed, large, 4)._replace(again=partial(learn_aftermath, limits=large))
        yield way(learn_in_line, small, LATE)._replace(work=ON_ALL)
        yield way(learn_kinds, small, 5)._replace(work=PLENTY)
        yield way(learn_pass, large, 6)._replace(waits=True)
        yield way(learn_with_signs, large, 7)._replace(waits=True)
        yield way(learn_afterwards, large, 8)._replace(waits=True)


def soon_in_one(turns: Sequence[Turn], structure: Structure) -> Program:
    """One pass that a little work finds; raises NotLearned. Who bars the way may be eaten, or a door."""
    with account(LITTLE):
        return learn_near_or_in_line(turns, structure, LIMITS[:1])


def shorter_in_two(
    whole: Program | Passes, turns: Sequence[Turn], structure: Structure
) -> tuple[Program | Passes, Callable[..., Passes] | None]:
    """Passes in a row, if a little work finds some that say shorter what one long pass does; and how.

    One pass can say all crates that were pushed onto dye, with a decision for each colour of both.
    """
    best, how = whole, None
    if not isinstance(whole, Passes) and not whole.loop and whole.cost > PLAIN:
        for learn in (learn_aftermath, learn_composed):
            try:
                with account(ENOUGH):
                    found = learn(turns, structure, limits=LIMITS[:1])
            except NotLearned:
                continue
            if found.cost < best.cost:
                best, how = found, partial(learn, limits=LIMITS[:1])
    return best, how


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


def shorter_in_passes(
    special: Callable[..., Found], turns: Sequence[Turn], structure: Structure
) -> Found | None:
    """A step and what goes on after it, or what is counted, where no plain pass says the same shorter.

    One pass can say all slides that were seen, with a decision for each number of cells. So one that is long,
    with decisions that few turns speak for, does not say it shorter.
    """
    try:
        stepped = special(turns, structure, LIMITS[:1])
    except NotLearned:
        return None
    try:
        with account(ENOUGH):  # what one pass says shortly is soon found
            whole = learn_pass(turns, structure, limits=(stepped.cost,))
    except NotLearned:
        return stepped
    return None if whole.cost <= stepped.cost and not hardly_seen(whole, turns) else stepped


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


def loop_seen(inside: Sequence[Inside], structure: Structure) -> Program | None:
    """The pass that turns of different lengths repeat, if it is always the same one."""
    turns = [
        Turn(before, word, after)
        for word, boards in inside
        for before, after in zip(boards, boards[1:], strict=False)
    ]
    unique = known_once([*turns, *(Turn(boards[-1], word, boards[-1]) for word, boards in inside)])
    if unique is None:
        return None
    try:
        return looping(learn_pass(unique, structure))
    except PuzzleError:
        return None
