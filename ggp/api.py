"""What `import ggp` offers: load, solve, solutions, replay, export."""

from __future__ import annotations

from collections.abc import Iterator

from ggp import levels
from ggp.model import Instance, Plan
from ggp.result import Result, Want
from ggp.solving import Run, with_horizon
from ggp.trajectory import Verdict
from ggp.trajectory import replay as _replay


def load(name: str) -> Instance:
    """The instance called `game/level`, or in the file of that path (`FILE#3`: its third level).

    Raises UnknownName or DescriptionError, with file, line and column.
    """
    return levels.load(name)


def solve(
    instance: Instance | str,
    solver: str = "cp-sat",
    want: Want = "best",
    *,
    objective: str | None = None,
    horizon: int | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
) -> Result:
    """Ask a solver for the best plan, the first, all of them, or how many there are.

    `objective` names one of the game's objectives (default: its first), `horizon` replaces the level's,
    `limit` stops after so many plans of `all`, `time_limit` is in seconds. Every plan in the result has been
    replayed. Raises UnknownName, NotAvailable, UnsupportedFeature, SolverError.
    """
    run = Run(_instance(instance, horizon), solver, want, objective, limit, time_limit)
    for _ in run:
        pass
    assert run.result is not None
    return run.result


def solutions(
    instance: Instance | str,
    solver: str = "cp-sat",
    *,
    horizon: int | None = None,
    time_limit: float | None = None,
) -> Iterator[Plan]:
    """Every plan in which each placement matters, one by one as they are found and replayed."""
    yield from Run(_instance(instance, horizon), solver, "all", time_limit=time_limit)


def replay(instance: Instance | str, plan: Plan) -> Verdict:
    """The referee's verdict on a plan. Raises PlanError if its design is not allowed."""
    return _replay(_instance(instance, None), plan)


def _instance(instance: Instance | str, horizon: int | None) -> Instance:
    return with_horizon(load(instance) if isinstance(instance, str) else instance, horizon)
