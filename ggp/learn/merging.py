"""What merges: things of one kind that come to one cell and are one from then on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ggp.learn.boards import Board, Turn
from ggp.learn.program import Passes, Program, marked
from ggp.learn.structure import Structure
from ggp.model import Cell


def merging(
    boards: Iterable[Board], turns: Iterable[Turn], program: Program | Passes, structure: Structure
) -> frozenset[str]:
    """The names of which two shared a cell, or one came in a turn to where another came or was."""
    stacks = {stack for board in boards for stack in board.cells if len(stack) > 1}
    found = set()
    for stack in stacks:
        names = Counter(map(structure.name, stack))
        found |= {name for name, number in names.items() if number > 1}
    for one in [program] if isinstance(program, Program) else program.programs:
        found |= {structure.name(token) for turn in turns for _, token in met(one, turn)}
    return frozenset(found)


def met(program: Program, turn: Turn) -> Iterator[tuple[Cell, str]]:
    """Where a pass over the board before a turn puts one token twice, or where it stands and stays."""
    board = marked(turn.before, turn.word, program.structure)
    come: Counter[tuple[Cell, str]] = Counter()
    gone: set[tuple[Cell, str]] = set()
    for part, at, token in program.anchors(board, turn.word):
        direction = part.direction(token, turn.word)
        outcome = part.outcome(board, at, direction, turn.word)
        for sign, cell, thing in part.view.apply(outcome, at, direction):
            if sign == "-" and thing is not None:
                gone.add((cell, thing))
            elif thing is not None:
                come[cell, thing] += 1
    there = {(cell, thing) for cell, thing in come if thing in (board.at(cell) or ())}
    return (where for where, number in come.items() if number > 1 or where in there - gone)
