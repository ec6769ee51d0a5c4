"""Where a turn's rules act: which decision of which part, on which cell, in each pass of the turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ggp.learn.boards import Board, Token
from ggp.learn.fit.lists import Decision, applies
from ggp.learn.fit.program import Part, Passes, Program, Unmade, marked, meaning, programs_of, unmarked
from ggp.model import Cell


class Act(NamedTuple):
    """One decision of a part that came about: on which board, for whom on which cell, and where it looked."""

    part: Part
    decision: Decision
    board: Board  # before that pass, with the mark of the input
    at: Cell
    token: Token | None
    direction: str | None

    def changes(self) -> Iterable[tuple[str, Cell, Token | None]]:
        """What it changes, in cells and tokens of the board."""
        return self.part.view.apply(self.decision.outcome, self.at, self.direction, self.token)


def acts(program: Program | Passes, before: Board, word: str | None) -> Iterator[Act]:
    """All acts of one turn, pass by pass, as far as the rules say what it becomes."""
    for one, board in boards_before_passes(program, before, word):
        yield from acts_of_pass(one, board, word)


def boards_before_passes(
    program: Program | Passes, before: Board, word: str | None
) -> Iterator[tuple[Program, Board]]:
    """Each pass of a turn with the board, marked, that it reads, as far as the rules say what it becomes."""
    for one in programs_of(program):
        board, left = marked(before, word, one.structure), one.most_passes(before) if one.loop else one.times
        while left:
            yield one, board
            try:
                following = one.one_pass(board, word)
            except Unmade:
                return
            left = 0 if following == board else left - 1
            board = following
        before = unmarked(board)


def acts_of_pass(program: Program, board: Board, word: str | None) -> Iterator[Act]:
    """The acts of one pass over a board that has the mark of its input."""
    meant = meaning(program.structure, word)
    for part, at, token in program.anchors(board, word):
        direction, offsets = part.direction(token, word), part.decisions.asked
        looks = dict(zip(offsets, part.view.window(board, at, direction, offsets), strict=True))
        for one in part.decisions.decisions:
            if applies(one.outcome, looks) and all(
                test.holds(looks.get(test.offset), meant) for test in one.tests
            ):
                yield Act(part, one, board, at, token, direction)
                break
