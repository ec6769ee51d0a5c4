"""Games of one walker: search from shove to shove, with bounds derived from the rules and the goal.

This is the outer half: it makes the tables, lets the compiled loops run, gives them more memory when they ask
for it, and turns what they found into a plan. The loops are in `ggp.search.push.compiled.best`, what they run
on in `ggp.search.push.shove_tables`; those for tables of a simple form in `native_lanes` and
`native_nogoods`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import numpy as np

from ggp.model import Instance, Objective, Plan
from ggp.search.moving import Found
from ggp.search.push import nogoods
from ggp.search.push.compiled import best as native
from ggp.search.push.compiled import lanes as native_lanes
from ggp.search.push.compiled import nogoods as native_nogoods
from ggp.search.push.compiled.first import ANY, Desk, bound
from ggp.search.push.compiled.relaxed import relaxed, scratch
from ggp.search.push.compiled.walk import any_holds, fires
from ggp.search.push.lanes import desk_of, lanes, larger, retold, store_of
from ggp.search.push.matching import lost_bits, matches, nothing
from ggp.search.push.memory import grown, memory_of, more_views, room_of, views_of
from ggp.search.push.shove_tables import ENDLESS, Array, GoalReader, Layout, Moves, moves
from ggp.search.push.shoves import STEP, Unfit, shoves
from ggp.transition.program import Transition

FIRST_STATES = 1 << 13  # room to begin with
STRETCH = 5_000  # states between two looks at the clock
ROUNDS = 150  # stretches after which only the search goes on that has ruled out more
SLACK = 2  # how far beyond the least that was ruled out the next search goes, at least

WEIGHTS = {"astar": (1, 1), "bfs": (1, 0), "greedy": (0, 1), "first": (1, 4)}  # of cost and bound


class MacroSearch:
    """Search for one best plan. Raises Unfit where the instance is not of this form."""

    def __init__(self, instance: Instance, objective: Objective | None, transition: Transition) -> None:
        self.shoves = shoves(instance, transition, objective)
        self.actions = [action for action, _ in self.shoves.walker.plans]
        self.inputs = len(self.actions)
        layout = Layout(self.shoves)
        self.moves: Moves = moves(self.shoves, layout, self.inputs)
        reader = GoalReader(instance, self.shoves, layout)
        self.goal = reader.goal()
        costs = {option.cost for option in self.shoves.options if option.kind == STEP}
        if len(costs) > 1 or max(costs, default=0) > 1:
            raise Unfit
        self.step_cost = max(costs, default=0)
        self.words: Array = layout.row(self.shoves.there)
        self.node = layout.number[self.shoves.walker.start]
        match = matches(instance, self.shoves, layout, self.moves, reader, objective)
        self.matched = match is not None
        self.match = nothing(layout.words) if match is None else match
        self.lost = np.zeros(layout.words, np.uint64) if match is None else lost_bits(match, layout)
        self.waits = relaxed(self.moves, self.inputs, self.goal.at)

    def settings(self, weights: tuple[int, int], viewed: bool) -> native.Settings:
        """What the loops have to know."""
        return native.Settings(
            self.inputs,
            self.step_cost,
            self.step_cost == 0 and self.shoves.walker.free_ground,
            *weights,
            bool(self.goal.asks_at or self.goal.zero.any()),
            self.matched,
            self.lost,
            viewed,
        )

    def best(self, check: Callable[[], None], algorithm: str, most_bytes: int) -> Found:
        """A plan that costs least (for `greedy` and `first`: some plan).

        `check` is called now and then, and may raise. Raises MemoryError past `most_bytes`.
        """
        if self.goal.off[self.node] or any_holds(self.goal.lose, self.words):
            return Found(None, 0, False, 1)
        hunts: list[Hunt | LaneHunt | NogoodHunt] = [Hunt(self, self.settings(WEIGHTS[algorithm], False))]
        # Where only the walker has to get somewhere, much of a board soon matters no more. Mostly tables are
        # of a simple form: there are two ways of searching these. Else it is not known beforehand whether
        # looking for that pays. Two ways go on side by side, and the first to answer wins.
        where_only = self.goal.asks_at and not self.goal.win.base.size and not self.goal.lose.base.size
        if algorithm == "astar" and where_only and self.step_cost:
            try:
                hunts = self.simple_hunts()
            except Unfit:
                hunts.insert(0, Hunt(self, self.settings(WEIGHTS[algorithm], True)))
        for hunt in hunts:
            hunt.most_bytes = most_bytes // len(hunts)
        with ThreadPoolExecutor(len(hunts)) as pool:
            for round_number in count():
                check()
                found = [one for one in pool.map(stretch, hunts) if one is not None]
                if found:
                    return found[0]._replace(states=sum(hunt.states for hunt in hunts))
                if all(hunt.full for hunt in hunts):
                    raise MemoryError
                # If only one is full, the other may get by with what there is.
                hunts = [hunt for hunt in hunts if not hunt.full]
                if round_number == ROUNDS:
                    most = max(hunt.ruled_out for hunt in hunts)
                    hunts = [hunt for hunt in hunts if hunt.ruled_out == most]
                    for hunt in hunts:
                        hunt.most_bytes = most_bytes // len(hunts)
        raise AssertionError("the rounds never end")

    def simple_hunts(self) -> list[Hunt | LaneHunt | NogoodHunt]:
        """The searches for tables of a simple form. Raises Unfit for others."""
        hunt = LaneHunt(self)
        try:
            return [NogoodHunt(hunt), hunt]
        except Unfit:
            return [hunt]

    def plan(self, memory: native.Memory, winner: int) -> Plan:
        """The inputs that lead to a state."""
        chain = []
        state = winner
        while memory.parent[state] >= 0:
            chain.append((int(memory.parent[state]), int(memory.option[state]), state))
            state = int(memory.parent[state])
        inputs: list[int] = []
        node = self.node
        for parent, option, state in reversed(chain):
            if option == native.WALKED:
                node = int(memory.node[state])
                inputs += self.walk(memory.words[parent], int(memory.node[parent]), node)
                continue
            inputs += self.walk(memory.words[parent], node, int(self.moves.source[option]))
            inputs.append(self.shoves.options[option].action)
            node = int(self.moves.target[option])
        if self.goal.asks_at:
            inputs += self.walk(memory.words[winner], node, int(memory.counts[native.WHERE]))
        return Plan((), tuple(str(self.actions[action]) for action in inputs))

    def walk(self, words: Array, start: int, end: int) -> list[int]:
        """The inputs of a shortest walk."""
        came: dict[int, tuple[int, int]] = {}
        todo = deque([start])
        while todo and end not in came and start != end:
            node = todo.popleft()
            for action in range(self.inputs):
                option = fires(self.moves, words, node, action, self.inputs)
                target = int(self.moves.target[option])
                stepped = option >= 0 and self.moves.kind[option] == STEP
                if stepped and target not in came and target != start and not self.goal.off[target]:
                    came[target] = node, action
                    todo.append(target)
        inputs: list[int] = []
        while end != start:
            end, action = came[end]
            inputs.append(action)
        return inputs[::-1]


class Hunt:
    """One search that is under way. With views it is repeated with higher limits on what a plan may cost."""

    def __init__(self, of: MacroSearch, settings: native.Settings) -> None:
        self.of = of
        self.settings = settings
        self.most_bytes = 0  # what its memory may take
        self.full = False  # it needs more memory than there is
        self.before, self.slack, self.done = 0, SLACK, 0
        self.scratch = scratch(of.moves, of.waits, of.words.size)
        self.room = room_of(len(of.shoves.cells), of.words.size)
        self.begin(0 if settings.viewed else ENDLESS)

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this."""
        return self.done if self.settings.viewed else int(self.memory.counts[native.LEVEL])

    @property
    def states(self) -> int:
        """How many states it keeps."""
        return int(self.memory.counts[native.STATES])

    def begin(self, limit: int) -> None:
        """Start with empty memory, for plans that cost no more than `limit`."""
        of = self.of
        self.memory = memory_of(FIRST_STATES, of.words.size)
        self.memory.counts[native.LIMIT] = limit
        self.views = views_of(FIRST_STATES if self.settings.viewed else 2, of.words.size)
        node = of.node
        if self.settings.regions:
            node = native.lowest(
                self.room, native.walk(of.moves, of.goal, of.words, node, of.inputs, self.room, 1)
            )
        native.meet(self.memory, self.settings, of.words, node, 0, 0, -1, -1)

    def grow(self, end: int) -> None:
        """Make room for states, or for views."""
        try:
            if end == native.FULL:
                self.memory = grown(self.memory, self.most_bytes)
            else:
                self.views = more_views(self.views, self.memory, self.most_bytes)
        except MemoryError:
            self.full = True

    def go_on(self) -> Found | None:
        """Search a stretch; the answer, if there is one. Raises Unfit for endless costs."""
        of, counts = self.of, self.memory.counts
        end = native.search(
            self.memory, of.moves, of.goal, of.waits, self.scratch, of.match, self.settings, self.room,
            self.views, STRETCH,
        )  # fmt: skip
        beyond = int(counts[native.BEYOND])
        if end in (native.FULL, native.CROWDED):
            self.grow(end)
        elif end == native.FAR:
            raise Unfit
        elif end == native.FOUND:
            winner = int(counts[native.WINNER])
            return Found(of.plan(self.memory, winner), int(self.memory.cost[winner]), False, 0)
        elif end == native.EMPTY and beyond == ENDLESS:
            return Found(None, 0, False, 0)
        elif end == native.EMPTY:
            # Starting again should cost no more than all that went before.
            expanded = int(counts[native.EXPANDED])
            self.slack = SLACK if expanded > 2 * self.before else 2 * self.slack
            self.before, self.done = expanded, beyond
            self.begin(beyond + self.slack)
        return None


