"""How many placements a simple path through a state graph needs at least, arc by arc.

A path pays for a cell once, however often it needs what is placed there; so what arcs need must not simply
be added up. Two remarks make a sum that no path falls short of. The graph falls apart into *regions*, within
which states are joined both ways, and no path comes back to a region: so a cell is charged in the first
region of a path that may need it. And within a region, from where the path enters it, a state that is only
met by ways that have paid for a cell is not charged for it (as dominators, found by intersection: Allen and
Cocke, 1976); what states are left to charge share the price, as a simple path leaves each of them once.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter

Needs = frozenset[int]
Edge = tuple[int, int, Needs]  # from state to state, and the cells in which something has to be placed

PRICE = 12  # of one cell: the states that share it are 1, 2, 3, 4 or 6 as a rule


@dataclass
class Region:
    """States that are joined both ways, with the edges within and those that lead out; cells are bits."""

    inner: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    outer: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    bits: dict[int, int] = field(default_factory=dict)
    before: int = 0  # the regions from which one may come here, as bits

    def mask(self, needs: Iterable[int]) -> int:
        """Cells as bits of this region."""
        return sum(1 << self.bits.setdefault(cell, len(self.bits)) for cell in needs)


@dataclass(frozen=True)
class Entry:
    """What there is to pay in a region from where it is entered."""

    paid: dict[int, int]  # to get to a state
    edges: list[tuple[int, int, int]]  # all edges from these states, with what each costs
    out: list[tuple[int, int]]  # the states beyond, and what it costs to get there


class Charges:
    """The least prices from the start to each state, and from there to an end, with no more than `most`."""

    def __init__(
        self, edges: Sequence[Edge], start: int, ends: Iterable[int], most: int, tick: Callable[[], None]
    ) -> None:
        self.edges, self.most, self.tick = edges, most * PRICE, tick
        self.region_of, self.regions = regions(edges)
        self.users: dict[int, int] = {}  # by cell: the regions where it may be needed, as bits
        for source, target, needs in edges:
            here = self.regions[self.region_of[source]]
            within = self.region_of[source] == self.region_of[target]
            edge = (target, here.mask(needs))
            (here.inner if within else here.outer).setdefault(source, []).append(edge)
            for cell in needs:
                self.users[cell] = self.users.get(cell, 0) | 1 << self.region_of[source]
        self.entered = self.ancestors()
        self.entries: dict[int, Entry] = {}
        self.there = self.onward(start)
        self.back = self.backward(ends)

    def ancestors(self) -> dict[int, int]:
        """For each state that is entered from other regions, all those from which one may come, as bits."""
        into: dict[int, dict[int, set[int]]] = {number: {} for number in range(len(self.regions))}
        for number, region in enumerate(self.regions):
            for edges in region.outer.values():
                for target, _ in edges:
                    into[self.region_of[target]].setdefault(target, set()).add(number)
        entered: dict[int, int] = {}
        order = TopologicalSorter({one: set().union(*states.values()) for one, states in into.items()})
        for one in order.static_order():
            for state, others in into[one].items():
                entered[state] = 0
                for other in others:
                    entered[state] |= self.regions[other].before | 1 << other
                self.regions[one].before |= entered[state]
        return entered

    def onward(self, start: int) -> dict[int, int]:
        """What it costs at least to enter a region at each state."""
        settled: dict[int, int] = {}
        queue = [(0, start)]
        while queue:
            cost, state = heapq.heappop(queue)
            if state in settled:
                continue
            settled[state] = cost
            self.tick()
            self.entries[state] = entry = self.entry(state, self.most - cost)
            for target, more in entry.out:
                if target not in settled and cost + more <= self.most:
                    heapq.heappush(queue, (cost + more, target))
        return settled

    def entry(self, state: int, most: int) -> Entry:
        """What there is to pay from here, as far as that is no more than `most`."""
        region = self.regions[self.region_of[state]]
        surely = surely_paid(region, state)
        prices = self.prices(region, surely, self.entered.get(state, 0))
        paid, edges, out = {state: 0}, list[tuple[int, int, int]](), list[tuple[int, int]]()
        queue = [(0, state)]
        while queue:
            cost, here = heapq.heappop(queue)
            if cost > paid[here]:
                continue
            for target, mask in region.inner.get(here, ()):
                price = total(prices, mask & ~surely[here])
                edges.append((here, target, price))
                if cost + price <= most and cost + price < paid.get(target, most + 1):
                    paid[target] = cost + price
                    heapq.heappush(queue, (cost + price, target))
            for target, mask in region.outer.get(here, ()):
                price = total(prices, mask & ~surely[here])
                edges.append((here, target, price))
                out.append((target, cost + price))
        return Entry(paid, edges, out)

    def prices(self, region: Region, surely: Mapping[int, int], before: int) -> dict[int, int]:
        """The price of each bit: none where an earlier region may have needed it, else shared."""
        sharing = dict.fromkeys(region.bits.values(), 0)
        for state, known in surely.items():
            needed = 0
            for _, mask in (*region.inner.get(state, ()), *region.outer.get(state, ())):
                needed |= mask
            for bit in bits(needed & ~known):
                sharing[bit] += 1
        return {
            bit: 0 if self.users[cell] & before else PRICE // max(1, sharing[bit])
            for cell, bit in region.bits.items()
        }

    def backward(self, ends: Iterable[int]) -> dict[int, int]:
        """What it costs at least from where a region is entered to an end."""
        into: dict[int, list[tuple[int, int]]] = {}
        for state, entry in self.entries.items():
            for target, cost in entry.out:
                into.setdefault(target, []).append((state, cost))
        return cheapest(dict.fromkeys(ends, 0), into)

    def kept(self) -> set[tuple[int, int]]:
        """The pairs of states between which a path with no more than so many placements may go."""
        found: set[tuple[int, int]] = set()
        for state, entry in self.entries.items():
            spare = self.most - self.there[state]
            if self.back.get(state, spare + 1) > spare:
                continue
            self.tick()
            into: dict[int, list[tuple[int, int]]] = {}
            for source, target, price in entry.edges:
                into.setdefault(target, []).append((source, price))
            beyond = {target: self.back[target] for target, _ in entry.out if target in self.back}
            left = cheapest(beyond, into)
            for source, target, price in entry.edges:
                if entry.paid[source] + price + left.get(target, spare + 1) <= spare:
                    found.add((source, target))
        return found


def surely_paid(region: Region, start: int) -> dict[int, int]:
    """The cells that every way from `start` to a state within the region has needed, as bits."""
    surely, todo = {start: 0}, [start]
    for here in todo:
        known = surely[here]
        for target, mask in region.inner.get(here, ()):
            after = known | mask
            before = surely.get(target)
            if before is None:
                surely[target] = after
                todo.append(target)
            elif before & ~after:
                surely[target] = before & after
                todo.append(target)
    return surely


def cheapest(starts: Mapping[int, int], after: Mapping[int, list[tuple[int, int]]]) -> dict[int, int]:
    """The least cost of each state that can be reached (Dijkstra, 1959)."""
    found = dict(starts)
    queue = [(cost, state) for state, cost in starts.items()]
    heapq.heapify(queue)
    while queue:
        cost, state = heapq.heappop(queue)
        if cost > found[state]:
            continue
        for other, price in after.get(state, ()):
            if cost + price < found.get(other, cost + price + 1):
                found[other] = cost + price
                heapq.heappush(queue, (cost + price, other))
    return found


def total(prices: Mapping[int, int], mask: int) -> int:
    """What the cells of a mask cost together."""
    return sum(prices[bit] for bit in bits(mask))


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while mask:
        least = mask & -mask
        yield least.bit_length() - 1
        mask ^= least


def regions(edges: Sequence[Edge]) -> tuple[list[int], list[Region]]:
    """The region of each state, and an empty one for each.

    States that are joined both ways, as S. R. Kosaraju finds them: from the state that is left last, all that
    lead to it. SciPy has it, and takes longer to be imported than a small level to be solved.
    """
    size = 1 + max((max(source, target) for source, target, _ in edges), default=0)
    after: list[list[int]] = [[] for _ in range(size)]
    before: list[list[int]] = [[] for _ in range(size)]
    for source, target, _ in edges:
        after[source].append(target)
        before[target].append(source)
    region_of, number = [-1] * size, 0
    for state in reversed(left_in_order(after)):
        if region_of[state] < 0:
            todo = [state]
            while todo:
                here = todo.pop()
                if region_of[here] < 0:
                    region_of[here] = number
                    todo += before[here]
            number += 1
    return region_of, [Region() for _ in range(number)]


def left_in_order(after: Sequence[Sequence[int]]) -> list[int]:
    """All states in the order in which a depth-first search leaves them."""
    seen, left = [False] * len(after), list[int]()
    for first in range(len(after)):
        todo = [first]
        while todo:
            here = todo.pop()
            if here < 0:
                left.append(~here)
            elif not seen[here]:
                seen[here] = True
                todo.append(~here)
                todo += after[here]
    return left
