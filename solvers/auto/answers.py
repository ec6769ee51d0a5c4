"""What several solvers have answered to one question, as the answer of one."""

from __future__ import annotations

from collections.abc import Generator

from ggp.model import Instance, Plan
from ggp.model.result import Once, Outcome, Query
from ggp.referee.improving import Improving
from ggp.referee.trajectory import played


class Answers:
    """What was found so far, over all that were asked: a plan is passed on once, and only if it is better.

    Where all are asked for each is passed on as it is found, so that who wants but a few can stop.
    """

    def __init__(self, instance: Instance, query: Query) -> None:
        self.trace, self.lists = query.trace, query.want in ("all", "count")
        self.trace.by = ""
        self.improved = Improving(instance, query)
        self.listed = Once()
        self.by_each: dict[str, Once] = {}
        self.bound: int | None = None  # what was proved: no plan costs less

    def of(self, name: str, plans: Generator[Plan, None, Outcome]) -> Generator[Plan, None, Outcome]:
        """Those of one solver that are news."""
        try:
            while True:
                try:
                    plan = next(plans)
                except StopIteration as end:
                    outcome: Outcome = end.value
                    return outcome
                if self.news(name, plan):
                    yield plan
        finally:
            plans.close()

    def news(self, name: str, plan: Plan) -> bool:
        """Is a plan to be passed on? Then it is whose the answer is so far."""
        if self.lists:
            # What another one listed is no news; who lists a plan twice is not covered up for.
            again = not self.by_each.setdefault(name, Once()).first(*played(plan))
            new = self.listed.first(*played(plan)) or again
        else:
            new = self.improved.by(plan)
        self.trace.by = name if new else self.trace.by
        return new

    def anew(self, name: str) -> None:
        """One begins from the start, so it lists again what it has listed."""
        self.by_each.pop(name, None)

    def proved(self, bound: int | None) -> None:
        """One has proved that no plan costs less."""
        if bound is not None:
            self.bound = bound if self.bound is None else max(bound, self.bound)
