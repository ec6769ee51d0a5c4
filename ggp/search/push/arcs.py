"""The arcs and the arrays of `ggp.search.push.compiled.arcs`, for puzzles of the form that it searches."""

from __future__ import annotations

import numpy as np

from ggp.errors import Unfit
from ggp.search.push.compiled import arcs as native
from ggp.search.push.compiled.best import WHERE, SearchSpace
from ggp.search.push.compiled.first import NEVER, Arcs, Workspace
from ggp.search.push.compiled.relaxed import by_target, ways_to
from ggp.search.push.grounding import IDLE, PUSH
from ggp.search.push.space import space_of
from ggp.search.push.tables import ENDLESS, Array, Goal, Operators

VIEWS = 1 << 19  # views that are kept
SMALL = np.int32  # what is looked at for each state should stay close to the processor


def arcs(ops: Operators, goal: Goal, inputs: int, words: int) -> tuple[Arcs, Array, Ways]:
    """The arcs, the operator by which each pushes, and how far it is from cell to cell.

    Left out are those that lead out of the goal, as all plans end there. Raises Unfit where the tables are
    of another form.
    """
    cells = (ops.first.size - 1) // inputs
    if not goal.asks_at or goal.win.base.size or goal.lose.base.size or goal.off.any():
        raise Unfit
    if cells >= NEVER or inputs * cells > native.FIELD:
        raise Unfit
    to, bit, beyond, push_of = (np.full(cells * inputs, -1, np.int64) for _ in range(4))
    steps = np.zeros(cells * inputs, np.bool_)
    for arc in range(cells * inputs):
        for operator in range(ops.first[arc], ops.first[arc + 1]):
            first, after = half(ops, operator)
            pushed = ops.kind[operator] == PUSH
            # The second operator of an arc must be the first one's other half.
            if to[arc] >= 0 and (to[arc], bit[arc]) != (ops.target[operator], first):
                raise Unfit
            if steps[arc] if not pushed else push_of[arc] >= 0:
                raise Unfit
            to[arc], bit[arc] = ops.target[operator], first
            if pushed:
                beyond[arc], push_of[arc] = after, operator
            else:
                steps[arc] = True
    own = own_bits(to, bit, push_of, cells)
    over = np.repeat(goal.at, inputs)
    to[over], push_of[over] = -1, -1
    into = [
        [operator for operator in operators if to[ops.source[operator] * inputs + ops.action[operator]] >= 0]
        for operators in by_target(ops, cells)
    ]
    ways = Ways(ops, np.cumsum([0, *map(len, into)]), np.array([o for operators in into for o in operators]))
    clearer, way, waits = waiting(ways, inputs, to, beyond, push_of, own)
    ahead, opens, came = entering(inputs, to, bit, push_of, beyond, clearer)
    numbers = [
        np.arange(to.size) // inputs, to, bit, steps, push_of >= 0, beyond, clearer, way,
        np.cumsum([0, *map(len, waits)]),
        np.array([arc for entries in waits for arc in entries], np.int64),
        own, ahead, opens.ravel(), came.ravel(),
        ways.to(np.flatnonzero(goal.at), -1),
        goal.at,
    ]  # fmt: skip
    small = [array if array.dtype == np.bool_ else array.astype(SMALL) for array in numbers]
    return Arcs._make([*small, inputs, words, stride(to, goal.at, inputs)]), push_of, ways


class Ways:
    """How far it is between cells if nothing is in the way."""

    def __init__(self, ops: Operators, first: Array, into: Array) -> None:
        self.ops, self.first, self.into = ops, first, into.astype(np.int64)

    def between(self) -> Array:
        """From each cell (the row) to each other."""
        cells = self.first.size - 1
        return np.array([self.to(np.array([cell]), -1) for cell in range(cells)]).T

    def to(self, goals: Array, avoid: int) -> Array:
        """From each cell to one of `goals` without entering `avoid`; ENDLESS where there is no way."""
        return ways_to(self.ops, self.first, self.into, goals, avoid)


