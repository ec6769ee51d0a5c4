"""Best-first search with three queues that take turns: nearest to the goal, newest, and first found.

After a while there is a fourth, of what is nearest where distances are measured (`measured`) and not guessed:
for some games that is better, for some worse; and a fifth, of what is new by `pairs`. The first alone is lost
where the way to the goal leads away from it; what is new leads out of there, and going on from what was found
first makes sure that every state has its turn. So a plan is found wherever there is one, but not the best.
Helmert's Fast Downward (2006) alternates between its queues in this way.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Generator, Hashable

from ggp.model import Instance, Plan
from ggp.search.broad import ended
from ggp.search.guided.engines import Children, Engine
from ggp.search.guided.novelty import Novelty
from ggp.search.moving import Found

TOGETHER = 32  # states that are expanded at once: more cost less each, but are chosen less well
LATER = 500  # states that are gone on from before distances are measured, which takes about as many turns
OVERHEAD = 400  # octets that a known state costs beside its own, queues included


class Guided:
    """One search. `pause` is called now and then; `memory`: octets that may be used.

    `broad`: on from what was found first alone, which finds a plan of fewest turns.
    """

    def __init__(
        self,
        instance: Instance,
        engine: Engine,
        pause: Callable[[], None],
        memory: int,
        broad: bool = False,
    ) -> None:
        self.engine, self.pause, self.memory = engine, pause, memory
        takes = (self.take_nearest, self.take_newest, self.take_oldest)
        self.takes: tuple[Callable[[], int | None], ...] = takes[2:] if broad else takes
        self.horizon = instance.level.horizon
        self.cut = False
        key, far, bits = engine.begin()
        self.known: set[Hashable] = {key}
        # Of each state: the number of the one before it, the action between both, and its turns.
        self.parents, self.deeds, self.turns = [-1], [-1], [0]
        self.done = bytearray(1)  # was it gone on from?
        self.nearest: list[tuple[float, int]] = [(float(far[0]), 0)]
        self.closest: list[tuple[float, int]] | None = None  # once distances are measured
        self.newest: list[tuple[float, int]] = []
        self.widest: list[tuple[int, int, int]] | None = None  # once what is new is told by pairs
        self.oldest = deque([0])
        self.novelty = Novelty()
        self.novelty(far, bits)
        self.turn, self.expanded, self.looked = 0, 0, False

    @property
    def states(self) -> int:
        """How many states are known."""
        return len(self.known)

    def best(self) -> Found:
        """Some plan. Raises MemoryError."""
        return ended(self.going())

    def going(self) -> Generator[int, None, Found]:
        """The same bit by bit: how many states are known, now and then. `horizon` may become less."""
        while (found := self.go_on()) is None:
            yield self.states
        return found

    def go_on(self) -> Found | None:
        """Expand some states; the end of the search, if that is it."""
        self.pause()
        if self.states * (self.engine.size + OVERHEAD) > self.memory:
            raise MemoryError
        chosen = self.chosen()
        if not chosen:
            return Found(None, 0, self.cut, self.states)
        made = self.engine.expand(chosen)
        self.expanded += len(chosen)
        won = [number for number, wins in enumerate(made.won) if wins]
        if won:
            first = min(won, key=lambda number: self.turns[made.parents[number]])
            parent = made.parents[first]
            return Found(self.plan(parent, made.actions[first]), self.turns[parent] + 1, False, self.states)
        self.take(made)
        if self.expanded >= LATER and not self.looked and len(self.takes) > 1:
            self.look_closer()
        return None

    def look_closer(self) -> None:
        """Guesses were not enough: measure distances, too, and see what is new by pairs; both have turns."""
        self.looked = True
        takes = [self.take_nearest]
        if self.engine.look_closer():
            distances = self.engine.measured(0, len(self.parents)).tolist()
            self.closest = [(one, state) for state, one in enumerate(distances) if not self.done[state]]
            heapq.heapify(self.closest)
            takes.append(self.take_closest)
        if self.engine.look_wider():
            self.widest = []
            takes.append(self.take_widest)
        self.takes = (*takes, self.take_newest, self.take_oldest)
        self.widen(1)

    def widen(self, first: int) -> None:
        """Put those of the kept states in which something is new, from `first` on, into their queue.

        There is none any more once it costs too much.
        """
        if self.widest is None:
            return
        found = self.engine.new(first, self.parents[first:])
        if found is None:
            self.widest = None
            self.takes = tuple(take for take in self.takes if take != self.take_widest)
            return
        for new in found:
            if not self.done[new[-1]]:
                heapq.heappush(self.widest, new)

    def take(self, made: Children) -> None:
        """Put what was not known into the queues."""
        new = []
        for number, key in enumerate(made.keys):
            if key not in self.known:
                self.known.add(key)
                new.append(number)
        if not new:
            return
        first = len(self.parents)
        far, bits = self.engine.keep(new)
        self.parents += [made.parents[number] for number in new]
        self.deeds += [made.actions[number] for number in new]
        self.turns += [self.turns[made.parents[number]] + 1 for number in new]
        self.done.extend(bytes(len(new)))
        self.oldest.extend(range(first, first + len(new)))
        if len(self.takes) == 1:
            return
        fresh = self.novelty(far, bits).tolist()
        for state, (distance, new_to_all) in enumerate(zip(far.tolist(), fresh, strict=True), first):
            heapq.heappush(self.nearest, (distance, state))
            if new_to_all:
                heapq.heappush(self.newest, (distance, state))
        if self.closest is not None:
            for state, distance in enumerate(self.engine.measured(first, len(self.parents)).tolist(), first):
                heapq.heappush(self.closest, (distance, state))
        self.widen(first)

    def chosen(self) -> list[int]:
        """The states whose turn it is, from the queue whose turn it is; none where all are empty."""
        for _ in self.takes:
            take = self.takes[self.turn % len(self.takes)]
            self.turn += 1
            found: list[int] = []
            while len(found) < TOGETHER and (number := take()) is not None:
                if self.done[number]:
                    continue
                self.done[number] = 1
                if self.horizon is not None and self.turns[number] >= self.horizon:
                    self.cut = True
                else:
                    found.append(number)
            if found:
                return found
        return []

    def take_nearest(self) -> int | None:
        """The state nearest to the goal."""
        return heapq.heappop(self.nearest)[-1] if self.nearest else None

    def take_closest(self) -> int | None:
        """The state nearest to the goal as it is measured."""
        return heapq.heappop(self.closest)[-1] if self.closest else None

    def take_widest(self) -> int | None:
        """Of those with one or two new things together the one that lacks least of the goal."""
        return heapq.heappop(self.widest)[-1] if self.widest else None

    def take_newest(self) -> int | None:
        """Of those with something new the nearest."""
        return heapq.heappop(self.newest)[-1] if self.newest else None

    def take_oldest(self) -> int | None:
        """The state that was found first."""
        return self.oldest.popleft() if self.oldest else None

    def plan(self, state: int, action: int) -> Plan:
        """The inputs that lead to a state, and one more."""
        made = [action]
        while self.parents[state] >= 0:
            made.append(self.deeds[state])
            state = self.parents[state]
        return Plan((), tuple(self.engine.words[one] for one in reversed(made)))
