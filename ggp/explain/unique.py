"""Has a level one answer, several, or none?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ggp.explain.conflict import Conflict, conflict_or_none
from ggp.explain.obstacles import Obstacles, obstacles_or_none
from ggp.model import Cell, Instance, Piece, Plan
from ggp.model.result import Answers, Clock, Result, answers_of
from ggp.model.shown import line, number_of
from ggp.tasks.solving import Run

Differences = tuple[tuple[Cell, Piece | None, Piece | None], ...]


@dataclass(frozen=True)
class Uniqueness:
    """What was found: `plans` has the answer, or two of several; `conflict` or `obstacles` why there is none.

    `differ` has the cells on which the two answers differ, with what either places there.
    """

    answers: Answers
    result: Result
    differ: Differences = ()
    conflict: Conflict | None = None
    obstacles: Obstacles | None = None

    def __repr__(self) -> str:
        """Whether there is one answer."""
        return line("Uniqueness", self.result.level, [self.answers, number_of("plan", len(self.plans))])

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The answers, all replayed."""
        return self.result.plans


def unique(
    instance: Instance,
    solver: str = "cp-sat",
    time_limit: float | None = None,
    encoding: str | None = None,
) -> Uniqueness:
    """Whether the level has one answer; raises what `ggp.tasks.solving.Run` raises.

    What something contradicts is not known. Of puzzles that move two answers may also differ in their
    inputs alone; then `differ` is empty. Who lists plans stops at the horizon: where there is none up to it,
    the solver is asked for any plan, too, as it may know that more turns would bring none.
    """
    clock = Clock(time_limit)
    result = finished(Run(instance, solver, "all", limit=2, time_limit=time_limit, encoding=encoding))
    result = at_any_turn(
        result, lambda: Run(instance, solver, "first", time_limit=clock.left, encoding=encoding)
    )
    answers = answers_of(result)
    if answers == "several":
        return Uniqueness(answers, result, differences(*result.plans[:2]))
    if answers != "none":
        return Uniqueness(answers, result)
    conflict = conflict_or_none(instance, clock)
    found = None if conflict is not None else obstacles_or_none(instance, solver, encoding, clock)
    return Uniqueness(answers, result, conflict=conflict, obstacles=found)


def at_any_turn(result: Result, any_plan: Callable[[], Run]) -> Result:
    """The result, or that of a run for any plan, where that knows that more turns would bring none either."""
    if result.stop != "horizon-exhausted":
        return result
    other = finished(any_plan())
    if other.stop != "unsolvable":
        return result
    return replace(other, seconds=result.seconds + other.seconds, encoding=result.encoding + other.encoding)


def finished(run: Run) -> Result:
    """The result of a run that is gone through."""
    for _ in run:
        pass
    assert run.result is not None
    return run.result


def differences(one: Plan, other: Plan) -> Differences:
    """The cells on which two plans place something else."""
    first, second = dict(one.design), dict(other.design)
    return tuple(
        (cell, first.get(cell), second.get(cell))
        for cell in sorted({*first, *second})
        if first.get(cell) != second.get(cell)
    )
