"""Of a level in which something moves and that cannot be won: which pieces stand in the way.

What stands in the way is what need only be taken off the map: pieces that no rule changes and that the goal
does not speak of, such as walls. That it can be won without them is shown by a plan, which the referee has
replayed; so nothing hangs on whether fewer pieces make a level easier: where one walks on them they do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations

from ggp.errors import PuzzleError, Unfit
from ggp.explain.clues import Clue
from ggp.explain.opened import on_each_cell
from ggp.explain.smallest import minimal, smallest
from ggp.model import Instance, Known, Plan
from ggp.model.board import cells, kinds_of
from ggp.model.result import Clock, OutOfTime
from ggp.tasks.solving import Run
from ggp.transition.compiler import compile_instance

SOUGHT = 20.0  # seconds for all questions, where there is no limit
ASKED = 2.0  # seconds for what one of them takes
QUESTIONS = 200  # to find fewer pieces
NONE = ("unsolvable", "horizon-exhausted")  # there is no plan


@dataclass(frozen=True)
class Obstacles:
    """Sets of pieces, each of which need only be taken away; they are of one size.

    `plan` wins without the first set. `proved`: taking fewer away does not do; else no piece of the set can
    be left out of it.
    """

    sets: tuple[tuple[Clue, ...], ...]
    plan: Plan
    proved: bool


def obstacles_or_none(
    instance: Instance, solver: str, encoding: str | None, clock: Clock
) -> Obstacles | None:
    """What stands in the way; None in puzzles in which nothing moves, and where nothing was found in time."""
    game = instance.game
    if (game.input is None and not game.physics) or game.scan is not None:
        return None
    try:
        return Seeking(instance, solver, encoding, clock).found()
    except (PuzzleError, Unfit, OutOfTime):
        return None


def lasting(instance: Instance) -> list[Clue]:
    """The pieces of the map that no rule changes, that are not placed, and that the goal does not name."""
    game, board = instance.game, instance.level.board
    transition = compile_instance(instance)
    named = {
        kind
        for term in (*game.goal.terms, *game.goal.lose)
        for pattern in (*term.patterns(), *(term.on_map() if hasattr(term, "on_map") else ()))
        for kind in kinds_of(game, pattern.name)
    }
    moving = {transition.planes[plane].kind for plane in transition.dynamic if plane < len(transition.planes)}
    placed = set(game.design.kinds) if game.design is not None else set[str]()
    kept = named | moving | placed
    return [
        Clue((row, column), piece)
        for row, column in cells(instance)
        for piece in sorted(board[row][column], key=str)
        if piece.kind not in kept
    ]


class Seeking:
    """Asks one solver about the level without some of its pieces."""

    def __init__(self, instance: Instance, solver: str, encoding: str | None, clock: Clock) -> None:
        self.instance, self.solver, self.encoding, self.clock = instance, solver, encoding, clock
        self.end = Clock(SOUGHT)
        self.sure = True  # did each question come to an end?

    def found(self) -> Obstacles | None:
        """One piece, if one is enough; else several, of which none can be left out. Raises OutOfTime."""
        every = lasting(self.instance)
        alone = list[Clue]()
        plan: Plan | None = None
        with suppress(OutOfTime):
            for one in every:
                way = self.way_without(frozenset({one}))
                alone += [one] if way is not None else []
                plan = plan or way
        if plan is not None:
            return Obstacles(tuple((one,) for one in alone), plan, True)
        if not self.opens(frozenset(every)):
            return self.in_pairs(every)
        together = minimal(every, self.opens)
        with suppress(OutOfTime):  # where it is not so that less is easier, what comes of this is tried again
            fewer, _ = smallest(every, self.opens, together, self.instance, QUESTIONS)
            together = minimal(sorted(fewer, key=lambda one: one.cell), self.opens)
        plan = self.way_without(together)
        if plan is None:  # it was a larger set that opened it, and smaller ones do not always
            return None
        in_order = tuple(sorted(together, key=lambda one: one.cell))
        return Obstacles((in_order,), plan, self.sure and len(together) == 2)

    def in_pairs(self, every: Sequence[Clue]) -> Obstacles | None:
        """Two pieces without which it can be won, where it cannot without all: one walks on the others.

        What bars a way mostly stands together, so the nearest are tried first.
        """
        for pair in sorted(combinations(every, 2), key=apart):
            plan = self.way_without(frozenset(pair))
            if plan is not None:
                return Obstacles((pair,), plan, self.sure)
        return None

    def opens(self, gone: frozenset[Clue]) -> bool:
        """Can it be won without these?"""
        return self.way_without(gone) is not None

    def way_without(self, gone: frozenset[Clue]) -> Plan | None:
        """A plan that wins without these; None where there is none, or none was found soon."""
        self.clock.check()
        self.end.check()
        clocks = (self.clock, self.end)
        limit = min([ASKED, *(clock.left for clock in clocks if clock.left is not None)])
        less = without(self.instance, gone)
        run = Run(less, self.solver, "first", time_limit=limit, encoding=self.encoding)
        plan = next(iter(run), None)
        self.sure &= plan is not None or (run.result is not None and run.result.stop in NONE)
        return plan


def apart(pair: tuple[Clue, Clue]) -> int:
    """How many cells lie between two pieces, as one walks."""
    (row, column), (other_row, other_column) = (one.cell for one in pair)
    return abs(row - other_row) + abs(column - other_column)


def without(instance: Instance, gone: frozenset[Clue]) -> Instance:
    """The level without these pieces, of which nothing is known."""
    taken = {(clue.cell, clue.piece) for clue in gone}
    level = on_each_cell(
        instance.level,
        lambda cell, here: frozenset(piece for piece in here if (cell, piece) not in taken),
    )
    return replace(instance, level=replace(level, known=Known()))
