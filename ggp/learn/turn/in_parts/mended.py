"""Rules that said fewer turns, with one of their passes anew, or one pass more.

Rules that are nearly right lack a rule, as a rule: a gate that opens when there is a cable on each lamp was
not seen to, or so seldom that nothing asked for it. All that they say of the others is right, and was long
looked for. So they are kept as they are, and what becomes of the boards to which they lead is learned. What
comes after them at last is learned anew with it; or it is kept, and the first pass is learned anew, from
boards of which the others make the ends of turns. A pass that is added must be small and often seen: what
is wrong can be said, too, with a decision for each turn in which it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn, known_once
from ggp.learn.fit.program import Passes, Program, in_a_row, programs_of
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.steady import busy
from ggp.learn.turn.one_pass.elsewhere import telling_beside
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.learn.turn.one_pass.supported import FEWEST, made

MOST = 0.3  # of the turns may be wrong: what says fewer is not nearly right
SMALL = 8.0  # the size of a pass that is added
GROWN, A_LITTLE = 1.25, 4.0  # times as large, and a little, may a pass become that is learned anew
WORK = 2e6  # on one pass
ALL = 4e6  # on all of them: what is mended so is soon found


def learn_mended(turns: Sequence[Turn], nearly: Program | Passes | None) -> Program | Passes:
    """Nearly right rules with one pass otherwise; raises NotLearned where a little work finds none."""
    wrong = sum(map(nearly.wrong, turns)) if nearly is not None else 0
    if nearly is not None and 0 < wrong <= MOST * len(turns):
        with suppress(NotLearned), account(ALL):
            for one in chain(last_anew(turns, nearly), first_anew(turns, nearly), one_more(turns, nearly)):
                if not any(map(one.wrong, turns)):
                    return one
    raise NotLearned("no other pass mends rules that are nearly right", "more roll-outs may help")


def some_of(rules: Program | Passes, programs: Sequence[Program]) -> Passes:
    """Some passes of rules. What is gone after all of them is gone after these, too: marks, say."""
    passing = rules.passing if isinstance(rules, Passes) else frozenset[Token]()
    return Passes(rules.structure, tuple(programs), passing)


def last_anew(turns: Sequence[Turn], nearly: Program | Passes) -> Iterator[Passes]:
    """The rules with another last pass, where there are several."""
    *before, last = programs_of(nearly)
    if before and not last.loop:
        yield from with_a_pass(turns, some_of(nearly, before), GROWN * last.cost + A_LITTLE, 0)


def one_more(turns: Sequence[Turn], nearly: Program | Passes) -> Iterator[Passes]:
    """The rules with one more pass after them."""
    yield from with_a_pass(turns, nearly, SMALL, FEWEST)


def with_a_pass(turns: Sequence[Turn], first: Program | Passes, most: float, fewest: int) -> Iterator[Passes]:
    """Rules, and one pass after them of which so many turns speak for each decision at least."""
    middles = [(first.after(turn.before, turn.word), turn) for turn in turns]
    if any(middle is None for middle, _ in middles):
        return
    heard = known_once(turn._replace(before=middle) for middle, turn in middles if middle is not None)
    for rest in (left_by(first, turns), heard):
        if not rest or not 0 < busy(rest) <= (MOST if fewest else 1) * len(rest):
            continue
        then = coming_after(rest, first.structure, most)
        if then is not None and min(made(then, rest), default=0) >= fewest:
            yield in_a_row(first.structure, (first, then))
            break  # what does not ask for the input is plainer


def coming_after(rest: Sequence[Turn], structure: Structure, most: float) -> Program | None:
    """A pass of some size that may ask for what stands elsewhere; None where a little work finds none."""
    signs = telling_beside(rest, structure)
    asking = (structure, replace(structure, signs=signs)) if signs else (structure,)
    return next(filter(None, (within(rest, known, most) for known in asking)), None)


def within(steps: Sequence[Turn], structure: Structure, most: float) -> Program | None:
    """A pass of some size at most; None where a little work finds none."""
    try:
        with account(WORK):
            return learn_pass(steps, structure, limits=(most,))
    except NotLearned:
        return None


def first_anew(turns: Sequence[Turn], nearly: Program | Passes) -> Iterator[Passes]:
    """The rules with another first pass, where there are several."""
    first, *others = programs_of(nearly)
    if not others or first.loop:
        return
    later = some_of(nearly, others)
    steps = [step_before(turn, first, later) for turn in turns]
    known = known_once(step for step in steps if step is not None)
    if known is not None and None not in steps:
        anew = within(known, first.structure, GROWN * first.cost + A_LITTLE)
        if anew is not None:
            yield in_a_row(nearly.structure, (anew, later))


def step_before(turn: Turn, first: Program, later: Passes) -> Turn | None:
    """The turn up to a board of which later passes make its end; None where no such board is known."""
    said = first.after(turn.before, turn.word)
    theirs = {
        change.thing.name
        for part in later.parts
        for one in part.decisions.decisions
        for change in one.outcome
    }
    ends = (said, turn.after, without_theirs(turn, theirs, later.structure))
    for middle in ends:
        if middle is not None and later.after(middle, turn.word) == turn.after:
            return turn._replace(after=middle)
    return None


def without_theirs(turn: Turn, names: set[str], structure: Structure) -> Board:
    """The end of a turn with all as it was that is of some names."""

    def of(token: Token) -> bool:
        return structure.name(token) in names

    pairs = zip(turn.before.cells, turn.after.cells, strict=True)
    cells = (
        new if old is new else frozenset(filter(of, old)) | {one for one in new if not of(one)}
        for old, new in pairs
    )
    return turn.after._replace(cells=tuple(cells))
