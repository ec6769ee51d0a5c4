"""Games of one agent: search from push to push, with bounds derived from the rules and the goal.

This is the outer half: it makes the tables, lets the compiled loops run, gives them more memory when they ask
for it, and turns what they found into a plan. The loops are in `ggp.search.push.compiled.best`, what they run
on in `ggp.search.push.tables`; those for tables of a simple form in `native_arcs` and
`native_nogoods`, and what is asked of clauses in `ggp.search.push.clauses`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import count

import numpy as np

from ggp.model import Instance, Objective, Plan
from ggp.search.broad import ended
from ggp.search.moving import Found
from ggp.search.push import nogoods
from ggp.search.push.arcs import arcs, larger, retold, store_of, workspace_of
from ggp.search.push.clauses import Clauses
from ggp.search.push.compiled import arcs as native_arcs
from ggp.search.push.compiled import best as native
from ggp.search.push.compiled import nogoods as native_nogoods
from ggp.search.push.compiled.first import ANY, Workspace, bound
from ggp.search.push.compiled.relaxed import relaxed, scratch
from ggp.search.push.compiled.walk import any_holds, fires
from ggp.search.push.grounding import STEP, Unfit, ground
from ggp.search.push.matching import dead_squares, matches, nothing
from ggp.search.push.novel import Novel
from ggp.search.push.session import Sessions
from ggp.search.push.space import grown, more_views, room_of, space_of, views_of
from ggp.search.push.sweeps import Sweeps
from ggp.search.push.tables import ENDLESS, Array, GoalReader, Layout, Operators, operator_arrays
from ggp.transition.program import Transition

FIRST_STATES = 1 << 13  # room to begin with
STRETCH = 5_000  # states between two looks at the clock
NEW = 600  # states of a search for something new meanwhile
SWEPT = 500  # states of a sweep meanwhile: each takes many bounds, and the proof should not wait for it
ROUNDS = 150  # stretches after which only the search goes on that has ruled out more
SOON = 20  # the same where clauses are asked, which then mostly has
SLACK = 2  # how far beyond the least that was ruled out the next search goes, at least

WEIGHTS = {"astar": (1, 1), "bfs": (1, 0), "greedy": (0, 1), "first": (1, 4)}  # of cost and bound
PROVING = ("astar", "bfs")  # those that take states in the order of what a plan through them costs at least


class MacroSearch:
    """Search for one best plan. Raises Unfit where the instance is not of this form."""

    def __init__(
        self,
        instance: Instance,
        objective: Objective | None,
        transition: Transition,
        sessions: Sessions | None = None,
    ) -> None:
        self.sessions = sessions
        self.grounded = ground(instance, transition, objective)
        self.actions = [action for action, _ in self.grounded.agent.plans]
        self.inputs = len(self.actions)
        layout = Layout(self.grounded)
        self.ops: Operators = operator_arrays(self.grounded, layout, self.inputs)
        reader = GoalReader(instance, self.grounded, layout)
        self.goal = reader.goal()
        costs = {operator.cost for operator in self.grounded.operators if operator.kind == STEP}
        if len(costs) > 1 or max(costs, default=0) > 1:
            raise Unfit
        self.step_cost = max(costs, default=0)
        self.words: Array = layout.row(self.grounded.there)
        self.node = layout.number[self.grounded.agent.start]
        match = matches(instance, self.grounded, layout, self.ops, reader, objective)
        self.matched = match is not None
        self.match = nothing(layout.words) if match is None else match
        self.dead = np.zeros(layout.words, np.uint64) if match is None else dead_squares(match, layout)
        self.waits = relaxed(self.ops, self.inputs, self.goal.at)

    def settings(self, weights: tuple[int, int], viewed: bool) -> native.Settings:
        """What the loops have to know."""
        return native.Settings(
            self.inputs,
            self.step_cost,
            self.step_cost == 0 and self.grounded.agent.free_ground,
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
        with ExitStack() as ended_with:
            for run in runs:
                if isinstance(run, ClauseSearch):
                    ended_with.callback(run.close)
            pool = ended_with.enter_context(ThreadPoolExecutor(len(runs)))
            for round_number in count():
                check()
                for found in pool.map(stretch, runs):
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
                    least = max(run.ruled_out for run in runs)
                    told(least)
                    if best is not None and least >= best.cost:
                        return best._replace(states=sum(run.states for run in runs))
                if all(run.full for run in runs):
                    raise MemoryError
                # If only one is full, the others may get by with what there is.
                runs = [run for run in runs if not run.full]
                if round_number == (SOON if any(isinstance(run, ClauseSearch) for run in runs) else ROUNDS):
                    runs = hopeful(runs)
                    share(runs, most_bytes)
        raise AssertionError("the rounds never end")

    def runs(self, algorithm: str) -> list[Run]:
        """The searches that go on side by side; the first to answer wins.

        Where only the agent has to get somewhere, much of a board soon matters no more. Mostly tables are
        of a simple form: there are several ways of searching these. Else it is not known beforehand whether
        looking for that pays.
        """
        where_only = self.goal.asks_at and not self.goal.win.base.size and not self.goal.lose.base.size
        whole = BestFirst(self, self.settings(WEIGHTS[algorithm], False))
        if algorithm not in ("astar", "first") or not where_only or not self.step_cost:
            return [whole]
        try:
            return self.arc_runs() if algorithm == "astar" else [*seekers(ArcSearch(self)), whole]
        except Unfit:
            if algorithm == "first":
                return [whole]
            return [BestFirst(self, self.settings(WEIGHTS[algorithm], True)), whole]

    def arc_runs(self) -> list[Run]:
        """The searches for tables of a simple form. Raises Unfit for others."""
        run = ArcSearch(self)
        try:
            return [NogoodSearch(run), run, *seekers(run)]
        except Unfit:
            return [run, *seekers(run)]

    def plan(self, space: native.SearchSpace, winner: int) -> Plan:
        """The inputs that lead to a state."""
        chain = []
        state = winner
        while space.parent[state] >= 0:
            chain.append((int(space.parent[state]), int(space.operator[state]), state))
            state = int(space.parent[state])
        inputs: list[int] = []
        node = self.node
        for parent, operator, state in reversed(chain):
            if operator == native.WALKED:
                node = int(space.node[state])
                inputs += self.walk(space.words[parent], int(space.node[parent]), node)
                continue
            inputs += self.walk(space.words[parent], node, int(self.ops.source[operator]))
            inputs.append(self.grounded.operators[operator].action)
            node = int(self.ops.target[operator])
        if self.goal.asks_at:
            inputs += self.walk(space.words[winner], node, int(space.counts[native.WHERE]))
        return Plan((), tuple(str(self.actions[action]) for action in inputs))

    def walk(self, words: Array, start: int, end: int) -> list[int]:
        """The inputs of a shortest walk."""
        came: dict[int, tuple[int, int]] = {}
        todo = deque([start])
        while todo and end not in came and start != end:
            node = todo.popleft()
            for action in range(self.inputs):
                operator = fires(self.ops, words, node, action, self.inputs)
                target = int(self.ops.target[operator])
                stepped = operator >= 0 and self.ops.kind[operator] == STEP
                if stepped and target not in came and target != start and not self.goal.off[target]:
                    came[target] = node, action
                    todo.append(target)
        inputs: list[int] = []
        while end != start:
            end, action = came[end]
            inputs.append(action)
        return inputs[::-1]


class BestFirst:
    """One search that is under way. With views it is repeated with higher limits on what a plan may cost."""

    def __init__(self, of: MacroSearch, settings: native.Settings) -> None:
        self.of = of
        self.settings = settings
        self.most_bytes = 0  # what its memory may take
        self.full = False  # it needs more memory than there is
        self.before, self.slack, self.done = 0, SLACK, 0
        self.scratch = scratch(of.ops, of.waits, of.words.size)
        self.room = room_of(len(of.grounded.cells), of.words.size)
        self.begin(0 if settings.viewed else ENDLESS)

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this."""
        return self.done if self.settings.viewed else int(self.space.counts[native.LEVEL])

    @property
    def states(self) -> int:
        """How many states it keeps."""
        return int(self.space.counts[native.STATES])

    def begin(self, limit: int) -> None:
        """Start with an empty space, for plans that cost no more than `limit`."""
        of = self.of
        self.space = space_of(FIRST_STATES, of.words.size)
        self.space.counts[native.LIMIT] = limit
        self.views = views_of(FIRST_STATES if self.settings.viewed else 2, of.words.size)
        node = of.node
        if self.settings.regions:
            node = native.lowest(
                self.room, native.walk(of.ops, of.goal, of.words, node, of.inputs, self.room, 1)
            )
        native.meet(self.space, self.settings, of.words, node, 0, 0, -1, -1)

    def grow(self, end: int) -> None:
        """Make room for states, or for views."""
        try:
            if end == native.FULL:
                self.space = grown(self.space, self.most_bytes)
            else:
                self.views = more_views(self.views, self.space, self.most_bytes)
        except MemoryError:
            self.full = True

    def go_on(self) -> Found | None:
        """Search a stretch; the answer, if there is one. Raises Unfit for endless costs."""
        of, counts = self.of, self.space.counts
        end = native.search(
            self.space, of.ops, of.goal, of.waits, self.scratch, of.match, self.settings, self.room,
            self.views, STRETCH,
        )  # fmt: skip
        beyond = int(counts[native.BEYOND])
        if end in (native.FULL, native.CROWDED):
            self.grow(end)
        elif end == native.FAR:
            raise Unfit
        elif end == native.FOUND:
            winner = int(counts[native.WINNER])
            return Found(of.plan(self.space, winner), int(self.space.cost[winner]), False, 0)
        elif end == native.EMPTY and beyond == ENDLESS:
            return Found(None, 0, False, 0)
        elif end == native.EMPTY:
            # Starting again should cost no more than all that went before.
            expanded = int(counts[native.EXPANDED])
            self.slack = SLACK if expanded > 2 * self.before else 2 * self.slack
            self.before, self.done = expanded, beyond
            self.begin(beyond + self.slack)
        return None


