"""Puzzles with an input each turn: search through the states, in the order of their cost.

Best plans come by uniform-cost search (Dijkstra, 1959) over (cost, turns); with a horizon a state is only
left out if it was reached before at no more cost and in no more turns. All plans, and their number, come by
counting the winning ways from each state with so many turns left.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Generic, NamedTuple, TypeVar

from ggp.errors import IllegalAction, IllFormed
from ggp.model import Instance, Objective, Plan
from ggp.model.board import Action, kinds_of
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import ending, initial_state
from ggp.transition.bits import Bits, Named
from ggp.transition.compiler import compile_instance

Boards = tuple[int, ...]
Tick = Callable[[], None]
B = TypeVar("B")
"""A state, in whatever form."""


class Move(NamedTuple, Generic[B]):
    """A legal input, where it leads, and what it costs under the objective."""

    action: Action
    boards: B
    cost: int


class Found(NamedTuple):
    """The end of a search: the plan with its cost, or None, and whether the horizon cut anything off."""

    plan: Plan | None
    cost: int
    cut: bool
    states: int


class StateSearch(ABC, Generic[B]):
    """Search over the states of an instance with inputs; what a state is, is up to who makes the turns."""

    def begin(self, instance: Instance, objective: Objective | None, start: B) -> None:
        """Take over what is searched, and where it begins."""
        self.instance = instance
        self.horizon = instance.level.horizon
        self.objective = objective
        self.start = start
        self.any_turn = ending(instance) == "any-turn"
        self.led_to: dict[B, tuple[Move[B], ...]] = {}

    @property
    def states(self) -> int:
        """How many states were looked at."""
        return len(self.led_to)

    @abstractmethod
    def judge(self, boards: B) -> tuple[bool, bool]:
        """(the goal holds, the game is lost)."""

    @abstractmethod
    def moves(self, boards: B) -> tuple[Move[B], ...]:
        """The legal inputs in a state."""

    def best(self, tick: Tick) -> Found:
        """A plan of least cost, and among those of fewest turns."""
        queue: list[tuple[int, int, int, B]] = [(0, 0, 0, self.start)]
        best: dict[B, list[tuple[int, int]]] = {self.start: [(0, 0)]}
        parent: dict[tuple[B, int, int], tuple[B, int, int, Action]] = {}
        cut, entries = False, 0
        while queue:
            tick()
            cost, turns, _, boards = heapq.heappop(queue)
            won, lost = self.judge(boards)
            if won and (self.any_turn or turns == self.horizon):
                return Found(self.plan(parent, (boards, cost, turns)), cost, cut, len(best))
            if lost or (won and self.any_turn):
                continue
            if self.horizon is not None and turns >= self.horizon:
                cut = True
                continue
            for move in self.moves(boards):
                after = (cost + move.cost, turns + 1)
                labels = best.setdefault(move.boards, [])
                if self.dominated(after, labels):
                    continue
                labels.append(after)
                entries += 1
                parent[(move.boards, *after)] = (boards, cost, turns, move.action)
                heapq.heappush(queue, (*after, entries, move.boards))
        return Found(None, 0, cut, len(best))

    def dominated(self, label: tuple[int, int], labels: list[tuple[int, int]]) -> bool:
        """Was the state reached before as cheaply (and, where turns are limited, as soon)?

        Then whatever follows here follows there too, at no more cost and within the horizon. Where a run ends
        at the horizon only, the turns left have to be the same.
        """
        if not self.any_turn:
            return label in labels
        if self.horizon is None:
            return any(cost <= label[0] for cost, _ in labels)
        return any(cost <= label[0] and turns <= label[1] for cost, turns in labels)

    def plan(
        self,
        parent: dict[tuple[B, int, int], tuple[B, int, int, Action]],
        at: tuple[B, int, int],
    ) -> Plan:
        """The inputs that led to a label."""
        actions: list[str] = []
        while at in parent:
            *before, action = parent[at]
            actions.append(str(action))
            at = (before[0], before[1], before[2])  # type: ignore[assignment]
        return Plan((), tuple(reversed(actions)))

    def ways(self, boards: B, left: int, memo: dict[tuple[B, int], int], tick: Tick) -> int:
        """How many ways of playing on from a state win within (or, at the horizon, after) `left` turns."""
        todo = [(boards, left)]
        while todo:
            tick()
            at = todo[-1]
            if at in memo:
                todo.pop()
                continue
            won, lost = self.judge(at[0])
            if lost or at[1] == 0 or (won and self.any_turn):
                memo[at] = int(won and not lost)
                continue
            follow = [(move.boards, at[1] - 1) for move in self.moves(at[0])]
            missing = [one for one in follow if one not in memo]
            if missing:
                todo += missing
            else:
                memo[at] = sum(memo[one] for one in follow)
        return memo[boards, left]

    def all(self, tick: Tick) -> Iterator[Plan]:
        """Every winning plan within the horizon, those that start alike together."""
        memo: dict[tuple[B, int], int] = {}
        stack: list[tuple[B, int, tuple[str, ...]]] = [(self.start, self.horizon or 0, ())]
        while stack:
            tick()
            boards, left, actions = stack.pop()
            if not self.ways(boards, left, memo, tick):
                continue
            won, _ = self.judge(boards)
            if won and (self.any_turn or left == 0):
                yield Plan((), actions)
                continue
            for move in reversed(self.moves(boards)):
                stack.append((move.boards, left - 1, (*actions, str(move.action))))

    def count(self, tick: Tick) -> int:
        """How many winning plans there are within the horizon."""
        return self.ways(self.start, self.horizon or 0, {}, tick)


class MovingSearch(StateSearch[Boards]):
    """Search over the states of an instance with inputs and no design, as compiled boards."""

    def __init__(self, instance: Instance, objective: Objective | None) -> None:
        transition = compile_instance(instance)
        self.bits = Bits(transition)
        self.view = Named(instance, transition)
        self.begin(instance, objective, self.bits.pack(initial_state(instance)))
        self.actions = tuple(all_actions(instance))
        kinds = kinds_of(instance.game, objective.kind or "") if objective and objective.kind else ()
        self.counted = frozenset(p for p, piece in enumerate(transition.planes) if piece.kind in kinds)
        self.judged: dict[Boards, tuple[bool, bool]] = {}

    @property
    def states(self) -> int:
        """How many states were judged."""
        return len(self.judged)

    def judge(self, boards: Boards) -> tuple[bool, bool]:
        """(the goal holds, the game is lost)."""
        if boards not in self.judged:
            self.view.boards = boards
            goal = self.instance.game.goal
            lost = any(self.view.holds(self.bits, term) for term in goal.lose)
            won = not lost and all(self.view.holds(self.bits, term) for term in goal.terms)
            self.judged[boards] = (won, lost)
        return self.judged[boards]

    def moves(self, boards: Boards) -> tuple[Move[Boards], ...]:
        """The legal inputs in a state; one after which rules collide is none."""
        if boards not in self.led_to:
            found = []
            for action in self.actions:
                try:
                    after = self.bits.act(boards, action, self.instance.game.input)
                except (IllegalAction, IllFormed):
                    continue
                found.append(Move(action, after, self.cost()))
            self.led_to[boards] = tuple(found)
        return self.led_to[boards]

    def cost(self) -> int:
        """What the turn just made costs."""
        if self.objective is None or self.objective.counts == "turns":
            return 1
        if self.objective.counts == "placements":
            return 0
        if self.objective.counts == "score":
            return -self.bits.score
        return sum(where.bit_count() for plane, where in self.bits.moves if plane in self.counted)
