"""The tables and the memory of `ggp.search.push.compiled.lanes`, for puzzles of the form that it searches."""

from __future__ import annotations

import numpy as np

from ggp.search.push.compiled import lanes as native
from ggp.search.push.compiled.best import WHERE, Memory
from ggp.search.push.compiled.first import NEVER, Desk, Lanes
from ggp.search.push.compiled.relaxed import by_target, ways_to
from ggp.search.push.memory import memory_of
from ggp.search.push.shove_tables import ENDLESS, Array, Goal, Moves
from ggp.search.push.shoves import IDLE, SHOVE, Unfit

VIEWS = 1 << 19  # views that are kept
SMALL = np.int32  # what is looked at for each state should stay close to the processor


def lanes(moves: Moves, goal: Goal, inputs: int, words: int) -> tuple[Lanes, Array, Ways]:
    """The lanes, the option by which each pushes, and how far it is from cell to cell.

    Left out are those that lead out of the goal, as all plans end there. Raises Unfit where the tables are
    of another form.
    """
    cells = (moves.first.size - 1) // inputs
    if not goal.asks_at or goal.win.base.size or goal.lose.base.size or goal.off.any():
        raise Unfit
    if cells >= NEVER or inputs * cells > native.FIELD:
        raise Unfit
    to, bit, beyond, push_of = (np.full(cells * inputs, -1, np.int64) for _ in range(4))
    steps = np.zeros(cells * inputs, np.bool_)
    for lane in range(cells * inputs):
        for option in range(moves.first[lane], moves.first[lane + 1]):
            first, after = half(moves, option)
            pushed = moves.kind[option] == SHOVE
            # The second option of a lane must be the first one's other half.
            if to[lane] >= 0 and (to[lane], bit[lane]) != (moves.target[option], first):
                raise Unfit
            if steps[lane] if not pushed else push_of[lane] >= 0:
                raise Unfit
            to[lane], bit[lane] = moves.target[option], first
            if pushed:
                beyond[lane], push_of[lane] = after, option
            else:
                steps[lane] = True
    own = own_bits(to, bit, push_of, cells)
    over = np.repeat(goal.at, inputs)
    to[over], push_of[over] = -1, -1
    into = [
        [option for option in options if to[moves.source[option] * inputs + moves.action[option]] >= 0]
        for options in by_target(moves, cells)
    ]
    ways = Ways(moves, np.cumsum([0, *map(len, into)]), np.array([o for options in into for o in options]))
    clearer, way, waits = waiting(ways, inputs, to, beyond, push_of, own)
    ahead, opens, came = entering(inputs, to, bit, push_of, beyond, clearer)
    numbers = [
        np.arange(to.size) // inputs, to, bit, steps, push_of >= 0, beyond, clearer, way,
        np.cumsum([0, *map(len, waits)]),
        np.array([lane for entries in waits for lane in entries], np.int64),
        own, ahead, opens.ravel(), came.ravel(),
        ways.to(np.flatnonzero(goal.at), -1),
        goal.at,
    ]  # fmt: skip
    small = [array if array.dtype == np.bool_ else array.astype(SMALL) for array in numbers]
    return Lanes._make([*small, inputs, words, stride(to, goal.at, inputs)]), push_of, ways


class Ways:
    """How far it is between cells if nothing is in the way."""

    def __init__(self, moves: Moves, first: Array, into: Array) -> None:
        self.moves, self.first, self.into = moves, first, into.astype(np.int64)

    def between(self) -> Array:
        """From each cell (the row) to each other."""
        cells = self.first.size - 1
        return np.array([self.to(np.array([cell]), -1) for cell in range(cells)]).T

    def to(self, goals: Array, avoid: int) -> Array:
        """From each cell to one of `goals` without entering `avoid`; ENDLESS where there is no way."""
        return ways_to(self.moves, self.first, self.into, goals, avoid)


def half(moves: Moves, option: int) -> tuple[int, int]:
    """The bit that says what a step or a push meets, and the bit where that is pushed; -1 for none.

    Raises Unfit for other options.
    """
    asks = asked(moves, option)
    wanted, unwanted = asks[True], asks[False]
    if moves.kind[option] == IDLE or moves.cost[option] != 1 or len(unwanted) > 1:
        raise Unfit
    other = unwanted[0] if unwanted else -1
    if moves.kind[option] != SHOVE:
        if wanted:
            raise Unfit
        return other, -1
    if len(wanted) != 1 or changed(moves, option) != (wanted, unwanted):
        raise Unfit
    return wanted[0], other


def own_bits(to: Array, bit: Array, push_of: Array, cells: int) -> Array:
    """The bit of each cell that can be pushed from it, -1 for none. Raises Unfit where it is not one each."""
    own = np.full(cells, -1, np.int64)
    for lane in np.flatnonzero(push_of >= 0):
        if own[to[lane]] not in (-1, bit[lane]):
            raise Unfit
        own[to[lane]] = bit[lane]
    if len(set(own[own >= 0].tolist())) < np.count_nonzero(own >= 0):
        raise Unfit
    return own