def stretch(run: Run) -> Found | None:
    """Let a search go on: its answer, or (`cut`) a plan of which it is not known that none is better."""
    return run.go_on()


def share(runs: list[Run], most_bytes: int) -> None:
    """Give each the same part of the memory."""
    for run in runs:
        run.most_bytes = most_bytes // len(runs)


def hopeful(runs: list[Run]) -> list[Run]:
    """Those that have ruled out most; what asks clauses, or else sweeps; and what looks for something new."""
    most = max(run.ruled_out for run in runs if not isinstance(run, SweepSearch | NoveltySearch))
    asking = any(isinstance(run, ClauseSearch) for run in runs)
    kept = (NoveltySearch, ClauseSearch) if asking else (SweepSearch, NoveltySearch)
    return [run for run in runs if isinstance(run, kept) or run.ruled_out == most]


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
        if isinstance(run, Seeker):
            run.within(cost)


class ArcSearch:
    """The same for the form of `push.compiled.arcs`. Raises Unfit where the tables are of another."""

    def __init__(self, of: MacroSearch) -> None:
        self.of = of
        self.most_bytes = 0
        self.full = False
        size = of.words.size
        self.arcs, self.push_of, self.ways = arcs(of.ops, of.goal, of.inputs, size)
        self.work = self.new_workspace()
        self.store = store_of(FIRST_STATES, size)
        native_arcs.meet(self.store, of.words.view(np.int64), of.node, 0, 1, -1, 0)

    def new_workspace(self) -> Workspace:
        """Room for the work on one state."""
        return workspace_of(self.arcs.own.size, self.arcs.to.size, self.arcs.words)

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this."""
        return int(self.store.counts[native_arcs.LEVEL])

    @property
    def states(self) -> int:
        """How many states it keeps."""
        return int(self.store.counts[native_arcs.STATES])

    def go_on(self) -> Found | None:
        """Search a stretch; the answer, if there is one. Raises Unfit for endless costs."""
        end = native_arcs.search(self.store, self.arcs, self.work, 3 * STRETCH)
        if end == native_arcs.FULL:
            try:
                self.store = larger(self.store, self.of.words.size, self.most_bytes)
            except MemoryError:
                self.full = True
        elif end == native_arcs.FAR:
            raise Unfit
        elif end == native_arcs.FOUND:
            cost = int(self.store.counts[native_arcs.PAID])
            return Found(self.of.plan(*retold(self.store, self.of.words.size, self.push_of)), cost, False, 0)
        elif end == native_arcs.EMPTY:
            return Found(None, 0, False, 0)
        return None


class NogoodSearch:
    """The same by `push.compiled.nogoods`, on tables of another run. Raises Unfit for other rules."""

    def __init__(self, other: ArcSearch) -> None:
        self.of, self.arcs, self.push_of = other.of, other.arcs, other.push_of
        self.work = other.new_workspace()
        self.most_bytes = 0
        self.full = False
        nogoods.fit(self.arcs)
        start = self.of.words.view(np.int64)
        self.room = nogoods.room_of(self.arcs, other.ways.between())
        self.trie = nogoods.trie_of(nogoods.FIRST, nogoods.FIRST, start, self.arcs.own.size)
        self.stack = nogoods.stack_of(self.arcs)
        self.stack.words[: start.size], self.stack.node[0] = start, self.of.node
        least = bound(self.arcs, self.work, start, self.of.node, ANY, False)
        self.trie.counts[native_nogoods.DEPTH], self.trie.counts[native_nogoods.LIMIT] = -1, least

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this."""
        return int(self.trie.counts[native_nogoods.LIMIT])

    @property
    def states(self) -> int:
        """How many states it went through."""
        return int(self.trie.counts[native_nogoods.NODES])

    def go_on(self) -> Found | None:
        """Search a stretch; the plan, if there is one. That there is none it never finds out."""
        end = native_nogoods.search(self.trie, self.stack, self.arcs, self.work, self.room, 2 * STRETCH)
        if end == native_nogoods.FULL:
            try:
                self.trie = nogoods.larger(self.trie, self.most_bytes)
            except MemoryError:
                self.full = True
        elif end == native_nogoods.FAR:
            self.full = True
        elif end == native_nogoods.FOUND:
            counts = self.trie.counts
            cost = self.stack.left[0] - self.stack.left[counts[native_nogoods.DEPTH]]
            cost += counts[native_nogoods.PAID]
            told = nogoods.retold(self.trie, self.stack, self.of.words.size, self.push_of)
            return Found(self.of.plan(*told), int(cost), False, 0)
        return None


