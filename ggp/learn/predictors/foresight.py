"""Plans by a predictor alone: breadth first over the boards that it foresees.

What is known besides is what a learner is told: the inputs, the placements and the goal. Plans are shortest,
or place fewest, as far as the predictor is right; a plan that it foresees may well fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, islice, product
from typing import TypeVar

from ggp.learn.boards import Board
from ggp.learn.predictors import Predictor
from ggp.learn.seen.states import board_of_state, state_of
from ggp.model import Instance, Piece, Plan
from ggp.model.board import height, width
from ggp.model.result import Clock
from ggp.referee.designs import free_cells, placeable
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import ending, initial_state, is_goal, is_lost
from ggp.referee.stock import budget, surplus

MOST = 20_000  # boards, or designs, that are looked at
BATCH = 256  # boards that are foreseen together

Item = TypeVar("Item")


def foreseen_plan(predictor: Predictor, instance: Instance, clock: Clock) -> Plan | None:
    """The first plan that wins as far as the predictor can tell; None if it sees none within `MOST`.

    Raises OutOfTime.
    """
    if instance.game.input is not None:
        return by_inputs(predictor, instance, clock) if instance.game.design is None else None
    return by_designs(predictor, instance, clock)


def by_inputs(predictor: Predictor, instance: Instance, clock: Clock) -> Plan | None:
    """Turn by turn all boards that inputs lead to."""
    words = [str(action) for action in all_actions(instance)]
    rows, columns = height(instance), width(instance)
    start = board_of_state(initial_state(instance), rows, columns)
    layer: dict[Board, tuple[str, ...]] = {start: ()}
    seen, turns = {start}, instance.level.horizon
    while layer and len(seen) < MOST:
        at_end = turns is not None and len(next(iter(layer.values()))) >= turns
        if at_end or ending(instance) == "any-turn":
            for board, plan in layer.items():
                if stands(instance, board):
                    return Plan(actions=plan)
        if at_end:
            return None
        following: dict[Board, tuple[str, ...]] = {}
        open_ones = [(board, plan) for board, plan in layer.items() if not lost(instance, board)]
        for some in batches([(board, word, plan) for board, plan in open_ones for word in words]):
            clock.check()
            after = predictor.predict([one[0] for one in some], [one[1] for one in some])
            for (before, word, plan), board in zip(some, after, strict=True):
                if board != before and board not in seen:
                    seen.add(board)
                    following[board] = (*plan, word)
        layer = following
    return None


def by_designs(predictor: Predictor, instance: Instance, clock: Clock) -> Plan | None:
    """Design by design, those that place the fewest first, each run to its end."""
    rows, columns = height(instance), width(instance)
    for some in batches(islice(designs(instance), MOST)):
        boards = [board_of_state(initial_state(instance, plan), rows, columns) for plan in some]
        for plan, won in zip(some, runs(predictor, instance, boards, clock), strict=True):
            if won:
                return Plan(design=plan)
    return None


def runs(predictor: Predictor, instance: Instance, boards: list[Board], clock: Clock) -> list[bool]:
    """Which of these boards, left to themselves, win as the predictor sees it."""
    won, over = [False] * len(boards), [False] * len(boards)
    for turn in range((instance.level.horizon or 0) + 1):
        clock.check()
        at_end = turn == (instance.level.horizon or 0)
        for at, board in enumerate(boards):
            if not over[at] and lost(instance, board):
                over[at] = True
            elif not over[at] and (at_end or ending(instance) == "any-turn") and stands(instance, board):
                won[at] = over[at] = True
        left = [at for at, done in enumerate(over) if not done]
        if at_end or not left:
            break
        after = predictor.predict([boards[at] for at in left], [None] * len(left))
        for at, board in zip(left, after, strict=True):
            boards[at] = board
    return won


def designs(instance: Instance) -> Iterator[tuple[tuple[tuple[int, int], Piece], ...]]:
    """Everything that may be placed, least first."""
    free, pieces, most = free_cells(instance), placeable(instance), budget(instance)
    filled = instance.game.design is not None and instance.game.design.fill
    numbers = (len(free),) if filled else range(min(len(free), len(free) if most is None else most) + 1)
    for number in numbers:
        for chosen in combinations(free, number):
            for placed in product(pieces, repeat=number):
                if surplus(instance, placed) is None:
                    yield tuple(zip(chosen, placed, strict=True))


def batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """The items, some at a time."""
    rest = iter(items)
    while some := list(islice(rest, BATCH)):
        yield some


def stands(instance: Instance, board: Board) -> bool:
    """Does the goal hold?"""
    return is_goal(instance, state_of(board))


def lost(instance: Instance, board: Board) -> bool:
    """Is it lost?"""
    return is_lost(instance, state_of(board))
