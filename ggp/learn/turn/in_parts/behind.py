"""What stands is changed by who went from beside it: a brick breaks once nobody stands on it any more.

After they have gone no board shows where they were. So all that goes leaves a mark where it is, then goes, as
is learned from turns in which all that never goes is put back. What becomes of that is learned from what
these two passes leave of all turns, and may ask for the mark.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, known_once, pointed
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program
from ggp.learn.fit.toil import account
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import Change, Seen, View
from ggp.learn.turn.evidence.changes import changed, changes_of, changing
from ggp.learn.turn.in_parts.trodden import with_marks_of
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.model import Cell

FEWEST = 3  # turns in which something goes, before it is thought to
NEAR = 2  # cells that it goes at most
MOSTLY = 0.8  # of the changes; who comes to another one is not seen to have gone on
SOON = 1e7  # work on all of it
HERE = (0, 0)
MARK = "trace"


def learn_behind(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """Marks, steps, and what becomes of all else; raises NotLearned where these do not say what was seen."""
    names = changing(turns, structure)
    going = [name for name in names if goes(name, turns, structure)]
    if going and len(going) < len(names) and not pointed(turns) and beside_who_went(turns, going, structure):
        with account(SOON):
            passes = in_three(turns, going, structure, limits)
        if passes is not None and not any(map(passes.wrong, turns)):
            return passes
    raise NotLearned("nothing that is left behind explains a turn", "record the boards inside a turn")


def goes(name: str, turns: Sequence[Turn], structure: Structure) -> bool:
    """Is something of a name mostly seen near to where it is gone, in a few turns?"""
    often: Counter[bool] = Counter()
    for turn in turns:
        cells: dict[str, list[Cell]] = defaultdict(list)
        for sign, cell, token in changes_of(turn):
            if structure.name(token) == name:
                cells[sign].append(cell)
        for cell in cells["-"]:
            often[any(0 < structure.distance(turn.before, cell, to) <= NEAR for to in cells["+"])] += 1
    return often[True] >= FEWEST and often[True] > often[False]


def beside_who_went(turns: Sequence[Turn], going: Sequence[str], structure: Structure) -> bool:
    """Is what else changes mostly beside where something was that went on, and not where it came to?"""
    often: Counter[bool] = Counter()
    for turn in turns:
        changes = changes_of(turn)
        far = partial(structure.distance, turn.before)
        own = [(sign, cell) for sign, cell, token in changes if structure.name(token) in going]
        gone, come = ([cell for sign, cell in own if sign == one] for one in "-+")
        went = [at for at in gone if any(0 < far(at, to) <= NEAR for to in come)]
        for _, cell, token in changes:
            if structure.name(token) not in going:
                often[cell not in come and any(far(cell, at) == 1 for at in went)] += 1
    return often[True] >= MOSTLY * often.total()


def in_three(
    turns: Sequence[Turn], going: Sequence[str], structure: Structure, limits: Sequence[float]
) -> Passes | None:
    """A pass of marks, one of steps, and the rest; None where one of them is not learned."""
    steps = known_once(with_steps_alone(turn, going, structure) for turn in turns)
    first = learned_from(steps, structure, limits)
    if first is None:
        return None
    mark = unused(structure, MARK)
    known = replace(structure, tokens=(*structure.tokens, mark))
    marking = leaving(mark, going, known)
    rest = []
    for turn in turns:
        begun = marking.after(turn.before, None)
        middle = first.after(begun, turn.word) if begun is not None else None
        if middle is None:
            return None
        rest.append(Turn(middle, None, with_marks_of(turn.after, middle, mark)))
    second = learned_from(known_once(rest), known, limits)
    return Passes(known, (marking, first, second), frozenset({mark})) if second is not None else None


def with_steps_alone(turn: Turn, going: Sequence[str], structure: Structure) -> Turn:
    """The turn in which all else is as it was."""
    own = [one for one in changes_of(turn) if structure.name(one[2]) in going]
    return turn._replace(after=changed(turn.before, own))


def leaving(mark: str, going: Sequence[str], structure: Structure) -> Program:
    """The pass in which all that goes leaves a mark."""
    view = View(Frame("none"), structure)
    put = Decision((), (Change("+", HERE, Seen(mark)),))
    return Program(
        structure, tuple(Part(name, view, Decisions((HERE,), (put,), 1.0), entire=True) for name in going)
    )
