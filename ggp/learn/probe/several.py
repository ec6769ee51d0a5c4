"""Boards that turns led to, with two of what no board before a turn held two of: a second player came out.

A teleport with three holes may bring out two players. Who takes every player off the board where one is meant
is right on all that was seen as long as nobody plays on from there.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from ggp.learn.boards import Board, Turn
from ggp.learn.probe.challenges import Asked, never_two
from ggp.learn.seen.single import numbers_on
from ggp.learn.seen.structure import Structure

MOST = 40  # boards that are played on


def with_several(
    turns: Sequence[Turn], since: Iterable[Turn], structure: Structure, seed: int = 0
) -> list[Asked]:
    """Each input on boards after turns that were played since, if they hold two of what there was one of."""
    alone = never_two(turns, structure)
    ends = dict.fromkeys(turn.after for turn in since)
    boards = [board for board in ends if several_of(board, alone, structure)]
    chosen = random.Random(seed).sample(boards, min(MOST, len(boards)))
    words = sorted({turn.word for turn in turns if turn.word is not None and "(" not in turn.word})
    return [(board, word) for board in chosen for word in words or (None,)]


def several_of(board: Board, names: set[str], structure: Structure) -> bool:
    """Does a board hold two of one of these names?"""
    return any(number > 1 and name in names for name, number in numbers_on(board, structure).items())
