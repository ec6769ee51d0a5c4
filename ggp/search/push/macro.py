"""Games of one agent: search from push to push, with bounds derived from the rules and the goal.

Several searches (`push.runs`) go on side by side over the tables of one `Problem`; here is which of them,
with how much memory and for how long.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import count

from ggp.errors import Unfit
from ggp.model import Plan
from ggp.search.broad import ended
from ggp.search.moving import Found
from ggp.search.push.compiled import best as native
from ggp.search.push.compiled.walk import any_holds
from ggp.search.push.problem import Problem
from ggp.search.push.runs.best_first import BestFirst
from ggp.search.push.runs.hasty import Hasty
from ggp.search.push.runs.proving import ArcSearch, NogoodSearch
from ggp.search.push.runs.seeking import ClauseSearch, NoveltySearch, Seeker, SweepSearch
from ggp.search.push.runs.shares import Run, left, on_turn, share

WEIGHTS = {"astar": (1, 1), "bfs": (1, 0), "greedy": (0, 1), "first": (1, 4)}  # of cost and bound
PROVING = ("astar", "bfs")  # those that take states in the order of what a plan through them costs at least


class MacroSearch(Problem):
    """Search for one best plan. Raises Unfit where the instance is not of this form."""

    def settings(self, weights: tuple[int, int], viewed: bool, walks: bool = True) -> native.Settings:
        """What the loops have to know. Without `walks` only pushes cost anything."""
        step_cost = self.step_cost if walks else 0
        return native.Settings(
            self.inputs,
            step_cost,
            step_cost == 0 and self.grounded.agent.free_ground,
            *weights,
            bool(self.goal.asks_at or self.goal.zero.any()),
            self.matched,
            self.dead,
            viewed,
        )

    def best(self, check: Callable[[], None], algorithm: str, most_bytes: int) -> Found:
        """As `going`, without the plans on the way."""
        return ended(self.going(check, algorithm, most_bytes))

    def going(
        self,
        check: Callable[[], None],
        algorithm: str,
        most_bytes: int,
        told: Callable[[int], None] = lambda least: None,
    ) -> Generator[Plan, None, Found]:
        """A plan that costs least (for `greedy` and `first`: some plan); before it perhaps others.

        `check` is called now and then, and may raise; `told` as often with what no plan costs less than.
        Raises MemoryError past `most_bytes`.
        """
        if self.goal.off[self.node] or any_holds(self.goal.lose, self.words):
            return Found(None, 0, False, 1)
        runs = self.runs(algorithm)
        share(runs, most_bytes)
        best: Found | None = None
        least = 0
        with ExitStack() as ended_with:
            for run in runs:
                if isinstance(run, ClauseSearch):
                    ended_with.callback(run.close)
            pool = ended_with.enter_context(ThreadPoolExecutor(len(runs)))
            for round_number in count():
                check()
                for found in pool.map(stretch, on_turn(runs, round_number, best is not None)):
                    if found is None:
                        continue
                    found = found._replace(states=sum(run.states for run in runs))
                    if not found.cut or algorithm not in PROVING:
                        return found._replace(cut=False)
                    if best is None or found.cost < best.cost:
                        best = found._replace(cut=False)
                        yield found.plan or Plan()
                if best is not None:
                    within(runs, best.cost)
                if algorithm in PROVING:
                    least = max(least, *(run.ruled_out for run in runs))
                    told(least)
                    if best is not None and least >= best.cost:
                        return best._replace(states=sum(run.states for run in runs))
                runs = left(runs, round_number, most_bytes, best is not None)
                if not runs or all(run.full for run in runs):
                    raise MemoryError
        raise AssertionError("the rounds never end")

    def runs(self, algorithm: str) -> list[Run]:
        """The searches that go on side by side; the first to answer wins.

        Where only the agent has to get somewhere, much of a board soon matters no more. Mostly tables are
        of a simple form: there are several ways of searching these. Else it is not known beforehand whether
        looking for that pays.
        """
        where_only = self.goal.asks_at and not self.goal.win.base.size and not self.goal.lose.base.size
        whole = self.weighted(WEIGHTS[algorithm])
        if algorithm not in ("astar", "first") or not where_only or not self.step_cost:
            return [whole, Hasty(self, self.weighted)] if algorithm == "astar" else [whole]
        try:
            return self.arc_runs() if algorithm == "astar" else [*seekers(ArcSearch(self)), whole]
        except Unfit:
            if algorithm == "first":
                return [whole]
            return [BestFirst(self, self.settings(WEIGHTS[algorithm], True)), whole]

    def weighted(self, weights: tuple[int, int], walks: bool = True) -> BestFirst:
        """The search over all states, with weights of cost and bound; without `walks` by pushes alone."""
        return BestFirst(self, self.settings(weights, False, walks))

    def arc_runs(self) -> list[Run]:
        """The searches for tables of a simple form. Raises Unfit for others."""
        run = ArcSearch(self)
        try:
            return [NogoodSearch(run), run, *seekers(run)]
        except Unfit:
            return [run, *seekers(run)]


def stretch(run: Run) -> Found | None:
    """Let a search go on: its answer, or (`cut`) a plan of which it is not known that none is better."""
    return run.go_on()


def seekers(other: ArcSearch) -> list[Run]:
    """The searches that find plans on the way, on tables of another run."""
    runs: list[Run] = [SweepSearch(other), NoveltySearch(other)]
    if other.of.sessions is not None:
        with suppress(Unfit):
            runs.append(ClauseSearch(other, other.of.sessions))
    return runs


def within(runs: list[Run], cost: int) -> None:
    """Tell those that look for better and better plans what the best one costs."""
    for run in runs:
        if isinstance(run, Seeker | Hasty):
            run.within(cost)
