"""Boards that question each rule: a turn in which it was seen to act, with one cell around it otherwise.

A rule that forgot to ask for something is right wherever that was never otherwise. Random play may seldom
show it (a wall behind the third of three crates), so it is made.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from ggp.learn.boards import Board, Stack, Turn
from ggp.learn.lists import applies
from ggp.learn.program import Part, Program, marked, meaning
from ggp.model import Cell

EXAMPLES = 2  # turns in which a decision acted that are changed
MOST = 600  # challenges

Asked = tuple[Board, str | None]


def challenges(program: Program, turns: Sequence[Turn], seed: int = 0) -> list[Asked]:
    """Turns to play, a random choice if there are many."""
    subjects = {part.subject for part in program.parts}
    seen = {stack for turn in turns for stack in turn.before.cells}
    stacks = [one for one in seen if not subjects & set(map(program.structure.name, one))]
    found: dict[Asked, None] = {}
    for turn, part, at, direction in acting(program, turns):
        for offset in part.decisions.offsets:
            cell = part.view.frame.cell(at, offset, direction)
            if turn.before.inside(cell) and turn.before.at(cell) in stacks:
                for stack in sorted(stacks, key=sorted):
                    found.setdefault((with_stack(turn.before, cell, stack), turn.word))
    known = {(turn.before, turn.word) for turn in turns}
    asked = [one for one in found if one not in known]
    return asked if len(asked) <= MOST else random.Random(seed).sample(asked, MOST)


def acting(program: Program, turns: Sequence[Turn]) -> Iterator[tuple[Turn, Part, Cell, str | None]]:
    """A few turns for each decision that was seen to act, with where it did."""
    times: Counter[tuple[int, int]] = Counter()
    numbers = {id(part): number for number, part in enumerate(program.parts)}
    for turn in turns:
        board, word = marked(turn.before, turn.word, program.structure), meaning(program.structure, turn.word)
        for part, at, token in program.anchors(board, turn.word):
            direction = part.direction(token, turn.word)
            window = part.view.window(board, at, direction, part.decisions.offsets)
            looks = dict(zip(part.decisions.offsets, window, strict=True))
            for index, one in enumerate(part.decisions.decisions):
                if applies(one.outcome, looks) and all(
                    test.holds(looks.get(test.offset), word) for test in one.tests
                ):
                    times[numbers[id(part)], index] += 1
                    if times[numbers[id(part)], index] <= EXAMPLES:
                        yield turn, part, at, direction
                    break


def with_stack(board: Board, cell: Cell, stack: Stack) -> Board:
    """The board with one cell otherwise."""
    index = cell[0] * board.width + cell[1]
    return board._replace(cells=(*board.cells[:index], stack, *board.cells[index + 1 :]))
