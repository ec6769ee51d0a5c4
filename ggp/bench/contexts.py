"""The seed's learner beside ours: a predictor of cells has no rules, so it is asked about every 3x3 context.

That is what the seed proposes and did not do: of each pattern of obstacles around a cell, with no walker or
one that stands in none of them, is the cell in the middle foreseen? It sees what the seed's did: obstacles of
one sort and walkers. Which cells are targets is left out, so the setting is one in which nothing rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ggp.learn.boards import Board, Episode, Stack, turns_of
from ggp.learn.predictors import predictor
from ggp.watch.described import DescribedWorld

SIDE = 3
MIDDLE = 12  # the cell in the middle of 5x5
FREE: Stack = frozenset()


def verdict(name: str, episodes: Sequence[Episode], world: DescribedWorld, small: dict[str, Any]) -> str:
    """`exact`, or in how many contexts the predictor, having seen the runs, foresees something else."""
    hidden = frozenset({small["target"]})
    turns = [
        turn._replace(before=without(turn.before, hidden), after=without(turn.after, hidden))
        for turn in turns_of(episodes)
    ]
    learner = predictor(name)
    learner.fit(turns)
    boards = list(contexts(small["solid"][0], small["walker"]))
    foreseen = learner.predict(boards, [None] * len(boards))
    wrong = sum(
        one.cells[MIDDLE] != truth for one, truth in zip(foreseen, middles(world, boards), strict=True)
    )
    return f"wrong in {wrong:,} of {len(boards):,} contexts" if wrong else "exact"


def without(board: Board, tokens: Stack) -> Board:
    """The board without some tokens."""
    return board._replace(cells=tuple(stack - tokens for stack in board.cells))


def contexts(solid: str, walkers: Sequence[str]) -> Iterator[Board]:
    """Boards of 5x5 with obstacles around each pattern of 3x3 and at most one walker in it: 5,120 for two."""
    obstacle = frozenset({solid})
    for pattern in product((FREE, obstacle), repeat=SIDE * SIDE):
        yield framed(pattern, obstacle)
        for at, walker in product(range(SIDE * SIDE), walkers):
            if not pattern[at]:
                yield framed((*pattern[:at], frozenset({walker}), *pattern[at + 1 :]), obstacle)


def framed(pattern: Sequence[Stack], obstacle: Stack) -> Board:
    """A pattern of 3x3 with obstacles all around."""
    edge = [obstacle] * (SIDE + 2)
    rows = [pattern[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE)]
    inner = [cell for row in rows for cell in (obstacle, *row, obstacle)]
    return Board(SIDE + 2, SIDE + 2, (*edge, *inner, *edge))


def middles(world: DescribedWorld, boards: Sequence[Board]) -> Iterator[Stack]:
    """What the game makes of the cell in the middle of each board."""
    for board in boards:
        run = world.one(board, [None])
        assert run is not None
        yield run.steps[0].after.cells[MIDDLE]
