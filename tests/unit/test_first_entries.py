"""The bound from first entries, held against the true costs of the states that small boards lead to."""

from __future__ import annotations

from collections import deque
from random import Random

import numpy as np
import pytest

from ggp.errors import Place
from ggp.language.levels import builtin
from ggp.language.maps import read_board, symbols_of
from ggp.model import Instance, Level
from ggp.search.push.arcs import arcs, workspace_of
from ggp.search.push.compiled.first import ANY, NEVER, Arcs, Workspace, bound
from ggp.search.push.macro import MacroSearch
from ggp.transition.compiler import compile_instance

State = tuple[int, int]  # the agent's cell, and the bits that are set
SAMPLE = 200  # states of a board that are looked at


def tables_of(lines: list[str]) -> tuple[Arcs, Workspace, State]:
    """The tables of a drawn board, and its first state."""
    game = builtin("psychopath")[0]
    board, _ = read_board(lines, symbols_of(game), lambda row, column: Place("drawn"))
    one = Instance(game, Level("drawn", board))
    search = MacroSearch(one, None, compile_instance(one))
    tables, _, _ = arcs(search.ops, search.goal, search.inputs, search.words.size)
    work = workspace_of(len(search.grounded.cells), tables.to.size, search.words.size)
    return tables, work, (search.node, int(search.words[0]))


def after(tables: Arcs, state: State) -> list[State]:
    """The states that one input leads to."""
    node, there = state
    found = []
    for arc in range(node * tables.inputs, (node + 1) * tables.inputs):
        bit, beyond = int(tables.bit[arc]), int(tables.beyond[arc])
        if tables.to[arc] < 0:
            continue
        if bit < 0 or not there >> bit & 1:
            if tables.steps[arc]:
                found.append((int(tables.to[arc]), there))
        elif tables.pushes[arc] and not (beyond >= 0 and there >> beyond & 1):
            put = 1 << beyond if beyond >= 0 else 0
            found.append((int(tables.to[arc]), there & ~(1 << bit) | put))
    return found


def true_costs(tables: Arcs, start: State) -> dict[State, int]:
    """For each state that can be reached: how many inputs to the goal at least, NEVER if it cannot be won."""
    before: dict[State, list[State]] = {start: []}
    todo = deque([start])
    while todo:
        state = todo.popleft()
        for follows in after(tables, state):
            if follows not in before:
                before[follows] = []
                todo.append(follows)
            before[follows].append(state)
    costs = {state: 0 for state in before if tables.at[state[0]]}
    todo = deque(costs)
    while todo:
        state = todo.popleft()
        for earlier in before[state]:
            if earlier not in costs:
                costs[earlier] = costs[state] + 1
                todo.append(earlier)
    return {state: costs.get(state, NEVER) for state in before}


def bound_of(tables: Arcs, work: Workspace, state: State, most: int = ANY, *, whole: bool = False) -> int:
    return bound(tables, work, np.array([state[1]], np.int64), state[0], most, whole)


def drawn(rng: Random) -> list[str]:
    rows, columns = rng.randint(3, 5), rng.randint(3, 5)
    cells = ["@", "E", *"E" * (rng.random() < 0.2), *"o" * rng.randint(3, 7), *"#" * rng.randint(0, 3)]
    cells = (cells + [" "] * rows * columns)[: rows * columns]
    rng.shuffle(cells)
    return ["".join(cells[row * columns : (row + 1) * columns]) for row in range(rows)]


@pytest.mark.parametrize("seed", range(16))
def test_no_state_costs_less_than_its_bound(seed: int) -> None:
    rng = Random(seed)
    lines = drawn(rng)
    tables, work, start = tables_of(lines)
    costs = true_costs(tables, start)
    for state in rng.sample(sorted(costs), min(SAMPLE, len(costs))):
        least = bound_of(tables, work, state)
        assert least <= costs[state], (lines, state)
        # What is beyond the limit is left out, and changes nothing within it.
        assert least == 0 or bound_of(tables, work, state, least - 1) == NEVER
        if least < NEVER:
            assert bound_of(tables, work, state, least, whole=True) == least
            assert work.far[state[0]] == 0


@pytest.mark.parametrize(
    ("lines", "least"),
    [
        (["@o E"], NEVER),  # what was pushed stands ahead at every further push
        (["@ooE"], NEVER),  # nobody clears the second from this side
        (["@o  ", "###E"], NEVER),
        (["@o  ", "#  E"], 4),
        (["E@o ", "    "], 1),
        (["@ oE", "    "], 5),  # round it
        ([" oE", "@o "], NEVER),
    ],
)
def test_bounds_that_can_be_worked_out_by_hand(lines: list[str], least: int) -> None:
    tables, work, start = tables_of(lines)
    assert bound_of(tables, work, start) == least


def test_no_way_leads_through_the_goal() -> None:
    tables, _, _ = tables_of(["   ", "@ E", "   "])
    (goal,) = np.flatnonzero(tables.at)
    assert (tables.to[goal * tables.inputs : (goal + 1) * tables.inputs] == -1).all()
    assert tables.back[goal] == 0