def waiting(
    ways: Ways, inputs: int, to: Array, beyond: Array, push_of: Array, own: Array
) -> tuple[Array, Array, list[list[int]]]:
    """For each lane: from which cell it is made free, and how far that is; for each cell what waits."""
    cells = own.size
    cell_of = {int(bit): cell for cell, bit in enumerate(own.tolist()) if bit >= 0}
    clearer = np.array([cell_of.get(bit, cells) for bit in beyond.tolist()], np.int64)
    way = np.full(to.size, NEVER, np.int64)
    waits: list[list[int]] = [[] for _ in range(cells)]
    for lane in np.flatnonzero((clearer < cells) & (push_of >= 0)).tolist():
        found = ways.to(np.array([lane // inputs]), int(to[lane]))
        if found[clearer[lane]] < ENDLESS:
            way[lane] = min(int(found[clearer[lane]]), NEVER - 1)
            waits[clearer[lane]].append(lane)
    return clearer, way, waits


def entering(
    inputs: int, to: Array, bit: Array, push_of: Array, beyond: Array, clearer: Array
) -> tuple[Array, Array, Array]:
    """How each push enters its cell, and by which ways of entering the cell beyond a lane can become free.

    Where the same input, on that cell, meets what was pushed, that input is the way; else it is `inputs`.
    A cell beyond cannot have been entered before from the lane's own cell, which nobody had entered, nor by
    a push towards it, as something was there.
    """
    cells = to.size // inputs
    ahead = np.full(to.size, inputs, np.int64)
    opens = np.zeros((to.size, inputs + 1), np.bool_)
    came = np.full((cells, inputs + 1), -1, np.int64)
    into: list[list[int]] = [[] for _ in range(cells)]
    for lane in np.flatnonzero(push_of >= 0).tolist():
        again = int(to[lane]) * inputs + lane % inputs
        if beyond[lane] >= 0 and bit[again] == beyond[lane] and clearer[lane] in (to[again], cells):
            ahead[lane] = lane % inputs
            known = came[to[lane], ahead[lane]]
            came[to[lane], ahead[lane]] = lane // inputs if known == -1 else -2
        into[to[lane]].append(lane)
    for lane in np.flatnonzero((push_of >= 0) & (clearer < cells)).tolist():
        for other in into[clearer[lane]]:
            if other // inputs != to[lane] and clearer[other] != to[lane]:
                opens[lane, ahead[other]] = opens[lane, inputs] = True
    return ahead, opens, came


def stride(to: Array, at: Array, inputs: int) -> int:
    """2 if cells can be coloured like a chess board, with all of the goal in one colour; else 1."""
    colour = {int(cell): 0 for cell in np.flatnonzero(at)}
    edges: dict[int, set[int]] = {}
    for lane, target in enumerate(to.tolist()):
        if target >= 0:
            edges.setdefault(lane // inputs, set()).add(target)
            edges.setdefault(target, set()).add(lane // inputs)
    todo = list(colour)
    for cell in todo:
        for other in edges.get(cell, ()):
            if other not in colour:
                colour[other] = 1 - colour[cell]
                todo.append(other)
            elif colour[other] == colour[cell]:
                return 1
    return 2


def asked(moves: Moves, option: int) -> dict[bool, list[int]]:
    """The bits that an option asks to be set, and to be clear. Raises Unfit for a choice of several."""
    asks: dict[bool, list[int]] = {True: [], False: []}
    for ask in range(moves.ask_first[option], moves.ask_first[option + 1]):
        asks[bool(moves.ask_wanted[ask])].append(only_bit(int(moves.ask_word[ask]), int(moves.ask_mask[ask])))
    return asks


def changed(moves: Moves, option: int) -> tuple[list[int], list[int]]:
    """The bits that an option clears, and those that it sets."""
    clears: list[int] = []
    puts: list[int] = []
    for change in range(moves.change_first[option], moves.change_first[option + 1]):
        word = int(moves.change_word[change])
        for masks, found in ((moves.change_clear, clears), (moves.change_set, puts)):
            if masks[change]:
                found.append(only_bit(word, int(masks[change])))
    return clears, puts


def only_bit(word: int, mask: int) -> int:
    """The number of the bit of a mask. Raises Unfit if there are several."""
    if mask & (mask - 1):
        raise Unfit
    return word * 64 + mask.bit_length() - 1


def store_of(states: int, words: int) -> native.Store:
    """Empty memory for so many states."""
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
    """The same in memory for twice as many; raises MemoryError where that would be too much."""
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


def desk_of(cells: int, lanes: int, words: int) -> Desk:
    """Room for the work on one state."""
    posts = 2 * (lanes // cells + 1) * lanes + cells + 16  # each way into a cell posts twice along each lane
    return Desk(
        np.zeros(cells, SMALL),
        np.zeros(cells + 1, SMALL),
        np.zeros(lanes + cells, SMALL),
        np.zeros(words, np.int64),
        np.zeros(words, np.int64),
        np.full(NEVER, -1, SMALL),
        np.zeros(posts, SMALL),
        np.zeros(posts, SMALL),
        np.zeros(words, np.int64),
        np.zeros(VIEWS * (2 * words + 1), np.int64),
    )


def retold(store: native.Store, words: int, push_of: Array) -> tuple[Memory, int]:
    """The states that led to the winner, as memory of the other search, and which of them is the last."""
    states: list[int] = []
    state = int(store.counts[native.WINNER])
    rows = store.rows.reshape(-1, words + 2)
    while state >= 0:
        states.append(state)
        state = (int(rows[state, words + 1]) >> 16) - 1
    memory = memory_of(len(states), words)
    for number, state in enumerate(reversed(states)):
        known, way = int(rows[state, words]), int(rows[state, words + 1])
        memory.words[number] = rows[state, :words].view(np.uint64)
        memory.cost[number], memory.node[number] = known & native.FIELD, (known >> 16) & native.FIELD
        memory.parent[number], memory.option[number] = number - 1, push_of[way & native.FIELD]
    memory.counts[WHERE] = store.counts[native.WHERE]
    return memory, len(states) - 1
