"""The search for designs of one walker, as `ggp.analysis.design` does it for all games, in tables.

The runs that it finds are the same, as it reads the same cells in the same order. It begins in plain Python,
for most levels are done before a compiler is loaded, and goes on in machine code where there is one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

from ggp.analysis.design import Leaf
from ggp.model import Instance
from ggp.referee.stock import budget
from ggp.search.walking import loops
from ggp.search.walking.loops import BACK, DEPTH, DONE, LEAF, LIMIT, SHORT, STATE, TURN, USED, Digging
from ggp.search.walking.world import Tables, World
from ggp.transition.compiler import compile_instance
from ggp.transition.native import compiling

PLAIN = 2000  # steps in plain Python, in all
WARM = 500  # the same where an earlier search has loaded the machine code: to go over takes as long as these
PAUSE, LONG_PAUSE = 500, 500_000  # steps between two looks at the clock, in plain Python and in machine code
NATIVE = "ggp.search.walking.native_loops"
NOTES = (1 << 10, 1 << 18)  # failures that are kept, in plain Python and in machine code


class Running(NamedTuple):
    """A search under way: which loops, over what."""

    loops: ModuleType
    tables: Tables
    at: Digging
    pause: int


class WalkSearch:
    """Depth-first search over the designs of an instance with one walker. Raises Unfit for other ones."""

    limit: int | None  # how many pieces may be placed; lowering it while the search runs prunes

    def __init__(self, instance: Instance) -> None:
        self.world = World(instance, compile_instance(instance))
        limit, self.open = budget(instance), self.world.open_places()
        self.limit = len(self.open) if limit is None else limit
        self.steps = 0

    def leaves(self, tick: Callable[[], None]) -> Iterator[Leaf]:
        """Every winning run, once."""
        running = self.begun(stops=False)
        while True:
            running, told = self.gone_on(running, self.limit or 0, tick)
            if told == DONE:
                return
            yield self.leaf(running.at)

    def fewest(self, tick: Callable[[], None]) -> Iterator[Leaf]:
        """A winning run with the fewest placements, if there is any: limits are tried as they rise."""
        running = self.begun(stops=True)
        for limit in range((self.limit or 0) + 1):
            running, told = self.gone_on(running, limit, tick)
            if told == LEAF:
                yield self.leaf(running.at)
                return
            if not running.at.counts[SHORT]:
                return
            self.restart(running.at)

    # --- running

    def begun(self, stops: bool) -> Running:
        """The search at its start, in plain Python."""
        tables = self.world.tables(stops)
        at = self.digging(tables, NOTES[0])
        return Running(loops, tables, at, PAUSE)

    def digging(self, tables: Tables, notes: int) -> Digging:
        """The state of a search at its start, with room for so many notes."""
        size, cells = tables.size, len(self.open)
        decided = [0] * size
        for place in self.open:
            decided[place] = -1
        by_depth = [[0] * (cells + 1) for _ in range(5)]
        kept = [[-1] * notes, *([0] * notes for _ in range(4)), [0] * (notes + 1), [0] * (8 * notes)]
        visited, path = [0] * (size * len(self.world.movers)), [0] * (tables.horizon + 2)
        at = Digging([0] * 10, decided, visited, path, *by_depth, *kept)
        self.restart(at)
        return at

    def restart(self, at: Digging) -> None:
        """Begin at the first turn; what was found to fail stays known."""
        for later in range(at.counts[TURN] + 1):
            at.visited[at.path[later]] = 0
        first = self.world.first()
        at.counts[STATE], at.counts[TURN], at.counts[SHORT], at.counts[BACK] = first, 0, 0, 0
        at.counts[DEPTH] = at.counts[USED] = 0
        at.path[0] = first
        at.visited[first] = 1

    def gone_on(self, running: Running, limit: int, tick: Callable[[], None]) -> tuple[Running, int]:
        """Run on to LEAF or DONE."""
        running.at.counts[LIMIT] = limit
        while True:
            tick()
            told = running.loops.dig(running.tables, running.at, running.pause)
            if told != loops.MORE:
                return running, told
            self.steps += running.pause
            plain = min(PLAIN, WARM) if NATIVE in sys.modules else PLAIN
            if running.loops is loops and self.steps >= plain and compiling.usable():
                running = self.in_machine_code(running)

    def in_machine_code(self, running: Running) -> Running:
        """The same search, where it stands, over arrays; what failed is forgotten."""
        import numpy as np

        from ggp.search.walking import native_loops

        def arrays(table: Any) -> Any:
            if isinstance(table, bytes):
                return np.frombuffer(table, np.uint8)
            return np.array(table, np.int64) if isinstance(table, list) else table

        at, notes = running.at, NOTES[1]
        at.counts[loops.NOTES] = at.counts[loops.WORDS] = 0
        room = {name: np.zeros(notes, np.int64) for name in ("after", "failed", "spare", "since")}
        room["heads"] = np.full(notes, -1)
        room["begins"], room["words"] = np.zeros(notes + 1, np.int64), np.zeros(8 * notes, np.int64)
        state = {name: arrays(table) for name, table in at._asdict().items() if name not in room}
        tables = Tables(*map(arrays, running.tables))
        return Running(native_loops, tables, Digging(**state, **room), LONG_PAUSE)

    def leaf(self, at: Digging) -> Leaf:
        """The winning run as cells."""
        depth = int(at.counts[DEPTH])
        decided = [(int(place), int(at.decided[place])) for place in at.places[:depth]]
        placed = [self.world.placement(place, choice) for place, choice in decided if choice]
        return Leaf(tuple(sorted(placed)), depth, int(at.counts[TURN]))
