"""What may stand where, and what must, in any run of a game: boards between two bounds.

An algebra of the kernel. What a turn makes of all boards within the bounds is within the new ones; joined
with them until nothing is new, they hold for runs of any length and any inputs. They may be too wide, never
too narrow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ggp.model import Instance
from ggp.transition.bits import Bits
from ggp.transition.kernel import Boards, Company, clear_markers, run_program, tallied
from ggp.transition.program import CompiledRule, Loop, Offset, Pass, Program, Transition, concerned


@dataclass(frozen=True, slots=True)
class Between:
    """The cells that may be true, and those of them that must be, as bits of `ggp.transition.bits`."""

    may: int
    must: int

    def __and__(self, other: Between) -> Between:
        return Between(self.may & other.may, self.must & other.must)

    def __or__(self, other: Between) -> Between:
        return Between(self.may | other.may, self.must | other.must)

    def __invert__(self) -> Between:
        return Between(~self.must, ~self.may)

    def join(self, other: Between) -> Between:
        """Bounds for what is within the one or the other."""
        return Between(self.may | other.may, self.must & other.must)


class Bounds:
    """The algebra of such boards. Of the input nothing is known but that there is one.

    `tick` is called for each rule that may fire. What a step made of its planes is kept: imported games have
    thousands of passes, few of which find other bounds when the turn is run again.
    """

    zero = Between(0, 0)

    def __init__(self, transition: Transition, tick: Callable[[], None]) -> None:
        self.transition = transition
        self.bits = Bits(transition)
        self.tick = tick
        self.planes: dict[int, tuple[int, ...]] = {}  # of each step, by `id`: what it looks at or changes
        self.made: dict[int, tuple[Boards, Boards]] = {}  # the bounds of these planes before it and after it

    def everywhere(self) -> Between:
        return Between(self.bits.full, self.bits.full)

    def empty(self, board: Between) -> bool:
        return not board.may

    def shift(self, board: Between, offset: Offset) -> Between:
        return Between(self.bits.shift(board.may, offset), self.bits.shift(board.must, offset))

    def inside(self, offset: Offset) -> Between:
        inside = self.bits.inside(offset)
        return Between(inside, inside)

    def tally(self, where: Any, boards: list[Any], low: int, high: int) -> Any:
        return tallied(self, where, boards, low, high)

    def input(self, words: tuple[str, ...]) -> Between | None:
        return Between(self.bits.full, 0) if words else None

    def fired(self, rule: CompiledRule, subject: int | None, where: Between) -> Between:
        self.tick()
        if rule.cut is None:
            return where
        allowed = self.bits.cells(divmod(cell, self.transition.width) for cell in rule.cut.cells)
        return where & Between(allowed, allowed)

    def moved(self, plane: int, where: Between) -> None:
        """Nobody asks what moves."""

    def settle(self, plane: int, board: Between) -> Between:
        return board

    def exclude(self, what: str, step: Pass, companies: list[Company]) -> None:
        """A turn in which firings collide has no next board, so there is nothing to bound."""

    def idle(self, step: Pass, rule: CompiledRule, where: Between) -> None:
        """As for what collides."""

    def loop(self, loop: Loop, boards: Boards) -> Boards:
        """All that any number of passes makes."""
        while (wider := joined(boards, self.run(loop.body, boards))) != boards:
            boards = wider
        return boards

    def run(self, program: Program, boards: Boards) -> Boards:
        """The bounds after the steps of a program."""
        for step in program:
            planes = self.planes.get(id(step))
            if planes is None:
                planes = self.planes[id(step)] = tuple(sorted(concerned((step,))))
            before = tuple(boards[plane] for plane in planes)
            known = self.made.get(id(step))
            if known is None or known[0] != before:
                after = run_program(self, (step,), boards)
                self.made[id(step)] = before, tuple(after[plane] for plane in planes)
                boards = after
            elif known[1] != before:
                now = list(boards)
                for plane, board in zip(planes, known[1], strict=True):
                    now[plane] = board
                boards = tuple(now)
        return boards


def joined(boards: Boards, others: Boards) -> Boards:
    """Bounds for both."""
    return tuple(one.join(other) for one, other in zip(boards, others, strict=True))


def in_all_runs(
    instance: Instance,
    transition: Transition,
    start: Boards,
    within: Mapping[int, int] | None = None,
    tick: Callable[[], None] = lambda: None,
) -> Boards:
    """Bounds of every board that follows one within `start` (a `Between` a plane) after whole turns.

    Of the planes in `within` only what stands on those cells counts (given by their bits): a run in which a
    piece stands elsewhere is of no interest. `tick` is called now and then: a turn of thousands of passes
    that are repeated takes minutes.
    """
    algebra = Bounds(transition, tick)
    picked = instance.game.input.pick if instance.game.input is not None else None
    marked = {
        plane: Between(algebra.bits.full, 0)
        for plane, piece in enumerate(transition.planes)
        if piece.kind == picked
    }
    boards = start
    while True:
        told = tuple(marked.get(plane, board) for plane, board in enumerate(boards))
        after = clear_markers(algebra, algebra.run(transition.turn + transition.physics, told))
        for plane, allowed in (within or {}).items():
            cut = after[plane] & Between(allowed, allowed)
            after = (*after[:plane], cut, *after[plane + 1 :])
        wider = joined(boards, after)
        if wider == boards:
            return boards
        boards = wider