def half(ops: Operators, operator: int) -> tuple[int, int]:
    """The bit that says what a step or a push meets, and the bit where that is pushed; -1 for none.

    Raises Unfit for other operators.
    """
    asks = asked(ops, operator)
    wanted, unwanted = asks[True], asks[False]
    if ops.kind[operator] == IDLE or ops.cost[operator] != 1 or len(unwanted) > 1:
        raise Unfit
    other = unwanted[0] if unwanted else -1
    if ops.kind[operator] != PUSH:
        if wanted:
            raise Unfit
        return other, -1
    if len(wanted) != 1 or changed(ops, operator) != (wanted, unwanted):
        raise Unfit
    return wanted[0], other


def own_bits(to: Array, bit: Array, push_of: Array, cells: int) -> Array:
    """The bit of each cell that can be pushed from it, -1 for none. Raises Unfit where it is not one each."""
    own = np.full(cells, -1, np.int64)
    for arc in np.flatnonzero(push_of >= 0):
        if own[to[arc]] not in (-1, bit[arc]):
            raise Unfit
        own[to[arc]] = bit[arc]
    if len(set(own[own >= 0].tolist())) < np.count_nonzero(own >= 0):
        raise Unfit
    return own


def waiting(
    ways: Ways, inputs: int, to: Array, beyond: Array, push_of: Array, own: Array
) -> tuple[Array, Array, list[list[int]]]:
    """For each arc: from which cell it is made free, and how far that is; for each cell what waits."""
    cells = own.size
    cell_of = {int(bit): cell for cell, bit in enumerate(own.tolist()) if bit >= 0}
    clearer = np.array([cell_of.get(bit, cells) for bit in beyond.tolist()], np.int64)
    way = np.full(to.size, NEVER, np.int64)
    waits: list[list[int]] = [[] for _ in range(cells)]
    for arc in np.flatnonzero((clearer < cells) & (push_of >= 0)).tolist():
        found = ways.to(np.array([arc // inputs]), int(to[arc]))
        if found[clearer[arc]] < ENDLESS:
            way[arc] = min(int(found[clearer[arc]]), NEVER - 1)
            waits[clearer[arc]].append(arc)
    return clearer, way, waits


def entering(
    inputs: int, to: Array, bit: Array, push_of: Array, beyond: Array, clearer: Array
) -> tuple[Array, Array, Array]:
    """How each push enters its cell, and by which ways of entering the cell beyond an arc can become free.

    Where the same input, on that cell, meets what was pushed, that input is the way; else it is `inputs`.
    A cell beyond cannot have been entered before from the arc's own cell, which nobody had entered, nor by
    a push towards it, as something was there.
    """
    cells = to.size // inputs
    ahead = np.full(to.size, inputs, np.int64)
    opens = np.zeros((to.size, inputs + 1), np.bool_)
    came = np.full((cells, inputs + 1), -1, np.int64)
    into: list[list[int]] = [[] for _ in range(cells)]
    for arc in np.flatnonzero(push_of >= 0).tolist():
        again = int(to[arc]) * inputs + arc % inputs
        if beyond[arc] >= 0 and bit[again] == beyond[arc] and clearer[arc] in (to[again], cells):
            ahead[arc] = arc % inputs
            known = came[to[arc], ahead[arc]]
            came[to[arc], ahead[arc]] = arc // inputs if known == -1 else -2
        into[to[arc]].append(arc)
    for arc in np.flatnonzero((push_of >= 0) & (clearer < cells)).tolist():
        for other in into[clearer[arc]]:
            if other // inputs != to[arc] and clearer[other] != to[arc]:
                opens[arc, ahead[other]] = opens[arc, inputs] = True
    return ahead, opens, came


def stride(to: Array, at: Array, inputs: int) -> int:
    """2 if cells can be coloured like a chess board, with all of the goal in one colour; else 1."""
    colour = {int(cell): 0 for cell in np.flatnonzero(at)}
    edges: dict[int, set[int]] = {}
    for arc, target in enumerate(to.tolist()):
        if target >= 0:
            edges.setdefault(arc // inputs, set()).add(target)
            edges.setdefault(target, set()).add(arc // inputs)
    todo = list(colour)
    for cell in todo:
        for other in edges.get(cell, ()):
            if other not in colour:
                colour[other] = 1 - colour[cell]
                todo.append(other)
            elif colour[other] == colour[cell]:
                return 1
    return 2


def asked(ops: Operators, operator: int) -> dict[bool, list[int]]:
    """The bits that an operator asks to be set, and to be clear. Raises Unfit for a choice of several."""
    asks: dict[bool, list[int]] = {True: [], False: []}
    for ask in range(ops.ask_first[operator], ops.ask_first[operator + 1]):
        asks[bool(ops.ask_wanted[ask])].append(only_bit(int(ops.ask_word[ask]), int(ops.ask_mask[ask])))
    return asks


def changed(ops: Operators, operator: int) -> tuple[list[int], list[int]]:
    """The bits that an operator clears, and those that it sets."""
    clears: list[int] = []
    puts: list[int] = []
    for change in range(ops.change_first[operator], ops.change_first[operator + 1]):
        word = int(ops.change_word[change])
        for masks, found in ((ops.change_clear, clears), (ops.change_set, puts)):
            if masks[change]:
                found.append(only_bit(word, int(masks[change])))
    return clears, puts


def only_bit(word: int, mask: int) -> int:
    """The number of the bit of a mask. Raises Unfit if there are several."""
    if mask & (mask - 1):
        raise Unfit
    return word * 64 + mask.bit_length() - 1


def store_of(states: int, words: int) -> native.Store:
    """An empty transposition table and open list, with room for so many states."""
    counts = np.zeros(12, np.int64)
    counts[native.FREE] = -1
    return native.Store(
        np.zeros(states * (words + 2), np.int64),
        np.zeros(2 * states, np.int64),
        np.zeros(states, np.int64),
        np.zeros(states, np.int64),
        np.full(native.LEVELS, -1, np.int64),
        np.full(native.LEVELS, -1, np.int64),
        counts,
    )


def larger(store: native.Store, words: int, most_bytes: int) -> native.Store:
    """The same with room for twice as many; raises MemoryError where that would be too much."""
    states = store.entry.size
    if 2 * sum(array.nbytes for array in store) > most_bytes or 2 * states >= 1 << 31:
        raise MemoryError
    more = store_of(2 * states, words)
    for name in native.Store._fields:
        old: Array = getattr(store, name)
        if name != "table":
            getattr(more, name)[: old.size] = old
    native.refill(more, np.zeros(words, np.int64))
    return more


def workspace_of(cells: int, arcs: int, words: int) -> Workspace:
    """Room for the work on one state."""
    posts = 2 * (arcs // cells + 1) * arcs + cells + 16  # each way into a cell posts twice along each arc
    return Workspace(
        np.zeros(cells, SMALL),
        np.zeros(cells + 1, SMALL),
        np.zeros(arcs + cells, SMALL),
        np.zeros(words, np.int64),
        np.zeros(words, np.int64),
        np.full(NEVER, -1, SMALL),
        np.zeros(posts, SMALL),
        np.zeros(posts, SMALL),
        np.zeros(words, np.int64),
        np.zeros(VIEWS * (2 * words + 1), np.int64),
    )


def retold(store: native.Store, words: int, push_of: Array) -> tuple[SearchSpace, int]:
    """The states that led to the winner, as a space of the other search, and which of them is the last."""
    states: list[int] = []
    state = int(store.counts[native.WINNER])
    rows = store.rows.reshape(-1, words + 2)
    while state >= 0:
        states.append(state)
        state = (int(rows[state, words + 1]) >> 16) - 1
    space = space_of(len(states), words)
    for number, state in enumerate(reversed(states)):
        known, way = int(rows[state, words]), int(rows[state, words + 1])
        space.words[number] = rows[state, :words].view(np.uint64)
        space.cost[number], space.node[number] = known & native.FIELD, (known >> 16) & native.FIELD
        space.parent[number], space.operator[number] = number - 1, push_of[way & native.FIELD]
    space.counts[WHERE] = store.counts[native.WHERE]
    return space, len(states) - 1
