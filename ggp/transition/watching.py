"""Turns that are run only to see what rules do: many boards at once, far ones as well as near ones.

Boards are gone on from as a frontier that is as wide as an array is quick (`ggp.transition.batch`): those
whose turn showed anything new first, then those nearest to the start, then some of those found last.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.transition.batch import ALL, NONE, Batch, Words
from ggp.transition.bits import Bits
from ggp.transition.kernel import Boards, clear_markers, run_program
from ggp.transition.program import CompiledRule, Loop, Program, Transition
from ggp.transition.seen import Seen, as_many

WORK, STATES = 100_000, 60_000  # looks at arrays, and turns (some seconds); boards that are found
TIMES = (1, 2)  # so many times as much is looked at, where the first look is not enough
LONGER, ENOUGH = 3, 40_000  # so many times as long as there is anything new, and so much more
ROUNDS = 200  # of a loop: what takes more is not looked at
ROOM = 4_096  # words of an array that is soon gone through
SPREAD = 4  # of so many times as many as are taken, those found last, some are taken by lot
NEW = 0.5  # the share of boards whose turn was new, if there are any
NEAR = 0.5  # of the rest that of near ones
BOARDS = 500  # so many are looked at for what there is as much of on all of them

Way = frozenset[str]
Key = bytes
"""A board, packed: the planes that vary, a bit a cell."""


class Watched(Batch):
    """A batch of states of which is noted what fires, and what rounds loops take.

    After a turn `now` has by the `id` of rules the cells and states in which they fired, and `resting` those
    that did in rounds that changed nothing.
    """

    def __init__(self, transition: Transition, size: int, seen: Seen, tick: Callable[[], None]) -> None:
        super().__init__(transition, size)
        self.seen, self.tick = seen, tick
        self.now: dict[int, Words] = {}
        self.resting: dict[int, Words] = {}
        self.work = 0  # looks at arrays
        self.program = transition.turn + transition.physics

    def empty(self, board: Words) -> bool:
        self.work += 1
        return board is self.zero or not board.any()

    def fired(self, rule: CompiledRule, subject: int | None, where: Words) -> Words:
        add(self.now, id(rule), where)
        return where

    def run(self, program: Program, boards: Boards) -> Boards:
        """The boards after a program."""
        self.tick()
        return run_program(self, program, boards)

    def loop(self, loop: Loop, boards: Boards) -> Boards:
        outside, most = self.now, 0
        for number in range(min(loop.bound, ROUNDS) + 1):
            self.now = {}
            after = self.run(loop.body, boards)
            unrest = self.changed(boards, after) & ~self.faults
            for one, where in self.now.items():
                add(outside, one, where)
                add(self.resting, one, where & ~unrest)
            boards = after
            if not unrest.any():
                break
            most = number + 1
        else:
            self.faults = self.faults | unrest
        self.now = outside
        self.seen.rounds[id(loop)] = max(self.seen.rounds.get(id(loop), 0), most)
        return boards

    def turn(self, boards: Boards, given: dict[str, Words]) -> Boards:
        """The boards after a turn, by the states in which the input has each word.

        States whose turn has no next board are in `faults`.
        """
        self.given, self.now, self.resting = given, {}, {}
        self.faults = np.zeros(self.words, np.uint64)
        return clear_markers(self, self.run(self.program, boards))


def add(total: dict[int, Words], one: int, where: Words) -> None:
    """Note cells and states beside those that are noted."""
    total[one] = total[one] | where if one in total else where


class Packed:
    """Boards of a level as bytes, and many of them as arrays; planes that never vary are as at the start."""

    def __init__(self, transition: Transition, start: Boards) -> None:
        self.transition, self.bits, self.start = transition, Bits(transition), start
        self.planes = sorted(transition.dynamic)
        self.shape = (transition.height, transition.width)
        self.cells = transition.height * transition.width

    def key(self, boards: Boards) -> Key:
        """A board whose planes are integers."""
        places = [self.bits.bit(*divmod(cell, self.shape[1])) for cell in range(self.cells)]
        there = [bool(boards[plane] & place) for plane in self.planes for place in places]
        return np.packbits(np.array(there, np.uint8)).tobytes()

    def number(self, there: NDArray[Any]) -> int:
        """Cells (rows, columns) as an integer."""
        rows, columns = (found.tolist() for found in np.nonzero(there))
        return sum(map(self.bits.bit, rows, columns))

    def boards(self, key: Key) -> Boards:
        """The board, its planes as integers."""
        there = np.unpackbits(np.frombuffer(key, np.uint8))[: len(self.planes) * self.cells]
        after = list(self.start)
        for plane, one in zip(self.planes, there.reshape(-1, *self.shape), strict=True):
            after[plane] = self.number(one)
        return tuple(after)

    def batch(self, keys: Sequence[Key], words: int) -> Boards:
        """These boards as one of arrays of so many words; states that are left over have empty planes."""
        rows = np.frombuffer(b"".join(keys), np.uint8).reshape(len(keys), -1)
        bits = np.unpackbits(np.ascontiguousarray(rows.T), axis=0)[: len(self.planes) * self.cells]
        there = np.zeros((len(bits), words * 64), np.uint8)
        there[:, : len(keys)] = bits
        packed = np.packbits(there, axis=1, bitorder="little").view(np.uint64)
        arrays = packed.reshape(len(self.planes), *self.shape, words)
        after: list[Words] = [self.filled(board, words) for board in self.start]
        for plane, board in zip(self.planes, arrays, strict=True):
            after[plane] = board
        return tuple(after)

    def filled(self, board: int, words: int) -> Words:
        """A plane that is the same in all states."""
        rows, columns = self.shape
        there = [
            [bool(board & self.bits.bit(row, column)) for column in range(columns)] for row in range(rows)
        ]
        return np.repeat(np.where(np.array(there), ALL, NONE)[:, :, None], words, axis=2)

    def keys(self, boards: Boards, states: int) -> list[Key]:
        """The boards of so many states of a batch."""
        arrays = np.stack([boards[plane] for plane in self.planes]).reshape(-1, boards[0].shape[2])
        there = np.unpackbits(arrays.view(np.uint8), axis=1, bitorder="little")[:, :states]
        return [row.tobytes() for row in np.ascontiguousarray(np.packbits(there, axis=0).T)]


class Frontier:
    """The boards that are known, and those that are still to be gone on from."""

    def __init__(self, first: Key) -> None:
        self.luck = Random(0)
        self.known = {first: None}  # in the order in which they were found
        self.near, self.far, self.new = deque([first]), [first], list[Key]()

    def take(self, most: int) -> list[Key]:
        """Up to so many boards, none twice."""
        taken: dict[Key, None] = {}
        while len(taken) < most and (self.near or self.far or self.new):
            if self.new and self.luck.random() < NEW:
                taken[self.new.pop()] = None
            elif self.near and (not self.far or self.luck.random() < NEAR):
                taken[self.near.popleft()] = None
            elif self.far:
                last = len(self.far)
                taken[self.far.pop(self.luck.randrange(max(0, last - SPREAD * most), last))] = None
            else:
                taken[self.new.pop()] = None
        return list(taken)

    def add(self, key: Key, new: bool) -> None:
        """A board that was come to, with what is new in the turn that led there?"""
        if key not in self.known:
            self.known[key] = None
            self.near.append(key)
            self.far.append(key)
            if new:
                self.new.append(key)


def watched(
    transition: Transition, start: Boards, inputs: Iterable[Way], tick: Callable[[], None]
) -> Iterator[Seen]:
    """What is seen of the rules on boards that follow one after turns with these inputs.

    Then what is seen where it is looked at longer, if there is anything left to look at.
    """
    watching = Watching(transition, start, tuple(inputs), tick)
    for times in TIMES:
        watching.times, before = times, watching.work
        while watching.on():
            watching.step()
        if times == TIMES[0] or watching.work > before:
            yield watching.noted()


class Watching:
    """Turns from more and more boards, with what was seen in them."""

    def __init__(
        self, transition: Transition, start: Boards, ways: Sequence[Way], tick: Callable[[], None]
    ) -> None:
        self.transition, self.ways, self.tick = transition, ways, tick
        self.packed, self.seen = Packed(transition, start), Seen()
        self.frontier = Frontier(self.packed.key(start))
        # So many boards are gone on from at once.
        self.most = max(1, ROOM // self.packed.cells * 64 // len(ways))
        self.fired: dict[int, NDArray[np.bool_]] = {}
        self.resting: set[int] = set()
        self.times = 1
        self.work = self.news = 0  # and how much it was when anything new was last seen

    def on(self) -> bool:
        """Is there anything left to be gone on from, and room for it?"""
        frontier, most = self.frontier, min(self.times * WORK, LONGER * self.news + ENOUGH)
        room = self.work < most and len(frontier.known) < self.times * STATES
        return room and bool(frontier.near or frontier.far)

    def step(self) -> None:
        """A turn from some boards with each input."""
        keys = [key for key in self.frontier.take(self.most) for _ in self.ways]
        states = len(keys)
        batch = Watched(self.transition, states, self.seen, self.tick)
        after = batch.turn(self.packed.batch(keys, batch.words), self.given(states, batch.words))
        self.work += batch.work + states
        good = mask(np.arange(states) >= 0, batch.words) & ~batch.faults
        new = self.note(batch, good)
        whole = self.packed.keys(after, states)
        for key, kept, found in zip(whole, spelt_out(good, states), spelt_out(new, states), strict=True):
            if kept:
                self.frontier.add(key, bool(found))

    def given(self, states: int, words: int) -> dict[str, Words]:
        """The states whose input has each word: inputs take turns."""
        numbers = np.arange(states) % len(self.ways)
        told = sorted(frozenset().union(*self.ways))
        having = {word: [number for number, way in enumerate(self.ways) if word in way] for word in told}
        return {word: mask(np.isin(numbers, some), words) for word, some in having.items()}

    def note(self, batch: Watched, good: Words) -> Words:
        """Note what fired in these states; those in which anything of it is new."""
        new = np.zeros_like(good)
        for one, where in batch.now.items():
            where = where & good
            here = where.any(axis=2)
            known = self.fired.setdefault(one, np.zeros_like(here))
            first = here & ~known
            if first.any():
                known |= here
                new |= np.bitwise_or.reduce(where[first], axis=0)
        self.resting |= {one for one, where in batch.resting.items() if (where & good).any()}
        if new.any():
            self.news = self.work
        return new

    def noted(self) -> Seen:
        """What was seen, in integers."""
        seen, known = self.seen, self.frontier.known
        seen.fired = {one: self.packed.number(there) for one, there in self.fired.items() if there.any()}
        seen.at_rest = {one: seen.fired[one] for one in self.resting}
        some = islice(known, 0, None, 1 + len(known) // BOARDS)
        seen.kept = tuple(as_many(tuple(map(self.packed.boards, some))))
        return seen


def mask(states: NDArray[np.bool_], words: int) -> Words:
    """Which states it is, in so many words."""
    there = np.zeros(words * 64, np.uint8)
    there[: len(states)] = states
    return np.packbits(there, bitorder="little").view(np.uint64)


def spelt_out(states: Words, number: int) -> Iterator[int]:
    """For each state whether it is one of these."""
    return iter(np.unpackbits(states.view(np.uint8), bitorder="little")[:number].tolist())
