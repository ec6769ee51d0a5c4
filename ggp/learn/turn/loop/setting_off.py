"""A slide whose first step asks for something else than those after it.

The first step may be a pass of its own, before a loop. But who could not go at first, as another one stood
in the way, may set off when that one has gone, so within the loop. Then one loop says both, where who has
gone once has a mark that goes along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, known_once, pointed
from ggp.learn.fit.program import Passes
from ggp.learn.seen.going import moves
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.lost import slides_of
from ggp.learn.turn.evidence.slides import Slide, passes_of
from ggp.learn.turn.loop.barred import barred_by_its_like
from ggp.learn.turn.loop.loops import go_on, looping
from ggp.learn.turn.loop.sent import marked_at
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass

MARK = "gone"


def learn_step_and_loop(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS
) -> Passes:
    """A first step and what goes on after it until nothing changes; raises NotLearned where there is none."""
    slides = slides_of(turns, structure)
    if not pointed(turns) and go_on(slides.values()):
        passes = in_two(turns, slides, structure, limits)
        if passes is not None and any(map(passes.wrong, turns)):
            passes = in_one(turns, slides, structure, limits)
        if passes is not None and not any(map(passes.wrong, turns)):
            return passes
    raise NotLearned("no step and what goes on after it explain a turn", "record the boards inside a turn")


def in_two(
    turns: Sequence[Turn], slides: Mapping[Turn, Slide], structure: Structure, limits: Sequence[float]
) -> Passes | None:
    """A pass, and a loop; None where steps that look the same go on differently."""
    firsts = known_once(first_step(turn, slides.get(turn)) for turn in turns if plain(turn, slides))
    laters = known_once(step for turn in turns for step in later_steps(turn, slides.get(turn)))
    if firsts is None or laters is None:
        return None
    first = learn_pass(firsts, structure, limits=limits)
    later = barred_by_its_like(looping(learn_pass(laters, structure, limits=limits)), structure)
    return Passes(structure, (first, later))


def in_one(
    turns: Sequence[Turn], slides: Mapping[Turn, Slide], structure: Structure, limits: Sequence[float]
) -> Passes | None:
    """A loop in which who has gone has a mark; None where steps that look the same go on differently."""
    mark = unused(structure, MARK)
    steps = known_once(step for turn in turns for step in marked_steps(turn, slides.get(turn), mark))
    if steps is None:
        return None
    known = replace(structure, tokens=(*structure.tokens, mark))
    loop = barred_by_its_like(looping(learn_pass(steps, known, limits=limits)), known)
    return Passes(structure, (loop,), frozenset({mark}))


def plain(turn: Turn, slides: Mapping[Turn, Slide]) -> bool:
    """Is the first step of a turn known: that of a slide, or all, as nothing went further?"""
    changes = len(list(changes_of(turn)))
    return turn in slides or changes == 2 * len(list(moves(turn, 1)))


def first_step(turn: Turn, slide: Slide | None) -> Turn:
    """The first step of a slide; of another turn all of it."""
    return next(passes_of(turn, slide)) if slide is not None else turn


def later_steps(turn: Turn, slide: Slide | None) -> Iterator[Turn]:
    """What is known of what comes after the first step."""
    return islice(passes_of(turn, slide), 1 if slide is not None else 0, None)


def marked_steps(turn: Turn, slide: Slide | None, mark: str) -> Iterator[Turn]:
    """Each step of a slide, after the first of which it has the mark; and turns in which nothing happens."""
    if slide is None:
        yield from [turn] if turn.before == turn.after else []
        return
    for number, step in enumerate(passes_of(turn, slide)):
        begun = marked_at(step.before, slide.way[number], mark) if number else step.before
        to = slide.way[min(number + 1, slide.far)]
        yield step._replace(before=begun, after=marked_at(step.after, to, mark))
