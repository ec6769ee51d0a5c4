"""Boards that question each rule: a turn in which it was seen to act, with one cell around it otherwise.

A rule that forgot to ask for something is right wherever that was never otherwise. Random play may seldom
show it (a wall behind the third of three crates), so it is made. Where a turn has several passes, or one that
is repeated, a rule is questioned where it acted in any of them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from ggp.learn.acts import Act, acts
from ggp.learn.boards import Board, Stack, Turn
from ggp.learn.program import Passes, Program
from ggp.model import Cell

EXAMPLES = 2  # turns in which a decision acted that are changed
MOST = 600  # challenges

Asked = tuple[Board, str | None]


def challenges(program: Program | Passes, turns: Sequence[Turn], seed: int = 0) -> list[Asked]:
    """Turns to play, a random choice if there are many."""
    subjects = {part.subject for part in program.parts}
    seen = {stack for turn in turns for stack in turn.before.cells}
    stacks = [one for one in seen if not subjects & set(map(program.structure.name, one))]
    found: dict[Asked, None] = {}
    for turn, act in acting(program, turns):
        for offset in act.part.decisions.offsets:
            cell = act.part.view.frame.cell(act.at, offset, act.direction)
            if turn.before.inside(cell) and turn.before.at(cell) in stacks:
                for stack in sorted(stacks, key=sorted):
                    found.setdefault((with_stack(turn.before, cell, stack), turn.word))
    known = {(turn.before, turn.word) for turn in turns}
    asked = [one for one in found if one not in known]
    return asked if len(asked) <= MOST else random.Random(seed).sample(asked, MOST)


def acting(program: Program | Passes, turns: Sequence[Turn]) -> Iterator[tuple[Turn, Act]]:
    """A few turns for each decision that was seen to act, with where it did."""
    times: Counter[int] = Counter()
    for turn in turns:
        for act in acts(program, turn.before, turn.word):
            times[id(act.decision)] += 1
            if times[id(act.decision)] <= EXAMPLES:
                yield turn, act


def with_stack(board: Board, cell: Cell, stack: Stack) -> Board:
    """The board with one cell otherwise."""
    index = cell[0] * board.width + cell[1]
    return board._replace(cells=(*board.cells[:index], stack, *board.cells[index + 1 :]))
