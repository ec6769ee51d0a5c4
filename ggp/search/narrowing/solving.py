"""Depth-first search over the choices that cells have left; the rules narrow them after every decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from ggp.search.narrowing.choices import Dead, Mask, Now, Rule

PLAIN = 100  # decisions without tries of every choice, for which machine code has to be loaded


Decision = tuple[int, Mask]


class Trying(Protocol):
    """Tries every choice before one is decided; see `ggp.search.narrowing.probing`."""

    def narrowed(self, masks: Sequence[Mask], tick: Callable[[], None]) -> list[Mask]:
        """What is left of each cell. Raises Dead."""

    def decisions(self, masks: Sequence[Mask]) -> list[Decision]:
        """Choices of which one is right; none if all are made."""


class Tree:
    """The search for the boards that keep every rule, as far as the rules see."""

    def __init__(
        self, rules: Sequence[Rule], free: Sequence[int], number: int, whole: Iterable[Sequence[int]] = ()
    ) -> None:
        self.rules = rules
        self.free = free
        self.watchers: list[list[int]] = [[] for _ in range(number)]
        for index, rule in enumerate(rules):
            for cell in rule.watched:
                self.watchers[cell].append(index)
        self.failed = [1.0] * len(rules)  # how often each rule found that there is no answer
        self.dear = [rule.dear for rule in rules]
        self.whole: list[list[Sequence[int]]] = [
            [] for _ in range(number)
        ]  # for each cell, its `whole` regions
        for region in whole:
            for cell in region:
                self.whole[cell].append(region)
        self.always: list[int] = []  # rules that look after each decision, for what they say may change
        self.probing: Callable[[], Trying | None] = lambda: None  # what a long search goes on with

    def propagate(self, now: Now, rules: Sequence[int], tick: Callable[[], None]) -> None:
        """Let rules narrow until none finds anything; raises Dead."""
        queues: tuple[list[int], list[int]] = ([], [])
        waits = bytearray(len(self.rules))

        def wake(indices: Sequence[int]) -> None:
            for one in indices:
                if not waits[one]:
                    waits[one] = 1
                    queues[self.dear[one]].append(one)

        wake(rules)
        while queues[0] or queues[1]:
            index = queues[0].pop() if queues[0] else queues[1].pop(0)
            waits[index] = 0
            if self.dear[index]:
                tick()
            try:
                self.rules[index].narrow(now)
            except Dead:
                self.failed[index] += 1.0
                raise
            for cell in now.changed:
                wake(self.watchers[cell])
            now.changed.clear()

    def answers(self, start: list[Mask], tick: Callable[[], None]) -> Iterator[list[Mask]]:
        """Every board, with one choice for each cell, to which no rule objects."""
        now = Now(list(start))
        try:
            self.propagate(now, range(len(self.rules)), tick)
            self.shave(now, tick)
        except Dead:
            return
        stack, nodes, found, trying = [now.masks], 0, False, None
        while stack:
            tick()
            masks = stack.pop()
            nodes += 1
            if nodes == PLAIN and (trying := self.probing()) is not None and not found:
                stack, masks = [], now.masks  # what was decided first was decided knowing less
            alternatives = self.looked(masks, tick) if trying is None else self.probed(trying, masks, tick)
            if alternatives is None:
                continue
            masks, decisions = alternatives
            if not decisions:
                found = True
                yield masks
            branches = (self.tried(masks, cell, choice, tick) for cell, choice in decisions)
            stack += reversed([branch for branch in branches if branch is not None])

    def looked(self, masks: list[Mask], tick: Callable[[], None]) -> tuple[list[Mask], list[Decision]] | None:
        """The board as it is, and the decisions of which one is right: none if all are made."""
        found = self.choose(masks)
        return masks, [] if found is None else self.alternatives(masks, found)

    def probed(
        self, trying: Trying, masks: list[Mask], tick: Callable[[], None]
    ) -> tuple[list[Mask], list[Decision]] | None:
        """The board after every choice was tried, and the decisions; None if there is no answer."""
        now = Now(masks)
        try:
            while True:
                left = trying.narrowed(now.masks, tick)
                changed = [cell for cell, mask in enumerate(left) if mask != now.masks[cell]]
                now = Now(list(left))
                self.propagate(now, sorted({one for cell in changed for one in self.watchers[cell]}), tick)
                if now.masks == left:
                    return left, trying.decisions(left)
        except Dead:
            return None

    def tried(
        self, masks: list[Mask], cell: int, choice: Mask, tick: Callable[[], None]
    ) -> list[Mask] | None:
        """What follows of a choice; None if it is impossible."""
        now = Now(list(masks))
        now.masks[cell] = choice
        try:
            self.propagate(now, [*self.watchers[cell], *self.always], tick)
        except Dead:
            return None
        return now.masks

    def shave(self, now: Now, tick: Callable[[], None]) -> None:
        """Take away each choice that turns out impossible when it is made, until none does. Raises Dead."""
        quiet = 0
        while quiet < len(self.free):
            for cell in self.free:
                quiet += 1
                mask = now.masks[cell]
                if mask.bit_count() != 2:
                    continue
                for choice in bits_of(mask):
                    tick()
                    if now.masks[cell] & choice and self.tried(now.masks, cell, choice, tick) is None:
                        now.keep(cell, ~choice)
                        now.changed.clear()
                        self.propagate(now, self.watchers[cell], tick)
                        quiet = 0

    def choose(self, masks: list[Mask]) -> int | None:
        """The open cell with few choices and many rules that failed before; None if all are settled.

        F. Boussemart and others, Boosting systematic search by weighting constraints, ECAI 2004.
        """
        best, found = 0.0, None
        for cell in self.free:
            mask = masks[cell]
            if mask & (mask - 1):
                weight = sum(self.failed[index] for index in self.watchers[cell]) + 0.001
                score = weight / mask.bit_count()
                if score > best:
                    best, found = score, cell
        return found

    def alternatives(self, masks: list[Mask], cell: int) -> list[Decision]:
        """The decisions of which one is right: what the cell takes, or where one of its values goes."""
        fewest, best = masks[cell].bit_count(), [(cell, choice) for choice in bits_of(masks[cell])]
        if fewest > 2:
            for region in self.whole[cell]:
                for choice in bits_of(masks[cell]):
                    places = [other for other in region if masks[other] & choice]
                    if len(places) < fewest:
                        fewest, best = len(places), [(other, choice) for other in places]
        return best


def bits_of(mask: Mask) -> Iterator[Mask]:
    """Each single choice, the lowest first."""
    while mask:
        yield mask & -mask
        mask &= mask - 1
