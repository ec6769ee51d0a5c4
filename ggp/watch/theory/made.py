"""Boards that are made for questions: like those that were seen, with something else near what changed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from ggp.learn.boards import Board, Stack, Turn

Asked = tuple[Board, str | None]
"""A board, and an input on it."""
POOL = 600  # boards that are made
STEPS = tuple((down, right) for down in range(-2, 3) for right in range(-2, 3) if abs(down) + abs(right) < 3)


def made(turns: Sequence[Turn], known: set[Asked], rng: random.Random) -> Iterator[Asked]:
    """Boards like those that were seen, with something else near what changed."""
    stacks: list[Stack] = sorted({stack for turn in turns for stack in turn.before.cells}, key=sorted)
    single = [stack for stack in stacks if len(stack) <= 1] or stacks
    for _ in range(POOL):
        turn = rng.choice(turns)
        cells = [
            n for n, (a, b) in enumerate(zip(turn.before.cells, turn.after.cells, strict=True)) if a != b
        ]
        at = rng.choice(cells) if cells else rng.randrange(len(turn.before.cells))
        down, right = rng.choice(STEPS)
        row, column = at // turn.before.width + down, at % turn.before.width + right
        if not turn.before.inside((row, column)):
            continue
        index = row * turn.before.width + column
        stack = rng.choice(single if rng.random() < 0.7 else stacks)
        changed = list(turn.before.cells)
        if lone(changed[index], turn) or lone(stack, turn) or changed[index] == stack:
            continue
        changed[index] = stack
        one = turn.before._replace(cells=tuple(changed)), turn.word
        if one not in known:
            yield one


def lone(stack: Stack, turn: Turn) -> bool:
    """Does a stack hold what there is one of on a board?"""
    return any(sum(token in one for one in turn.before.cells) == 1 for token in stack)
