"""The operators of a one-agent game, and its goal, as arrays that compiled loops run over.

A state is the agent's cell and a row of 64-bit words with a bit for each open spot of
`ggp.search.push.grounding`. All spots of a cell are in one word, so an ask is one `and`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import Unfit
from ggp.goals.count import Count
from ggp.goals.on import On
from ggp.model import Instance, Pattern
from ggp.model.board import amount
from ggp.search.push.grounding import IDLE, STEP, Grounded, Operator, Spot

Array = NDArray[Any]
ENDLESS = 1 << 20  # more than anything costs


class Operators(NamedTuple):
    """The operators: those of agent cell n and input a are `first[n * inputs + a]` up to the next `first`."""

    first: Array
    action: Array
    source: Array  # agent cells, numbered as in Grounded.cells
    target: Array
    cost: Array
    kind: Array  # IDLE, STEP or PUSH
    ask_first: Array  # the asks of operator o are ask_first[o] up to ask_first[o + 1]
    ask_word: Array
    ask_mask: Array
    ask_wanted: Array
    change_first: Array  # and so its changes of words
    change_word: Array
    change_clear: Array
    change_set: Array
    step_target: (
        Array  # where cell n and input a lead if they are a step, at n * inputs + a; -1: they never are
    )
    step_word: Array  # and the bits that must be clear for that; all three are empty where that is not all
    step_mask: Array


class Terms(NamedTuple):
    """Goal terms, each a number of bits within bounds: base + popcount(words & mask) in low..high."""

    mask: Array  # (terms, words)
    base: Array
    low: Array
    high: Array


class Goal(NamedTuple):
    """When the game is won, and when it is lost."""

    win: Terms
    lose: Terms
    at: Array  # the agent cells that the goal allows
    asks_at: bool  # does the goal ask where the agent is?
    off: Array  # the agent cells on which the game is lost
    zero: Array  # bits that must all be clear for a win


class Layout:
    """Which bit of which word stands for which open spot."""

    def __init__(self, grounded: Grounded) -> None:
        self.place: dict[Spot, tuple[int, int]] = {}
        by_cell: dict[int, list[Spot]] = {}
        for spot in grounded.open:
            by_cell.setdefault(spot[1], []).append(spot)
        word = bit = 0
        for spots in by_cell.values():
            if len(spots) > 64:
                raise Unfit
            if bit + len(spots) > 64:
                word, bit = word + 1, 0
            for spot in spots:
                self.place[spot] = word, bit
                bit += 1
        self.words = word + 1
        self.number = {cell: index for index, cell in enumerate(grounded.cells)}

    def row(self, spots: Iterable[Spot]) -> Array:
        """The words in which just these spots are set; those that are not open are left out."""
        row = np.zeros(self.words, np.uint64)
        for spot in spots:
            if spot in self.place:
                word, bit = self.place[spot]
                row[word] |= np.uint64(1 << bit)
        return row


def operator_arrays(grounded: Grounded, layout: Layout, inputs: int) -> Operators:
    """The operators as arrays."""
    counts = np.zeros(len(grounded.cells) * inputs + 1, np.int64)
    asks: list[tuple[int, int, bool]] = []
    changes: list[tuple[int, int, int]] = []
    ask_first, change_first = [0], [0]
    for operator in grounded.operators:
        counts[layout.number[operator.cell] * inputs + operator.action + 1] += 1
        for ask in operator.asks:
            row = layout.row((plane, ask.cell) for plane in ask.planes)
            word = int(np.flatnonzero(row)[0])
            asks.append((word, int(row[word]), ask.wanted))
        changes += changed(operator, layout)
        ask_first.append(len(asks))
        change_first.append(len(changes))
    first = np.cumsum(counts)
    return Operators(
        first,
        np.array([operator.action for operator in grounded.operators], np.int64),
        np.array([layout.number[operator.cell] for operator in grounded.operators], np.int64),
        np.array([layout.number[operator.target] for operator in grounded.operators], np.int64),
        np.array([operator.cost for operator in grounded.operators], np.int64),
        np.array([operator.kind for operator in grounded.operators], np.int64),
        np.array(ask_first, np.int64),
        np.array([word for word, _, _ in asks], np.int64),
        np.array([mask for _, mask, _ in asks], np.uint64),
        np.array([wanted for _, _, wanted in asks], np.bool_),
        np.array(change_first, np.int64),
        np.array([word for word, _, _ in changes], np.int64),
        np.array([clear for _, clear, _ in changes], np.uint64),
        np.array([put for _, _, put in changes], np.uint64),
        *steps(grounded.operators, first, layout),
    )


def steps(operators: list[Operator], first: Array, layout: Layout) -> tuple[Array, Array, Array]:
    """When each cell and input are a step and where to, as `Operators` has it."""
    target = np.full(first.size - 1, -1, np.int64)
    word, mask = np.zeros(target.size, np.int64), np.zeros(target.size, np.uint64)
    for at in range(target.size):
        tried = operators[first[at] : first[at + 1]]
        for number, operator in enumerate(tried):
            if operator.kind != STEP:
                continue
            clear = layout.row((plane, ask.cell) for ask in operator.asks for plane in ask.planes)
            words = np.flatnonzero(clear)
            plain = all(not ask.wanted for ask in operator.asks) and len(words) < 2 and target[at] < 0
            if not plain or any(map(partial(both, operator), tried[:number])):
                return target[:0], word[:0], mask[:0]
            target[at] = layout.number[operator.target]
            if len(words):
                word[at], mask[at] = words[0], clear[words[0]]
    return target, word, mask


def both(step: Operator, before: Operator) -> bool:
    """May all that both ask hold at once? Not where one wants what the other wants to be away."""
    away = {(plane, ask.cell) for ask in step.asks for plane in ask.planes}
    wanted = ({(plane, ask.cell) for plane in ask.planes} for ask in before.asks if ask.wanted)
    return not any(each <= away for each in wanted)


def changed(operator: Operator, layout: Layout) -> list[tuple[int, int, int]]:
    """(word, the bits to clear, the bits to set) for each word that an operator changes."""
    clear = layout.row(effect.source for effect in operator.effects if effect.source is not None)
    put = layout.row(effect.target for effect in operator.effects if effect.target is not None)
    words = np.flatnonzero(clear | put) if operator.kind != IDLE else ()
    return [(int(word), int(clear[word]), int(put[word])) for word in words]


class GoalReader:
    """Reads goal terms into bounds on numbers of bits; raises Unfit for what they cannot say."""

    def __init__(self, instance: Instance, grounded: Grounded, layout: Layout) -> None:
        self.instance, self.grounded, self.layout = instance, grounded, layout
        self.transition, self.plane = grounded.transition, grounded.agent.plane
        self.everywhere = range(self.transition.height * self.transition.width)
        columns = self.transition.width
        self.start = {
            (self.transition.number[piece], row * columns + column)
            for row, line in enumerate(instance.level.board)
            for column, here in enumerate(line)
            for piece in here
        }
        self.must_be_on: list[tuple[set[int], set[int]]] = []  # (planes, cells) that hold all their pieces

    def goal(self) -> Goal:
        """The goal of the instance."""
        goal, size = self.instance.game.goal, len(self.grounded.cells)
        at, off = np.ones(size, np.bool_), np.zeros(size, np.bool_)
        asks_at = False
        win: list[tuple[Array, int, int, int]] = []
        lose: list[tuple[Array, int, int, int]] = []
        for terms, found, losing in ((goal.terms, win, False), (goal.lose, lose, True)):
            for term in terms:
                planes, cells, low, high = self.term(term)
                if planes == {self.plane}:
                    holds = np.array([low <= int(cell in cells) <= high for cell in self.grounded.cells])
                    if losing:
                        off |= holds
                    else:
                        at &= holds
                        asks_at = True
                    continue
                found.append(self.bits(planes, cells, low, high))
                if high == 0 and not losing:
                    self.must_be_on.append((planes, set(self.everywhere) - cells))
        zero = np.zeros(self.layout.words, np.uint64)
        for mask, base, _, high in win:
            if high == base:
                zero |= mask
        return Goal(self.table(win), self.table(lose), at, asks_at, off, zero)

    def bits(self, planes: set[int], cells: set[int], low: int, high: int) -> tuple[Array, int, int, int]:
        """A term about pieces other than the agent: its mask, what is certain, and its bounds."""
        if self.plane in planes:
            raise Unfit
        spots = {(plane, cell) for plane in planes for cell in cells}
        still = {spot for spot in spots & self.start if spot[0] not in self.transition.dynamic}
        return self.layout.row(spots), len(still | (spots & self.grounded.certain)), low, high

    def table(self, terms: list[tuple[Array, int, int, int]]) -> Terms:
        """Terms as arrays."""
        masks = np.array([mask for mask, _, _, _ in terms], np.uint64).reshape(-1, self.layout.words)
        base, low, high = (np.array([term[i] for term in terms], np.int64) for i in (1, 2, 3))
        return Terms(masks, base, low, high)

    def term(self, term: object) -> tuple[set[int], set[int], int, int]:
        """(planes, cells, fewest, most): how many pieces of the planes must stand on the cells."""
        if isinstance(term, On):
            on = self.ground(term.ground, term.placing)
            if term.quantifier == "every":
                return self.planes(term.what), set(self.everywhere) - on, 0, 0
            return self.planes(term.what), on, *((1, ENDLESS) if term.quantifier == "some" else (0, 0))
        if isinstance(term, Count):
            number = amount(self.instance, term.number)
            cells = set(self.everywhere) if term.ground is None else self.ground(term.ground, term.placing)
            low, high = {"=": (number, number), "<=": (0, number), ">=": (number, ENDLESS)}[term.comparison]
            return self.planes(term.what), cells, low, high
        raise Unfit

    def planes(self, pattern: Pattern) -> set[int]:
        """The planes that a pattern matches."""
        return set(self.transition.planes_of(self.instance, pattern))

    def ground(self, pattern: Pattern, placing: str) -> set[int]:
        """The cells that hold, or do not hold, something of a pattern that never changes."""
        planes = self.planes(pattern)
        if planes & self.transition.dynamic:
            raise Unfit
        held = {cell for plane, cell in self.start if plane in planes}
        return held if placing == "on" else set(self.everywhere) - held
