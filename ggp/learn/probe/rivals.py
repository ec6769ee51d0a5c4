"""Other rules that say all that was seen, and boards on which they say something else.

They are small programs under slightly different prices of what tests cost. Two that do the same on many made
boards are taken for one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ggp.errors import NotLearned, PuzzleError
from ggp.learn.boards import Board, Episode, Turn, turns_of, word_of
from ggp.learn.fit.program import Passes, Program, one_pass
from ggp.learn.fit.threads import one_thread
from ggp.learn.fit.toil import account
from ggp.learn.probe.making import Maker
from ggp.learn.seen.attached import Attached
from ggp.learn.seen.single import single_movers
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import changing
from ggp.learn.turn.one_pass.events import LIMITS, by_movers, cell_program, learn_pass, with_marks

SEARCHES = 3  # for other programs
LARGER = 1.5  # times as large, and a little, may another program be
A_LITTLE = 4.0
WORK = 5e6  # on all searches: of large rules each takes as long as it took to find them
MADE = 400  # turns on which they are held against one another

Asked = tuple[Board, str | None]


class Rivals(NamedTuple):
    """Programs that say all that was seen, the learned one first, and turns on which two of them differ.

    `cut`: the searches for others that came to no end within the work that may be done.
    """

    programs: tuple[Program, ...]
    torn: tuple[Asked, ...]
    cut: int = 0

    def outliving(self, turns: Iterable[Turn]) -> Rivals:
        """The learned one, and those others that say as it does all of these turns that it says rightly.

        What was asked to tell them apart refutes some: these are not left, nor are they torn about it.
        """
        first, *others = self.programs
        told = [turn for turn in turns if not first.wrong(turn)]
        alive = (first, *(one for one in others if not any(map(one.wrong, told))))
        torn = (one for one in self.torn if differ([program.after(*one) for program in alive]))
        return Rivals(alive, tuple(torn), self.cut)


def rivals(
    program: Program | Passes, turns: Sequence[Turn], asked: Iterable[Asked], seed: int = 0
) -> Rivals | None:
    """The programs that are left; None where turns have several passes, for others are not looked for."""
    if not one_pass(program) or not program.parts:
        return None
    found = [program]
    unique, questions = list(dict.fromkeys(turns)), list(asked)
    told = [said(program, questions)]
    others, cut = searched(program, unique, seed)
    for other in others:
        answers = said(other, questions)
        if answers not in told:
            told.append(answers)
            found.append(other)
    differing = [
        one for one, answers in zip(questions, zip(*told, strict=True), strict=True) if differ(answers)
    ]
    return Rivals(tuple(found), tuple(differing), cut)


def searched(program: Program, turns: Sequence[Turn], seed: int) -> tuple[list[Program], int]:
    """What a few searches found that says all turns, and how many of them were cut off."""
    found, cut = list[Program](), 0
    with account(WORK) as spent:
        for number in range(SEARCHES):
            shake = random.Random(seed * SEARCHES + number)
            try:
                found.append(another(program, turns, shake, LARGER * program.cost + A_LITTLE))
            except PuzzleError:
                cut += spent.over
    return found, cut


def another(program: Program, turns: Sequence[Turn], shake: random.Random, most: float) -> Program:
    """A program that says all turns, under other prices; raises PuzzleError where there is none so small.

    Beside a large one, and one that asks for lines or neighbours, only such are looked for of which the same
    answers for what happens: to try all others again takes as long as it took to find this one, three times
    over, or as long as it took to find none.
    """
    structure = program.parts[0].view.structure
    if program.cost <= LIMITS[0] and not structure.senses:
        return learn_pass(turns, structure, shake, (most,))
    return learn_of(turns, structure, None if cellular(program) else subjects_of(program), shake, most)


def learn_of(
    turns: Sequence[Turn],
    structure: Structure,
    subjects: Sequence[str] | None,
    shake: random.Random | None,
    most: float,
) -> Program:
    """The smallest program in which these answer for everything, or (None) each cell for what changes in it.

    Raises NotLearned where none of that size says what was seen.
    """
    structure, changed = with_marks(turns, structure), changing(turns, structure)
    with one_thread():
        if subjects is not None:
            found = [by_movers(turns, structure, subjects, shake, most, most)]
        else:
            found = [
                cell_program(turns, structure, changed, shake, most, full=full) for full in (False, True)
            ]
    right = [one for one in found if one is not None and not any(map(one.wrong, turns))]
    if not right:
        raise NotLearned("no other rules of that sort explain what happens", "more roll-outs may help")
    return min(right, key=lambda one: one.cost)


def cellular(program: Program) -> bool:
    """Does each thing, or each cell, answer for its own cell alone?"""
    decisions = (one for part in program.parts for one in part.decisions.decisions)
    return all(change.offset == (0, 0) for one in decisions for change in one.outcome)


def subjects_of(program: Program) -> list[str]:
    """What answers for what happens."""
    return list(dict.fromkeys(part.subject for part in program.parts))


def differ(answers: Sequence[Board | None]) -> bool:
    """Are there two answers?"""
    return any(one != answers[0] for one in answers)


def made(
    episodes: Sequence[Episode], structure: Structure, seed: int = 0, attached: Attached | None = None
) -> list[Asked]:
    """Boards made of what was seen, each with an input like those that were tried."""
    rng, turns = random.Random(seed), list(turns_of(episodes))
    starts = [one.start for one in episodes]
    boards = list(dict.fromkeys([*starts, *(one.steps[-1].after for one in episodes if one.steps)]))
    maker = Maker(boards, structure, starts, single_movers(starts, turns, structure), attached=attached)
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
