"""Our own search over the compiled Transition: designs by simulation, values by narrowing, moves by state."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Protocol

from ggp.errors import PuzzleError
from ggp.features import SOLVABLE
from ggp.model import Instance, Plan
from ggp.result import Outcome, Query, Stop
from ggp.semantics import ending

NAME = "search"
FEATURES = (SOLVABLE - {"moving-design", "design-and-input", "fill-and-physics"}) | {
    "goal:on",
    "goal:count",
    "goal:different",
}


def available() -> str | None:
    """Always there."""
    return None


def versions() -> dict[str, str]:
    """Nothing but ourselves."""
    return {}


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Choose the search that fits the instance."""
    tick = every(64, query.clock.check)
    if instance.game.input is not None:
        return (yield from moving(instance, query, tick))
    if not instance.game.physics:
        return (yield from filling(instance, query, tick))
    return (yield from designing(instance, query, tick))


def every(times: int, check: Callable[[], None]) -> Callable[[], None]:
    """Call `check` once in so many times."""
    count = 0

    def tick() -> None:
        nonlocal count
        count += 1
        if count % times == 0:
            check()

    return tick


def moving(instance: Instance, query: Query, tick: Callable[[], None]) -> Generator[Plan, None, Outcome]:
    """Puzzles with inputs: through the states."""
    from ggp.search.moving import MovingSearch

    search = MovingSearch(instance, query.objective)
    if query.want in ("all", "count"):
        need_horizon(instance)
        count = search.count(tick)
        if query.want == "all":
            yield from search.all(tick)
        sizes = {"states": len(search.judged)}
        return Outcome("satisfied" if count else none_stop(instance), True, count, sizes=sizes)
    found = search.best(tick)
    sizes = {"states": found.states}
    if found.plan is None:
        return Outcome(none_stop(instance) if found.cut else "unsolvable", True, sizes=sizes)
    yield found.plan
    if query.want == "first" or query.objective is None:
        return Outcome("satisfied", sizes=sizes)
    return Outcome("optimal", True, bound=found.cost, sizes=sizes)


def none_stop(instance: Instance) -> Stop:
    """No plan was found within the horizon: unsolvable only if the horizon is part of the goal."""
    return "horizon-exhausted" if ending(instance) == "any-turn" else "unsolvable"


def need_horizon(instance: Instance) -> None:
    """Raise PuzzleError where nothing bounds the number of plans."""
    if instance.level.horizon is None:
        raise PuzzleError(f"{instance.name} has no horizon", "give one with --horizon N")


def filling(instance: Instance, query: Query, tick: Callable[[], None]) -> Generator[Plan, None, Outcome]:
    """Designs without a run: by narrowing."""
    from ggp.search.fill import FillSearch

    search = FillSearch(instance)
    plans = (Plan(tuple(sorted(design))) for design in search.solutions(tick))
    stop = yield from improving(plans, query, search)
    return stop or Outcome("unsolvable", True)


def designing(instance: Instance, query: Query, tick: Callable[[], None]) -> Generator[Plan, None, Outcome]:
    """Designs with a run: by simulation."""
    from ggp.search.design import DesignSearch

    need_horizon(instance)
    search = DesignSearch(instance)
    stop = yield from improving((Plan(leaf.placed) for leaf in search.leaves(tick)), query, search)
    return stop or Outcome(none_stop(instance), True)


class Limited(Protocol):
    """A search that places no more than `limit` pieces; lowering it while it runs prunes."""

    limit: int | None


def improving(plans: Iterator[Plan], query: Query, search: Limited) -> Generator[Plan, None, Outcome | None]:
    """Pass plans on; for the best one, ask for fewer and fewer placements. None if there was no plan."""
    fewest = query.want == "best" and query.objective is not None and query.objective.counts == "placements"
    found: Plan | None = None
    for plan in plans:
        if found is not None and fewest and len(plan.design) >= len(found.design):
            continue
        found = plan
        yield plan
        if query.want == "first" or (query.want == "best" and not fewest):
            return Outcome("satisfied")
        if fewest:
            if not plan.design:
                break
            search.limit = len(plan.design) - 1
    if found is None:
        return None
    return Outcome("optimal", True, bound=len(found.design)) if fewest else Outcome("satisfied", True)
