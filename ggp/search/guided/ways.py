"""How things get about on a level, found out by trying: each alone with the agent, without the others.

Where a thing comes to from a cell is seen in the turns of boards that hold it, what never changes, and the
agent beside it. So it is known which way round a wall is, that nothing is pushed out of a corner, and how far
something slides. It promises nothing: others may stand in the way, or help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ggp.errors import Unfit
from ggp.model import Instance
from ggp.transition.in_order.stepper import InOrder

Steps = NDArray[np.float64]
"""(to, from): the steps to some cells from all cells, in reading order; infinite where none lead."""
Boards = NDArray[np.uint8]
"""Zeros and ones: (boards, kinds, rows, columns)."""
MOST_TRIED = 800  # boards of a level
MOST_CELLS = 900  # of a level: more take too long to be gone through
AT_ONCE = 128  # boards


class Ways:
    """What was found out about a level. `varying`: the kinds that come, go or move in it.

    Raises Unfit where its turns cannot be tried, or it is too large.
    """

    def __init__(self, instance: Instance, varying: Iterable[str], pause: Callable[[], None]) -> None:
        self.stepper = InOrder(instance, pause)
        self.number = {piece.kind: number for number, piece in enumerate(self.stepper.pieces)}
        self.begin: NDArray[np.uint8] = self.stepper.planes(self.stepper.start)[0]
        self.rows, self.columns = self.begin.shape[1:]
        self.cells = self.rows * self.columns
        if self.cells > MOST_CELLS:
            raise Unfit
        self.varying = frozenset(map(self.number.__getitem__, varying))
        self.empty = self.begin.copy()
        self.empty[sorted(self.varying)] = 0
        self.left = MOST_TRIED
        scan = instance.game.scan
        assert scan is not None
        self.layers = [kind.layer for kind in instance.game.kinds]
        self.agents = [self.number[kind] for kind in scan.player.kinds]
        found = np.argwhere(self.begin[self.agents].any(axis=0))
        self.agent: list[int] = []
        if len(found):
            row, column = found[0]
            self.agent = [kind for kind in self.agents if self.begin[kind, row, column]]

    def moving(self, kinds: Iterable[str]) -> list[int]:
        """Those of these kinds that come, go or move."""
        return [number for number in map(self.number.__getitem__, kinds) if number in self.varying]

    def kinds(self, numbers: Iterable[int]) -> list[str]:
        """The names of kinds."""
        return [self.stepper.pieces[number].kind for number in numbers]

    def there(self, kinds: Iterable[str], together: bool = False) -> list[int]:
        """The cells that hold one of these kinds, or all, as the level begins."""
        chosen = self.begin[[self.number[kind] for kind in kinds]] != 0
        return np.flatnonzero(chosen.all(axis=0) if together else chosen.any(axis=0)).tolist()

    def steps(self, kinds: Sequence[int], to: Sequence[int] | None = None) -> Steps | None:
        """The steps of such things to some cells (None: to all); None where they were not seen to move."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import shortest_path

        edges = self.edges(kinds)
        if not edges:
            return None
        source, target = np.array(sorted(edges)).T
        graph = coo_array((np.ones(len(source)), (target, source)), (self.cells, self.cells)).tocsr()
        found: Steps = shortest_path(graph, unweighted=True, indices=to)
        return found

    def edges(self, kinds: Sequence[int]) -> set[tuple[int, int]]:
        """(from, to) of each step that was seen, beginning where such things stand in the level."""
        edges = set[tuple[int, int]]()
        waiting = [
            tuple(spot) for spot in np.argwhere(self.begin[list(kinds)].reshape(len(kinds), self.cells) != 0)
        ]
        known = set(waiting)
        while waiting and self.left > 0:
            boards, of = self.boards([(kinds[number], cell) for number, cell in waiting])
            waiting = []
            for before, number, cell in self.after(boards, of, kinds):
                if cell != before:
                    edges.add((before, cell))
                if (number, cell) not in known:
                    known.add((number, cell))
                    waiting.append((number, cell))
        return edges

    def boards(self, spots: Sequence[tuple[int, int]]) -> tuple[list[NDArray[np.uint8]], list[int]]:
        """Boards with one thing (kind, cell), and the agent beside it; and of each the cell of the thing."""
        boards, of = [], []
        for kind, cell in spots:
            row, column = divmod(cell, self.columns)
            beside = [(row, column)] if kind in self.agents else self.around(row, column)
            for agent_row, agent_column in beside:
                board = self.empty.copy()
                board[kind, row, column] = 1
                if kind not in self.agents:
                    board[self.agent, agent_row, agent_column] = 1
                boards.append(board)
                of.append(cell)
        return boards, of

    def around(self, row: int, column: int) -> list[tuple[int, int]]:
        """The neighbouring cells on which the agent can stand."""
        found = []
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            there = row + down, column + right
            inside = 0 <= there[0] < self.rows and 0 <= there[1] < self.columns
            if inside and not self.blocked(there):
                found.append(there)
        return found

    def blocked(self, cell: tuple[int, int]) -> bool:
        """Does something that stays there have the layer of the agent?"""
        taken = {self.layers[kind] for kind in np.flatnonzero(self.empty[:, cell[0], cell[1]])}
        return any(self.layers[kind] in taken for kind in self.agent)

    def after(
        self, boards: Sequence[NDArray[np.uint8]], of: Sequence[int], kinds: Sequence[int]
    ) -> Iterable[tuple[int, int, int]]:
        """(cell before, number of the kind, cell after) of things after all that can be done there."""
        found: dict[tuple[int, int, int], None] = {}
        for start in range(0, min(len(boards), self.left), AT_ONCE):
            some = np.array(boards[start : start + AT_ONCE])
            made, changed, _ = self.stepper.all_turns(packed(some, self.stepper.start.shape[2]))
            which, _ = np.nonzero(changed)
            planes = self.stepper.planes(made[changed])[:, list(kinds)]
            planes = planes.reshape(len(which), len(kinds), self.cells)
            alone = planes.sum(axis=(1, 2)) == 1  # two may be one that was copied
            for board, number, cell in np.argwhere(planes[alone]).tolist():
                found[of[start + which[alone][board]], number, cell] = None
        self.left -= len(boards)
        return found


def packed(boards: Boards, words: int) -> NDArray[np.uint64]:
    """Boards as the stepper has them: (boards, kinds, words), bits are cells down the columns."""
    count, kinds = boards.shape[:2]
    bits = np.packbits(boards.swapaxes(2, 3).reshape(count, kinds, -1), axis=2, bitorder="little")
    octets = np.zeros((count, kinds, 8 * words), np.uint8)
    octets[:, :, : bits.shape[2]] = bits
    return octets.view(np.uint64)
