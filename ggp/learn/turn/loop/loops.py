"""A turn that is one pass, again and again until nothing changes: what slides until something stops it.

The boards inside such a turn are not seen. Where one thing alone went along a line they are known all the
same, for it stood on every cell of its way. And the board that such a turn ends with is at rest: the same
input changes nothing there. That is what speaks against most turns being loops, and what tells a rule where
to stop. A rule of one pass is learned from these single steps, and must then say every turn that was seen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from ggp.errors import NotLearned, PuzzleError
from ggp.learn.boards import Turn, known_once, pointed
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Program
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.lost import slides_of
from ggp.learn.turn.evidence.slides import Slide, gone_and_come, passes_of
from ggp.learn.turn.loop.barred import barred_by_its_like
from ggp.learn.turn.loop.carrying import carrying
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass, with_marks

MOST_TIMES = 3  # that a pass is run one after another
ENOUGH = 2  # turns in which something went further than a cell, before a loop is thought of


def learn_loop(turns: Sequence[Turn], structure: Structure, shake: random.Random | None) -> Program | None:
    """The loop of one pass that says what was seen; None where there is none, or nothing speaks for one."""
    slides = slides_of(turns, structure)
    if not go_on(slides.values()):
        return None
    steps = single_steps(turns, slides, structure)
    if steps is None:
        return None
    try:
        program = learn_pass(steps, with_marks(turns, structure), shake)
    except PuzzleError:
        return None
    if pointed(turns):
        program = carrying(program)
    program = barred_by_its_like(looping(program), structure)
    return None if any(map(program.wrong, turns)) else program


def learn_repeated(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS
) -> Program | None:
    """One pass, two or three times; None where there is none, or nothing speaks for one: stones fall by two.

    Where one thing alone went it went in the first passes, for what rests once rests in all that follow.
    """
    slides = slides_of(turns, structure)
    lengths = Counter(len(slide.way) - 1 for slide in slides.values())
    times = max(lengths, default=0)
    if not 2 <= times <= MOST_TIMES or lengths[times] < ENOUGH:
        return None
    still = (turn for turn in turns if turn.before == turn.after)
    went = (step for turn, slide in slides.items() for step in islice(passes_of(turn, slide), times))
    steps = known_once([*went, *still])
    if steps is None:
        return None
    try:
        program = replace(learn_pass(steps, structure, limits=limits), times=times)
    except NotLearned:
        return None
    return None if any(map(program.wrong, turns)) else program


def go_on(slides: Iterable[Slide]) -> bool:
    """Do several go further than a cell, and not all equally far? Who jumps does."""
    lengths = Counter(len(slide.way) for slide in slides)
    return len(lengths) > 1 and sum(times for length, times in lengths.items() if length > 2) >= ENOUGH


def single_steps(turns: Sequence[Turn], slides: dict[Turn, Slide], structure: Structure) -> list[Turn] | None:
    """The single passes that are known; None where one of them is known to go on differently."""
    at_once = [turn for turn in turns if turns_alone(turn, structure)]
    return known_once([*at_once, *(step for turn in turns for step in passes_of(turn, slides.get(turn)))])


def turns_alone(turn: Turn, structure: Structure) -> bool:
    """Does one thing turn to another facing where it stands, and nothing else happens? That is one pass."""
    changes = list(changes_of(turn))
    pairs = list(gone_and_come(changes, structure))
    return len(changes) == 2 and any(gone[1] == come[1] for gone, come in pairs)


def looping(program: Program) -> Program:
    """The program repeated until nothing changes. There no rule says that something rests: others do less."""
    parts = []
    for part in program.parts:
        busy = tuple(without_rests(part.decisions.decisions))
        parts.append(replace(part, decisions=replace(part.decisions, decisions=busy)))
    return replace(program, parts=tuple(parts), loop=True)


def without_rests(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions without those under which nothing happens: later ones ask that these do not hold."""
    for index, rest in enumerate(decisions):
        if not rest.outcome:
            later = without_rests(decisions[index + 1 :])
            denied = [test._replace(wanted=not test.wanted) for test in rest.tests]
            narrower = [one._replace(tests=(*one.tests, test)) for one in later for test in denied]
            return [*decisions[:index], *narrower]
    return list(decisions)