def stretch(hunt: Hunt | LaneHunt | NogoodHunt) -> Found | None:
    """Let a search go on."""
    return hunt.go_on()


class LaneHunt:
    """The same for the form of `push.compiled.lanes`. Raises Unfit where the tables are of another."""

    def __init__(self, of: MacroSearch) -> None:
        self.of = of
        self.most_bytes = 0
        self.full = False
        size = of.words.size
        self.lanes, self.push_of, self.ways = lanes(of.moves, of.goal, of.inputs, size)
        self.desk = self.new_desk()
        self.store = store_of(FIRST_STATES, size)
        native_lanes.meet(self.store, of.words.view(np.int64), of.node, 0, 1, -1, 0)

    def new_desk(self) -> Desk:
        """Room for the work on one state."""
        return desk_of(self.lanes.own.size, self.lanes.to.size, self.lanes.words)

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this."""
        return int(self.store.counts[native_lanes.LEVEL])

    @property
    def states(self) -> int:
        """How many states it keeps."""
        return int(self.store.counts[native_lanes.STATES])

    def go_on(self) -> Found | None:
        """Search a stretch; the answer, if there is one. Raises Unfit for endless costs."""
        end = native_lanes.search(self.store, self.lanes, self.desk, 3 * STRETCH)
        if end == native_lanes.FULL:
            try:
                self.store = larger(self.store, self.of.words.size, self.most_bytes)
            except MemoryError:
                self.full = True
        elif end == native_lanes.FAR:
            raise Unfit
        elif end == native_lanes.FOUND:
            cost = int(self.store.counts[native_lanes.PAID])
            return Found(self.of.plan(*retold(self.store, self.of.words.size, self.push_of)), cost, False, 0)
        elif end == native_lanes.EMPTY:
            return Found(None, 0, False, 0)
        return None


class NogoodHunt:
    """The same by `push.compiled.nogoods`, on tables of another hunt. Raises Unfit for other rules."""

    def __init__(self, other: LaneHunt) -> None:
        self.of, self.lanes, self.push_of, self.desk = other.of, other.lanes, other.push_of, other.new_desk()
        self.most_bytes = 0
        self.full = False
        nogoods.fit(self.lanes)
        start = self.of.words.view(np.int64)
        self.room = nogoods.room_of(self.lanes, other.ways.between())
        self.book = nogoods.book_of(nogoods.FIRST, nogoods.FIRST, start, self.lanes.own.size)
        self.stack = nogoods.stack_of(self.lanes)
        self.stack.words[: start.size], self.stack.node[0] = start, self.of.node
        least = bound(self.lanes, self.desk, start, self.of.node, ANY, False)
        self.book.counts[native_nogoods.DEPTH], self.book.counts[native_nogoods.LIMIT] = -1, least

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this."""
        return int(self.book.counts[native_nogoods.LIMIT])

    @property
    def states(self) -> int:
        """How many states it went through."""
        return int(self.book.counts[native_nogoods.NODES])

    def go_on(self) -> Found | None:
        """Search a stretch; the plan, if there is one. That there is none it never finds out."""
        end = native_nogoods.search(self.book, self.stack, self.lanes, self.desk, self.room, 2 * STRETCH)
        if end == native_nogoods.FULL:
            try:
                self.book = nogoods.larger(self.book, self.most_bytes)
            except MemoryError:
                self.full = True
        elif end == native_nogoods.FAR:
            self.full = True
        elif end == native_nogoods.FOUND:
            counts = self.book.counts
            cost = self.stack.left[0] - self.stack.left[counts[native_nogoods.DEPTH]]
            cost += counts[native_nogoods.PAID]
            told = nogoods.retold(self.book, self.stack, self.of.words.size, self.push_of)
            return Found(self.of.plan(*told), int(cost), False, 0)
        return None
