"""What comes of meeting, where things went on without anything to bar them: some go back, others are gone.

Of each thing that goes by itself it is known whether it is where it came to, back where it came from (and
looks elsewhere, or not), or gone. Those that are gone tell nothing of going back. What that leaves is asked
of each cell, for what has met is in one. Or what has met is gone first, and the others go back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn, known_once
from ggp.learn.fit.program import Passes, Program, in_a_row
from ggp.learn.fit.sights import Example
from ggp.learn.fit.threads import one_thread
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.readings import fitted
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.changes import Changed, changed, changes_of, changing
from ggp.learn.turn.evidence.fliers import Fliers, beyond, standing
from ggp.learn.turn.evidence.steady import busy
from ggp.learn.turn.one_pass.cells import cell_examples
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass
from ggp.model import Cell

SHORT = LIMITS[0]
Gone = Mapping[tuple[Cell, Token], tuple[Changed, ...]]
"""What has changed of each thing that is not where it went to, by its cell and token."""


def meetings(ends: Sequence[Turn], structure: Structure, some: Fliers) -> Passes | None:
    """The passes that come of meeting, the shorter ones of both orders; None where none say it."""
    orders = [going_back(ends, structure, some), going_back_last(ends, structure, some)]
    found = [passes for passes in orders if passes is not None and not any(map(passes.wrong, ends))]
    return min(found, key=lambda passes: passes.cost, default=None)


def going_back(ends: Sequence[Turn], structure: Structure, some: Fliers) -> Passes | None:
    """What goes back, then what has met."""
    back = turning_back(ends, structure, some)
    rest = left_by(back, ends) if back is not None else None
    met = what_has_met(rest, structure) if rest is not None else None
    return in_a_row(structure, filter(None, (back, met))) if met is not None else None


def going_back_last(ends: Sequence[Turn], structure: Structure, some: Fliers) -> Passes | None:
    """What has met, then what goes back; None where nothing does."""
    staying = known_once(turn._replace(after=put_back(turn, structure, some)) for turn in ends)
    if staying is None or not busy(staying) or len(staying) < len(ends) or staying == list(ends):
        return None
    met = what_has_met(staying, structure)
    rest = left_by(met, ends) if met is not None else None
    back = turning_back(rest, structure, some) if rest is not None else None
    return in_a_row(structure, (met, back)) if met is not None and back is not None else None


def put_back(turn: Turn, structure: Structure, some: Fliers) -> Board:
    """The board after a turn with all that went back where it had come to."""
    done = [one for few in gone_in(turn, structure, some).values() if len(few) > 1 for one in few]
    return changed(turn.after, [("-" if sign == "+" else "+", cell, token) for sign, cell, token in done])


def turning_back(ends: Sequence[Turn], structure: Structure, some: Fliers) -> Program | None:
    """What goes back from where it came to, told by what stands there; None where no rules say it."""
    seen: dict[str, list[Example]] = defaultdict(list)
    for turn in ends:
        gone = gone_in(turn, structure, some)
        for at, token in standing(turn, some):
            changes = gone.get((at, token), ())
            if len(changes) != 1:
                seen[structure.name(token)].append(Example(turn, turn.before, at, token, frozenset(changes)))
    busy_ones = {name: given for name, given in seen.items() if any(one.changes for one in given)}
    with one_thread():
        return fitted(busy_ones, structure, None, SHORT)


def gone_in(turn: Turn, structure: Structure, some: Fliers) -> Gone:
    """What has gone from where it had come to, with where it is then: a cell back, or there as another.

    One change alone: it is gone for good.
    """
    changes = changes_of(turn)
    come = {
        (cell, structure.name(token)): (sign, cell, token) for sign, cell, token in changes if sign == "+"
    }
    found = {}
    for at, token in standing(turn, some):
        gone = ("-", at, token)
        if gone in changes:
            there = (come.get((cell, structure.name(token))) for cell in (beyond(at, some[token], -1), at))
            found[at, token] = tuple(filter(None, (gone, next(filter(None, there), None))))
    return found


def what_has_met(rest: Sequence[Turn], structure: Structure) -> Program | None:
    """What becomes of what shares a cell, or is beside another; None where no rules of one pass say it."""
    if not busy(rest):
        return Program(structure, ())
    with one_thread():
        for full in (False, True):
            told = cell_examples(rest, structure, changing(rest, structure), frozenset(), full=full)
            found = fitted(told, structure, None, LIMITS[-1])
            if found is not None and not any(map(found.wrong, rest)):
                return found
    try:
        return learn_pass(rest, structure, limits=LIMITS[:1])
    except NotLearned:
        return None
