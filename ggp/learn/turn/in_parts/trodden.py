"""A deed that leaves a mark where the actor has come to, and what comes of it, which may ask for the mark.

Who steps onto a spring is thrown on, who steps onto a lever changes all crates, and who only stands there is
not and does not. No board shows which it was, so the deed leaves a mark where the actor arrives. What comes
of it is learned from all turns, as what becomes of the board in the middle, with the input: it may ask where
the actor was sent, for the mark, and for signs of it (is it on a lever?). Which turns show nothing but the
deed is tried: those in which what is seen most often happens, one thing, two, and so on. What happens by
itself before the deed, such as what fades, is taken for known from turns in which the actor stays.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn, known_once, pointed
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Part, Passes, Program
from ggp.learn.fit.questions import Test
from ggp.learn.fit.sights import view_for
from ggp.learn.fit.threads import one_thread
from ggp.learn.fit.toil import account
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import Outcome
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.arrival import MARK, marking, with_each, without_idle_mark
from ggp.learn.turn.evidence.between import known_after
from ggp.learn.turn.evidence.changes import changes_of, changing
from ggp.learn.turn.evidence.idle import idle_turns
from ggp.learn.turn.evidence.steady import busy
from ggp.learn.turn.one_pass.elsewhere import learn_with_signs
from ggp.learn.turn.one_pass.events import LIMITS, by_movers, learn_pass
from ggp.learn.turn.one_pass.faraway import single

FEWEST = 3  # times that something must be seen to be the actor's doing
KINDS = 5  # different things that the actor may be seen to do, at most
FURTHER = 2.0  # times the work of finding what says all may be spent on finding what says it shorter


class Left(NamedTuple):
    """A deed that leaves marks, and what happens after it in all turns."""

    deed: Program
    rest: Sequence[Turn]

    def words(self, structure: Structure) -> float:
        """About how much there is to say of both: of the rest, how many different things happen."""
        happens = {
            frozenset((sign, structure.name(token)) for sign, _, token in changes_of(turn))
            for turn in self.rest
        }
        return self.deed.cost + len(happens)


def learn_trodden(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """Deed and what comes of it; raises NotLearned where these do not say what was seen."""
    actor = actor_of(turns, structure)
    if actor is not None and not pointed(turns):
        for before in (*fading(turns, structure, actor), None):
            best: Passes | None = None
            known = turns if before is None else known_after(turns, before)
            for found in after_deeds(known, structure, actor, limits) if known is not None else ():
                programs = found.programs if before is None else (before, *found.programs)
                found = without_idle_mark(replace(found, programs=programs))
                if not any(map(found.wrong, turns)):
                    best = found
            if best is not None:
                return best
    raise NotLearned("no deed that leaves a mark explains a turn", "record the boards inside a turn")


def fading(turns: Sequence[Turn], structure: Structure, actor: str) -> Iterator[Program]:
    """What may happen by itself before the actor does anything."""
    for idle in idle_turns(turns, structure, actor):
        try:
            yield learn_pass(idle, structure, limits=LIMITS[:1])
        except NotLearned:
            continue


def after_deeds(
    turns: Sequence[Turn], structure: Structure, actor: str, limits: Sequence[float]
) -> Iterator[Passes]:
    """A deed and what comes of it that say all, and then such as say it in fewer words."""
    mark = unused(structure, MARK)
    known = replace(structure, tokens=(*structure.tokens, mark))
    left = sorted(deeds_left(turns, structure, actor, limits[-1] / 2), key=lambda one: one.words(structure))
    least, may = math.inf, math.inf
    for learn in (learn_pass, learn_with_signs):
        spent = 0.0
        for deed, rest in left if least == math.inf else ():
            with account(may) as own:
                try:
                    second = learn(rest, known, limits=limits if least == math.inf else (least - deed.cost,))
                except NotLearned:
                    second = None
            spent += own.work
            may -= own.work
            if second is not None:
                second = shorter_alone(second, rest, known)
            if second is not None and deed.cost + second.cost < least:
                may = FURTHER * spent if least == math.inf else may
                least = deed.cost + second.cost
                yield Passes(known, (deed, second), frozenset({mark}))


def shorter_alone(program: Program, rest: Sequence[Turn], structure: Structure) -> Program:
    """The same, or what says it shorter as the doing of one kind alone.

    Where several would come to one cell, a list of what comes there says who does, and it asks for nothing.
    """
    for name in changing(rest, structure):
        with one_thread():
            found = by_movers(rest, program.structure, [name], None, program.cost, program.cost)
        if found is not None and found.cost < program.cost and not any(map(found.wrong, rest)):
            program = found
    return program


# --- deeds ------------------------------------------------------------------------------------------------


def deeds_left(turns: Sequence[Turn], structure: Structure, actor: str, limit: float) -> Iterator[Left]:
    """Deeds of few words that explain some of what happens, and not all."""
    mark = unused(structure, MARK)
    lost = lost_names(turns, structure)
    tried: list[tuple[Part, ...]] = []
    for common in plainest(turns, structure, actor):
        with one_thread():
            known = by_movers(common, structure, [actor], None, limit, limit)
        for deed in (known, not_stopped_by(known, lost)) if known is not None else ():
            if deed.parts in tried:
                continue
            tried.append(deed.parts)
            deed = marking(deed, actor, mark)
            rest = left_with_inputs(deed, turns, mark)
            if rest is not None and FEWEST <= busy(rest) < busy(turns):
                yield Left(deed, rest)


def plainest(turns: Sequence[Turn], structure: Structure, actor: str) -> Iterator[list[Turn]]:
    """The turns in which nothing happens, as the actor sees it, but what is seen most often.

    Also nothing but what leaves as many of everything: that the actor is gone comes of where it went.
    """
    own = list(single(turns, structure, actor))
    view = view_for(actor, Frame("input"), structure, own)
    seen: list[Outcome] = [one.seen(actor, view)[1] for one in own]
    often = [one for one, times in Counter(filter(None, seen)).most_common() if times >= FEWEST]
    steady = [one for one in often if keeps_numbers(one)]
    chosen = [some[:number] for number in range(1, KINDS + 1) for some in (steady, often)]
    chosen += about_one_more(often)
    for some in dict.fromkeys(map(frozenset, chosen)):
        yield [one.turn for one, other in zip(own, seen, strict=True) if not other or other in some]


def about_one_more(often: Sequence[Outcome]) -> Iterator[list[Outcome]]:
    """What is about the kinds that the most frequent outcome is about, and one more, for each such kind."""
    about = [frozenset(change.thing.name for change in outcome) for outcome in often]
    for names in dict.fromkeys(names for names in about if len(names - about[0]) == 1):
        yield [one for one, other in zip(often, about, strict=True) if other <= about[0] | names]


def keeps_numbers(outcome: Outcome) -> bool:
    """Are there as many of everything after it?"""
    number: Counter[str] = Counter()
    for change in outcome:
        number[change.thing.name] += 1 if change.sign == "+" else -1
    return not any(number.values())


def lost_names(turns: Sequence[Turn], structure: Structure) -> frozenset[str]:
    """The names of what goes now and then, and never comes: pits that are filled, doors that are opened."""
    signs = {(sign, structure.name(token)) for turn in turns for sign, _, token in changes_of(turn)}
    return frozenset(name for sign, name in signs if ("+", name) not in signs)


def not_stopped_by(deed: Program, names: frozenset[str]) -> Program:
    """The deed as if these were in nobody's way: what comes of it may tell what they do."""

    def narrower(test: Test) -> Test:
        some = frozenset(one for one in test.things if one.name not in names)
        return test if test.wanted or test.word or not some else test._replace(things=some)

    def fewer(one: Decision) -> Decision:
        return one._replace(tests=tuple(map(narrower, one.tests)))

    return replace(deed, parts=tuple(with_each(part, fewer) for part in deed.parts))


def left_with_inputs(deed: Program, turns: Sequence[Turn], mark: Token) -> list[Turn] | None:
    """What happens after a deed, with its mark; None where that goes two ways, or is not known."""
    found = []
    for turn in turns:
        middle = deed.after(turn.before, turn.word)
        if middle is None:
            return None
        found.append(Turn(middle, turn.word, with_marks_of(turn.after, middle, mark)))
    return known_once(found)


# --- marks ------------------------------------------------------------------------------------------------


def with_marks_of(board: Board, middle: Board, mark: Token) -> Board:
    """The board with the mark where another one has it."""
    pairs = zip(board.cells, middle.cells, strict=True)
    return board._replace(cells=tuple(new | {mark} if mark in old else new for new, old in pairs))
