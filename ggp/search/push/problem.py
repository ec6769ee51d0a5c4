"""Games of one agent as tables for compiled loops: pushes, the goal, bounds from the rules and the goal.

The loops are in `ggp.search.push.compiled`, what they run on in `ggp.search.push.tables`.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from ggp.errors import Unfit
from ggp.model import Instance, Objective, Plan
from ggp.search.push.compiled import best as native
from ggp.search.push.compiled.relaxed import relaxed
from ggp.search.push.compiled.walk import fires
from ggp.search.push.corrals import pens_for
from ggp.search.push.grounding import STEP, ground
from ggp.search.push.matching import dead_squares, matches, nothing
from ggp.search.push.session import Sessions
from ggp.search.push.tables import Array, GoalReader, Layout, Operators, operator_arrays
from ggp.transition.program import Transition


class Problem:
    """A level as tables, and the way from what searches find in them back to a plan.

    `sessions` begins a conversation with a SAT solver, where there is one. Raises Unfit where the instance is
    not of this form.
    """

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
        self.pens = pens_for(self.grounded, layout, self.ops, self.goal, match)
        self.waits = relaxed(self.ops, self.inputs, self.goal.at)

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
