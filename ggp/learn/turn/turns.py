"""What a turn is: passes in a row where its inside was seen, else a loop of one pass, else one pass."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from ggp.errors import NotLearned, PuzzleError
from ggp.learn.boards import Episode, Turn, known_once, shared, turns_of
from ggp.learn.fit.memory import memory
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.toil import account, cut_off
from ggp.learn.seen.insides import Inside, insides
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.pruned import PLAIN, without_idle_decisions, without_idle_loops
from ggp.learn.turn.evidence.moved_alike import one_name
from ggp.learn.turn.in_parts.aftermath import learn_aftermath
from ggp.learn.turn.in_parts.composed import learn_composed
from ggp.learn.turn.loop.loops import learn_loop, looping
from ggp.learn.turn.loop.shapes import learn_shaped
from ggp.learn.turn.one_kind import OneKind
from ggp.learn.turn.one_pass.anywhere import shorter_with_signs
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass
from ggp.learn.turn.one_pass.supported import hardly_seen, unbelieved
from ggp.learn.turn.scouts import Scouts
from ggp.learn.turn.tries import tries
from ggp.learn.turn.unexplained import learn_in_part, with_what_is_left
from ggp.learn.turn.ways import ENOUGH, Try, Ways

WORK = (4e6, 1.6e7, 6.4e7, 2.56e8)  # on each way of learning, at first and at last
ALL = 3e8  # on all of them together: some minutes, after which what is known in part is told
UNBELIEVED = -1  # the order in which it is told that a long pass was not believed: before all else
AHEAD = 2e7  # on a way that has rules of a part of the turns which say all of them
ON_ONE_KIND = 1.6e7  # on kinds that are moved alike, learned as one
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
        program = as_one_kind(turns, structure, ways) or with_edges_inferred(turns, structure, ways)
        if isinstance(program, Passes):
            program = without_idle_loops(without_idle_decisions(program, turns))
    ways.work, ways.nearly = max(ways.work, spent.work), program
    ways.longer = False
    return program


def as_one_kind(turns: Sequence[Turn], structure: Structure, ways: Ways) -> Program | Passes | None:
    """What is said of kinds that are moved alike as of one, if a little work finds that; None where not.

    What was said otherwise once is so with more turns.
    """
    names = one_name(turns, structure)
    key = frozenset(names.items())
    if not names or key in ways.unlike:
        return None
    kinds, own = OneKind(structure, names), ways.of_one_kind
    told = kinds.turns(turns)
    if known_once(told) is not None:
        with suppress(NotLearned), account(ON_ONE_KIND):
            said = with_edges_known(told, kinds.known, own)
            each = kinds.of_each(said)
            if each is not None and not any(map(each.wrong, turns)):
                return each
    ways.unlike.add(key)
    return None


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
    scouts = Scouts(turns, structure, lambda some: tries(some, structure, ways, scouting=True))
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
