"""What was seen inside turns: the boards after each pass, and what stands there only until the turn ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ggp.learn.boards import Board, Episode, Token, boards_inside, without, word_of


class Inside(NamedTuple):
    """An input, and the boards from before its turn to its end, one after each pass."""

    word: str | None
    boards: tuple[Board, ...]


def insides(episodes: Iterable[Episode], passing: frozenset[Token] = frozenset()) -> Iterator[Inside]:
    """The boards of every turn of which the inside was seen.

    The board after a turn is a further one only where it is not the last without what is `passing`.
    """
    for episode in episodes:
        before = episode.start
        for step in episode.steps:
            if step.frames:
                last = () if without(step.frames[-1], passing) == step.after else (step.after,)
                yield Inside(step.word, (before, *step.frames, *last))
            before = step.after


def passing_tokens(episodes: Sequence[Episode]) -> frozenset[Token]:
    """What was seen inside turns alone: it is gone when they end."""
    ends = {board for episode in episodes for board in episode.boards()}
    return tokens_on(boards_inside(episodes)) - tokens_on(ends)


def without_marks(episodes: Sequence[Episode]) -> Sequence[Episode]:
    """The runs without the marks of inputs: what stands inside turns where they point, and only there."""
    marks = marks_of(episodes)
    if not marks:
        return episodes
    return [
        replace(
            episode,
            steps=tuple(
                replace(step, frames=tuple(without(board, marks) for board in step.frames))
                for step in episode.steps
            ),
        )
        for episode in episodes
    ]


def marks_of(episodes: Sequence[Episode]) -> frozenset[Token]:
    """The tokens that are such marks: one of them is on each board inside a turn whose input points."""
    found = passing_tokens(episodes)
    looks = []
    for turn in dict.fromkeys(insides(episodes, found)):
        cell = word_of(turn.word).cell if turn.word is not None else None
        for board in turn.boards[1:]:
            cells = list(board.cells)
            if cell is not None and board.inside(cell):
                looks.append(cells.pop(cell[0] * board.width + cell[1]))
            found -= tokens_on([board._replace(cells=tuple(cells))])
    return found if all(len(look & found) == 1 for look in looks) else frozenset()


def tokens_on(boards: Iterable[Board]) -> frozenset[Token]:
    """All that stands on some boards."""
    stacks = {stack for board in boards for stack in board.cells}
    return frozenset().union(*stacks)
