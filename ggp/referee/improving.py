"""Better and better plans: where several give answers to one question, only what is news is passed on."""

from __future__ import annotations

from ggp.model import Instance, Plan
from ggp.model.result import Query
from ggp.referee.trajectory import replay


class Improving:
    """Remembers what the best plan so far costs, by the objective of a question."""

    def __init__(self, instance: Instance, query: Query) -> None:
        self.instance = instance
        self.objective = query.objective if query.want == "best" else None
        self.value: int | None = None

    def by(self, plan: Plan) -> bool:
        """Is it the first plan, or better than the best one? True where nothing says what is better."""
        if self.objective is None:
            return True
        value = replay(self.instance, plan).values.get(self.objective.name)
        value = None if value is None else self.objective.cost(value)
        if value is None or (self.value is not None and value >= self.value):
            return value is None
        self.value = value
        return True
