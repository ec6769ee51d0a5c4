"""What a turn is: passes in a row where its inside was seen, else a loop of one pass, else one pass."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, Turn, turns_of
from ggp.learn.events import learn_pass
from ggp.learn.loops import known_once, learn_loop, looping
from ggp.learn.program import Passes, Program
from ggp.learn.structure import Structure

Inside = tuple[str | None, tuple[Board, ...]]
"""An input, and the boards from before its turn to its end, one after each pass."""


def learn_program(turns: Sequence[Turn], structure: Structure, shake: random.Random | None = None) -> Program:
    """The smallest program that says what was seen; raises PuzzleError where none was found."""
    unique = list(dict.fromkeys(turns))
    loop = learn_loop(unique, structure, shake)
    return loop if loop is not None else learn_pass(unique, structure, shake)


def learn_turn(episodes: Sequence[Episode], structure: Structure) -> Program | Passes:
    """What a turn does, from its inside where that was seen; raises PuzzleError where nothing says it."""
    turns = list(dict.fromkeys(turns_of(episodes)))
    inside = list(dict.fromkeys(insides(episodes)))
    program: Program | Passes | None = None
    if inside:
        numbers = {len(boards) for _, boards in inside}
        program = learn_passes(inside, structure) if len(numbers) == 1 else loop_seen(inside, structure)
    if program is None or any(map(program.wrong, turns)):
        return learn_program(turns, structure)
    return program


def insides(episodes: Iterable[Episode]) -> Iterator[Inside]:
    """The boards of every turn of which the inside was seen."""
    for episode in episodes:
        before = episode.start
        for step in episode.steps:
            if step.frames:
                last = () if step.frames[-1] == step.after else (step.after,)
                yield step.word, (before, *step.frames, *last)
            before = step.after


def learn_passes(inside: Sequence[Inside], structure: Structure) -> Passes | None:
    """A program for each of as many passes as every turn has; None where one has none."""
    programs = []
    for number in range(len(inside[0][1]) - 1):
        seen = [Turn(boards[number], word, boards[number + 1]) for word, boards in inside]
        if any(turn.before != turn.after for turn in seen):
            program = pass_seen(seen, structure)
            if program is None:
                return None
            programs.append(program)
    return Passes(structure, tuple(programs))


def pass_seen(seen: Sequence[Turn], structure: Structure) -> Program | None:
    """One pass; without the input where that can be, for what does not ask for it is said sooner."""
    for turns in ([turn._replace(word=None) for turn in seen], seen):
        unique = known_once(turns)
        if unique is not None:
            try:
                return learn_pass(unique, structure)
            except PuzzleError:
                continue
    return None


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