class SweepSearch:
    """The same by `push.sweeps`, on tables of another run: plans soon, the best one at last."""

    def __init__(self, other: ArcSearch) -> None:
        self.of, self.push_of = other.of, other.push_of
        start = self.of.words.view(np.int64)
        self.sweeps = Sweeps(other.arcs, other.new_workspace(), start, self.of.node, FIRST_STATES)
        self.most_bytes = 0

    @property
    def full(self) -> bool:
        """Is there nothing more to find, or no room to?"""
        return self.sweeps.full

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this, or than what it found."""
        return self.sweeps.least

    def within(self, cost: int) -> None:
        """Only what costs less is of use."""
        self.sweeps.within(cost)

    @property
    def states(self) -> int:
        """How many states its sweeps have met."""
        return self.sweeps.states

    def go_on(self) -> Found | None:
        """Sweep a stretch; a plan that is better than the ones before, if it comes upon one."""
        self.sweeps.most_bytes = self.most_bytes
        if self.full or not self.sweeps.go_on(SWEPT):
            return None
        plan = self.of.plan(*self.sweeps.retold(self.push_of))
        return Found(plan, self.sweeps.ceiling, True, 0)


class NoveltySearch:
    """The same by `push.novel`: plans soon, and better ones."""

    def __init__(self, other: ArcSearch) -> None:
        self.of, self.push_of = other.of, other.push_of
        start = self.of.words.view(np.int64)
        self.novel = Novel(other.arcs, other.new_workspace(), start, self.of.node, FIRST_STATES)
        self.most_bytes = 0

    @property
    def full(self) -> bool:
        """Is there nothing more to find?"""
        return self.novel.full

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this."""
        return self.novel.least

    @property
    def states(self) -> int:
        """How many states its tries have met."""
        return self.novel.states

    def within(self, cost: int) -> None:
        """Only what costs less is of use."""
        self.novel.within(cost)

    def go_on(self) -> Found | None:
        """Search a stretch; a plan that is better than the ones before, if it comes upon one."""
        self.novel.most_bytes = self.most_bytes
        if self.full or not self.novel.go_on(NEW):
            return None
        plan = self.of.plan(*self.novel.retold(self.push_of))
        self.novel.within(len(plan.actions))
        return Found(plan, len(plan.actions), True, 0)


