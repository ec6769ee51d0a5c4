"""Our own search over the compiled Transition: designs by simulation, values by narrowing, moves by state.

`search` chooses by itself; `search:NAME` says how puzzles with inputs are to be searched (`ALGORITHMS`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from importlib.util import find_spec
from math import inf
from typing import TYPE_CHECKING, Protocol

from ggp.errors import PuzzleError, Unfit, UnknownName
from ggp.model import Instance, Objective, Plan
from ggp.model.features import SCAN, SCORE, SOLVABLE, goal_features
from ggp.model.result import Facts, Outcome, OutOfTime, Query
from ggp.referee.semantics import ending
from ggp.referee.trajectory import replay
from ggp.search.narrowing.words import WORDS

if TYPE_CHECKING:
    from ggp.analysis.design import Leaf
    from ggp.engines.sat.looking import Portions
    from ggp.search.walking.digger import WalkSearch

NAME = "search"
FEATURES = SOLVABLE - {"moving-design", "design-and-input", "fill-and-physics"}
FEATURES |= goal_features(WORDS)
FEATURES |= SCAN - {"chance-in-turns"} | SCORE


# How puzzles with inputs are searched. All but `greedy` prove what they call optimal.
ALGORITHMS = {
    "auto": "press by press where order is nothing; else a short look at turns, then from push to push",
    "plain": "single turns in the order of their cost",
    "bfs": "from push to push, in the order of cost",
    "astar": "from push to push, in the order of cost and bound",
    "greedy": "from push to push, by the bound alone: some plan, not the best",
    "ida": "single turns, depth first with rising limits, in little memory",
}
FACTS = Facts(engine=NAME, pace="quick", variants=tuple(ALGORITHMS), breakable=True)
GLANCE = 1500  # states that a short look may take


def available() -> str | None:
    """Always there."""
    return None


def versions() -> dict[str, str]:
    """Nothing but ourselves."""
    return {}


def prepare() -> None:
    """Load the compiled loops, which takes longer than solving a small puzzle."""
    from ggp.transition.native.compiling import usable

    if usable():
        from ggp.search.guided.quickest import load

        load()


class Algorithm:
    """The solver with the way of searching settled."""

    FACTS = FACTS

    def __init__(self, name: str) -> None:
        self.NAME = f"{NAME}:{name}"
        self.FEATURES = FEATURES
        self.available, self.versions = available, versions
        self.name = name

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        """As `solve`."""
        return (yield from solve(instance, query, self.name))


def with_argument(name: str) -> Algorithm:
    """What `search:NAME` stands for. Raises UnknownName."""
    if name not in ALGORITHMS:
        known = ", ".join(ALGORITHMS)
        raise UnknownName(f"there is no way of searching called {name[:80]!r}", f"there are: {known}")
    return Algorithm(name)


def solve(instance: Instance, query: Query, algorithm: str = "auto") -> Generator[Plan, None, Outcome]:
    """Choose the search that fits the instance."""
    tick = every(64, query.clock.check)
    if instance.game.input is not None:
        return (yield from moving(instance, query, tick, algorithm))
    if not instance.game.physics:
        return (yield from filling(instance, query, tick))
    return (yield from designing(instance, query, tick))


def sessions() -> Callable[[], Portions] | None:
    """What the search may tell clauses, where the library is installed."""
    from ggp.engines.sat.looking import Portions

    return Portions if find_spec("pysat") else None


class Proved:
    """Keeps what no plan costs less than, for when time or memory runs out."""

    def __init__(self) -> None:
        self.least: int | None = None

    def __call__(self, least: int) -> None:
        """Keep what is proved, if it says more than what was."""
        self.least = max(least, self.least or 0)


def every(times: int, check: Callable[[], None]) -> Callable[[], None]:
    """Call `check` once in so many times."""
    count = 0

    def tick() -> None:
        nonlocal count
        count += 1
        if count % times == 0:
            check()

    return tick


def moving(
    instance: Instance, query: Query, tick: Callable[[], None], algorithm: str
) -> Generator[Plan, None, Outcome]:
    """Puzzles with inputs: through the states."""
    from ggp.search.choice import Asked, NeverWon, plans
    from ggp.transition.native.compiling import patient

    if query.want in ("all", "count"):
        return (yield from listing(instance, query, tick))
    first, check = query.want == "first", patient(query.clock)
    proved = Proved()
    asked = Asked(instance, query.objective, tick, check, algorithm, first, GLANCE, proved, sessions())
    search = plans(asked)
    sooner: Plan | None = None
    while True:
        try:
            sooner = next(search)
        except StopIteration as stop:
            found, way = stop.value
            break
        except NeverWon as reason:
            return Outcome("unsolvable", True, sizes={"states": 1}, raw="by the rules", note=str(reason))
        except (OutOfTime, MemoryError) as end:
            return stopped(end, query, proved.least)
        yield sooner
    sizes = {"states": found.states}
    if found.plan is None:
        none = none_within(instance) if found.cut else Outcome("unsolvable", True)
        return replace(none, sizes=sizes, raw=way)
    if found.plan is not sooner:
        yield found.plan
    if query.want == "first" or query.objective is None or algorithm == "greedy":
        return Outcome("satisfied", sizes=sizes, raw=way)
    return Outcome("optimal", True, bound=found.cost, sizes=sizes, raw=way)


def stopped(end: Exception, query: Query, least: int | None) -> Outcome:
    """Time or memory has run out, and so much was proved of what is asked for."""
    bound = least if query.want == "best" and query.objective is not None else None
    if isinstance(end, MemoryError):
        return Outcome("memory-limit", bound=bound, raw="MemoryError")
    return Outcome("time-limit", bound=bound, raw="out of time")


def listing(instance: Instance, query: Query, tick: Callable[[], None]) -> Generator[Plan, None, Outcome]:
    """Every plan within the horizon, or their number."""
    from ggp.search.choice import by_turns

    need_horizon(instance)
    search = by_turns(instance, query.objective, query.clock.check)
    count = search.count(tick)
    if query.want == "all":
        yield from search.all(tick)
    sizes = {"states": search.states}
    ended = Outcome("satisfied", True) if count else none_within(instance)
    return replace(ended, count=count, sizes=sizes)


def none_within(instance: Instance) -> Outcome:
    """No plan was found within the horizon: unsolvable only if the horizon is part of the goal."""
    if ending(instance) != "any-turn":
        return Outcome("unsolvable", True)
    horizon = instance.level.horizon
    return Outcome(
        "horizon-exhausted", True, note="" if horizon is None else f"no plan within {horizon} turns"
    )


def need_horizon(instance: Instance) -> None:
    """Raise PuzzleError where nothing bounds the number of plans."""
    if instance.level.horizon is None:
        raise PuzzleError(f"{instance.name} has no horizon", "give it a horizon: so many turns at most")


def filling(instance: Instance, query: Query, tick: Callable[[], None]) -> Generator[Plan, None, Outcome]:
    """Designs without a run: by narrowing."""
    from ggp.search.narrowing.search import Narrowing

    search = Narrowing(instance)
    plans = (Plan(tuple(sorted(design))) for design in search.solutions(tick))
    stop = yield from improving(plans, instance, query, search)
    return stop or Outcome("unsolvable", True)


def designing(instance: Instance, query: Query, tick: Callable[[], None]) -> Generator[Plan, None, Outcome]:
    """Designs with a run: by simulation, over tables where one piece walks in a world that stays."""
    from ggp.analysis.design import DesignSearch
    from ggp.search.walking.digger import WalkSearch
    from ggp.transition.native.compiling import patient

    need_horizon(instance)
    search: WalkSearch | DesignSearch
    try:
        search = WalkSearch(instance)
    except Unfit:
        search = DesignSearch(instance)
        leaves = search.leaves(tick)
    else:
        leaves = walks(search, instance, query, patient(query.clock))
    stop = yield from improving((Plan(leaf.placed) for leaf in leaves), instance, query, search)
    return stop or none_within(instance)


def walks(search: WalkSearch, instance: Instance, query: Query, check: Callable[[], None]) -> Iterator[Leaf]:
    """The winning runs of one walker that are worth a look: all, one, or each shorter than the one before."""
    objective = query.objective if query.want == "best" else None
    if query.want == "first" or (query.want == "best" and by_placements(objective)):
        yield from search.fewest(check)
    elif not sooner_is_better(instance, objective):
        yield from search.leaves(check)
    else:
        leaf = next(search.fewest(check), None)
        while leaf is not None:
            yield leaf
            level = replace(instance.level, horizon=leaf.turn - 1)
            again = type(search)(replace(instance, level=level)) if leaf.turn else None
            leaf = None if again is None else next(again.fewest(check), None)


def sooner_is_better(instance: Instance, objective: Objective | None) -> bool:
    """Are runs wanted that win in fewer turns, and may they?"""
    return objective is not None and objective.counts == "turns" and ending(instance) == "any-turn"


def by_placements(objective: Objective | None) -> bool:
    """Will any plan do, or one with the fewest placements?"""
    return objective is None or objective.counts == "placements"


class Limited(Protocol):
    """A search that places no more than `limit` pieces; lowering it while it runs prunes."""

    limit: int | None


def improving(
    plans: Iterator[Plan], instance: Instance, query: Query, search: Limited
) -> Generator[Plan, None, Outcome | None]:
    """Pass plans on; of the best one, ask for better and better ones. None if there was no plan."""
    objective = query.objective if query.want == "best" else None
    best: int | None = None
    found = False
    for plan in plans:
        if objective is not None:
            value = cost(instance, plan, objective)
            if best is not None and value >= best:
                continue
            best = value
        found = True
        yield plan
        if query.want == "first" or (query.want == "best" and objective is None):
            return Outcome("satisfied")
        if objective is not None and best is not None:
            if best <= least(instance, objective):
                break
            tighten(search, instance, objective, best - 1)
    if not found:
        return None
    return Outcome("optimal", True, bound=best) if objective is not None else Outcome("satisfied", True)


def least(instance: Instance, objective: Objective) -> float:
    """What no plan costs less than: where runs end at the horizon only, all take as many turns."""
    if objective.highest:
        return -inf
    last = objective.counts == "turns" and ending(instance) != "any-turn"
    return instance.level.horizon or 0 if last else 0


def tighten(search: Limited, instance: Instance, objective: Objective, most: int) -> None:
    """Let a search that is under way look for no plan that costs more than `most`, where it can."""
    from ggp.analysis.design import DesignSearch

    if objective.counts == "placements":
        search.limit = most
    elif isinstance(search, DesignSearch) and sooner_is_better(instance, objective):
        search.horizon = most


def cost(instance: Instance, plan: Plan, objective: Objective) -> int:
    """What a plan costs, as the referee has it."""
    if objective.counts == "placements":
        return len(plan.design)
    return objective.cost(replay(instance, plan).values[objective.name])
