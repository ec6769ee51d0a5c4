"""What a theory says of turns that it was not learned from, as its engine plays them, and the referee.

The description of a theory is many passes, and the referee plays it turn by turn, in which most of a trial's
time would go. So one run in a few is the referee's, and the engine plays the others.
"""

from __future__ import annotations

from ggp.learn.boards import Board, Episode, Step, Turn
from ggp.referee.semantics import initial_state, is_goal, is_lost
from ggp.watch.foresight import Foresight

REFEREED = 2  # of so many runs the referee plays one


class TheoryForesight(Foresight):
    """A learned description that is asked about turns, and the theory that it was made of."""

    runs = 0

    def played(self, turns: list[Turn]) -> Episode | None:
        """The turns as the referee plays them, or the engine; None where their first board cannot stand."""
        self.runs += 1
        if self.runs % REFEREED == 1:
            return super().played(turns)
        board: Board | None = turns[0].before
        start = self.written(turns[0].before)
        if start is None:
            return None
        steps = []
        for turn in turns:
            board = self.learned.program.after(board, turn.word) if board is not None else None
            written = self.written(board) if board is not None else None
            if written is None:
                break
            instance = self.world.instance(written)
            state = initial_state(instance, partial=True)
            lost = is_lost(instance, state)
            steps.append(Step(turn.word, written, False, is_goal(instance, state) and not lost, lost))
        return Episode(start, tuple(steps))
