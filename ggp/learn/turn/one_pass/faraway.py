"""What an input does far from the actor: a switch that turns all gates, a hole that leads to another one.

Such a turn is three things one after another. A *call*: by what is around it and where it is sent the actor
calls, or does not. What the actor does *near* it: it is always the same few things as the actor sees it, and
what happens far away hardly ever is, so this is learned from the turns in which nothing rare is seen. And the
*answer*: what happens everywhere if there was a call. The boards in the middle follow from the second. Turns
that more is seen of have been called in, and from these the answer is learned. Turns in which there would be
an answer, and none is seen, have not; and both together tell when the actor calls: by the board before the
turn, or by that after what it did near it, which leaves a mark where it has come to. What takes fewer words
is believed: who has come onto a ring was stopped by nothing, whatever that asks for.

A call is a token that stands on the board till the turn is over, and a sign (`seen.signs`) tells every
cell of it: as rules, a mark that spreads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Stack, Token, Turn
from ggp.learn.fit.fitting import best_part
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Passes, Program, marked, pointing, subjects_on
from ggp.learn.fit.sights import Example, view_for
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import Look, Outcome, View
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.arrival import MARK, marking, with_each, without_idle_mark
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.halfway import NEAR
from ggp.learn.turn.one_pass.elsewhere import asking, learn_with_signs, while_there
from ggp.learn.turn.one_pass.events import LIMITS, hosted_program, learn_pass
from ggp.model import OFFSETS

OFTEN = 0.01  # of the turns: what happens so often near the actor is its own doing
FEWEST = 3  # turns that show a call, and turns that show none: else it happens by itself
CALL = "call"  # the token of a call
MOST_CALLS = 4  # for different things
AROUND = ((0, 0), *OFFSETS.values())  # where an actor comes to that steps or stays


def learn_far(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """Call, deed and answer; raises NotLearned where these do not say what was seen."""
    actor = actor_of(turns, structure)
    own = list(single(turns, structure, actor)) if actor is not None else []
    rare = rare_ones(own, actor or "", structure)
    if actor is not None and sum(far(one, structure) for one in own if one.turn in rare) >= FEWEST:
        learner = Learner(actor, structure, limits[-1], unused(structure, CALL))
        long: list[Passes] = []  # what is near the actor by chance makes a long deed: others may be short
        for common in plain_ones(own, rare, structure):
            near = learner.part(common)
            found = called(own, turns, near, learner) if near is not None else None
            if found is not None and found.cost <= limits[-1]:
                if found.cost <= limits[0]:
                    return found
                long.append(found)
        if long:
            return min(long, key=lambda one: one.cost)
    raise NotLearned("no call and answer explain what happens far away", "record the boards inside a turn")


def single(turns: Sequence[Turn], structure: Structure, actor: str | None) -> Iterator[Example]:
    """What the only actor did, where there is one alone: all that changed."""
    for turn in turns:
        board = marked(turn.before, turn.word, structure)
        there = list(subjects_on(board, actor or "", structure))
        if len(there) == 1:
            yield Example(turn, board, *there[0], frozenset(changes_of(turn)))


def rare_ones(own: Sequence[Example], actor: str, structure: Structure) -> set[Turn]:
    """The turns in which something happened that hardly ever does, as the actor sees it."""
    view = view_for(actor, Frame("input"), structure, own)
    seen: list[Outcome] = [example.seen(actor, view)[1] for example in own]
    often = Counter(seen)
    return {
        one.turn
        for one, outcome in zip(own, seen, strict=True)
        if one.changes and often[outcome] < OFTEN * len(own)
    }


def far(one: Example, structure: Structure) -> bool:
    """Does anything change out of the reach of whoever acts?"""
    return any(structure.distance(one.board, one.at, cell) > NEAR for _, cell, _ in one.changes)


def ways_of(one: Example, structure: Structure, beyond: int = -1) -> set[tuple[Stack, Stack]]:
    """What cells further away than so many become in a turn: what goes there, and what comes."""
    cells = {cell for _, cell, _ in one.changes if structure.distance(one.board, one.at, cell) > beyond}
    pairs = ((one.turn.before.at(cell), one.turn.after.at(cell)) for cell in cells)
    return {(old - new, new - old) for old, new in pairs if old is not None and new is not None}


def plain_ones(own: Sequence[Example], rare: Set[Turn], structure: Structure) -> Iterator[list[Turn]]:
    """The turns that show what is done near: all but the rare ones in which a cell changes as far ones do.

    What is done near may be rare itself: a crate that fills a hole. Or all but the rare ones. Or none in
    which the actor looks at what it looks at in rare ones: who enters a hole beside the other end of it comes
    out where it was, and nothing is seen.
    """
    ahead = looked_at(own, structure, [(1, 0)])
    answers = {way for one in own if one.turn in rare for way in ways_of(one, structure, beyond=NEAR)}
    common = [one for one in own if one.turn not in rare]
    near = [one for one in own if one.turn not in rare or answers.isdisjoint(ways_of(one, structure))]
    if len(near) > len(common):
        yield [one.turn for one in near]
    yield [one.turn for one in common]
    looks = {ahead[one] for one in own if one.turn in rare}
    yield [one.turn for one in common if ahead[one] not in looks]


def looked_at(
    own: Iterable[Example], structure: Structure, offsets: Sequence[Offset]
) -> dict[Example, tuple[Look, ...]]:
    """What each actor sees in some cells, turned by the input."""
    view = View(Frame("input"), structure)
    return {
        one: tuple(view.window(one.board, one.at, pointing(structure, one.turn.word), offsets)) for one in own
    }


class Learner(NamedTuple):
    """Whose calls are learned, in a program of what size."""

    actor: str
    structure: Structure
    limit: float
    token: Token  # what stands where somebody calls

    def part(self, turns: Sequence[Turn]) -> Program | None:
        """One of the three passes; None where no small rules say it. What is wrong is long."""
        try:
            return learn_pass(turns, self.structure, limits=(self.limit / 2,))
        except NotLearned:
            return None

    def answer(self, turns: Sequence[Turn] | None) -> Program | None:
        """What happens where somebody called; None where no rules say that."""
        if not turns:
            return None
        return self.part(turns) or hosted_program(turns, self.structure, self.limit / 2)

    def answer_by_signs(self, turns: Sequence[Turn] | None) -> Program | None:
        """The same, where what happens asks for what stands elsewhere."""
        try:
            return learn_with_signs(turns, self.structure, (self.limit,)) if turns else None
        except NotLearned:
            return None

    def with_call(
        self, yes: Sequence[Example], no: Sequence[Example], near: Program, answer: Program
    ) -> list[Passes]:
        """All three, from turns with a call and turns without one; none where nothing tells these apart.

        Or the call goes where the actor does, and what becomes of the actor asks for a call here: of two
        players the one that called comes out elsewhere.
        """
        call = self.call(yes, no, self.structure) if len(no) >= FEWEST else None
        if call is None:
            return []
        found = [self.passes((call, near), answer)]
        along = carried(call, [(one, after_deed(one, near, self.actor)) for one in yes])
        return found if along is None else [*found, self.passes((along, near), answer, to_caller=True)]

    def with_late_call(
        self, yes: Sequence[Example], no: Sequence[Example], near: Program, answer: Program
    ) -> list[Passes]:
        """The same with a call that asks for the board after the deed, on which the actor has arrived."""
        mark = unused(self.structure, MARK)
        known = replace(self.structure, tokens=(*self.structure.tokens, mark))
        deed = replace(marking(near, self.actor, mark), structure=known)
        later = [[after_deed(one, deed, self.actor) for one in some] for some in (yes, no)]
        moved = [[one for one in some if one is not None] for some in later]
        if len(no) < FEWEST or [len(yes), len(no)] != [len(some) for some in moved]:
            return []
        call = self.call(moved[0], moved[1], known)
        if call is None:
            return []
        found = [self.passes((deed, call), answer, to_caller=alone) for alone in (False, True)]
        return [
            without_idle_mark(replace(one, structure=known, passing=one.passing | {mark})) for one in found
        ]

    def call(self, yes: Sequence[Example], no: Sequence[Example], structure: Structure) -> Program | None:
        """When the actor calls."""
        examples = [one._replace(changes=frozenset({("+", one.at, self.token)})) for one in yes]
        examples += [one._replace(changes=frozenset()) for one in no]
        parts = best_part(self.actor, examples, structure, None, self.limit)
        return Program(structure, tuple(parts)) if parts is not None else None

    def passes(self, parts: tuple[Program, Program], answer: Program, *, to_caller: bool = False) -> Passes:
        """Call and deed, and the answer only where somebody called.

        `to_caller`: of the answer, what becomes of the actor asks for a call here.
        """
        told = while_there(answer, Sign(self.token))
        if to_caller:
            own = [asking(part, self.token, told.structure) for part in answer.parts]
            pairs = zip(own, told.parts, strict=True)
            told = replace(
                told, parts=tuple(here if here.subject == self.actor else one for here, one in pairs)
            )
        return Passes(self.structure, (*parts, told), frozenset({self.token}))


def after_deed(one: Example, deed: Program, actor: str) -> Example | None:
    """The actor on the board that a deed leads to; None where that is not known, or it is not there alone."""
    middle = deed.after(one.turn.before, one.turn.word)
    there = list(subjects_on(middle, actor, deed.structure)) if middle is not None else []
    if middle is None or len(there) != 1:
        return None
    board = marked(middle, one.turn.word, deed.structure)
    return Example(one.turn, board, *there[0], frozenset())


def carried(call: Program, moved: Sequence[tuple[Example, Example | None]]) -> Program | None:
    """The call in the cell that the actor comes to, if that is the same one as it sees it each time it calls.

    `moved`: the actors that call, before and after the deed.
    """
    parts = []
    for part in call.parts:
        frame = part.view.frame
        there = [
            offset
            for offset in AROUND
            if all(
                after is not None
                and after.at == frame.cell(one.at, offset, part.direction(one.token, one.turn.word))
                for one, after in moved
            )
        ]
        if not there:
            return None
        parts.append(with_each(part, partial(put, there[0])))
    return replace(call, parts=tuple(parts))


def put(offset: Offset, decision: Decision) -> Decision:
    """The decision with what it makes in another cell."""
    return decision._replace(outcome=tuple(one._replace(offset=offset) for one in decision.outcome))


def called(own: Sequence[Example], turns: Sequence[Turn], near: Program, learner: Learner) -> Passes | None:
    """Call, deed and answer of the turns of one actor, right of all turns; None where these are not found."""
    rest = {one: middle[0] for one in own if (middle := left_by(near, [one.turn]))}
    yes = [one for one, left in rest.items() if left.before != left.after]
    if len(rest) < len(own) or len(yes) < FEWEST:
        return None
    several = several_calls(rest, near, learner)
    if several is not None and not any(map(several.wrong, turns)):
        return several
    answer = learner.answer(left_by(near, [one.turn for one in yes]))
    if answer is None:
        return None
    no = unanswered(rest, answer)
    found = [*learner.with_call(yes, no, near, answer), *learner.with_late_call(yes, no, near, answer)]
    # Some may have called as well, and the answer was that nothing happens: the other end is taken.
    looks = looked_at(own, learner.structure, [(0, 0), (1, 0)])
    calling = {looks[one] for one in yes}
    as_well = [one for one in no if looks[one] in calling]
    elsewhere = (
        learner.answer_by_signs(left_by(near, [one.turn for one in (*yes, *as_well)])) if as_well else None
    )
    if elsewhere is not None:
        silent = unanswered(rest, elsewhere)
        found += learner.with_call(yes, silent, near, elsewhere)
        found += learner.with_late_call(yes, silent, near, elsewhere)
    right = [one for one in found if not any(map(one.wrong, turns))]
    return min(right, key=lambda one: one.cost, default=None)


def several_calls(rest: Mapping[Example, Turn], near: Program, learner: Learner) -> Passes | None:
    """A call and an answer for each sort of thing that happens far away: each switch has gates of its own.

    Turns that call for something else show when there is no call for this. None where one is not found, or
    sorts have something in common: one call may be answered by what there is.
    """
    sorts: dict[frozenset[tuple[Stack, Stack]], list[Example]] = {}
    for one, left in rest.items():
        if left.before != left.after:
            pairs = zip(left.before.cells, left.after.cells, strict=True)
            sorts.setdefault(frozenset((a - b, b - a) for a, b in pairs if a != b), []).append(one)
    if not 2 <= len(sorts) <= MOST_CALLS or len(frozenset().union(*sorts)) < sum(map(len, sorts)):
        return None
    found = list[Passes]()
    for yes in sorts.values():
        answer = learner.answer(left_by(near, [one.turn for one in yes]))
        others = {one: left for one, left in rest.items() if one not in yes}
        no = [
            one for one, left in others.items() if answer and answer.after(left.before, None) != left.before
        ]
        own = learner._replace(token=unused(learner.structure, f"{learner.token}-{len(found) + 1}"))
        with_call = own.with_call(yes, no, near, answer) if answer is not None else []
        if not with_call:
            return None
        found.append(with_call[0])
    programs = (*(one.programs[0] for one in found), near, *(one.programs[2] for one in found))
    return Passes(learner.structure, programs, frozenset().union(*(one.passing for one in found)))


def unanswered(rest: Mapping[Example, Turn], answer: Program) -> list[Example]:
    """The turns in which there would be an answer, and none is seen."""
    return [
        one
        for one, left in rest.items()
        if left.before == left.after and answer.after(left.before, None) != left.before
    ]
