"""A turn of two or three passes, of which the end alone is seen: what is done in which of them is guessed.

All that happens is of few sorts: what the actor does near it, what goes where the input points, what goes one
way by itself, what becomes another thing where it is. A guess says that all of one sort comes first. Where
that leaves no doubt it gives the board in the middle of a turn, from which the first pass is learned; what is
in doubt (who is gone by the end may have gone somewhere before) that pass then says itself. What it leaves of
all turns is the rest, which is one pass, or composed again. A wrong guess makes long rules, which are soon
given up; and all passes together must say every turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, known_once
from ggp.learn.fit.program import Passes, Program, in_a_row, meaning, pointing
from ggp.learn.fit.toil import account, begin
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.guesses import Split, deeds, sorts
from ggp.learn.turn.evidence.steady import busy
from ggp.learn.turn.one_pass.elsewhere import learn_with_signs
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass

LITTLE = 2e5  # work on one pass, for each of its size
SIZES = (5.0, 10.0, 16.0)  # of one pass, at first and at last
DEPTH = 3  # passes at most
ALL = 5e6  # work on all guesses: where it finds nothing, more would find nothing for a minute
KNOWN = 0.25  # of the turns: of so many a guess must leave no doubt


def learn_composed(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """The passes of a turn; raises NotLearned where none that are small say what was seen."""
    with account(ALL):
        for number in range(1, len(SIZES) + 1):
            for split in chain(deeds(turns, structure), sorts(turns, structure)):
                programs = composed(turns, split, structure, SIZES[:number], DEPTH)
                passes = in_a_row(structure, programs) if programs is not None else None
                if passes is not None and passes.cost <= limits[-1] and not any(map(passes.wrong, turns)):
                    return passes
    raise NotLearned("no passes one after another explain a turn", "record the boards inside a turn")


def composed(
    turns: Sequence[Turn], split: Split, structure: Structure, sizes: Sequence[float], depth: int
) -> list[Program] | None:
    """The passes of which the first does what a guess says; None where these do not say all turns."""
    begin()
    steps = [turn._replace(after=middle) for turn in turns if (middle := split(turn)) is not None]
    if len(steps) < KNOWN * len(turns) or not busy(steps) or steps == turns:
        return None  # too much is in doubt, or nothing is left to a second pass
    first = small(known_once(steps), structure, sizes)
    first = first and whichever_way(first, turns)
    rest = left_after(first, turns) if first is not None else None
    if first is None or rest is None:
        return None
    if not busy(rest):
        return [first]
    last = small(rest, structure, sizes)
    if last is not None:
        return [first, last]
    for other in sorts(rest, structure) if depth > 2 else ():
        later = composed(rest, other, structure, sizes, depth - 1)
        if later is not None:
            return [first, *later]
    return None


def small(turns: Sequence[Turn] | None, structure: Structure, sizes: Sequence[float]) -> Program | None:
    """One pass that says some turns, which a little work finds; None where there is none."""
    for learn in (learn_pass, learn_with_signs) if sizes == SIZES else (learn_pass,):
        for size in sizes if turns else ():
            try:
                with account(LITTLE * size * len(sizes)):
                    return learn(turns or (), structure, limits=(size,))
            except NotLearned:
                continue
    return None


def whichever_way(program: Program, turns: Sequence[Turn]) -> Program:
    """The same for inputs of all directions where it is turned by the input: some may have left doubt."""
    directed = {
        meaning(program.structure, turn.word) for turn in turns if pointing(program.structure, turn.word)
    }
    parts = (
        replace(part, words=part.words | directed)
        if part.words is not None and part.view.frame.toward == "input"
        else part
        for part in program.parts
    )
    return replace(program, parts=tuple(parts))


def left_after(first: Program, turns: Sequence[Turn]) -> list[Turn] | None:
    """What a pass leaves of all turns, without the input if that says it; None where it goes two ways."""
    silent = left_by(first, turns)
    if silent is not None:
        return silent
    middles = [(first.after(turn.before, turn.word), turn) for turn in turns]
    left = [turn._replace(before=middle) for middle, turn in middles if middle is not None]
    return known_once(left) if len(left) == len(turns) else None