class ClauseSearch:
    """The same by `push.clauses`: plans, and proofs that nothing costs less. Raises Unfit for other rules."""

    def __init__(self, other: ArcSearch, sessions: Sessions) -> None:
        self.of = other.of
        nogoods.fit(other.arcs)
        start = self.of.words.view(np.int64)
        self.clauses = Clauses(other.arcs, other.new_workspace(), start, self.of.node, sessions)
        self.most_bytes = 0

    @property
    def full(self) -> bool:
        """Is there nothing more to find, or no room to?"""
        return self.clauses.full

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this."""
        return self.clauses.least

    @property
    def states(self) -> int:
        """How often it was asked to look on."""
        return self.clauses.asked

    def within(self, cost: int) -> None:
        """Only what costs less is of use."""
        self.clauses.within(cost)

    def go_on(self) -> Found | None:
        """Look on for a while; a plan that is better than the ones before, if it comes upon one."""
        self.clauses.most_bytes = self.most_bytes
        inputs = None if self.full else self.clauses.go_on()
        if inputs is None:
            return None
        return Found(Plan((), tuple(str(self.of.actions[number]) for number in inputs)), len(inputs), True, 0)

    def close(self) -> None:
        """Let go of what is not ours."""
        self.clauses.close()


Seeker = SweepSearch | NoveltySearch | ClauseSearch
Run = BestFirst | ArcSearch | NogoodSearch | Seeker
