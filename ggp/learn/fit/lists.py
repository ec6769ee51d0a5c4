"""The smallest list of decisions that says what was seen: conjunctions of tests, in order.

Every decision has tests for free: what its outcome takes away is there, and what it adds is on the board.
What else must be asked is found by counting, over tables of answers, which one, two, three or four tests
leave no example that ended otherwise.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ggp.learn.fit.answers import Answers, Asked
from ggp.learn.fit.conjunctions import Conjunction, conjunctions
from ggp.learn.fit.plainest import Plainest, Plainness
from ggp.learn.fit.questions import Excluded, Test, Told, proposed
from ggp.learn.fit.toil import spend
from ggp.learn.fit.trees import Ground, grown
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.views import OWN, Look, Outcome

MOST_TESTS = 120  # tests looked at together
TREES = 4  # trees that choose them
LEAVES = 1.6  # of a tree, for each unit of the size that a list may have
IDLE = 0.6  # what a decision costs more under which nothing happens
HOME = 0.5  # what a list costs less that ends with what can come about anywhere, at an edge, too
RULE = 1.0  # what each decision costs
# How much a decision that explains more may cost more; each is tried, the smallest list wins.
GREEDS = (0.4, 1.0)


class Decision(NamedTuple):
    """If all tests hold, and no decision before this one applied, this is the outcome."""

    tests: tuple[Test, ...]
    outcome: Outcome
    support: int = 0


class Chosen(NamedTuple):
    """A decision by numbers: what it costs, its tests, its outcome, and where it may come about."""

    cost: float
    tests: tuple[int, ...]
    outcome: int
    mask: Any


@dataclass(frozen=True)
class Decisions:
    """A list with its size. `offsets` is the window that it looks at."""

    offsets: tuple[Offset, ...]
    decisions: tuple[Decision, ...]
    cost: float

    @cached_property
    def asked(self) -> tuple[Offset, ...]:
        """What of the window decisions ask for or change: what they say depends on nothing else."""
        tested = (test.offset for one in self.decisions for test in one.tests)
        changed = (change.offset for one in self.decisions for change in one.outcome)
        return tuple(dict.fromkeys((*tested, *changed)))

    def outcome(self, looks: Mapping[Offset, Look], word: str) -> Outcome:
        """What comes of what is seen."""
        for decision in self.decisions:
            if applies(decision.outcome, looks) and all(
                test.holds(looks.get(test.offset), word) for test in decision.tests
            ):
                return decision.outcome
        return ()


def applies(outcome: Outcome, looks: Mapping[Offset, Look]) -> bool:
    """Is all there that the outcome takes away, and all on the board that it adds to?"""
    for change in outcome:
        look = looks.get(change.offset)
        if look is None or (change.sign == "-" and change.thing.facing != OWN and change.thing not in look):
            return False
    return True


# --- the search -------------------------------------------------------------------------------------------


class Table:
    """Rows with the answers to all tests that tell some of them apart."""

    def __init__(
        self,
        told: Told,
        offsets: Sequence[Offset],
        excluded: Excluded,
        *,
        cells_only: bool = False,
        shake: random.Random | None = None,
    ) -> None:
        import numpy as np

        self.np = np
        self.offsets = tuple(offsets)
        self.looks = told.looks
        came, done = told.outcomes
        self.weight = np.ones(len(done), dtype=np.float32)
        self.outcomes = sorted(came)
        self.idle = {n for n, outcome in enumerate(self.outcomes) if not outcome}
        self.label = np.array([self.outcomes.index(outcome) for outcome in came])[done]
        self.base = {outcome: self.applicable(outcome) for outcome in self.outcomes}
        answers = Answers(told)
        plainness = Plainness(answers.often())
        asked = Plainest[Asked](plainness)
        for test, cost in proposed(told, offsets, excluded, cells_only):
            spend(20 + len(done) / 500)
            if shake is not None:
                cost *= shake.uniform(0.75, 1.35)
            key = answers.to(test)
            if key is not None:
                asked.take(key, cost, test)
        telling = Plainest[bytes](plainness)
        for key, line in answers.packed(asked.best):
            telling.take(line, *asked.best[key])
        chosen = telling.in_order()
        self.tests = [test for _, _, test in chosen]
        self.cost = np.array([cost for _, cost, _ in chosen])
        self.answers = answers.of([line for line, _, _ in chosen])
        self.found: dict[tuple[int, bytes], list[Conjunction]] = {}

    def applicable(self, outcome: Outcome) -> Any:
        """The rows in which an outcome could come about."""
        can = self.np.ones(len(self.weight), dtype=bool)
        for change in outcome:
            looks, code = self.looks[change.offset]
            can &= self.np.array([applies((change,), {change.offset: look}) for look in looks])[code]
        return can

    def smallest(self, limit: float = math.inf) -> Decisions | None:
        """The smallest of the lists that some greedy searches find; None where all cost more than `limit`.

        Raises Undecided where none of them tells the rows apart.
        """
        if not self.choose_tests(limit):
            return None
        self.found.clear()
        best: Decisions | None = None
        # Where every decision says what happens, "nothing" at the end is free; a decision under which nothing
        # happens covers much and looks cheap, but often only splits what comes after it.
        # What serves anywhere is kept for the end, too, alone or with "nothing" after it.
        homely = [n for n, outcome in enumerate(self.outcomes) if outcome and at_home(outcome)]
        idle = sorted(self.idle)
        lasts = [idle, *([[]] if idle else []), *([n] for n in homely), *([n, *idle] for n in homely if idle)]
        stuck = 0
        for last in lasts:
            try:
                for greed in GREEDS:
                    found = self.greedy(greed, limit if best is None else best.cost, last)
                    if found is not None and (best is None or found.cost < best.cost):
                        best = found
            except Undecided:  # what comes last here keeps the others from being told apart
                stuck += 1
        if stuck == len(lasts):
            raise Undecided
        return best

    def choose_tests(self, limit: float) -> bool:
        """Keep the tests that some decision trees ask: they settle everything, and are few.

        False where the first tree is so large that no list within the limit is to be hoped for.
        """
        np = self.np
        if len(self.outcomes) < 2 or not self.tests:
            return True
        free = np.array([self.base[outcome] for outcome in self.outcomes])
        # Of tests that settle as much a tree takes any, so several grow.
        ground = Ground(np.concatenate([self.answers, free]), self.label)
        asked: set[int] = set()
        for seed in range(TREES):
            most = LEAVES * limit if seed == 0 else math.inf
            tests, leaves = grown(ground, most, np.random.default_rng(seed) if seed else None)
            if leaves > most:
                return False
            asked |= {test for test in tests if test < len(self.tests)}
        keep = sorted(asked)
        lines = np.packbits(self.answers, axis=1)
        opposite = {line.tobytes(): n for n, line in enumerate(lines)}
        for n in sorted(asked):
            other = opposite.get(packed(np, ~self.answers[n]))
            if other is not None and other not in asked:
                keep.append(other)
        if len(keep) > MOST_TESTS:
            keep = keep[:MOST_TESTS]
        self.tests = [self.tests[n] for n in keep]
        self.cost, self.answers = self.cost[keep], self.answers[keep]
        self.merge_rows()
        return True

    def merge_rows(self) -> None:
        """Take rows together that all tests that are left answer alike; they count as many as they are."""
        np = self.np
        free = [self.base[outcome] for outcome in self.outcomes]
        table = np.concatenate([self.answers, np.array(free), self.label[None, :]]).T
        _, first, number = np.unique(
            np.ascontiguousarray(table.astype(np.int16)), axis=0, return_index=True, return_counts=True
        )
        self.weight = number.astype(np.float32)
        self.answers, self.label = self.answers[:, first], self.label[first]
        self.base = {outcome: column[first] for outcome, column in self.base.items()}

    def greedy(self, greed: float, limit: float, last: Sequence[int] = ()) -> Decisions | None:
        """Again and again the decision that costs least for what it explains.

        The outcomes with the numbers `last` are kept for the end, in this order.
        """
        np = self.np
        left = np.ones(len(self.label), dtype=bool)
        chosen: list[Chosen] = []
        total = 0.0
        while left.any():
            one = self.best(left, greed, last)
            chosen.append(one)
            left &= ~one.mask
            total += one.cost
            open_outcomes = len(set(self.label[left].tolist()) - self.idle)
            # What may come off at the end: "nothing" as the last decision, and an end that serves anywhere.
            if total + RULE * open_outcomes > limit + HOME + (IDLE + RULE if self.idle else 0):
                return None
        if chosen and not self.outcomes[chosen[-1].outcome]:
            chosen.pop()
            homely = True
        else:
            homely = bool(chosen) and at_home(self.outcomes[chosen[-1].outcome])
        chosen = self.without_idle(chosen)
        total = sum(one.cost for one in chosen) - (HOME if homely else 0.0)
        return Decisions(self.offsets, self.listed(chosen), total) if total <= limit else None

    def listed(self, chosen: Sequence[Chosen]) -> tuple[Decision, ...]:
        """The decisions in words, each with the number of rows that it settles."""
        left, found = self.np.ones(len(self.label), dtype=bool), []
        for one in chosen:
            support = int(self.weight[left & one.mask].sum())
            tests = tuple(self.tests[n] for n in one.tests)
            found.append(Decision(tests, self.outcomes[one.outcome], support))
            left &= ~one.mask
        return tuple(found)

    def without_idle(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Without decisions that need not be there any more: what came after them says the same."""
        kept = list(chosen)
        for one in sorted(chosen[:-1], key=lambda one: -one.cost):
            fewer = [other for other in kept if other is not one]
            if bool((self.said(fewer) == self.label).all()):
                kept = fewer
        return kept

    def said(self, chosen: Sequence[Chosen]) -> Any:
        """The number of the outcome that decisions say of each row; where none does, that of "nothing"."""
        nothing = min(self.idle, default=-1)
        found = self.np.full(len(self.label), nothing)
        for one in reversed(chosen):
            found[one.mask] = one.outcome
        return found

    def best(self, left: Any, greed: float, last: Sequence[int]) -> Chosen:
        """The next decision."""
        found: tuple[float, float, float, tuple[int, ...], int] | None = None
        there = set(self.label[left].tolist())
        later = [number for number in last if number in there]
        kept = set(later) if there - set(later) else set(later[1:])
        for number, outcome in enumerate(self.outcomes):
            base = self.base[outcome] & left
            right = base & (self.label == number)
            if not right.any() or number in kept:
                continue
            fixed = RULE + (0.0 if outcome else IDLE)
            wrong = base & (self.label != number)
            for cost, covers, chosen in self.known_conjunctions(number, right, wrong):
                key = cost + fixed - greed * math.log2(1 + covers)
                if found is None or (key, -covers) < found[:2]:
                    found = (key, -covers, cost + fixed, chosen, number)
        if found is None:
            raise Undecided
        _, _, own, chosen, number = found
        mask = self.base[self.outcomes[number]].copy()
        for test in chosen:
            mask &= self.answers[test]
        return Chosen(own, chosen, number, mask)

    def known_conjunctions(self, number: int, right: Any, wrong: Any) -> list[Conjunction]:
        """What `conjunctions` finds, found once: lists begin alike, and are often left with the same."""
        key = number, packed(self.np, right | wrong)
        if key not in self.found:
            self.found[key] = list(conjunctions(self.answers, self.weight, self.cost, right, wrong))
        return self.found[key]


def at_home(outcome: Outcome) -> bool:
    """Does it change nothing but what stands at the anchor, so that it can come about anywhere?"""
    return all(change.offset == (0, 0) for change in outcome)


def packed(np: Any, column: Any) -> bytes:
    """The answers to a test, equal for equal ones: bit by bit, since there are many tests and rows."""
    return bytes(np.packbits(column))


class Undecided(Exception):
    """No conjunction of the tests that were looked at tells the rows apart."""
