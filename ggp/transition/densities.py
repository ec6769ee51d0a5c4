"""Densities instead of bits: how much of a piece stands on a cell, and how the outcome depends on the design.

A board is an array of numbers from 0 to 1, and what the rules say is said with `+`, `-` and `*` alone: both
is the product, one of two the sum (no more than 1), what is left of a part the difference. Where all numbers
are 0 or 1 that is what the rules mean; between them a piece splits, and no part of it is lost. So the outcome
is a function with a gradient, which is found by going back through what was done (reverse accumulation).

Source: the first method of martinResearch/puzzleAI (2018), there written by hand for one game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from ggp.model import Cell
from ggp.transition.kernel import Boards, Company, clear_markers, run_program, tallied
from ggp.transition.program import CompiledRule, Loop, Offset, Pass, Transition

Numbers = npt.NDArray[np.float64]
Back = Callable[[Numbers], Numbers]
MOST_PASSES = 64  # of a loop: what is still changing then changes little
STILL = 1e-9


class Density:
    """A number for each cell (rows by columns), or one for the whole board (no axes).

    `within` are the numbers of the boards that it is a part of, and `opposite` is the board that it
    complements: a part taken from what it is a part of leaves the difference.
    """

    __slots__ = ("algebra", "number", "opposite", "parents", "value", "within")

    def __init__(
        self,
        algebra: Densities,
        value: Numbers,
        parents: tuple[tuple[Density, Back], ...] = (),
        within: frozenset[int] = frozenset(),
        opposite: Density | None = None,
    ) -> None:
        self.algebra = algebra
        self.value = value
        self.parents = tuple((parent, back) for parent, back in parents if parent.varies)
        self.within = within
        self.opposite = opposite
        self.number = len(algebra.tape)
        algebra.tape.append(self)

    @property
    def varies(self) -> bool:
        """Does it depend on what is to be found?"""
        return bool(self.parents) or self in self.algebra.unknowns

    def __and__(self, other: Density) -> Density:
        for one, rest in ((self, other), (other, self)):
            if rest.opposite is not None and one.number in {rest.opposite.number, *rest.opposite.within}:
                return one.less(rest.opposite)
            if rest.number in {one.number, *one.within}:
                return one
        within = self.within | other.within | {self.number, other.number}
        parents = (self, lambda grad: grad * other.value), (other, lambda grad: grad * self.value)
        return Density(self.algebra, self.value * other.value, parents, within)

    def less(self, part: Density) -> Density:
        """What is left without a part of it."""
        if part is self:
            return self.algebra.zero
        parents = (self, lambda grad: grad), (part, lambda grad: -grad)
        return Density(self.algebra, self.value - part.value, parents, self.within | {self.number})

    def __or__(self, other: Density) -> Density:
        if other.number in {self.number, *self.within} or other is self.algebra.zero:
            return other if other is not self.algebra.zero else self
        if self.number in other.within or self is self.algebra.zero:
            return self if self is not self.algebra.zero else other
        total = self.value + other.value
        room = total <= 1

        def back(grad: Numbers) -> Numbers:
            return grad * room

        return Density(self.algebra, np.minimum(total, 1), ((self, back), (other, back)))

    def __invert__(self) -> Density:
        if self.opposite is not None:
            return self.opposite
        return Density(self.algebra, 1 - self.value, ((self, lambda grad: -grad),), opposite=self)


class Densities:
    """The algebra of densities over one compiled program, and the tape of what was computed in it.

    One is made for each run. Firings that collide are not looked for: whoever finds a design has it replayed.
    """

    def __init__(self, transition: Transition) -> None:
        self.transition = transition
        self.shape = transition.height, transition.width
        self.tape: list[Density] = []
        self.unknowns: set[Density] = set()
        self.zero = self.board(np.zeros(self.shape))
        self.whole = self.board(np.ones(self.shape))
        self.shifted: dict[tuple[int, Offset], Density] = {}

    def board(self, value: Numbers, *, unknown: bool = False) -> Density:
        """A board of given numbers; what an `unknown` one adds to the outcome is asked for later."""
        made = Density(self, value)
        if unknown:
            self.unknowns.add(made)
        return made

    def step(self, boards: Boards) -> Boards:
        """The boards after one turn of a game without inputs."""
        return clear_markers(self, run_program(self, self.transition.physics, boards))

    def gradient(self, outcome: Density) -> dict[Density, Numbers]:
        """How the outcome (one number) changes with each number of the unknown boards."""
        grads: dict[int, Numbers] = {outcome.number: np.ones_like(outcome.value)}
        for made in reversed(self.tape[: outcome.number + 1]):
            grad = grads.get(made.number)
            if grad is None:
                continue
            for parent, back in made.parents:
                found = back(grad)
                before = grads.get(parent.number)
                grads[parent.number] = found if before is None else before + found
        return {one: grads.get(one.number, np.zeros_like(one.value)) for one in self.unknowns}

    # --- what the kernel asks

    def everywhere(self) -> Density:
        return self.whole

    def empty(self, board: Density) -> bool:
        return not board.varies and not board.value.any()

    def shift(self, board: Density, offset: Offset) -> Density:
        if offset == (0, 0):
            return board
        key = board.number, offset
        if key not in self.shifted:
            value = self.moved_by(board.value, offset)
            away = -offset[0], -offset[1]
            parents = ((board, lambda grad: self.moved_by(grad, away)),)
            self.shifted[key] = Density(self, value, parents)
        return self.shifted[key]

    def moved_by(self, value: Numbers, offset: Offset) -> Numbers:
        """At each cell what stands at that cell + offset; 0 outside."""
        down, right = offset
        out = np.roll(value, (-down, -right), (0, 1))
        if not self.transition.wraps:
            height, width = self.shape
            out[max(0, height - down) if down > 0 else height :] = 0
            out[: -down if down < 0 else 0] = 0
            out[:, max(0, width - right) if right > 0 else width :] = 0
            out[:, : -right if right < 0 else 0] = 0
        return out

    def inside(self, offset: Offset) -> Density:
        return self.shift(self.whole, offset)

    def tally(self, where: Density, boards: list[Density], low: int, high: int) -> Density:
        counted: Density = tallied(self, where, boards, low, high)
        return counted

    def input(self, words: tuple[str, ...]) -> Density | None:
        return self.zero if words else None

    def fired(self, rule: CompiledRule, subject: int | None, where: Density) -> Density:
        return where

    def moved(self, plane: int, where: Density) -> None:
        """Nobody asks."""

    def settle(self, plane: int, board: Density) -> Density:
        return board

    def exclude(self, what: str, step: Pass, companies: list[Company]) -> None:
        """See the class."""

    def idle(self, step: Pass, rule: CompiledRule, where: Density) -> None:
        """A part that changes nothing does no harm."""

    def loop(self, loop: Loop, boards: Boards) -> Boards:
        for _ in range(min(loop.bound, MOST_PASSES)):
            after = run_program(self, loop.body, boards)
            pairs = zip(after, boards, strict=True)
            if all(np.abs(one.value - other.value).max() < STILL for one, other in pairs if one is not other):
                break
            boards = after
        return boards

    # --- what goal words ask: numbers that are 1 (or more) where the goal holds, and less the less it does

    def cells(self, region: Iterable[Cell]) -> Density:
        """The board that is 1 on these cells."""
        value = np.zeros(self.shape)
        for cell in region:
            value[cell] = 1
        return self.board(value)

    def total(self, boards: Iterable[Density], scale: float = 1.0, start: float = 0.0) -> Density:
        """start + scale x the sum of all numbers of the boards."""
        boards = list(boards)
        value = np.asarray(start + scale * sum(float(board.value.sum()) for board in boards))

        def back(shape: tuple[int, ...]) -> Back:
            return lambda grad: np.full(shape, scale * float(grad))

        return Density(self, value, tuple((board, back(board.value.shape)) for board in boards))

    def every(self, truths: Iterable[Density]) -> Density:
        """All of them: 1 less what each lacks."""
        truths = list(truths)
        return self.total(truths, start=1.0 - len(truths))

    def opposite(self, truth: Density) -> Density:
        """As much as it lacks."""
        return self.total([truth], scale=-1.0, start=1.0)

    def some(self, board: Density) -> Density:
        """As much of it as there is."""
        return self.total([board])

    def none(self, board: Density) -> Density:
        """1 less as much of it as there is."""
        return self.total([board], scale=-1.0, start=1.0)

    def count(self, boards: list[Density], comparison: str, number: int) -> Density:
        """1 less as much as the total is away from where it should be."""
        over, under = self.total(boards, start=-float(number)), self.total(boards, -1.0, float(number))
        lacks = [one for one, asked in ((over, "<="), (under, ">=")) if comparison in (asked, "=")]
        return self.total([self.above(one) for one in lacks], scale=-1.0, start=1.0)

    def above(self, one: Density) -> Density:
        """What is above 0."""
        return Density(self, np.maximum(one.value, 0), ((one, lambda grad: grad * (one.value > 0)),))
