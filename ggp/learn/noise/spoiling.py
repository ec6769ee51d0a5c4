"""Play with cells that are shown wrongly: learners are measured with it, and rules are allowed for it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from ggp.learn.boards import Board, Episode, Stack


def spoilt(runs: Sequence[Episode], share: float, seed: int) -> list[Episode]:
    """The runs with a share of the cells showing what stands in some other cell."""
    rng = random.Random(seed)
    stacks = sorted({stack for run in runs for board in run.boards() for stack in board.cells}, key=sorted)

    def wrong(stack: Stack) -> Stack:
        return rng.choice([one for one in stacks if one != stack]) if rng.random() < share else stack

    def seen(board: Board) -> Board:
        return Board(board.height, board.width, tuple(map(wrong, board.cells)))

    return [
        replace(run, start=seen(run.start), steps=tuple(replace(s, after=seen(s.after)) for s in run.steps))
        for run in runs
    ]
