"""How much of what rules tell apart was seen: a context is what all questions of a part are answered by.

Rules ask of a few cells what stands there. A *context* is one way of answering all that the decisions of a
part ask, so rules do the same in all that is one context. Possible is every choice, cell by cell, among the
contents that were ever seen in some cell; play need not lead to all of them, so that the number is an upper
bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ggp.learn.boards import Stack, Turn
from ggp.learn.fit.program import CELL, Part, Program, marked, meaning, subjects_on
from ggp.learn.fit.questions import Test
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.views import OWN, Look, Seen
from ggp.model import DIRECTIONS

Answers = tuple[bool, ...]
Question = Test | Seen | None
"""A test, whether something is there that an outcome takes away, or (None) whether it is on the board."""


class Contexts(NamedTuple):
    """How many contexts were seen, and how many there are at most."""

    seen: int
    possible: int


def contexts_of(program: Program, turns: Sequence[Turn]) -> Contexts:
    """The contexts of all parts of a program of one pass."""
    asked = [(part, questions(part)) for part in program.parts]
    seen: set[tuple[int, Answers]] = set()
    stacks: set[Stack] = set()
    for turn in dict.fromkeys(turns):
        board, word = marked(turn.before, turn.word, program.structure), meaning(program.structure, turn.word)
        stacks.update(board.cells)
        for number, (part, questions_here) in enumerate(asked):
            if part.words is None or word in part.words:
                for at, token in subjects_on(board, part.subject, program.structure):
                    direction = part.direction(token, turn.word)
                    looks = part.view.window(board, at, direction, questions_here)
                    seen.add((number, answers(questions_here, looks, word)))
    words = sorted({meaning(program.structure, turn.word) for turn in turns})
    return Contexts(len(seen), sum(possible(part, some, stacks, words) for part, some in asked))


def questions(part: Part) -> dict[Offset, list[Question]]:
    """What a part asks of each cell; also what an outcome takes away, and whether it can put something."""
    found: dict[Offset, list[Question]] = {}
    for decision in part.decisions.decisions:
        for test in decision.tests:
            add(found.setdefault(test.offset, []), test)
        for change in (one for one in decision.outcome if one.thing.facing != OWN):
            add(found.setdefault(change.offset, []), change.thing if change.sign == "-" else None)
    return found


def add(questions_here: list[Question], one: Question) -> None:
    """Add a question that is not there yet; the opposite of one is the same."""
    same = one._replace(wanted=not one.wanted) if isinstance(one, Test) else one
    if one not in questions_here and same not in questions_here:
        questions_here.append(one)


def answers(asked: dict[Offset, list[Question]], looks: Iterable[Look], word: str) -> Answers:
    """The answers to all questions of a part."""
    pairs = zip(asked.values(), looks, strict=True)
    return tuple(answer(one, look, word) for some, look in pairs for one in some)


def answer(one: Question, look: Look, word: str = "") -> bool:
    """The answer to one question about a cell."""
    if isinstance(one, Test):
        return one.holds(look, word)
    return look is not None and (one is None or one in look)


def possible(
    part: Part, asked: dict[Offset, list[Question]], stacks: Iterable[Stack], words: Sequence[str]
) -> int:
    """In how many ways the questions of a part can be answered at most."""
    spoken = [word for word in words if part.words is None or word in part.words] or [""]
    by_word = [one for some in asked.values() for one in some if isinstance(one, Test) and one.word]
    said = len({tuple(answer(one, None, word) for one in by_word) for word in spoken})
    ways = [
        len({tuple(answer(one, look) for one in still) for look in looks_of(part, stacks, offset)})
        for offset, some in asked.items()
        if (still := [one for one in some if not (isinstance(one, Test) and one.word)])
    ]
    return said * math.prod(ways)


def looks_of(part: Part, stacks: Iterable[Stack], offset: Offset) -> Iterator[Look]:
    """What may be seen at an offset: any contents, turned any way; the subject's own cell has the subject."""
    here = offset == (0, 0)
    if not here:
        yield None
    for stack in stacks:
        names = {part.view.structure.name(token) for token in stack}
        if not here or part.subject == CELL or part.subject in names:
            for direction in DIRECTIONS:
                yield frozenset(part.view.seen(token, direction) for token in stack)
