"""Other rules that say all that was seen, and boards on which they say something else.

They are small programs under slightly different prices of what tests cost. Two that do the same on many made
boards are taken for one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, Turn, turns_of, word_of
from ggp.learn.events import learn_pass
from ggp.learn.making import Maker
from ggp.learn.program import Passes, Program, one_pass
from ggp.learn.single import single_movers
from ggp.learn.structure import Structure

SEARCHES = 3  # for other programs
LARGER = 1.5  # times as large, and a little, may another program be
A_LITTLE = 4.0
MADE = 400  # turns on which they are held against one another

Asked = tuple[Board, str | None]


class Rivals(NamedTuple):
    """Programs that say all that was seen, the learned one first, and turns on which two of them differ."""

    programs: tuple[Program, ...]
    torn: tuple[Asked, ...]


def rivals(
    program: Program | Passes, turns: Sequence[Turn], asked: Iterable[Asked], seed: int = 0
) -> Rivals | None:
    """The programs that are left; None where turns have several passes, for others are not looked for."""
    if not one_pass(program) or not program.parts:
        return None
    structure, found = program.parts[0].view.structure, [program]
    unique, questions = list(dict.fromkeys(turns)), list(asked)
    told = [said(program, questions)]
    for number in range(SEARCHES):
        shake = random.Random(seed * SEARCHES + number)
        try:
            other = learn_pass(unique, structure, shake, (LARGER * program.cost + A_LITTLE,))
        except PuzzleError:
            continue
        answers = said(other, questions)
        if answers not in told:
            told.append(answers)
            found.append(other)
    differing = [
        one for one, answers in zip(questions, zip(*told, strict=True), strict=True) if differ(answers)
    ]
    return Rivals(tuple(found), tuple(differing))


def differ(answers: Sequence[Board | None]) -> bool:
    """Are there two answers?"""
    return any(one != answers[0] for one in answers)


def made(episodes: Sequence[Episode], structure: Structure, seed: int = 0) -> list[Asked]:
    """Boards made of what was seen, each with an input like those that were tried."""
    rng, turns = random.Random(seed), list(turns_of(episodes))
    starts = [one.start for one in episodes]
    boards = list(dict.fromkeys([*starts, *(one.steps[-1].after for one in episodes if one.steps)]))
    maker = Maker(boards, structure, starts, single_movers(starts, turns, structure))
    words = sorted({turn.word for turn in turns if turn.word is not None})
    found: list[Asked] = []
    for _ in range(MADE):
        board = maker.make(rng)
        found.append((board, pointing(rng.choice(words), board, rng) if words else None))
    return found


def pointing(word: str, board: Board, rng: random.Random) -> str:
    """The input, pointing at a cell of this board if it points at one."""
    parts = word_of(word)
    if parts.cell is None:
        return word
    there = [index for index, stack in enumerate(board.cells) if stack]
    row, column = divmod(rng.choice(there or range(len(board.cells))), board.width)
    return f"{parts.verb}({row},{column}{f',{parts.toward}' if parts.toward is not None else ''})"


def said(program: Program, asked: Iterable[Asked]) -> tuple[Board | None, ...]:
    """What a program says of some turns."""
    return tuple(program.after(board, word) for board, word in asked)
