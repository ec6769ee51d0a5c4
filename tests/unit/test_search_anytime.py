"""What a search says of the best plan before it has it: what is proved of it, and plans on the way."""

from __future__ import annotations

import pytest

from ggp.language.levels import load
from ggp.model.result import Clock, Outcome, OutOfTime, Query
from ggp.search.moving import MovingSearch
from ggp.search.push import macro
from ggp.solvers import search
from ggp.tasks.solving import objective_of


def nothing() -> None:
    """Stands for a look at the clock."""


class Ends(Clock):
    """A clock by which time is up after so many looks."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.looks = looks

    def check(self) -> None:
        self.looks -= 1
        if self.looks < 0:
            raise OutOfTime


def outcome_of(name: str, query: Query) -> Outcome:
    answers = search.solve(load(name), query, "astar")
    while True:
        try:
            next(answers)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome


@pytest.mark.parametrize("name, counted", [("psychopath/two-walls", "turns"), ("sokoban/crossing", "pushes")])
def test_what_was_proved_is_told_when_time_is_up(
    name: str, counted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(macro, "STRETCH", 2)
    objective = objective_of(load(name), counted)
    best = MovingSearch(load(name), objective).best(nothing).cost
    bounds = [outcome_of(name, Query("best", objective, clock=Ends(looks))).bound or 0 for looks in (2, 3, 4)]
    assert 0 < bounds[0] <= bounds[1] <= bounds[2] <= best
    some = outcome_of(name, Query("first", objective, clock=Ends(0)))
    assert (some.stop, some.bound) == ("time-limit", None)
