"""Loops in which marks go along a line (`ggp.transition.chains`), told without their rounds.

Round by round such a loop is a board for each step of the longest line. Along the line it is one formula a
cell: the mark comes to a cell if it is there, or has come to the cell before and is handed on; and what is
marked steps ahead if the next cell is free, or if what stands there steps ahead.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.encoding.fields import Field, Fields
from ggp.encoding.formula import Formula, negate
from ggp.model import Instance
from ggp.transition.chains import Chain
from ggp.transition.kernel import Boards, matches, negative, union
from ggp.transition.program import CompiledRule, Term, Transition


def unmarked(instance: Instance, transition: Transition) -> bool:
    """Do only rules put markers? Else they may stand where no rule would put one."""
    declared = instance.game.input
    if declared is not None and declared.pick is not None:
        return False
    markers = {transition.planes[plane] for plane in transition.markers}
    return all(markers.isdisjoint(cell) for row in instance.level.board for cell in row)


def told(chain: Chain, algebra: Fields, boards: Boards) -> Boards:
    """The boards after the loop."""
    return Line(chain, algebra, boards).told()


class Line:
    """A chain, told along the lines of a board."""

    def __init__(self, chain: Chain, algebra: Fields, boards: Boards) -> None:
        self.chain, self.algebra, self.boards = chain, algebra, boards
        self.marked: Field = boards[chain.marker]
        self.after = algebra.way(chain.step)
        self.before = algebra.way(negative(chain.step))

    def told(self) -> Boards:
        """The boards after the loop."""
        if self.algebra.empty(self.marked):
            return self.boards
        return self.stepped() if self.chain.blockers else self.handed_on()

    def cells(self) -> Iterator[int]:
        """The cells, each after the one before it in the line."""
        cells = range(len(self.after))
        return iter(cells if sum(self.chain.step) > 0 else reversed(cells))

    def called(self, formula: Formula, cell: int) -> Formula:
        """The formula as a literal that is called after the first rule."""
        if isinstance(formula, bool | int):
            return formula
        rule = self.chain.rules[0]
        return self.algebra.literal(formula, f"{rule.name}_{rule.direction}", cell)

    def forbid(self, firing: Formula, cell: int) -> None:
        """The rules do not fire there: it was not seen."""
        self.algebra.demand(
            negate(firing), self.algebra.why(f"{self.chain.rules[0].name} does not fire", cell)
        )

    # --- a mark that is handed on

    def handed_on(self) -> Boards:
        """The boards with the marks where they come to, and without what they take away there."""
        algebra, conj, disj = self.algebra, self.algebra.conj, self.algebra.disj
        on, other = self.open()
        came: dict[int, Formula] = {}
        fired: dict[int, Formula] = {}
        for cell in self.cells():
            behind, there = self.before[cell], self.marked.at(cell)
            came[cell] = there
            if behind >= 0:
                here = conj(came[behind], negate(there))
                self.forbid(conj(here, conj(other.at(behind), negate(on.at(behind)))), cell)
                fired[cell] = conj(here, on.at(behind))
                came[cell] = self.called(disj(there, conj(came[behind], on.at(behind))), cell)
        after = list(self.boards)
        after[self.chain.marker] = algebra.settle(self.chain.marker, Field(algebra, came))
        for plane in self.chain.removed:
            after[plane] = algebra.settle(plane, self.boards[plane] & ~Field(algebra, fired))
        return tuple(after)

    def open(self) -> tuple[Field, Field]:
        """Where a mark would be handed on if it came, and where else that was not seen to happen."""
        marker, algebra, size = self.chain.marker, self.algebra, len(self.after)
        new = Term(self.chain.step, (marker,), False)
        may, other = algebra.zero, algebra.zero
        shared: dict[Term, Field] = {}
        for rule in self.chain.rules:
            asked = CompiledRule(rule.name, None, (), tuple(term for term in rule.terms if term != new), ())
            where = matches(algebra, asked, algebra.everywhere(), None, self.boards, shared)
            cut = range(size) if rule.cut is None else rule.cut.cells
            spelt = where.spelt_out(size)
            may = may | Field(algebra, {cell: spelt[cell] for cell in range(size) if cell in cut})
            other = other | Field(algebra, {cell: spelt[cell] for cell in range(size) if cell not in cut})
        return algebra.named("open", may), algebra.named("open", other)

    # --- what is marked steps ahead

    def stepped(self) -> Boards:
        """The boards after all that is marked stepped ahead, as far as there is room."""
        algebra, conj, disj = self.algebra, self.algebra.conj, self.algebra.disj
        standing = union(algebra, (self.boards[plane] for plane in sorted(self.chain.blockers)))
        moving = union(algebra, (self.boards[plane] for plane in sorted(self.chain.movers)))
        goes: dict[int, Formula] = {}
        for cell in reversed([*self.cells()]):
            ahead = self.after[cell]
            room: Formula = False
            if ahead >= 0:
                room = disj(negate(standing.at(ahead)), conj(goes[ahead], moving.at(ahead)))
            goes[cell] = self.called(conj(self.marked.at(cell), room), cell)
            if not self.seen(cell):
                self.forbid(goes[cell], cell)
                goes[cell] = False
        left = ~Field(algebra, goes)
        after = list(self.boards)
        after[self.chain.marker] = algebra.settle(self.chain.marker, self.marked & left)
        for plane in sorted(self.chain.movers):
            board = self.boards[plane]
            come = algebra.shift(board & Field(algebra, goes), negative(self.chain.step))
            after[plane] = algebra.settle(plane, (board & left) | come)
        return tuple(after)

    def seen(self, cell: int) -> bool:
        """Were rules seen to fire at a cell, if that was looked at?"""
        return any(rule.cut is None or cell in rule.cut.cells for rule in self.chain.rules)
